//! Two engines of different settings play a game in one process: `cargo run --release -p gannet-engine --example two_engines`.

use chess::{Color, Game, san};
use engine::{Control, Engine, Limits, NoClock, Silent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Parameters are values of each engine, so two of them need not agree.
    let (mut white, mut black) = (Engine::new(8)?, Engine::new(8)?);
    black.params_mut().set("UseNullMove", "false")?;
    let limits = Limits { nodes: Some(5000), ..Limits::default() };
    let mut game = Game::default();
    for ply in 0..80 {
        let side = match game.board().side_to_move() {
            Color::White => &mut white,
            Color::Black => &mut black,
        };
        let outcome = side.search(&game, &limits, &Control::default(), &NoClock, &mut Silent);
        let Some(mv) = outcome.best else { break };
        let text = san(game.board(), mv);
        print!("{}{text} ", if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() });
        game.play(mv);
    }
    println!();
    Ok(())
}
