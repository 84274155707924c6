//! `gannet-lab match`: a round robin or a gauntlet of engines, with a table of ratings at its end.

mod table;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::Color;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{GameArguments, LimitArguments};
use crate::book::Book;
use crate::competitor::Competitor;
use crate::failure::{Failure, Result};
use crate::files;
use crate::pairs;
use crate::pgn;
use crate::player::Player;
use crate::pool::{self, Jobs, Stop};
use crate::runner::{Conditions, Record};
use table::Table;

const EXAMPLES: &str = "\
Examples:
  gannet-lab match --engine name=New --engine \"name=Fish cmd=stockfish opt=Skill Level=5\" \\
                   --tc 8+0.08 --games 100 --pgn games.pgn
      this build against another engine; an engine without cmd= is this build
  gannet-lab match --gauntlet --engine cmd=./gannet --engine cmd=./rival1 --engine cmd=./rival2 --tc 10+0.1 --games 200
      the first engine against each of the others
  gannet-lab match --engine name=On --engine \"name=Off opt=UseNullMove=false\" --nodes 5000 --games 200

--games counts the games of each pairing. Time losses, illegal moves, crashes and stalls lose the game, are counted
for each engine, and an engine that crashed is started again.";

/// Let engines play each other: round robin or gauntlet
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// An engine: parts of name=… cmd=… opt=Name=value,… (two or more)
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,
    /// Only the first engine against each of the others
    #[arg(long)]
    gauntlet: bool,
    /// Games of each pairing
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: u64,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How often the table is saved.
const SAVE: Duration = Duration::from_secs(30);

/// Everything a worker needs to know.
struct Match {
    names: Vec<String>,
    competitors: Vec<Competitor>,
    pairings: Vec<(usize, usize)>,
    book: Book,
    conditions: Conditions,
}

/// The engines that a worker has started so far.
type Started = HashMap<usize, Box<dyn Player>>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let common = arguments.play.common();
    let (mut names, mut competitors) = (Vec::new(), Vec::new());
    for line in &arguments.engines {
        let (name, competitor) = Competitor::parse(line, &common)?;
        if names.contains(&name) {
            return Err(Failure::new(format!("two engines are called '{name}': give one of them another name=")));
        }
        // Whoever cannot be started is found out now, not after an hour.
        drop(competitor.start()?);
        names.push(name);
        competitors.push(competitor);
    }
    if names.len() < 2 {
        return Err(Failure::new("a match takes two engines: --engine … --engine …"));
    }
    let pairings = pairings(names.len(), arguments.gauntlet);
    let set = Match {
        names,
        competitors,
        pairings,
        book: arguments.play.openings()?,
        conditions: arguments.play.conditions(arguments.limit.limit())?,
    };
    play(arguments, &set)
}

/// Who meets whom.
fn pairings(players: usize, gauntlet: bool) -> Vec<(usize, usize)> {
    let firsts = if gauntlet { 0..1 } else { 0..players };
    firsts.flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect()
}

fn play(arguments: &Arguments, set: &Match) -> Result<()> {
    let mut pgn = match &arguments.pgn {
        Some(path) => {
            files::prepare(path)?;
            Some((path, File::create(path).map_err(|error| Failure::file("write", path, error))?))
        }
        None => None,
    };
    if let Some(path) = &arguments.json {
        files::prepare(path)?;
    }
    pool::catch_interrupts()?;
    let rounds = arguments.games.div_ceil(2);
    let total = rounds * set.pairings.len() as u64;
    let mut table = Table::new(&set.names, &set.pairings);
    let mut progress = Progress::new(2 * total);
    let jobs = Jobs { range: 0..total, done: BTreeMap::new(), threads: arguments.play.threads() };
    let (mut trouble, mut saved) = (None, Instant::now());
    let conditions = arguments.play.describe(arguments.limit.limit());
    let outcome = pool::run(
        jobs,
        || Ok(Started::new()),
        |started, job, stop| play_pair(set, started, job, stop),
        |job, records| {
            let (pairing, round) = place(set, job);
            table.add(pairing, &records);
            if let Some((path, file)) = &mut pgn
                && let Err(error) = file.write_all(games_text(arguments, set, pairing, round, &records).as_bytes())
            {
                eprintln!("gannet-lab: {}; the match goes on without it", Failure::file("write", path, error));
                trouble = pgn.take();
            }
            progress.show(&table);
            if let Some(path) = &arguments.json
                && saved.elapsed() >= SAVE
            {
                saved = Instant::now();
                if let Err(failure) = files::write_json(path, &table.json(&conditions)) {
                    eprintln!("gannet-lab: {failure}; the match goes on");
                }
            }
            ControlFlow::Continue(())
        },
    );
    progress.clear();
    println!("{}", table.text());
    if let Some(path) = &arguments.json {
        files::write_json(path, &table.json(&conditions))?;
        println!("saved to {}", path.display());
    }
    outcome?;
    match trouble {
        Some((path, _)) => Err(Failure::new(format!("{} is not complete", path.display()))),
        None => Ok(()),
    }
}

/// The pairing and the round of a job: all pairings of a round come before the next round.
fn place(set: &Match, job: u64) -> (usize, u64) {
    let count = set.pairings.len() as u64;
    ((job % count) as usize, job / count)
}

fn play_pair(set: &Match, started: &mut Started, job: u64, stop: &Stop) -> Result<Option<[Record; 2]>> {
    let (pairing, round) = place(set, job);
    let (first, second) = set.pairings[pairing];
    let mut take = |player: usize| match started.remove(&player) {
        Some(engine) => Ok(engine),
        None => set.competitors[player].start(),
    };
    let (mut a, mut b) = (take(first)?, take(second)?);
    let records = pairs::play(&set.book, round, a.as_mut(), b.as_mut(), &set.conditions, stop);
    started.insert(first, a);
    started.insert(second, b);
    Ok(records)
}

fn games_text(arguments: &Arguments, set: &Match, pairing: usize, round: u64, records: &[Record; 2]) -> String {
    let (first, second) = set.pairings[pairing];
    let header = |game: usize| {
        let (white, black) = if game == 0 { (first, second) } else { (second, first) };
        pgn::Header {
            white: &set.names[white],
            black: &set.names[black],
            round: format!("{}.{}", round + 1, game + 1),
            limit: arguments.limit.limit().to_string(),
        }
    };
    records.iter().enumerate().map(|(game, record)| pgn::write(record, &header(game))).collect()
}

/// The first player's colour in the games of a pair.
const COLOURS: [Color; 2] = [Color::White, Color::Black];

/// A bar on a terminal, else a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    spoken: Instant,
}

impl Progress {
    fn new(games: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise}, {eta} left\n{wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(games).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, spoken: Instant::now() }
    }

    fn show(&mut self, table: &Table) {
        if let Some(bar) = &self.bar {
            bar.set_position(table.games());
            bar.set_message(table.line());
        } else if self.spoken.elapsed() >= Duration::from_secs(10) {
            self.spoken = Instant::now();
            eprintln!("{} games: {}", table.games(), table.line());
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_as_asked() {
        assert_eq!(pairings(3, false), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairings(3, true), [(0, 1), (0, 2)]);
    }
}
