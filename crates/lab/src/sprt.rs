//! `gannet-lab sprt`: is A stronger than B? A sequential test that plays until the answer is clear.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chess::Color;
use clap::Args;
use engine::Params;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::book::Book;
use crate::failure::{Failure, Result};
use crate::player::{Inside, Limit, Player, TimeControl};
use crate::pool::{self, Jobs, Stop};
use crate::runner::{self, Adjudication, Conditions};
use crate::settings;
use crate::stats::{Model, Pentanomial, Sprt, Verdict};

const EXAMPLES: &str = "\
Examples:
  gannet-lab sprt --a UseNullMove=false --nodes 5000
      is the engine without null moves better than the engine as it is?
  gannet-lab sprt --a ReverseFutility_margin=90 --elo0 0 --elo1 5 --nodes 10000 --json rfp.json
  gannet-lab sprt --a UseProbCut=false --tc 8+0.08 --games 2000 --fixed
      exactly 2000 games and an estimate, no early end";

/// Test A against B until one of two hypotheses about their difference is accepted
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Settings of engine A: Name=value,Name=value
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    a: String,
    /// Settings of engine B
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    b: String,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    games: GameArguments,
    /// Play at most this many games
    #[arg(long = "games", default_value_t = 40_000, value_name = "N")]
    max_games: u64,
    /// Play all the games and estimate; no early end
    #[arg(long)]
    fixed: bool,
    /// The first hypothesis: A is so much better
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The second hypothesis: A is so much better
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often the second may be accepted wrongly
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often the first may be accepted wrongly
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What --elo0 and --elo1 are counted in
    #[arg(long, value_enum, default_value_t = Model::Normalised)]
    model: Model,
    /// Write the result to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How long players may think: one of these.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct LimitArguments {
    /// Search so many nodes a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search to this depth
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=200))]
    depth: Option<i32>,
    /// Search so many milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Play with a clock of seconds, such as 8+0.08 or 40/60+0.5
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
}

impl LimitArguments {
    /// The limit that was chosen.
    pub fn limit(&self) -> Limit {
        let movetime = || self.movetime.map(|ms| Limit::MoveTime(Duration::from_millis(ms)));
        self.nodes
            .map(Limit::Nodes)
            .or(self.depth.map(Limit::Depth))
            .or_else(movetime)
            .or(self.tc.map(Limit::Clock))
            .unwrap_or(Limit::Nodes(5000))
    }
}

/// How games are played, whatever they are played for.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    /// Openings: an EPD or FEN file [default: the book that is built in]
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub book: Option<PathBuf>,
    /// Openings: so many random moves from the start position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub random_plies: Option<u32>,
    /// The same seed gives the same openings and, at fixed nodes, the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at a time [default: one a core]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Transposition table of each engine, in MiB
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub hash: u64,
    /// Play every game to its end by the rules
    #[arg(long)]
    pub no_adjudication: bool,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = 400, value_name = "PLIES")]
    pub max_plies: usize,
    /// How many milliseconds a clock may be overrun
    #[arg(long, default_value_t = 20, value_name = "MS")]
    pub margin: u64,
}

impl GameArguments {
    /// The openings.
    pub fn openings(&self) -> Result<Book> {
        match (&self.book, self.random_plies) {
            (Some(path), _) => Book::open(path, self.seed),
            (None, Some(plies)) => Ok(Book::Random { seed: self.seed, plies }),
            (None, None) => Book::built_in(self.seed),
        }
    }

    /// What holds for every game.
    pub fn conditions(&self, limit: Limit) -> Conditions {
        Conditions {
            limit,
            margin: Duration::from_millis(self.margin),
            adjudication: (!self.no_adjudication).then(Adjudication::default),
            max_plies: self.max_plies,
        }
    }

    /// Games at a time.
    pub fn threads(&self) -> usize {
        self.concurrency.unwrap_or_else(pool::default_threads).max(1)
    }
}

