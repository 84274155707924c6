//! `gannet`: what a GUI starts.

use std::process::ExitCode;

fn main() -> ExitCode {
    gannet::run()
}
