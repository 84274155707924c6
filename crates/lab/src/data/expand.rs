//! `gannet-lab data expand`: from games to training positions.

use std::path::{Path, PathBuf};
use std::time::Instant;

use chess::{Board, Color};
use clap::Args;
use indicatif::ProgressBar;

use super::Source;
use super::filter::{Filter, Keeper};
use super::parallel::shards_in_order;
use super::position::{self, Labels, NO_RESULT, Position, labels, pack};
use super::scatter::{Order, Output};
use super::tally::per;
use super::targets::Targets;
use crate::failure::Result;
use crate::pool;
use crate::records::{Fault, RecordError, Replay, Shard, SideLine, What, game_ply, shards};

const EXAMPLES: &str = "\
Examples:
  gannet-lab data expand data/a --out a.bin32 --shuffle 1
  gannet-lab data expand data/b data/c --out bc.bin32 --max-score 2000 --max-clock 60";

/// Turn games into training positions of 32 bytes
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    targets: Targets,
    /// Write the positions in a random order that this seed decides [default: in the order of the games]
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Memory for shuffling, in MiB; what is more goes through files beside the output
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
}

/// Which positions are taken, and as what.
pub struct Choice {
    /// Which.
    pub filter: Filter,
    /// As what.
    pub targets: Targets,
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

/// What an expansion came to.
pub struct Total {
    /// Positions.
    pub positions: u64,
    games: u32,
    plies: u64,
    /// What was damaged and passed over.
    pub faults: usize,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let paths = arguments.source.shards()?;
    pool::catch_interrupts()?;
    let began = Instant::now();
    let shuffle = arguments.shuffle.map(|seed| (seed, arguments.memory << 20));
    let choice = Choice { filter: arguments.filter.clone(), targets: arguments.targets };
    let total = expand_places(&paths, arguments.source.threads(), &choice, &arguments.out, shuffle)?;
    println!(
        "{} positions of {} plies ({:.1} %) in {} games written to {}, {:.2} million a second",
        total.positions,
        total.plies,
        per(100 * total.positions, total.plies),
        total.games,
        arguments.out.display(),
        total.positions as f64 / began.elapsed().as_secs_f64() / 1e6
    );
    if total.faults > 0 {
        println!("{} faults were passed over; they are listed above", total.faults);
    }
    Ok(())
}

/// Expands shards into a file; `shuffle` is a seed and the memory to use.
pub fn expand_places(
    places: &[PathBuf],
    threads: usize,
    choice: &Choice,
    out: &Path,
    shuffle: Option<(u64, u64)>,
) -> Result<Total> {
    let paths = shards(places)?;
    let bytes: u64 = paths.iter().filter_map(|path| path.metadata().ok()).map(|data| data.len()).sum();
    let expected = (bytes as f64 * POSITIONS_PER_BYTE) as u64;
    let mut output = Output::create(out, shuffle.map(|(seed, memory)| Order { seed, memory, expected }))?;
    let bar = ProgressBar::new(paths.len() as u64);
    let mut total = Total { positions: 0, games: 0, plies: 0, faults: 0 };
    shards_in_order(
        &paths,
        threads,
        |shard| Ok(expand(shard, choice)),
        |mut part| {
            for fault in &part.faults {
                bar.suspend(|| eprintln!("{fault}"));
            }
            for position in &mut part.positions {
                position::set_game(position, position::game_of(position).wrapping_add(total.games));
            }
            output.push(&part.positions)?;
            total.games = total.games.wrapping_add(part.games);
            total.plies += part.plies;
            total.faults += part.faults.len();
            bar.inc(1);
            Ok(())
        },
    )?;
    total.positions = output.finish()?;
    bar.finish_and_clear();
    Ok(total)
}

/// The positions of a shard; games are numbered from zero.
fn expand(shard: &Shard, choice: &Choice) -> Expanded {
    let mut expanded = Expanded {
        positions: Vec::with_capacity((shard.size() as f64 * POSITIONS_PER_BYTE) as usize),
        games: 0,
        plies: 0,
        faults: shard.faults.clone(),
    };
    let mut scores = Vec::new();
    for block in &shard.blocks {
        let before = expanded.positions.len();
        let result = shard
            .replay(block)
            .and_then(|replay| expand_game(replay, choice, expanded.games, &mut scores, &mut expanded.positions));
        match result {
            Ok(plies) => {
                expanded.plies += plies;
                expanded.games += 1;
            }
            Err(error) => {
                expanded.positions.truncate(before);
                expanded.faults.push(shard.game_fault(block, What::Game(error)));
            }
        }
    }
    expanded
}

/// Appends the positions of a game that are kept; returns its plies. `scores` is memory to work in: those of the game, for
/// the side that moved first.
fn expand_game(
    mut replay: Replay<'_>,
    choice: &Choice,
    game: u32,
    scores: &mut Vec<i16>,
    positions: &mut Vec<Position>,
) -> std::result::Result<u64, RecordError> {
    let result = replay.info.result;
    let sign = if replay.info.start.side_to_move() == Color::White { 1 } else { -1 };
    let first = positions.len();
    let (mut keeper, beside) = (Keeper::new(&choice.filter), &mut Vec::new());
    scores.clear();
    while let Some(ply) = replay.peek()? {
        let board = replay.board();
        if keeper.keeps(board, ply) {
            // The score is written when those after it are known; until then the game's number is the ply's.
            positions.push(pack(board, labels(0, result, game_ply(board), scores.len() as u32)));
        }
        if let Some(side) = replay.side() {
            expand_side(board, side, choice, game, beside);
        }
        scores.push(sign * ply.score);
        replay.advance(ply);
    }
    for position in &mut positions[first..] {
        let ply = position::game_of(position) as usize;
        let target = choice.targets.of(&scores[ply..]);
        position::set_score(position, if ply.is_multiple_of(2) { target } else { -target });
        position::set_game(position, game);
    }
    positions.append(beside);
    Ok(scores.len() as u64)
}

/// Appends the positions of a side line that are kept. They have no result: nobody has played on from there.
fn expand_side(board: &Board, side: &SideLine, choice: &Choice, game: u32, positions: &mut Vec<Position>) {
    let scores: Vec<i16> = side.plies.iter().map(|ply| ply.score).collect();
    for (index, (board, ply)) in side.positions(board).enumerate() {
        if choice.filter.allows(&board, ply) {
            // All for White, whoever moves: the mean of expected points is the same from both sides.
            let score = choice.targets.of(&scores[index..]);
            positions.push(pack(&board, Labels { score, half_points: NO_RESULT, ply: game_ply(&board), game }));
        }
    }
}