/// Twice A's points in the two games of a pair, A having White first.
pub type PairResult = [usize; 2];

/// Plays the two games of a pair; None if it was stopped.
pub fn play_pair(
    book: &Book,
    pair: u64,
    a: &mut dyn Player,
    b: &mut dyn Player,
    conditions: &Conditions,
    stop: &Stop,
) -> Option<PairResult> {
    let first = runner::play(book.opening(pair), [a, b], conditions, stop)?;
    let second = runner::play(book.opening(pair), [b, a], conditions, stop)?;
    Some([first.winner.half_points(Color::White), second.winner.half_points(Color::Black)])
}

/// What has been played so far.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Games that A lost, drew and won.
    pub games: [u64; 3],
    /// Pairs by A's points.
    pub pairs: Pentanomial,
}

impl Score {
    /// Adds a pair.
    pub fn add(&mut self, pair: PairResult) {
        for half_points in pair {
            self.games[half_points] += 1;
        }
        self.pairs.0[pair[0] + pair[1]] += 1;
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }
}

/// The outcome, as it is written to disk.
#[derive(Serialize)]
struct Report {
    a: String,
    b: String,
    limit: String,
    seed: u64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalised_elo: f64,
    normalised_elo_error: f64,
    superiority: f64,
    sprt: Option<Sprt>,
    llr: Option<f64>,
    bounds: Option<(f64, f64)>,
    verdict: Option<Verdict>,
    seconds: f64,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let sprt = test_of(arguments)?;
    let params = [settings::params(&arguments.a)?, settings::params(&arguments.b)?];
    let book = arguments.games.openings()?;
    let conditions = arguments.games.conditions(arguments.limit.limit());
    pool::catch_interrupts()?;
    let began = Instant::now();
    let mut live = Live::new(arguments, sprt);
    let hash = arguments.games.hash as usize;
    let jobs =
        Jobs { range: 0..arguments.max_games.div_ceil(2), done: BTreeMap::new(), threads: arguments.games.threads() };
    pool::run(
        jobs,
        || engines(&params, hash),
        |[a, b], pair, stop| Ok(play_pair(&book, pair, a, b, &conditions, stop)),
        |_, result| live.add(result),
    )?;
    live.finish();
    let report = live.report(began.elapsed());
    if let Some(path) = &arguments.json {
        write_json(path, &report)?;
    }
    Ok(())
}

fn engines(params: &[Params; 2], hash: usize) -> Result<[Inside; 2]> {
    Ok([Inside::new(&params[0], hash)?, Inside::new(&params[1], hash)?])
}

fn test_of(arguments: &Arguments) -> Result<Option<Sprt>> {
    if arguments.fixed {
        return Ok(None);
    }
    let Arguments { elo0, elo1, alpha, beta, model, .. } = *arguments;
    if !elo0.is_finite() || !elo1.is_finite() || elo0 >= elo1 {
        return Err(Failure::new(format!("--elo0 {elo0} must be less than --elo1 {elo1}")));
    }
    for (name, value) in [("--alpha", alpha), ("--beta", beta)] {
        if !(value > 0.0 && value < 0.5) {
            return Err(Failure::new(format!("{name} {value} must be between 0 and 0.5")));
        }
    }
    Ok(Some(Sprt { elo0, elo1, alpha, beta, model }))
}

/// Writes a file all at once: first beside it, then in its place.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::file("write", path, error))?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, text + "\n").map_err(|error| Failure::file("write", &beside, error))?;
    std::fs::rename(&beside, path).map_err(|error| Failure::file("write", path, error))
}

/// The test while it runs: the score, and how it is shown.
struct Live<'a> {
    arguments: &'a Arguments,
    sprt: Option<Sprt>,
    score: Score,
    began: Instant,
    spoken: Instant,
    bar: Option<ProgressBar>,
}

