//! The program `gannet` as a library: [`run`] is all of it. Public beside that is only what reads texts from outside, so that it
//! can be tried with any text there is.
//!
//! A known command such as `perft`, or an option such as `--help`, goes to the command line parser.
//! Anything else, and nothing at all, is UCI.

#[cfg(feature = "full")]
mod analyse;
mod bench;
#[cfg(feature = "full")]
pub mod board;
#[cfg(feature = "full")]
mod cli;
#[cfg(not(feature = "full"))]
#[path = "cli/absent.rs"]
mod cli;
#[cfg(feature = "full")]
mod ideas;
#[cfg(feature = "full")]
mod json;
#[cfg(feature = "full")]
mod openings;
pub mod options;
mod output;
#[cfg(feature = "full")]
mod params;
#[cfg(feature = "full")]
mod perft;
mod reporter;
pub mod server;
#[cfg(feature = "full")]
mod tables;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Does what the arguments of the process ask for.
pub fn run() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let expose = arguments.first().is_some_and(|first| first == EXPOSE);
    if expose {
        arguments.remove(0);
    }
    let chosen = choose_arithmetic();
    if cli::is_command(&arguments) {
        return match chosen {
            Ok(()) => cli::run(),
            Err(error) => fail(error, 1),
        };
    }
    // A GUI gets a move in any case.
    chosen.unwrap_or_else(output::complain);
    let commands: Vec<_> = arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect();
    if let Err(error) = server::arguments::check(&commands) {
        return fail(error, USAGE);
    }
    match server::run(&commands, expose || options::are_asked_for()) {
        // A GUI's input may be wrong; that is no failure of the program.
        Ok(()) if commands.is_empty() || !output::has_complained() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(error) => fail(error, 1),
    }
}

/// Says what was wrong, and with what status to end.
fn fail(error: impl fmt::Display, status: u8) -> ExitCode {
    complain(error);
    ExitCode::from(status)
}

/// Says what was wrong to whoever looks after the program, outside UCI. If even this cannot be written, the status tells.
fn complain(error: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "error: {error}");
}

/// The first argument, where `uci` is to list every option.
const EXPOSE: &str = "--expose";

/// What the program ends with when its arguments make no sense, as the command line parser has it.
const USAGE: u8 = 2;

/// The environment variable that names the vector arithmetic to use, where it is not to be the fastest.
const ARITHMETIC: &str = "GANNET_SIMD";

/// Lets the environment choose the vector arithmetic, so that all that a machine has can be compared.
fn choose_arithmetic() -> Result<(), String> {
    let Some(name) = std::env::var_os(ARITHMETIC).filter(|name| !name.is_empty()) else { return Ok(()) };
    engine::nnue::Kernels::choose(&name.to_string_lossy()).map_err(|error| format!("{ARITHMETIC}: {error}"))
}
