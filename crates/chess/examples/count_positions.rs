//! Counts the positions so many plies ahead, below each move: `cargo run --release --example count_positions -- 5`.

use std::time::Instant;

use chess::{Board, divide, uci};

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let began = Instant::now();
    let counts = divide(&Board::start(), depth);
    for (mv, nodes) in &counts {
        println!("{}: {nodes}", uci(*mv, false));
    }
    let total: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    println!("{total} positions in {:.3} s", began.elapsed().as_secs_f64());
}
