//! A suite of known counts: reading the file, and checking its positions on all cores.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chess::{Board, FenError};
use indicatif::{ProgressBar, ProgressStyle};

use super::MAX_DEPTH;

/// One line: a position and what to expect of it.
struct Entry {
    line: usize,
    fen: String,
    board: Board,
    counts: Vec<Count>,
}

/// How many positions there are at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    depth: u32,
    nodes: u64,
}

/// The positions of a file.
pub struct Suite {
    path: PathBuf,
    entries: Vec<Entry>,
    skipped: usize,
}

/// A count that is not what the file says.
pub struct WrongCount {
    place: String,
    line: usize,
    fen: String,
    expected: Count,
    got: u64,
}

impl fmt::Display for WrongCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { depth, nodes } = self.expected;
        write!(f, "{}:{}: D{depth} expected {nodes}, got {}: {}", self.place, self.line, self.got, self.fen)
    }
}

/// What came of a suite.
pub struct Report {
    /// Positions of which every count is right.
    pub passed: usize,
    /// The other positions.
    pub failed: usize,
    /// Every wrong count, in the order of the file.
    pub failures: Vec<WrongCount>,
    /// All that was counted.
    pub nodes: u64,
}

/// Why a suite cannot be used.
pub enum SuiteError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A line is not `FEN ;D1 n ;D2 n …`.
    Line(PathBuf, usize, LineError),
    /// There is no position in the file.
    Empty(PathBuf),
    /// Nothing is left to be checked.
    AllSkipped(PathBuf, u64),
}

/// What is wrong with a line.
#[derive(PartialEq, Eq, Debug)]
pub enum LineError {
    /// It is not text.
    NotUtf8,
    /// The position cannot be read.
    Fen(FenError),
    /// Nothing follows the position.
    NoCounts,
    /// What follows the position is not a count.
    Count(String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            SuiteError::Line(path, line, error) => write!(f, "{}:{line}: {error}", path.display()),
            SuiteError::Empty(path) => {
                write!(f, "{} has no positions; expected lines like FEN ;D1 20 ;D2 400", path.display())
            }
            SuiteError::AllSkipped(path, max) => {
                write!(f, "nothing to check: every count in {} is above --max-nodes {max}", path.display())
            }
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NotUtf8 => f.write_str("the line is not UTF-8 text"),
            LineError::Fen(error) => error.fmt(f),
            LineError::NoCounts => f.write_str("no counts; expected ;D1 20 ;D2 400 and so on after the FEN"),
            LineError::Count(text) => {
                write!(f, "bad count {text:?}; expected a depth from D1 to D{MAX_DEPTH} and a number, such as D2 400")
            }
        }
    }
}

impl Suite {
    /// Reads a suite, without the counts above `max_nodes`. Stops at the first bad line.
    pub fn read(path: PathBuf, max_nodes: u64) -> Result<Suite, SuiteError> {
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => return Err(SuiteError::Unreadable(path, error)),
        };
        let (mut entries, mut skipped) = (Vec::new(), 0);
        for (line, bytes) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            match Entry::parse(line, bytes) {
                Ok(None) => {}
                Ok(Some(mut entry)) => {
                    entry.counts.retain(|count| count.nodes <= max_nodes);
                    if entry.counts.is_empty() {
                        skipped += 1;
                    } else {
                        entries.push(entry);
                    }
                }
                Err(error) => return Err(SuiteError::Line(path, line, error)),
            }
        }
        match (entries.len(), skipped) {
            (0, 0) => Err(SuiteError::Empty(path)),
            (0, _) => Err(SuiteError::AllSkipped(path, max_nodes)),
            _ => Ok(Suite { path, entries, skipped }),
        }
    }

    /// How many positions have no count that is small enough.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Checks every position. The longest come first, so that no core is left alone with one at the end.
    pub fn check(&self) -> Report {
        let mut order: Vec<&Entry> = self.entries.iter().collect();
        order.sort_by_key(|entry| std::cmp::Reverse(entry.expected_nodes()));
        let bar = progress_bar(order.iter().fold(0, |sum, entry| sum.saturating_add(entry.expected_nodes())));
        let next = AtomicUsize::new(0);
        let report = Mutex::new(Report { passed: 0, failed: 0, failures: Vec::new(), nodes: 0 });
        let work = || {
            while let Some(entry) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (nodes, failures) = entry.check(&self.path, &bar);
                let mut report = report.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                report.nodes = report.nodes.saturating_add(nodes);
                if failures.is_empty() {
                    report.passed += 1;
                } else {
                    report.failed += 1;
                }
                report.failures.extend(failures);
            }
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..cores.min(order.len()) {
                scope.spawn(work);
            }
        });
        bar.finish_and_clear();
        let mut report = report.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        report.failures.sort_by_key(|failure| (failure.line, failure.expected.depth));
        report
    }
}

