//! `gannet-lab data`: what can be done with game records and with the positions made from them.

mod expand;
mod filter;
mod parallel;
mod position;
mod scatter;
mod tally;

use clap::{Args, Subcommand};

use crate::failure::Result;

pub use self::filter::Filter;
pub use self::tally::{Tally, TallyJson, per};

/// Look at game records, check, merge and shuffle them, turn them into training positions
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Expand(expand::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Expand(arguments) => expand::run(arguments),
    }
}
