//! `gannet-lab data expand`: from games to training positions.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;

use super::filter::Filter;
use super::parallel::shards_in_order;
use super::position::{self, Labels, Position, pack};
use super::scatter::{Order, Output};
use crate::failure::{Failure, Result};
use crate::pool;
use crate::records::{Fault, RecordError, Replay, Shard, game_ply, shards};

const EXAMPLES: &str = "\
Examples:
  gannet-lab data expand data/a --out a.bin32 --shuffle 1
  gannet-lab data expand data/b data/c --out bc.bin32 --max-score 2000 --max-clock 60";

/// Turn games into training positions of 32 bytes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Shards, or folders of shards
    #[arg(required = true)]
    places: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    filter: Filter,
    /// Write the positions in a random order that this seed decides [default: in the order of the games]
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Memory for shuffling, in MiB; what is more goes through files beside the output
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Threads [default: one a core]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

/// How many positions a byte of records makes, about: it only decides how many buckets a shuffle has.
const POSITIONS_PER_BYTE: f64 = 0.35;

/// What a shard gives.
struct Expanded {
    positions: Vec<Position>,
    games: u32,
    plies: u64,
    faults: Vec<Fault>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let paths = shards(&arguments.places)?;
    if paths.is_empty() {
        return Err(Failure::new("there is no shard (*.games) in these places"));
    }
    pool::catch_interrupts()?;
    let began = Instant::now();
    let bytes: u64 = paths.iter().filter_map(|path| path.metadata().ok()).map(|data| data.len()).sum();
    let order = arguments.shuffle.map(|seed| Order {
        seed,
        memory: arguments.memory << 20,
        expected: (bytes as f64 * POSITIONS_PER_BYTE) as u64,
    });
    let mut output = Output::create(&arguments.out, order)?;
    let bar = ProgressBar::new(paths.len() as u64);
    let threads = arguments.threads.unwrap_or_else(pool::default_threads).max(1);
    let (mut games, mut plies, mut faults) = (0u32, 0, 0);
    shards_in_order(
        &paths,
        threads,
        |shard| Ok(expand(shard, &arguments.filter)),
        |mut part| {
            for fault in &part.faults {
                bar.suspend(|| eprintln!("{fault}"));
            }
            for position in &mut part.positions {
                position::set_game(position, position::game_of(position).wrapping_add(games));
            }
            output.push(&part.positions)?;
            games = games.wrapping_add(part.games);
            plies += part.plies;
            faults += part.faults.len();
            bar.inc(1);
            Ok(())
        },
    )?;
    let count = output.finish()?;
    bar.finish_and_clear();
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{count} positions of {plies} plies ({:.1} %) in {games} games written to {}, {:.2} million a second",
        100.0 * count as f64 / (plies.max(1)) as f64,
        arguments.out.display(),
        count as f64 / seconds / 1e6
    );
    if faults > 0 {
        println!("{faults} faults were passed over; they are listed above");
    }
    Ok(())
}

/// The positions of a shard; games are numbered from zero.
fn expand(shard: &Shard, filter: &Filter) -> Expanded {
    let mut expanded = Expanded {
        positions: Vec::with_capacity((shard.len() as f64 * POSITIONS_PER_BYTE) as usize),
        games: 0,
        plies: 0,
        faults: shard.faults.clone(),
    };
    for block in &shard.blocks {
        let before = expanded.positions.len();
        let result =
            shard.replay(block).and_then(|replay| expand_game(replay, filter, expanded.games, &mut expanded.positions));
        match result {
            Ok(plies) => {
                expanded.plies += plies;
                expanded.games += 1;
            }
            Err(error) => {
                expanded.positions.truncate(before);
                expanded.faults.push(shard.game_fault(block, error));
            }
        }
    }
    expanded
}

/// Appends the positions of a game that the filter keeps; returns its plies.
fn expand_game(
    mut replay: Replay<'_>,
    filter: &Filter,
    game: u32,
    positions: &mut Vec<Position>,
) -> std::result::Result<u64, RecordError> {
    let result = replay.info.result;
    let mut plies = 0;
    while let Some(ply) = replay.peek()? {
        let board = replay.board();
        if filter.keeps(board, ply) {
            positions.push(pack(board, Labels { score: ply.score, result, ply: game_ply(board), game }));
        }
        replay.advance(ply);
        plies += 1;
    }
    Ok(plies)
}
