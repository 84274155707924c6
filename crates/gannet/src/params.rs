//! `gannet params`: the numbers of the search as a tuner wants them, one a line:
//! `name, int, start, min, max, C_end, R_end`.

use std::process::ExitCode;

use engine::Params;

use crate::output::say;

/// Print the tunable numbers of the search, as input for a tuner
#[derive(clap::Args)]
pub struct Arguments {}

/// Prints them.
pub fn run() -> ExitCode {
    say(Params::default().tuner_lines().join("\n"));
    ExitCode::SUCCESS
}
