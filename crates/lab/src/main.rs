//! `gannet-lab`: nothing is believed until it is measured.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::run()
}
