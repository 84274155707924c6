//! The bench: a fixed amount of searching whose node count names this version of the search. `gannet bench` prints the
//! count, and the laboratory writes it beside what it measures.

use chess::{Board, Game};

use crate::{Control, Engine, Limits, NoClock, Silent};

/// The positions, one FEN a line.
const POSITIONS: &str = include_str!("bench.epd");

/// The depth that names this version.
pub const DEPTH: i32 = 13;
/// The size of the table in MiB that goes with it.
pub const HASH: usize = 16;

/// The positions of the bench.
pub fn games() -> Result<Vec<Game>, String> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Board::from_fen(line).map(Game::new).map_err(|error| format!("{line}: {error}"))).collect()
}

/// Searches every position to a depth, each with nothing known from before, and returns the nodes of all.
pub fn nodes(engine: &mut Engine, depth: i32, control: &Control) -> Result<u64, String> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut nodes = 0;
    for game in games()?.iter().take_while(|_| !control.is_stopped()) {
        engine.new_game();
        nodes += engine.search(game, &limits, control, &NoClock, &mut Silent).nodes;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_has_moves() {
        let games = games().unwrap_or_else(|error| panic!("{error}"));
        assert!(games.len() > 10);
        for game in games {
            assert!(game.board().has_legal_moves(), "{}", game.board().fen());
        }
    }
}
