//! A game of moves drawn by lot, to the end that the rules give it: `cargo run --example random_game -- 7`.

use chess::{Game, san};

fn main() {
    let mut lot: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut game = Game::default();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        // Numbers that are random enough for a game that nobody wants to win.
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves = game.board().legal_moves();
        let mv = moves[(lot >> 33) as usize % moves.len()];
        print!("{} ", san(game.board(), mv));
        game.play(mv);
    };
    println!("{} ({outcome:?}, {} plies)", outcome.result(), game.moves().len());
}
