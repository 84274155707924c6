//! `gannet-lab datagen`: the engine plays itself on all cores and writes down every move and score.
//!
//! A game depends on the settings, the seed and its number, never on threads or on other games. Games are written in
//! the order of their numbers, so the files of a run are the same bytes whatever the machine, and a run that was
//! stopped goes on where the files end.

mod folder;
mod play;
mod progress;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use engine::Source;
use serde::{Deserialize, Serialize};

use self::folder::Folder;
use self::play::SelfPlayer;
use self::progress::{Progress, Summary};
use crate::data::Tally;
use crate::failure::{Failure, Result};
use crate::pool::{self, Jobs};
use crate::records::{GameInfo, encode};
use engine::crc32;

const EXAMPLES: &str = "\
Examples:
  gannet-lab datagen --out data/a --positions 8000000 --nodes 400 --dfrc-share 0
  gannet-lab datagen --out data/d --time 3600 --nodes 600 --seed 4 --adjudicate-draws
      the same command again goes on where it stopped

Exit status: 0 when there is as much as was asked for, 1 it could not be made, 2 bad arguments, 130
interrupted before that, with all finished games written.";

/// Make training data: self-play games with scores
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The folder to write to; one that holds games of the same settings is continued
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    goal: GoalArguments,
    /// Nodes after which no deeper search is begun
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    nodes: u64,
    /// Nodes at which a search ends whatever happens [default: eight times --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard: Option<u64>,
    /// Games at a time [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=4096))]
    threads: Option<u64>,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Transposition table of each thread, in MiB
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// How many of the games begin from double Chess960 positions, from 0 to 1
    #[arg(long, default_value_t = 0.2, value_name = "SHARE", value_parser = share)]
    dfrc_share: f64,
    /// Random plies at the beginning: this many or one more
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    random_plies: u32,
    /// The network to play with: a file, or <bootstrap> [default: the network of this build]
    #[arg(long, value_name = "FILE", default_value = "", hide_default_value = true)]
    net: String,
    /// A game is won by a score of so many centipawns that has lasted four plies
    #[arg(long, default_value_t = 1000, value_name = "CP", value_parser = clap::value_parser!(i32).range(1..=30_000))]
    win_score: i32,
    /// How many of the games are played to their end all the same, from 0 to 1
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = share)]
    play_on: f64,
    /// The share of the nodes for positions that are not kept anyway: in check, and at the beginning
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = share)]
    spare: f64,
    /// How many of the positions get a side line: another move that loses nothing in the exchange, and the two positions
    /// after it searched with half of --nodes. Searches meet such positions far more often than games do
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    side_lines: f64,
    /// End games that have been level for long as draws
    #[arg(long)]
    adjudicate_draws: bool,
    /// Go on in a folder although another build of this program played its games
    #[arg(long)]
    other_build: bool,
}

/// When to stop: one of these.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct GoalArguments {
    /// Stop when the folder holds so many games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop when the folder holds so many positions that `data expand` keeps with its default filter
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".to_string()) }
}

/// When a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The folder holds so many games.
    Games(u64),
    /// The folder holds so many kept positions.
    Positions(u64),
    /// So long.
    Time(Duration),
}

/// Everything that decides what games are played: what `datagen.json` holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The seed of the run.
    pub seed: u64,
    /// The soft limit of nodes.
    pub nodes: u64,
    /// The hard limit of nodes.
    pub hard: u64,
    /// The table in MiB.
    pub hash: usize,
    /// The share of double Chess960 games.
    pub dfrc_share: f64,
    /// Random plies, or one more.
    pub random_plies: u32,
    /// The score that wins. It was a constant once.
    #[serde(default = "first_win_score")]
    pub win_score: i32,
    /// The share of games that are played to their end.
    #[serde(default)]
    pub play_on: f64,
    /// The share of the nodes for positions that are not kept.
    #[serde(default = "all_nodes")]
    pub spare: f64,
    /// The share of positions with a side line.
    #[serde(default)]
    pub side_lines: f64,
    /// Whether level games are ended.
    pub adjudicate_draws: bool,
    /// The checksum of the network; zero for the bootstrap evaluation.
    pub net: u32,
    /// The version of the program: another one may play other games.
    pub version: String,
    /// The builds that played, by the checksum of the program: even of one version they may search differently. Empty
    /// in folders from before this was written down.
    #[serde(default)]
    pub builds: Vec<String>,
}

/// What decided games before it could be set.
fn first_win_score() -> i32 {
    2000
}

/// What positions that are not kept got before it could be set.
fn all_nodes() -> f64 {
    1.0
}

