//! `gannet analyse`: games with a verdict, a reason and a better line for every move that changed the outcome.

mod accuracy;
mod annotate;
mod clock;
mod explain;
mod games;
mod graph;
mod judge;
mod ledger;
mod merit;
mod motifs;
mod output;
mod panel;
mod position;
mod report;
pub mod review;
mod searcher;
mod summary;
mod verdict;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use chess::{Board, FenError};
use engine::syzygy::Notice;
use engine::{Control, Limits, OutOfMemory, STACK_SIZE, TimeLimit};
use pgn::record::Record;

use crate::complain;
pub use judge::Judgement;
use output::Output;
use panel::Panel;
pub use review::Review;
use searcher::Searcher;
pub use summary::Tally;

const USAGE: &str = "\
gannet analyse [FILE]... [--output <FILE>] [--html <FILE>] [--nodes <N>]
       gannet analyse --fen <FEN> [--moves <MOVE>...] [--lines <N>]";

const AFTER_HELP: &str = "\
Examples:
  gannet analyse game.pgn --output annotated.pgn
  gannet analyse game.pgn --html report.html
  gannet analyse --nodes 1000000 --threads 4 --games 1-5 < games.pgn
  gannet analyse --fen \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\" --lines 2
  gannet analyse --moves e4 e5 Qh5 Ke7

docs/analysis.md says what the annotations mean.";

/// Looked at in each position unless something else is asked for.
const DEFAULT_NODES: u64 = 200_000;

/// Annotate games, or explain a position
///
/// Reads PGN and writes PGN: every move with its evaluation, moves that cost expected points with ?!, ? or ??, the
/// reason, and what should have been played. Status 0: done. 1: a game was broken; what could be read of it and all
/// others are done. 2: it could not be done. 130: interrupted; the games that were finished are written.
#[derive(clap::Args)]
#[command(override_usage = USAGE, after_help = AFTER_HELP)]
pub struct Arguments {
    /// PGN files; - or none is the standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    files: Vec<PathBuf>,
    /// Explain this position instead, as FEN, X-FEN or Shredder-FEN in quotes, or the word startpos
    #[arg(long, value_name = "FEN", value_parser = parse_position)]
    fen: Option<Box<Board>>,
    /// Explain the position after these moves, each as Nf3 or g1f3; from the start unless --fen is there
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// How many lines to show of a position
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Nodes to search in each position [default: 200000, if no other limit is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds to search each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Plies to search in each position
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(i32).range(1..=250))]
    depth: Option<i32>,
    /// Positions of a game to search at once; results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory for the table of each position that is searched
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// The folder of Syzygy endgame tables, or several
    #[arg(long, value_name = "FOLDER")]
    syzygy: Option<String>,
    /// Write the annotated games to this file, which is there whole or not at all [default: the standard output, unless
    /// there is --html or --graph]
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    output: Option<PathBuf>,
    /// Write a report for the browser: one page with boards, graph, reasons and summary, which needs nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    html: Option<PathBuf>,
    /// Write the course of the first game as a drawing (SVG)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    graph: Option<PathBuf>,
    /// Only these games: 3, 1-5 or 7-
    #[arg(long, value_name = "RANGE", value_parser = parse_range, conflicts_with_all = ["fen", "moves"])]
    games: Option<(usize, usize)>,
    /// Drop the comments, marks and variations of the file
    #[arg(long, conflicts_with_all = ["fen", "moves"])]
    clean: bool,
}

/// Why an analysis could not be done.
enum Failure {
    /// A file cannot be read.
    Input(PathBuf, io::Error),
    /// The standard output cannot be written.
    Output(io::Error),
    /// A file cannot be written.
    File(PathBuf, io::Error),
    /// There is no game in the input.
    Empty,
    /// There are so many games, and none of those that were asked for.
    NoSuchGame(usize),
    /// A move of `--moves`.
    Move(String),
    /// There is no memory for the table.
    Memory(OutOfMemory),
    /// There is no thread to be had.
    Thread(io::Error),
    /// The search broke down.
    Search,
    /// The tables cannot be used.
    Tables(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Failure::Output(error) => write!(f, "cannot write the result: {error}"),
            Failure::File(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Failure::Empty => f.write_str("there is no game in the input, expected PGN"),
            Failure::NoSuchGame(1) => f.write_str("--games: the input has one game"),
            Failure::NoSuchGame(games) => write!(f, "--games: the input has {games} games"),
            Failure::Move(error) => f.write_str(error),
            Failure::Memory(error) => error.fmt(f),
            Failure::Thread(error) => write!(f, "there is no thread to search with: {error}"),
            Failure::Search => f.write_str("the search broke down; this is a fault of the engine, please report it"),
            Failure::Tables(text) => f.write_str(text),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// How it went, where it could be done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    All,
    /// Something in the input was broken.
    Broken,
    /// The user has had enough.
    Interrupted,
}

/// Analyses. What the status means, the help says.
pub fn run(arguments: &Arguments) -> ExitCode {
    let control = Arc::new(Control::default());
    let stop = Arc::clone(&control);
    // Without the handler Ctrl-C ends the program at once: what is on the standard output by then stays.
    let _ = ctrlc::set_handler(move || stop.stop());
    let result = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("search".into()).stack_size(STACK_SIZE);
        let thread = builder.spawn_scoped(scope, || analyse(arguments, &control)).map_err(Failure::Thread)?;
        thread.join().unwrap_or(Err(Failure::Search))
    });
    match result {
        Ok(Done::All) => ExitCode::SUCCESS,
        Ok(Done::Broken) => ExitCode::from(1),
        Ok(Done::Interrupted) => ExitCode::from(130),
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            complain(failure);
            ExitCode::from(2)
        }
    }
}

