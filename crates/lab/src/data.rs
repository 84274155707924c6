//! `gannet-lab data`: what can be done with game records and with the positions made from them.

mod expand;
mod export;
mod filter;
mod import;
mod merge;
mod parallel;
mod position;
mod scatter;
mod shuffle;
mod stats;
mod tally;
mod targets;
#[cfg(test)]
mod tests;
mod verify;
mod yardstick;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Result};
use crate::pool;
use crate::records::{Shard, shards};

pub use self::expand::{Choice, expand_places};
pub use self::filter::{Filter, Keeper};
pub use self::parallel::shards_in_order;
pub use self::tally::{Tally, TallyJson, per};
pub use self::targets::Targets;
#[cfg(test)]
pub use self::verify::check;

/// Look at game records, check, merge and shuffle them, turn them into training positions
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Stats(stats::Arguments),
    Verify(verify::Arguments),
    Merge(merge::Arguments),
    Import(import::Arguments),
    Expand(expand::Arguments),
    Shuffle(shuffle::Arguments),
    Export(export::Arguments),
    Yardstick(yardstick::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Stats(arguments) => stats::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Expand(arguments) => expand::run(arguments),
        Command::Shuffle(arguments) => shuffle::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Yardstick(arguments) => yardstick::run(arguments),
    }
}

/// Which games a command works on, and with how many threads.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// Shards, or folders of shards
    #[arg(required = true, value_name = "PLACE")]
    places: Vec<PathBuf>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

impl Source {
    /// The shards; there is at least one.
    pub fn shards(&self) -> Result<Vec<PathBuf>> {
        let paths = shards(&self.places)?;
        if paths.is_empty() { Err(Failure::new("there is no shard (*.games) in these places")) } else { Ok(paths) }
    }

    /// The shards that can be read, and how many cannot; those are told of on the error output.
    pub fn readable_shards(&self) -> Result<(Vec<PathBuf>, usize)> {
        let mut paths = self.shards()?;
        let all = paths.len();
        paths.retain(|path| Shard::check_readable(path).inspect_err(|failure| eprintln!("{failure}")).is_ok());
        let unreadable = all - paths.len();
        if paths.is_empty() { Err(Failure::new("no shard can be read")) } else { Ok((paths, unreadable)) }
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(pool::default_threads).max(1)
    }
}
