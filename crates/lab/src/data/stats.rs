//! `gannet-lab data stats`: what a set of games is like.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;

use chess::{Score, Value};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::Source;
use super::filter::{Filter, Keeper};
use super::merge::fingerprint;
use super::parallel::shards_in_order;
use super::tally::{Tally, TallyJson, per};
use crate::failure::{Failure, Result};
use crate::files;
use crate::pool;
use crate::records::{BLOCK_OVERHEAD, End, Fault, RecordError, Replay, Shard, What};

const EXAMPLES: &str = "\
Example:
  gannet-lab data stats data/a --json a.json";

/// Show what games are like: results, scores, phases, duplicates
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    filter: Filter,
    /// Write the figures to this file too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Where the bars of the score histogram end, in centipawns for White; beyond the last are mates and more.
const EDGES: [Value; 16] = [-2000, -1000, -600, -400, -250, -150, -75, -25, 25, 75, 150, 250, 400, 600, 1000, 2000];
/// Men a row of the table of phases.
const MEN: usize = 4;
/// At most about so many keys are kept to find duplicates; of more positions a sample is taken.
const KEYS: u64 = 1 << 25;
/// How many positions a byte of records makes, about.
const POSITIONS_PER_BYTE: f64 = 0.35;

/// What is counted.
#[derive(Default)]
struct Figures {
    tally: Tally,
    scores: [u64; EDGES.len() + 1],
    mates: u64,
    men: [u64; 32 / MEN],
    keys: Vec<u64>,
    games: Vec<u64>,
    faults: Vec<Fault>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let (paths, unreadable) = arguments.source.readable_shards()?;
    pool::catch_interrupts()?;
    let bytes: u64 = paths.iter().filter_map(|path| path.metadata().ok()).map(|data| data.len()).sum();
    // A position is in the sample if the low bits of its key are zero, so its duplicates are too.
    let sample = ((bytes as f64 * POSITIONS_PER_BYTE) as u64 / KEYS + 1).next_power_of_two();
    let bar = ProgressBar::new(paths.len() as u64);
    let mut all = Figures::default();
    shards_in_order(
        &paths,
        arguments.source.threads(),
        |shard| Ok(count(shard, &arguments.filter, sample - 1)),
        |mut part| {
            for fault in &part.faults {
                bar.suspend(|| eprintln!("{fault}"));
            }
            all.merge(&mut part);
            bar.inc(1);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    let report = Report::new(all, paths.len(), bytes, sample);
    if let Some(path) = &arguments.json {
        files::write_json(path, &report)?;
    }
    println!("{}", report.text().trim_end());
    match unreadable {
        0 => Ok(()),
        count => Err(Failure::new(format!("{count} files could not be read and are not in these figures"))),
    }
}

impl Figures {
    fn merge(&mut self, other: &mut Figures) {
        self.tally.merge(&other.tally);
        for (sum, new) in self.scores.iter_mut().zip(other.scores) {
            *sum += new;
        }
        for (sum, new) in self.men.iter_mut().zip(other.men) {
            *sum += new;
        }
        self.mates += other.mates;
        self.keys.append(&mut other.keys);
        self.games.append(&mut other.games);
        self.faults.append(&mut other.faults);
    }
}

/// Counts a shard.
fn count(shard: &Shard, filter: &Filter, mask: u64) -> Figures {
    let mut figures = Figures { faults: shard.faults.clone(), ..Figures::default() };
    for block in &shard.blocks {
        let game = shard.game(block);
        let result = Replay::new(game).and_then(|replay| count_game(&mut figures, replay, filter, mask, game.len()));
        match result {
            Ok(()) => figures.games.push(fingerprint(game)),
            Err(error) => figures.faults.push(shard.game_fault(block, What::Game(error))),
        }
    }
    figures
}

fn count_game(
    figures: &mut Figures,
    mut replay: Replay<'_>,
    filter: &Filter,
    mask: u64,
    bytes: usize,
) -> std::result::Result<(), RecordError> {
    let (mut plies, mut kept) = (0, 0);
    let mut keeper = Keeper::new(filter);
    while let Some(ply) = replay.peek()? {
        let board = replay.board();
        plies += 1;
        if keeper.keeps(board, ply) {
            kept += 1;
            figures.men[(board.occupied().len() as usize - 1) / MEN] += 1;
            if board.key() & mask == 0 {
                figures.keys.push(board.key());
            }
        }
        kept += replay.side().map_or(0, |side| filter.kept_beside(board, side));
        let score = Value::from(ply.score);
        if Score(score).is_mate() {
            figures.mates += 1;
        } else {
            figures.scores[EDGES.partition_point(|&edge| edge <= score)] += 1;
        }
        replay.advance(ply);
    }
    figures.tally.add(&replay.info, plies, kept, bytes as u64 + BLOCK_OVERHEAD);
    Ok(())
}

/// The figures as they are shown and written.
#[derive(Serialize)]
struct Report {
    shards: usize,
    bytes: u64,
    faults: usize,
    games: TallyJson,
    games_twice: u64,
    kept_positions_in_sample: u64,
    different_positions_in_sample: u64,
    sample_one_in: u64,
    /// All plies by score for White: from, to, count.
    scores: Vec<(Option<Value>, Option<Value>, u64)>,
    mate_scores: u64,
    /// Kept positions by men: least, most, count.
    men: Vec<(usize, usize, u64)>,
    #[serde(skip)]
    tally: Tally,
}

impl Report {
    fn new(mut figures: Figures, shards: usize, bytes: u64, sample: u64) -> Report {
        let kept = figures.keys.len() as u64;
        figures.keys.sort_unstable();
        figures.keys.dedup();
        let games: HashSet<u64> = figures.games.iter().copied().collect();
        let from = std::iter::once(None).chain(EDGES.map(Some));
        let to = EDGES.map(|edge| Some(edge - 1)).into_iter().chain([None]);
        Report {
            shards,
            bytes,
            faults: figures.faults.len(),
            games: figures.tally.json(),
            games_twice: (figures.games.len() - games.len()) as u64,
            kept_positions_in_sample: kept,
            different_positions_in_sample: figures.keys.len() as u64,
            sample_one_in: sample,
            scores: from.zip(to).zip(figures.scores).map(|((from, to), count)| (from, to, count)).collect(),
            mate_scores: figures.mates,
            men: figures.men.iter().enumerate().map(|(i, &count)| (i * MEN + 1, (i + 1) * MEN, count)).collect(),
            tally: figures.tally,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let tally = &self.tally;
        let twice = self.kept_positions_in_sample - self.different_positions_in_sample;
        let of_sample =
            if self.sample_one_in > 1 { format!(" (one key in {})", self.sample_one_in) } else { String::new() };
        writeln!(out, "{:<20}{:>14}", "shards", self.shards)?;
        writeln!(out, "{:<20}{:>14}", "bytes", self.bytes)?;
        writeln!(out, "{:<20}{:>14.3}", "bytes a ply", tally.bytes_per_ply())?;
        writeln!(out, "{:<20}{:>14}", "faults", self.faults)?;
        writeln!(out, "{:<20}{:>14}   {} twice", "games", tally.games, self.games_twice)?;
        writeln!(out, "{:<20}{:>14}   {:.1} % from Chess960", "", "", per(100 * tally.chess960, tally.games))?;
        writeln!(out, "{:<20}{:>14}   {:.1} a game", "plies", tally.plies, tally.length())?;
        writeln!(out, "{:<20}{:>14}   {:.1} %", "kept positions", tally.kept, per(100 * tally.kept, tally.plies))?;
        let share = per(100 * twice, self.kept_positions_in_sample);
        writeln!(out, "{:<20}{twice:>14}   {share:.2} %{of_sample}", "… that came before")?;
        let [white, draws, black] = tally.percentages();
        writeln!(out, "\nWhite wins {white:.1} %, draws {draws:.1} %, Black wins {black:.1} %")?;
        for (end, count) in End::ALL.into_iter().zip(tally.ends).filter(|&(_, count)| count > 0) {
            writeln!(out, "  {:<24}{:>6.1} %", end.to_string(), per(100 * count, tally.games))?;
        }
        writeln!(out, "\nAll plies by score, White's view")?;
        for &(from, to, count) in &self.scores {
            let [from, to] = [from, to].map(|edge| edge.map_or_else(String::new, |edge| edge.to_string()));
            writeln!(out, "  {from:>6} … {to:<6}{}", bar(count, tally.plies))?;
        }
        writeln!(out, "  {:<15}{}", "mate", bar(self.mate_scores, tally.plies))?;
        writeln!(out, "\nKept positions by men")?;
        for &(least, most, count) in self.men.iter().rev() {
            writeln!(out, "  {least:>6} … {most:<6}{}", bar(count, tally.kept))?;
        }
        Ok(())
    }
}

/// A share as a number and a bar of half per cents.
fn bar(count: u64, whole: u64) -> String {
    let percent = per(100 * count, whole);
    format!("{percent:>6.2} %  {}", "▪".repeat((percent * 2.0).round() as usize))
}