fn parse_position(text: &str) -> Result<Box<Board>, FenError> {
    let board = if text.trim() == "startpos" { Ok(Board::start()) } else { text.parse() };
    board.map(Box::new)
}

/// `3`, `1-5` or `7-`.
fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number > 0);
    let range = match text.split_once('-') {
        None => number(text).map(|number| (number, number)),
        Some((first, "")) => number(first).map(|first| (first, usize::MAX)),
        Some((first, last)) => number(first).zip(number(last)),
    };
    range.filter(|(first, last)| first <= last).ok_or_else(|| "expected 3, 1-5 or 7-, counted from 1".to_string())
}

fn analyse(arguments: &Arguments, control: &Arc<Control>) -> Result<Done, Failure> {
    let limits = limits(arguments);
    let hash = arguments.hash as usize;
    let open = || -> Result<Searcher, Failure> {
        let mut searcher = Searcher::new(hash, limits.clone(), Arc::clone(control)).map_err(Failure::Memory)?;
        if let Some(folders) = &arguments.syzygy {
            searcher.use_tables(folders);
        }
        Ok(searcher)
    };
    let mut searcher = open()?;
    if arguments.syzygy.is_some() {
        if searcher.men == 0 {
            let faults = searcher.notices.iter().map(|(Notice::Found(text) | Notice::Fault(text))| text.as_str());
            return Err(Failure::Tables(faults.collect::<Vec<_>>().join("; ")));
        }
        tell(&mut searcher);
    }
    if arguments.fen.is_none() && arguments.moves.is_empty() {
        let mut searchers = vec![searcher];
        while searchers.len() < threads(arguments) {
            // Fewer do as well where there is no memory for more.
            let Ok(mut searcher) = open() else { break };
            searcher.notices.clear();
            searchers.push(searcher);
        }
        return games::run(arguments, &mut Reviewer { panel: Panel::new(searchers) });
    }
    searcher.set_threads(arguments.threads.map_or(1, usize::from));
    let start = arguments.fen.as_deref().cloned().unwrap_or_else(Board::start);
    let game = position::play(start, &arguments.moves).map_err(Failure::Move)?;
    let report = position::report(&mut searcher, &game, usize::from(arguments.lines));
    tell(&mut searcher);
    let Some(report) = report else { return Ok(Done::Interrupted) };
    Output::Standard.write(&report)?;
    Ok(Done::All)
}

/// How many positions are searched at once.
fn threads(arguments: &Arguments) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    arguments.threads.map_or_else(cores, usize::from)
}

fn limits(arguments: &Arguments) -> Limits {
    let Arguments { nodes, movetime, depth, .. } = *arguments;
    let unlimited = nodes.is_none() && movetime.is_none() && depth.is_none();
    let time = movetime.map_or(TimeLimit::None, |time| TimeLimit::MoveTime(Duration::from_millis(time)));
    Limits { nodes: nodes.or(unlimited.then_some(DEFAULT_NODES)), depth, time, ..Limits::default() }
}

/// Tells what is wrong with endgame tables, once.
fn tell(searcher: &mut Searcher) {
    for notice in std::mem::take(&mut searcher.notices) {
        if let Notice::Fault(text) = notice {
            complain(text);
        }
    }
}

/// Looks at whole games.
pub struct Reviewer {
    panel: Panel,
}

impl Reviewer {
    /// One that looks at each position for so many nodes, at so many positions at once with so many MiB each, until the
    /// control says stop.
    pub fn open(nodes: u64, hash: usize, threads: usize, control: &Arc<Control>) -> Result<Reviewer, OutOfMemory> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let open = || Searcher::new(hash, limits.clone(), Arc::clone(control));
        let mut searchers = vec![open()?];
        searchers.extend((1..threads).map_while(|_| open().ok()));
        Ok(Reviewer { panel: Panel::new(searchers) })
    }

    /// Writes everything that is found about a game into it; nothing if the user has had enough. `progress` is told how many
    /// positions have been looked at, and how many there are to look at as far as is known.
    pub fn review(&mut self, record: &mut Record, progress: &mut (dyn FnMut(usize, usize) + Send)) -> Option<Review> {
        let judgements = judge::judge(&mut self.panel, record, progress)?;
        let review = Review::of(record, judgements);
        annotate::annotate(record, &review);
        Some(review)
    }
}
