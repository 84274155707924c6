//! `gannet`: what a GUI starts.
//!
//! A known command such as `perft`, or an option such as `--help`, goes to the command line parser.
//! Anything else, and nothing at all, is UCI.

mod bench;
mod cli;
mod options;
mod params;
mod perft;
mod reporter;
mod uci;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match arguments.first() {
        Some(first) if cli::is_command(first) => cli::run(),
        _ => {
            let commands: Vec<_> = arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect();
            match uci::run(&commands) {
                // Only writing can fail, and then nobody is left to be told.
                Ok(()) | Err(_) => ExitCode::SUCCESS,
            }
        }
    }
}
