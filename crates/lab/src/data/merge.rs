//! `gannet-lab data merge`: the games of several places in one, each of them once.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::Source;
use crate::failure::{Failure, Result};
use crate::pool;
use crate::records::{Fault, Header, Replay, Shard, ShardWriter, What, shards};

const EXAMPLES: &str = "\
Example:
  gannet-lab data merge machine1/d machine2/d --out data/d";

/// Put the games of several places into one folder, dropping games that come twice
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The folder to write to; it must not hold shards
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let paths = arguments.source.shards()?;
    let out = &arguments.out;
    make_empty(out)?;
    pool::catch_interrupts()?;
    let bar = ProgressBar::new(paths.len() as u64);
    let merged = merge(&paths, out.clone(), |faults| {
        for fault in faults {
            bar.suspend(|| eprintln!("{fault}"));
        }
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    println!("{} games written to {}, {} came twice and were dropped", merged.games, out.display(), merged.twice);
    if merged.faults > 0 {
        println!("{} faults were passed over; they are listed above", merged.faults);
    }
    Ok(())
}

/// What a merge came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Games written.
    pub games: u64,
    /// Games left out because they were there already.
    pub twice: u64,
    /// Damage that was passed over.
    pub faults: usize,
}

/// Merges shards into a folder; `look` sees what is wrong with each one. A game that cannot be replayed is damaged,
/// whatever its checksum says, and is left out. Half a merge goes away: nobody can go on with it, and it would be in the
/// way of the next.
pub fn merge(paths: &[PathBuf], out: PathBuf, look: impl FnMut(&[Fault])) -> Result<Merged> {
    whole(out, "merged", |writer| merge_into(paths, writer, look))
}

/// Makes a folder for shards, if it is not there; it must not hold any.
pub fn make_empty(folder: &PathBuf) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, error))?;
    if !shards(std::slice::from_ref(folder))?.is_empty() {
        return Err(Failure::file("write to", folder, "it holds shards already; take an empty folder"));
    }
    Ok(())
}

/// Writes shards into a folder, all of them or none.
pub fn whole<T>(out: PathBuf, prefix: &'static str, write: impl FnOnce(&mut ShardWriter) -> Result<T>) -> Result<T> {
    let name = move |number| out.join(format!("{prefix}-{number:05}.games"));
    let mut writer = ShardWriter::new(0, Header::default(), name.clone());
    let written = write(&mut writer).and_then(|result| writer.close().map(|()| result));
    if written.is_err() {
        let mut written = (0..).map(name);
        while written.next().is_some_and(|path| std::fs::remove_file(path).is_ok()) {}
    }
    written
}

fn merge_into(paths: &[PathBuf], writer: &mut ShardWriter, mut look: impl FnMut(&[Fault])) -> Result<Merged> {
    let mut merged = Merged::default();
    let mut seen = HashSet::new();
    for path in paths {
        if pool::interrupted() {
            return Err(Failure::Interrupted);
        }
        let shard = Shard::open(path)?;
        let mut faults = shard.faults.clone();
        for block in &shard.blocks {
            if let Err(error) = shard.replay(block).and_then(Replay::record) {
                faults.push(shard.game_fault(block, What::Game(error)));
                continue;
            }
            let game = shard.game(block);
            if seen.insert(fingerprint(game)) {
                writer.write(game)?;
                merged.games += 1;
            } else {
                merged.twice += 1;
            }
        }
        merged.faults += faults.len();
        look(&faults);
    }
    Ok(merged)
}

/// Tells games apart: start, moves, scores and all.
pub fn fingerprint(game: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(game);
    hasher.finish()
}
