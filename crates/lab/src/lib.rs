//! Gannet's laboratory as a library: [`run`] is the whole program `gannet-lab`. One module per command, and a few that they share.
//! Public beside `run` is only what reads files from outside, so that it can be tried with any bytes there are.

// First, so that its macros are everyone's; tests print as tests do.
#[cfg_attr(not(test), macro_use)]
mod output;

mod ablate;
mod arguments;
mod bench;
pub mod book;
mod builds;
mod chart;
mod competitor;
mod data;
mod datagen;
pub mod failure;
mod files;
mod fingerprints;
mod learn;
mod machine;
mod merge;
mod net;
mod openings;
mod pairs;
mod phases;
mod player;
mod pool;
mod process;
mod progress;
mod ratings;
pub mod records;
mod register;
mod reliability;
mod results;
mod runner;
mod settings;
mod sheet;
mod side;
mod sprt;
mod spsa;
mod standstill;
mod stats;
pub mod suite;
mod syzygy;
mod tournament;
mod train;
mod trust;
mod wdl;

use std::process::ExitCode;

use ::train::rng;
use clap::{Parser, Subcommand};
use failure::Failure;

const AFTER_HELP: &str = "\
Examples:
  gannet-lab sprt --a UseNullMove=false                        is the engine better without it?
  gannet-lab sprt --a worktree --b HEAD --clock 8+0.08         are these changes an improvement?
  gannet-lab match --engine name=Gannet --engine cmd=stockfish --tc 8+0.08 --games 100
  gannet-lab suite suites/mates.epd --nodes 100000             how many of these does it solve?
  gannet-lab spsa --tune NullMove --pairs 10000                better numbers
  gannet-lab results                                           what was measured so far
  gannet-lab openings --count 1000 --out my.epd                a book made from nothing
  gannet-lab help sprt                                         more about a command

Exit status: 0 done, 1 it could not be done, 2 bad arguments, 130 interrupted (Ctrl-C, kill) before
it was done; what there was is saved and shown all the same, except by data, net and wdl.

Everything works with no download: the engine and a book of openings are built in.";

/// Gannet's laboratory: nothing is believed until it is measured
#[derive(Parser)]
#[command(name = "gannet-lab", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Sprt(Box<sprt::Arguments>),
    Match(Box<tournament::Arguments>),
    Suite(suite::Arguments),
    Ablate(Box<ablate::Arguments>),
    Phases(Box<phases::Arguments>),
    Spsa(Box<spsa::Arguments>),
    Results(results::Arguments),
    Builds(builds::Arguments),
    Openings(openings::Arguments),
    Datagen(Box<datagen::Arguments>),
    Data(data::Arguments),
    Train(Box<train::Arguments>),
    Learn(Box<learn::Arguments>),
    Net(net::Arguments),
    Reliability(reliability::Arguments),
    Wdl(wdl::Arguments),
}

/// Does what the arguments of the process ask for.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Sprt(arguments) => sprt::run(&arguments),
        Command::Match(arguments) => tournament::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Ablate(arguments) => ablate::run(&arguments),
        Command::Phases(arguments) => phases::run(&arguments),
        Command::Spsa(arguments) => spsa::run(&arguments),
        Command::Results(arguments) => results::run(&arguments),
        Command::Builds(arguments) => builds::run(&arguments),
        Command::Openings(arguments) => openings::run(&arguments),
        Command::Datagen(arguments) => datagen::run(&arguments),
        Command::Data(arguments) => data::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Net(arguments) => net::run(&arguments),
        Command::Reliability(arguments) => reliability::run(&arguments),
        Command::Wdl(arguments) => wdl::run(&arguments),
    };
    if let Err(failure) = &result
        && *failure != Failure::Interrupted
    {
        eprintln!("gannet-lab: {failure}");
    }
    // Whoever has interrupted it knows.
    let status = result.map_or_else(|failure| failure.status(), |()| 0);
    ExitCode::from(output::status().unwrap_or(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_parser_is_sound() {
        Cli::command().debug_assert();
    }
}