impl Arguments {
    fn settings(&self, source: &Source) -> Result<Settings> {
        Ok(Settings {
            seed: self.seed,
            nodes: self.nodes,
            hard: self.hard.unwrap_or(self.nodes.saturating_mul(8)),
            hash: self.hash as usize,
            dfrc_share: self.dfrc_share,
            random_plies: self.random_plies,
            win_score: self.win_score,
            play_on: self.play_on,
            spare: self.spare,
            side_lines: self.side_lines,
            adjudicate_draws: self.adjudicate_draws,
            net: source.id(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            builds: vec![build()?],
        })
    }

    fn goal(&self) -> Goal {
        let GoalArguments { games, positions, time } = self.goal;
        games
            .map(Goal::Games)
            .or(positions.map(Goal::Positions))
            .unwrap_or(Goal::Time(Duration::from_secs(time.unwrap_or(0))))
    }
}

/// A checksum of this program.
fn build() -> Result<String> {
    let fail = |error: std::io::Error| Failure::new(format!("cannot read this program, to tell builds apart: {error}"));
    let program = std::env::current_exe().and_then(std::fs::read).map_err(fail)?;
    Ok(format!("{:08x}", crc32(&program)))
}

/// What a thread hands over.
struct Done {
    bytes: Vec<u8>,
    info: GameInfo,
    plies: u64,
    kept: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    pool::catch_interrupts()?;
    let summary = fill(arguments, None)?;
    println!("{summary}");
    // A time that has run out is no interruption.
    pool::end(is_reached(arguments.goal(), summary.tally()))
}

/// Plays until the folder holds what was asked for, the user interrupts, or this much time is over.
pub fn fill(arguments: &Arguments, within: Option<Duration>) -> Result<Summary> {
    let source = Source::load(&arguments.net).map_err(|error| Failure::new(format!("--net: {error}")))?;
    let settings = arguments.settings(&source)?;
    if settings.hard < settings.nodes {
        let Settings { hard, nodes, .. } = settings;
        return Err(Failure::arguments(format!("--hard {hard} must not be less than --nodes {nodes}")));
    }
    let threads = arguments.threads.map_or_else(pool::default_threads, |threads| threads as usize);
    let goal = arguments.goal();
    let mut folder = Folder::open(&arguments.out, &settings, threads, arguments.other_build)?;
    let before = folder.tally.clone();
    if before.games > 0 {
        eprintln!("{}: goes on after {} games, {} positions", arguments.out.display(), before.games, before.kept);
    }
    let mut progress = Progress::new(goal, before);
    let run = Run { settings: &settings, source: &source, goal, threads, deadline: deadline(goal, within) };
    let outcome = generate(&run, &mut folder, &mut progress);
    // Whatever went wrong, what was written stays.
    folder.close()?;
    outcome?;
    progress.finish();
    let summary = progress.summary(&settings, threads);
    folder.write_summary(&summary)?;
    Ok(summary)
}

/// What is played, and until when.
struct Run<'a> {
    settings: &'a Settings,
    source: &'a Source,
    goal: Goal,
    threads: usize,
    deadline: Option<Instant>,
}

/// When to end whatever the folder holds.
fn deadline(goal: Goal, within: Option<Duration>) -> Option<Instant> {
    let time = if let Goal::Time(time) = goal { Some(time) } else { within };
    time.and_then(|time| Instant::now().checked_add(time))
}

/// Plays until the goal is reached or the user interrupts.
fn generate(run: &Run<'_>, folder: &mut Folder, progress: &mut Progress) -> Result<()> {
    let &Run { settings, source, goal, threads, deadline } = run;
    if is_reached(goal, &folder.tally) {
        return Ok(());
    }
    let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let end = if let Goal::Games(games) = goal { games } else { u64::MAX };
    let jobs = Jobs { range: folder.tally.games..end, done: BTreeMap::new(), threads };
    let mut failure = None;
    pool::run(
        jobs,
        || SelfPlayer::new(settings, source),
        |player, number, stop| {
            let played = player.play(settings, number, || stop.is_set() || late());
            Ok(played.map(|(game, kept)| {
                let mut bytes = Vec::with_capacity(64 + 3 * game.plies.len());
                encode(&mut bytes, &game);
                Done { bytes, plies: game.plies.len() as u64, info: game.info, kept }
            }))
        },
        |_, done| {
            if let Err(error) = folder.write(&done) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            progress.update(&folder.tally);
            if is_reached(goal, &folder.tally) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    failure.map_or(Ok(()), Err)
}

fn is_reached(goal: Goal, tally: &Tally) -> bool {
    match goal {
        Goal::Games(games) => tally.games >= games,
        Goal::Positions(positions) => tally.kept >= positions,
        Goal::Time(_) => false,
    }
}
