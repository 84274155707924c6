//! Bulk perft side by side: Gannet, cozy-chess and, where it is installed, Stockfish.
//!
//!     cargo bench -p gannet-chess --bench perft [-- ROUNDS]
//!
//! The three take turns on each position, and the best of the rounds counts: on a shared machine the
//! best run is the least disturbed one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use chess::Board;

const POSITIONS: [(&str, &str, u32); 4] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("open middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
    ("closed middlegame", "r1bq1rk1/pp1nbppp/2p1pn2/3p4/2PP4/2N1PN2/PPQ1BPPP/R1B2RK1 w - - 4 9", 5),
];

fn main() {
    let rounds = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(5);
    println!("| position | depth | Mnodes | Gannet | cozy-chess | Stockfish | Gannet / faster of the two |");
    println!("|---|---|---|---|---|---|---|");
    for (name, fen, depth) in POSITIONS {
        let board = Board::from_fen(fen).expect("legal");
        let cozy = cozy_chess::Board::from_fen(fen, false).expect("legal");
        let mut best = [0.0f64; 3];
        let mut nodes = 0;
        for _ in 0..rounds {
            let runs: [&dyn Fn() -> Option<(u64, f64)>; 3] = [
                &|| Some(timed(|| chess::perft(&board, depth))),
                &|| Some(timed(|| cozy_perft(&cozy, depth))),
                &|| stockfish_perft(fen, depth),
            ];
            for (run, best) in runs.iter().zip(&mut best) {
                let Some((count, seconds)) = run() else { continue };
                assert!(nodes == 0 || nodes == count, "the generators disagree on {fen}");
                nodes = count;
                *best = best.max(count as f64 / seconds / 1e6);
            }
        }
        let ratio = best[0] / best[1].max(best[2]);
        let stockfish = if best[2] > 0.0 { format!("{:.0}", best[2]) } else { "—".into() };
        println!(
            "| {name} | {depth} | {:.1} | {:.0} | {:.0} | {stockfish} | {ratio:.2} |",
            nodes as f64 / 1e6,
            best[0],
            best[1]
        );
    }
    println!("\nMillion positions a second, best of {rounds} interleaved rounds.");
}

fn timed(run: impl Fn() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let nodes = run();
    (nodes, start.elapsed().as_secs_f64())
}

/// cozy-chess counting the last ply from its move sets, as its own benchmark does.
fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
            false
        });
    }
    nodes
}

/// Debian's Stockfish, timed from the command to its answer; its start-up does not count.
fn stockfish_perft(fen: &str, depth: u32) -> Option<(u64, f64)> {
    let path = ["/usr/games/stockfish", "stockfish"];
    let mut child =
        path.iter().find_map(|path| Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok())?;
    let mut input = child.stdin.take()?;
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    writeln!(input, "position fen {fen}\nisready").ok()?;
    lines.find(|line| line.as_ref().is_ok_and(|line| line == "readyok"))?.ok()?;
    let start = Instant::now();
    writeln!(input, "go perft {depth}").ok()?;
    let answer = lines.find_map(|line| line.ok()?.strip_prefix("Nodes searched: ")?.parse().ok());
    let seconds = start.elapsed().as_secs_f64();
    writeln!(input, "quit").ok()?;
    child.wait().ok()?;
    Some((answer?, seconds))
}
