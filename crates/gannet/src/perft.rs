//! `gannet perft`: counting positions, for one position or for a whole suite of known counts.

mod suite;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use chess::{Board, FenError};

use suite::Suite;

const USAGE: &str = "\
gannet perft <DEPTH> [--fen <FEN>] [--chess960] [--divide]
       gannet perft --suite <FILE> [--max-nodes <N>]";

const AFTER_HELP: &str = "\
Examples:
  gannet perft 6
  gannet perft 5 --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  gannet perft 4 --divide --chess960 --fen \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\"
  gannet perft --suite suites/perft-standard.epd --max-nodes 1000000";

/// The deepest count that may be asked for.
const MAX_DEPTH: u32 = 99;

/// Count the positions that legal moves lead to
///
/// The last ply is counted without being made. The last line is `N nodes M nps`; with --suite it is
/// `N passed, M failed`, and the exit status says whether all passed.
#[derive(clap::Args)]
#[command(override_usage = USAGE, after_help = AFTER_HELP)]
pub struct Arguments {
    /// How many plies to look ahead
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,

    /// The position, as FEN, X-FEN or Shredder-FEN in quotes, or the word startpos
    #[arg(long, value_name = "FEN", default_value = "startpos", value_parser = parse_position)]
    fen: Board,

    /// Write castling as the king taking its rook (e1h1, not e1g1)
    #[arg(long)]
    chess960: bool,

    /// Show the count below each move
    #[arg(long)]
    divide: bool,

    /// Check every line `FEN ;D1 n ;D2 n …` of a file, on all cores; lines with # are comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "fen", "chess960", "divide"])]
    suite: Option<PathBuf>,

    /// With --suite: leave out the depths that expect more positions than this
    #[arg(long, value_name = "N", requires = "suite", conflicts_with = "depth")]
    max_nodes: Option<u64>,
}

/// Why a count could not be done.
enum PerftError {
    /// The suite cannot be used.
    Suite(suite::SuiteError),
    /// The result cannot be written.
    Output(io::Error),
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftError::Suite(error) => error.fmt(f),
            PerftError::Output(error) => write!(f, "cannot write the result: {error}"),
        }
    }
}

impl From<suite::SuiteError> for PerftError {
    fn from(error: suite::SuiteError) -> PerftError {
        PerftError::Suite(error)
    }
}

impl From<io::Error> for PerftError {
    fn from(error: io::Error) -> PerftError {
        PerftError::Output(error)
    }
}

/// Counts. Status 0: done, and every line of a suite passed. 1: a line failed. 2: it could not be done.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut output = io::stdout().lock();
    let result = match (&arguments.suite, arguments.depth) {
        (Some(path), _) => run_suite(path.clone(), arguments.max_nodes, &mut output),
        (None, Some(depth)) => run_single(arguments, depth, &mut output).map(|()| true).map_err(PerftError::from),
        (None, None) => Ok(true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever read the output has seen enough, as in `gannet perft 5 --divide | head`.
        Err(PerftError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If even this cannot be written, the status still tells.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse_position(text: &str) -> Result<Board, FenError> {
    if text.trim() == "startpos" { Ok(Board::start()) } else { text.parse() }
}

fn run_single(arguments: &Arguments, depth: u32, output: &mut impl Write) -> io::Result<()> {
    let start = Instant::now();
    let nodes = if arguments.divide {
        let mut total = 0;
        for &mv in &arguments.fen.legal_moves() {
            let nodes = chess::perft(&arguments.fen.after(mv), depth - 1);
            writeln!(output, "{}: {nodes}", chess::uci(mv, arguments.chess960))?;
            total += nodes;
        }
        writeln!(output)?;
        total
    } else {
        chess::perft(&arguments.fen, depth)
    };
    writeln!(output, "{}", Speed { nodes, time: start.elapsed() })
}

fn run_suite(path: PathBuf, max_nodes: Option<u64>, output: &mut impl Write) -> Result<bool, PerftError> {
    let suite = Suite::read(path, max_nodes.unwrap_or(u64::MAX))?;
    let start = Instant::now();
    let report = suite.check();
    for failure in &report.failures {
        writeln!(output, "{failure}")?;
    }
    writeln!(output, "{}", Speed { nodes: report.nodes, time: start.elapsed() })?;
    if suite.skipped() > 0 {
        writeln!(output, "{} left out: every count is above --max-nodes", suite.skipped())?;
    }
    writeln!(output, "{} passed, {} failed", report.passed, report.failed)?;
    Ok(report.failed == 0)
}

/// `N nodes M nps`.
struct Speed {
    nodes: u64,
    time: Duration,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.time.as_nanos().max(1);
        let per_second = u128::from(self.nodes) * 1_000_000_000 / nanoseconds;
        write!(f, "{} nodes {per_second} nps", self.nodes)
    }
}