impl<'a> Live<'a> {
    fn new(arguments: &'a Arguments, sprt: Option<Sprt>) -> Live<'a> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed_precise} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(arguments.max_games).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Live { arguments, sprt, score: Score::default(), began: now, spoken: now, bar }
    }

    fn add(&mut self, pair: PairResult) -> ControlFlow<()> {
        self.score.add(pair);
        if let Some(bar) = &self.bar {
            bar.set_position(self.score.total());
            bar.set_message(self.line());
        } else if self.spoken.elapsed() >= Duration::from_secs(10) {
            self.spoken = Instant::now();
            eprintln!("{}", self.line());
        }
        match self.verdict() {
            Some(Verdict::H0 | Verdict::H1) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn verdict(&self) -> Option<Verdict> {
        self.sprt.map(|sprt| sprt.verdict(&self.score.pairs))
    }

    /// Everything in one line.
    fn line(&self) -> String {
        let [losses, draws, wins] = self.score.games;
        let pairs = &self.score.pairs;
        let per_minute = self.score.total() as f64 / self.began.elapsed().as_secs_f64().max(1e-3) * 60.0;
        let mut line = format!(
            "{} games W {wins} D {draws} L {losses} {:?} Elo {} nElo {}",
            self.score.total(),
            pairs.0,
            pairs.elo(),
            pairs.normalised_elo(),
        );
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            line += &format!(" LLR {:.2} [{lower:.2}, {upper:.2}]", sprt.llr(pairs));
        }
        line + &format!(" {per_minute:.0} games/min")
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        println!("{}", self.line());
        let verdict = match self.verdict() {
            Some(Verdict::H1) => "H1 accepted: A is better than B by more than elo0",
            Some(Verdict::H0) => "H0 accepted: A is not better than B by elo1",
            Some(Verdict::Undecided) => "undecided: more games are needed",
            None => "fixed number of games: see the error bars",
        };
        println!("{verdict}\n\n{}", self.commit_block());
    }

    /// The measurement, ready for a commit message.
    fn commit_block(&self) -> String {
        let [losses, draws, wins] = self.score.games;
        let pairs = &self.score.pairs;
        let name = |text: &str| if text.is_empty() { "defaults".to_string() } else { text.to_string() };
        let mut block = format!(
            "A: {}\nB: {}\nLimit: {}, {} MiB, seed {}\nElo: {} (95 %), nElo: {}\n",
            name(&self.arguments.a),
            name(&self.arguments.b),
            self.arguments.limit.limit(),
            self.arguments.games.hash,
            self.arguments.games.seed,
            pairs.elo(),
            pairs.normalised_elo(),
        );
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let model = if sprt.model == Model::Normalised { "normalised" } else { "logistic" };
            block += &format!(
                "LLR: {:.2} [{lower:.2}, {upper:.2}] for {model} [{}, {}]\n",
                sprt.llr(pairs),
                sprt.elo0,
                sprt.elo1
            );
        }
        let total = self.score.total();
        block + &format!("Games: {total} W: {wins} D: {draws} L: {losses}\nPairs: {:?}", pairs.0)
    }

    fn report(&self, time: Duration) -> Report {
        let pairs = &self.score.pairs;
        let [losses, draws, wins] = self.score.games;
        let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
        Report {
            a: self.arguments.a.clone(),
            b: self.arguments.b.clone(),
            limit: self.arguments.limit.limit().to_string(),
            seed: self.arguments.games.seed,
            games: self.score.total(),
            wins,
            draws,
            losses,
            pentanomial: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            normalised_elo: normalised.value,
            normalised_elo_error: normalised.error,
            superiority: pairs.superiority(),
            sprt: self.sprt,
            llr: self.sprt.map(|sprt| sprt.llr(pairs)),
            bounds: self.sprt.map(|sprt| sprt.bounds()),
            verdict: self.verdict(),
            seconds: time.as_secs_f64(),
        }
    }
}
