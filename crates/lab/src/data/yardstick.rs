//! `gannet-lab data yardstick`: how far labels and networks are from what a deep search says.
//!
//! A yardstick is a file of positions from games that nothing is trained on, each with the score of a search many times
//! as long as those of self-play. Whatever is thought of to make labels better (more nodes, mixing in later scores or the
//! result) is held against it before anything is trained.

mod measure;
mod residual;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use chess::{Board, Color, Game};
use clap::{Args, Subcommand};
use engine::{Control, Engine, Limits, NoClock, Silent};
use indicatif::ProgressBar;

use super::filter::{Filter, Keeper};
use super::{Source, targets::Targets};
use crate::failure::{Failure, Result};
use crate::files;
use crate::pool::{self, Jobs};
use crate::records::{Replay, Shard};
use crate::rng::Rng;

/// Later scores that a line holds.
const FOLLOWING: usize = 16;
/// The table of a search.
const HASH: usize = 16;
/// The first line of a file.
const HEADER: &str =
    "# gannet yardstick 1: FEN | deep score | result in half points | scores of this and the next plies; White's view";

const EXAMPLES: &str = "\
Examples:
  gannet-lab data yardstick make data/kept-apart --out yardstick.txt
  gannet-lab data yardstick measure yardstick.txt --net nets/gannet.gnet --net new.gnet
  gannet-lab data yardstick residual yardstick.txt --net new.gnet      where it is wrong";

/// Hold labels and networks against deep searches
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Make(Make),
    Measure(measure::Arguments),
    Residual(residual::Arguments),
}

/// Take positions from games and search them deeply
#[derive(Args)]
pub struct Make {
    #[command(flatten)]
    source: Source,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many positions, spread evenly over the games
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Nodes for each
    #[arg(long, default_value_t = 25_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Which positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Make(arguments) => make(arguments),
        Command::Measure(arguments) => measure::run(arguments),
        Command::Residual(arguments) => residual::run(arguments),
    }
}

/// A position of the yardstick. Scores are White's.
pub struct Mark {
    /// The position.
    pub board: Board,
    /// What the deep search says.
    pub deep: i16,
    /// Half points of White.
    pub result: u8,
    /// The scores of this and the following plies in the game.
    pub scores: Vec<i16>,
}

impl Mark {
    fn line(&self) -> String {
        let mut line = format!("{} | {} | {} |", self.board.fen(), self.deep, self.result);
        for score in &self.scores {
            // Writing to a string cannot fail.
            let _ = write!(line, " {score}");
        }
        line
    }

    fn parse(line: &str) -> std::result::Result<Mark, String> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [fen, deep, result, scores] = fields[..] else { return Err("expected four fields between |".to_string()) };
        let board = Board::from_fen(fen).map_err(|error| error.to_string())?;
        let deep = deep.parse().map_err(|_| format!("expected a score, found {deep:?}"))?;
        let result = result.parse().ok().filter(|result| *result <= 2).ok_or(format!("no result: {result:?}"))?;
        let scores: Vec<i16> = scores
            .split_whitespace()
            .map(|score| score.parse().map_err(|_| format!("expected a score, found {score:?}")))
            .collect::<std::result::Result<_, _>>()?;
        if scores.is_empty() { Err("no scores".to_string()) } else { Ok(Mark { board, deep, result, scores }) }
    }
}

/// The mean square of differences in expected points, times 10 000.
fn error(differences: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        differences.fold((0.0, 0u32), |(sum, count), difference| (sum + difference * difference, count + 1));
    1e4 * sum / f64::from(count.max(1))
}

/// Reads a yardstick.
pub fn read(path: &Path) -> Result<Vec<Mark>> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    if text.lines().next() != Some(HEADER) {
        return Err(Failure::file("understand", path, format!("the first line of a yardstick is {HEADER:?}")));
    }
    let marks = text.lines().enumerate().skip(1).map(|(index, line)| {
        Mark::parse(line).map_err(|error| Failure::file("understand", path, format!("line {}: {error}", index + 1)))
    });
    let marks = marks.collect::<Result<Vec<Mark>>>()?;
    if marks.is_empty() { Err(Failure::file("use", path, "there is no position in it")) } else { Ok(marks) }
}

