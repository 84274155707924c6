//! Perft: the number of leaves of the legal move tree, compared with published and with our own counts.
//!
//! A line of a suite is a FEN and the counts by depth: `FEN ;D1 20 ;D2 400`. The suites under `suites/` are ours
//! and always tested, to the last depth. The large ones from outside are tested where they are found, each line
//! to the greatest depth that stays below a number of leaves; that number keeps the run within a minute or so.

mod common;
mod oracles;

use chess::{Board, perft};
use common::{in_parallel, outside_suite, own_suite};

/// A position and its counts: (depth, leaves).
struct Line {
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn parse(suite: &str) -> Vec<Line> {
    let is_line = |line: &&str| !line.is_empty() && !line.starts_with('#');
    suite.lines().map(str::trim).filter(is_line).map(parse_line).collect()
}

fn parse_line(line: &str) -> Line {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default().to_string();
    let count = |part: &str| {
        let (depth, leaves) = part.strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
    };
    let counts = parts.map(|part| count(part).unwrap_or_else(|| panic!("bad count {part:?} in {line}"))).collect();
    Line { fen, counts }
}

/// Every line to the greatest depth with at most `limit` leaves; tells how much that was.
fn check(name: &str, suite: &str, limit: u64) {
    let mut jobs: Vec<(Line, u32, u64)> = Vec::new();
    for line in parse(suite) {
        let deepest = line.counts.iter().copied().rfind(|&(_, leaves)| leaves <= limit);
        let (depth, leaves) = deepest.unwrap_or_else(|| panic!("no count small enough: {}", line.fen));
        jobs.push((line, depth, leaves));
    }
    assert!(!jobs.is_empty(), "{name} has no lines");
    // The long ones first, so that no core is left with one at the end.
    jobs.sort_by_key(|&(.., leaves)| std::cmp::Reverse(leaves));
    in_parallel(jobs.len(), |index| {
        let (line, depth, leaves) = &jobs[index];
        let board = Board::from_fen(&line.fen).unwrap_or_else(|error| panic!("{}: {error}", line.fen));
        assert_eq!(perft(&board, *depth), *leaves, "perft {depth} of {}", line.fen);
    });
    let total: u64 = jobs.iter().map(|&(.., leaves)| leaves).sum();
    println!("{name}: {} lines, {total} leaves", jobs.len());
}

#[test]
fn our_standard_suite() {
    check("perft-standard", &own_suite("perft-standard.epd"), u64::MAX);
}

#[test]
fn our_chess960_suite() {
    check("perft-chess960", &own_suite("perft-chess960.epd"), u64::MAX);
}

#[test]
fn the_standard_suite_from_outside() {
    if let Some(suite) = outside_suite("perft-standard.epd") {
        check("perft-standard from outside", &suite, u64::MAX);
    }
}

#[test]
fn the_chess960_suite_from_outside() {
    if let Some(suite) = outside_suite("perft-chess960.epd") {
        check("perft-chess960 from outside", &suite, 100_000_000);
    }
}

/// Our counts are not only ours: shakmaty and cozy-chess find the same, at the depths that they reach quickly.
#[test]
fn the_oracles_confirm_our_suites() {
    let mut lines = parse(&own_suite("perft-standard.epd"));
    lines.extend(parse(&own_suite("perft-chess960.epd")));
    in_parallel(lines.len(), |index| {
        let line = &lines[index];
        for &(depth, leaves) in line.counts.iter().filter(|&&(_, leaves)| leaves <= 100_000) {
            assert_eq!(count_by_oracles(&line.fen, depth), leaves, "perft {depth} of {}", line.fen);
        }
    });
}

/// Prints a suite with its counts made anew by both oracles, to write into the file when lines are added:
/// `cargo test -p gannet-chess --profile checked --test perft_suites -- --ignored --nocapture`.
#[test]
#[ignore = "prints our suites with fresh counts instead of testing them"]
fn print_our_suites_with_fresh_counts() {
    const LIMIT: u64 = 3_000_000;
    for name in ["perft-standard.epd", "perft-chess960.epd"] {
        println!("=== {name}");
        for line in own_suite(name).lines() {
            if line.is_empty() || line.starts_with('#') {
                println!("{line}");
                continue;
            }
            let mut text = parse_line(line).fen;
            let counts = (1..=7).map(|depth| (depth, count_by_oracles(&parse_line(line).fen, depth)));
            for (depth, leaves) in counts.take_while(|&(depth, leaves)| depth <= 2 || leaves <= LIMIT) {
                text += &format!(" ;D{depth} {leaves}");
            }
            println!("{text}");
        }
    }
}

fn count_by_oracles(fen: &str, depth: u32) -> u64 {
    let first = oracles::parse_shakmaty(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let second = oracles::to_cozy(&board).unwrap_or_else(|| panic!("{fen}: refused by cozy-chess"));
    let leaves = shakmaty::perft(&first, depth);
    assert_eq!(leaves, cozy_perft(&second, depth), "the oracles differ: perft {depth} of {fen}");
    leaves
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|batch| {
        if depth <= 1 {
            leaves += batch.len() as u64;
            return false;
        }
        for mv in batch {
            let mut next = board.clone();
            next.play_unchecked(mv);
            leaves += cozy_perft(&next, depth - 1);
        }
        false
    });
    leaves
}
