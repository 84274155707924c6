//! Shows the best three lines of a position: `cargo run --release -p gannet-engine --example analyse_a_position -- "FEN"`.

use chess::{Board, Game, uci};
use engine::{Control, Engine, Limits, Line, NoClock, Reporter};

/// The depth to search to.
const DEPTH: i32 = 12;

/// Prints the lines of the last depth as they come.
struct Printer;

impl Reporter for Printer {
    fn line(&mut self, line: &Line<'_>) {
        if line.depth == DEPTH {
            let moves: Vec<String> = line.pv.iter().map(|&mv| uci(mv, false).to_string()).collect();
            println!("{}. {:+} centipawns  {}", line.multipv, line.score.0, moves.join(" "));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = std::env::args().nth(1).map_or(Ok(Board::start()), |fen| Board::from_fen(&fen))?;
    let mut engine = Engine::new(16)?;
    let limits = Limits { depth: Some(DEPTH), multi_pv: 3, ..Limits::default() };
    engine.search(&Game::new(board), &limits, &Control::default(), &NoClock, &mut Printer);
    Ok(())
}