fn make(arguments: &Make) -> Result<()> {
    let paths = arguments.source.shards()?;
    pool::catch_interrupts()?;
    let mut marks = sample(&paths, arguments.count, arguments.seed)?;
    if (marks.len() as u64) < arguments.count {
        eprintln!("note: these games have only {} positions for it", marks.len());
    }
    let bar = ProgressBar::new(marks.len() as u64);
    let jobs = Jobs { range: 0..marks.len() as u64, done: BTreeMap::new(), threads: arguments.source.threads() };
    let mut deep = Vec::with_capacity(marks.len());
    pool::run(
        jobs,
        || Engine::new(HASH).map_err(|error| Failure::new(format!("cannot make an engine: {error}"))),
        |engine, job, stop| Ok((!stop.is_set()).then(|| search(engine, &marks[job as usize].board, arguments.nodes))),
        |_, score| {
            deep.push(score);
            bar.inc(1);
            ControlFlow::Continue(())
        },
    )?;
    bar.finish_and_clear();
    if deep.len() < marks.len() {
        return Err(Failure::Interrupted);
    }
    let mut text = format!("{HEADER}\n");
    for (mark, deep) in marks.iter_mut().zip(deep) {
        mark.deep = deep;
        text += &(mark.line() + "\n");
    }
    files::write(&arguments.out, &text)?;
    println!("{} positions written to {}", marks.len(), arguments.out.display());
    Ok(())
}

/// The score of a search of so many nodes, White's view.
fn search(engine: &mut Engine, board: &Board, nodes: u64) -> i16 {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let found = engine.search_here(&Game::new(board.clone()), &limits, &Control::default(), &NoClock, &mut Silent);
    let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
    (sign * found.score.0) as i16
}

/// Positions that training would keep, the same number from every game (the last ones from some), at random places.
fn sample(paths: &[PathBuf], count: u64, seed: u64) -> Result<Vec<Mark>> {
    let shards: Vec<Shard> = paths.iter().map(|path| Shard::open(path)).collect::<Result<_>>()?;
    let games: u64 = shards.iter().map(|shard| shard.blocks.len() as u64).sum();
    let mut marks = Vec::new();
    let mut number = 0;
    for shard in &shards {
        for block in &shard.blocks {
            // As many as make the sum after this game what it should be by now.
            let wanted = (count * (number + 1) / games - count * number / games) as usize;
            let mut rng = Rng::new(seed, number);
            number += 1;
            if let Ok(replay) = shard.replay(block) {
                marks.extend(marks_of(replay, wanted, &mut rng).unwrap_or_default());
            }
        }
    }
    Ok(marks)
}

/// So many positions of a game, without deep scores.
fn marks_of(
    mut replay: Replay<'_>,
    wanted: usize,
    rng: &mut Rng,
) -> std::result::Result<Vec<Mark>, crate::records::RecordError> {
    let result = replay.info.result.half_points(Color::White);
    let filter = Filter::default();
    let mut keeper = Keeper::new(&filter);
    let (mut scores, mut kept) = (Vec::new(), Vec::new());
    while let Some(ply) = replay.peek()? {
        if keeper.keeps(replay.board(), ply) {
            kept.push((scores.len(), replay.board().clone()));
        }
        scores.push(ply.score);
        replay.advance(ply);
    }
    rng.shuffle(&mut kept);
    kept.truncate(wanted);
    let following = |ply: usize| scores[ply..].iter().copied().take(1 + FOLLOWING).collect();
    Ok(kept.into_iter().map(|(ply, board)| Mark { board, deep: 0, result, scores: following(ply) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let board = Board::from_fen("r3k2r/8/8/3pP3/8/8/P6q/R3K2R w KQkq d6 0 150").expect("legal");
        let mark = Mark { board, deep: -312, result: 1, scores: vec![-300, 14, 31_990] };
        let again = Mark::parse(&mark.line()).expect("a mark");
        assert_eq!((again.board.fen(), again.deep, again.result), (mark.board.fen(), -312, 1));
        assert_eq!(again.scores, mark.scores);
        for bad in ["", "8/8 | 1 | 1 | 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 9 | x | 1 | 1"] {
            assert!(Mark::parse(bad).is_err(), "{bad}");
        }
        for bad in ["3", "-1", "x"] {
            assert!(Mark::parse(&format!("4k3/8/8/8/8/8/8/4K2R w - - 0 9 | 0 | {bad} | 1")).is_err());
        }
    }
}
