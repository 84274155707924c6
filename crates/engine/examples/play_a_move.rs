//! Answers a move: `cargo run --release -p gannet-engine --example play_a_move -- e2e4 e7e5 g1f3`.

use std::time::{Duration, Instant};

use chess::{Game, parse_uci, uci};
use engine::{Control, Engine, Limits, Silent, TimeLimit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::default();
    for text in std::env::args().skip(1) {
        game.play(parse_uci(game.board(), &text)?);
    }
    let mut engine = Engine::new(16)?;
    let limits = Limits { time: TimeLimit::MoveTime(Duration::from_millis(500)), ..Limits::default() };
    // The engine has no clock of its own: whoever has one hands it in.
    let outcome = engine.search(&game, &limits, &Control::default(), &Instant::now(), &mut Silent);
    match outcome.best {
        Some(mv) => println!("{}, searched to depth {}", uci(mv, false), outcome.depth),
        None => println!("the game is over"),
    }
    Ok(())
}
