//! `gannet-lab data verify`: every byte and every move of every shard.

use clap::Args;
use indicatif::ProgressBar;

use chess::Game;

use super::Source;
use super::parallel::shards_in_order;
use crate::failure::{Failure, Result};
use crate::pool;
use crate::records::{Fault, Replay, Shard, What, by_rule, is_plausible};

const EXAMPLES: &str = "\
Example:
  gannet-lab data verify data/a data/b";

/// Check shards: checksums, every move by the rules, every result; faults are listed
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (paths, unreadable) = arguments.source.readable_shards()?;
    pool::catch_interrupts()?;
    let bar = ProgressBar::new(paths.len() as u64);
    let (mut games, mut plies, mut faults) = (0, 0, unreadable);
    shards_in_order(
        &paths,
        arguments.source.threads(),
        |shard| Ok(check(shard)),
        |part| {
            for fault in &part.faults {
                bar.suspend(|| println!("{fault}"));
            }
            games += part.games;
            plies += part.plies;
            faults += part.faults.len();
            bar.inc(1);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    println!("{games} sound games of {plies} plies in {} shards, {faults} faults", paths.len());
    if faults > 0 { Err(Failure::new(format!("{faults} faults in the records"))) } else { Ok(()) }
}

/// What was found in a shard.
pub struct Checked {
    /// Games without fault.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// What is wrong.
    pub faults: Vec<Fault>,
}

/// Checks a shard.
pub fn check(shard: &Shard) -> Checked {
    let mut checked = Checked { games: 0, plies: 0, faults: shard.faults.clone() };
    for block in &shard.blocks {
        match shard.replay(block).map_err(What::Game).and_then(check_game) {
            Ok(plies) => {
                checked.games += 1;
                checked.plies += plies;
            }
            Err(what) => checked.faults.push(shard.game_fault(block, what)),
        }
    }
    checked
}

/// Plays a game through; returns its plies.
fn check_game(mut replay: Replay<'_>) -> std::result::Result<u64, What> {
    let mut game = Game::new(replay.info.start.clone());
    let mut plies = 0u32;
    while let Some(ply) = replay.peek().map_err(What::Game)? {
        if by_rule(&game).is_some() || !game.play(ply.mv) {
            return Err(What::AfterEnd(plies));
        }
        replay.advance(ply);
        plies += 1;
    }
    if is_plausible(&replay.info, &game) { Ok(plies.into()) } else { Err(What::Ending) }
}