/// A bar on standard error that measures positions counted; not shown unless that is a terminal.
fn progress_bar(nodes: u64) -> ProgressBar {
    let bar = ProgressBar::new(nodes);
    if let Ok(style) = ProgressStyle::with_template("{elapsed} {wide_bar} {percent}% left {eta}") {
        bar.set_style(style);
    }
    bar
}

impl Entry {
    /// Reads a line; nothing for an empty one or a comment.
    fn parse(line: usize, bytes: &[u8]) -> Result<Option<Entry>, LineError> {
        let text = std::str::from_utf8(bytes).map_err(|_| LineError::NotUtf8)?.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let mut parts = text.split(';').map(str::trim);
        let fen = parts.next().unwrap_or_default();
        let board = fen.parse().map_err(LineError::Fen)?;
        let counts = parts
            .filter(|part| !part.is_empty())
            .map(|part| Count::parse(part).ok_or_else(|| LineError::Count(part.to_string())))
            .collect::<Result<Vec<_>, _>>()?;
        if counts.is_empty() {
            return Err(LineError::NoCounts);
        }
        Ok(Some(Entry { line, fen: fen.to_string(), board, counts }))
    }

    fn expected_nodes(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(count.nodes))
    }

    /// Counts every depth; how much was counted in all, and what was wrong.
    fn check(&self, path: &Path, bar: &ProgressBar) -> (u64, Vec<WrongCount>) {
        let (mut total, mut failures) = (0u64, Vec::new());
        for &expected in &self.counts {
            let got = chess::perft(&self.board, expected.depth);
            total = total.saturating_add(got);
            bar.inc(expected.nodes);
            if got != expected.nodes {
                let place = path.display().to_string();
                failures.push(WrongCount { place, line: self.line, fen: self.fen.clone(), expected, got });
            }
        }
        (total, failures)
    }
}

impl Count {
    /// Reads `D3 8902`.
    fn parse(text: &str) -> Option<Count> {
        let (depth, nodes) = text.strip_prefix('D')?.split_once(char::is_whitespace)?;
        let count = Count { depth: depth.parse().ok()?, nodes: nodes.trim().parse().ok()? };
        (1..=MAX_DEPTH).contains(&count.depth).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn parse(line: &str) -> Result<Option<Vec<Count>>, LineError> {
        Ok(Entry::parse(1, line.as_bytes())?.map(|entry| entry.counts))
    }

    #[test]
    fn lines_are_read_with_loose_spacing() {
        let expected = Ok(Some(vec![Count { depth: 1, nodes: 20 }, Count { depth: 2, nodes: 400 }]));
        assert_eq!(parse(&format!("{START} ;D1 20 ;D2 400")), expected);
        assert_eq!(parse(&format!("  {START};D1  20; D2 400 ;\r")), expected);
        assert_eq!(parse("# a comment"), Ok(None));
        assert_eq!(parse("\r"), Ok(None));
    }

    #[test]
    fn bad_lines_say_why() {
        assert_eq!(parse(START), Err(LineError::NoCounts));
        for count in ["D1", "D1 x", "D0 1", "D100 1", "1 20", "D1 -20", "é", "D1 99999999999999999999"] {
            assert_eq!(parse(&format!("{START} ;{count}")), Err(LineError::Count(count.to_string())));
        }
        assert!(matches!(parse("hello ;D1 20"), Err(LineError::Fen(_))));
        assert_eq!(Entry::parse(1, b"\xff\xfe").map(|_| ()), Err(LineError::NotUtf8));
    }
}
