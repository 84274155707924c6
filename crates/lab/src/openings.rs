//! `gannet-lab openings`: a book from nothing. Random legal plies, kept if a search finds them balanced.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use chess::Board;
use clap::Args;
use indicatif::ProgressBar;

use crate::book::{Scorer, random_opening};
use crate::failure::{Failure, Result};
use crate::files::Target;
use crate::pool::{self, Jobs};
use crate::rng::Rng;

const EXAMPLES: &str = "\
Examples:
  gannet-lab openings --count 4000 --out openings.epd
  gannet-lab openings --plies 10 --least 30 --most 90 --nodes 50000 --seed 7 --out unbalanced.epd
      positions a little better for the side to move or for the other side

Exit status: 0 when the book is as long as was asked for, 1 it is not or could not be written, 2 bad
arguments, 130 interrupted before that, with the openings so far written.";

/// Make an opening book: random plies, filtered by search
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// How many openings
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// Random plies from the start position
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=60))]
    plies: u32,
    /// Begin from any of the 960 start positions
    #[arg(long)]
    chess960: bool,
    /// Nodes to search each position with
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The score must be at least this far from zero, in centipawns
    #[arg(long, default_value_t = 0)]
    least: i32,
    /// The score must be at most this far from zero, in centipawns
    #[arg(long, default_value_t = 60)]
    most: i32,
    /// The same seed makes the same book
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Give up after trying so many positions for each one wanted
    #[arg(long, default_value_t = 1000)]
    tries: u64,
    /// Positions at a time [default: one a core]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.least > arguments.most {
        let Arguments { least, most, .. } = arguments;
        return Err(Failure::arguments(format!("--least {least} must not be more than --most {most}")));
    }
    let mut target = Target::new(&arguments.out)?;
    pool::catch_interrupts()?;
    let lines = make(arguments)?;
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    target.write_or_rescue(&text)?;
    println!("{} openings written to {}", lines.len(), arguments.out.display());
    let finished = lines.len() >= arguments.count;
    pool::end(finished)?;
    if !finished {
        return Err(Failure::new(format!("{} openings were wanted: allow more plies or scores", arguments.count)));
    }
    Ok(())
}

/// The lines of the book.
fn make(arguments: &Arguments) -> Result<Vec<String>> {
    let (mut lines, mut seen) = (Vec::new(), HashSet::new());
    if arguments.count == 0 {
        return Ok(lines);
    }
    let jobs = Jobs {
        range: 0..(arguments.count as u64).saturating_mul(arguments.tries).min(1 << 28),
        done: BTreeMap::new(),
        threads: arguments.concurrency.unwrap_or_else(pool::default_threads),
    };
    let bar = ProgressBar::new(arguments.count as u64);
    pool::run(
        jobs,
        Scorer::new,
        |scorer, index, _| Ok(Some(candidate(arguments, scorer, index))),
        |_, found| {
            if let Some(board) = found
                && seen.insert(board.key())
            {
                lines.push(epd(&board, arguments.chess960));
                bar.inc(1);
            }
            if lines.len() == arguments.count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    bar.finish_and_clear();
    Ok(lines)
}

/// The position of this index, if it is in the window.
fn candidate(arguments: &Arguments, scorer: &mut Scorer, index: u64) -> Option<Board> {
    let &Arguments { seed, plies, chess960, nodes, least, most, .. } = arguments;
    let game = random_opening(&mut Rng::new(seed, index), plies, chess960);
    let score = scorer.score_near(&game, nodes, 0, most)?;
    (score.abs() >= least).then(|| game.board().clone())
}

/// The four fields of a position.
fn epd(board: &Board, chess960: bool) -> String {
    let fen = if chess960 { board.shredder_fen() } else { board.fen() };
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_depends_on_the_seed_only() {
        let book = |seed, threads| {
            let arguments = Arguments {
                count: 12,
                plies: 8,
                chess960: false,
                nodes: 500,
                least: 10,
                most: 100,
                seed,
                tries: 100,
                concurrency: Some(threads),
                out: PathBuf::new(),
            };
            make(&arguments).expect("it is made")
        };
        let one = book(1, 1);
        assert_eq!(one.len(), 12);
        assert_eq!(one, book(1, 3));
        assert_ne!(one, book(2, 2));
    }
}
