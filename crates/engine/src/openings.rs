//! Random openings: the first plies of games that should not all be alike.

use chess::{Board, Game, Move, Setup, Value};

use crate::{Control, Engine, Limits, NoClock, Silent};

/// A random move may lose this much in an exchange, but no more.
const BLUNDER: Value = -100;

/// An opening with a score further from zero is not worth playing.
pub const MAX_SCORE: Value = 1000;

/// How many nodes are enough to see that.
const NODES: u64 = 1000;

/// How often a game that ended during the opening, or a board that is none, is begun again.
const TRIES: usize = 1000;

/// A position after so many random plies, from the start position or from one of double Chess960. The game is not
/// over there. No move gives away more than a pawn on its square, unless there is no other.
///
/// `draw` returns a random number below the one it is given, which is never zero; the same draws, the same opening.
pub fn random_opening(plies: u32, chess960: bool, draw: &mut dyn FnMut(usize) -> usize) -> Board {
    for _ in 0..TRIES {
        let start = if chess960 {
            let [white, black] = [(); 2].map(|()| draw(960) as u16);
            Setup::double_chess960(white, black).validate().unwrap_or_else(|_| Board::start())
        } else {
            Board::start()
        };
        if let Some(board) = random_plies(start, plies, draw) {
            return board;
        }
    }
    Board::start()
}

/// Whether a short search finds the position balanced enough to play; no if it was told to stop.
pub fn is_playable(engine: &mut Engine, game: &Game, control: &Control) -> bool {
    engine.new_game();
    let limits = Limits { soft_nodes: Some(NODES), nodes: Some(8 * NODES), ..Limits::default() };
    let found = engine.search(game, &limits, control, &NoClock, &mut Silent);
    found.best.is_some() && found.score.0.abs() <= MAX_SCORE && !control.is_stopped()
}

/// The position after so many random plies; nothing if the game ends before or there.
pub fn random_plies(mut board: Board, plies: u32, draw: &mut dyn FnMut(usize) -> usize) -> Option<Board> {
    for _ in 0..plies {
        let choice = sound_moves(&board);
        if choice.is_empty() {
            return None;
        }
        board.make(*choice.get(draw(choice.len()))?);
    }
    board.outcome().is_none().then_some(board)
}

/// The moves that give away no more than a pawn on their square; all, if there are no others.
pub fn sound_moves(board: &Board) -> Vec<Move> {
    let moves = board.legal_moves();
    let sound: Vec<_> = moves.iter().copied().filter(|&mv| board.see_at_least(mv, BLUNDER)).collect();
    if sound.is_empty() { moves.iter().copied().collect() } else { sound }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(mut state: u64) -> impl FnMut(usize) -> usize {
        move |bound| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % bound
        }
    }

    #[test]
    fn openings_repeat_and_differ() {
        let opening = |seed, chess960| random_opening(8, chess960, &mut draws(seed)).fen();
        for seed in 0..200 {
            assert_eq!(opening(seed, seed % 2 == 0), opening(seed, seed % 2 == 0));
            assert_ne!(opening(seed, false), opening(seed + 1, false));
        }
    }

    #[test]
    fn they_have_as_many_plies_as_asked_for_and_go_on() {
        for plies in 0..12 {
            for seed in 0..50 {
                let board = random_opening(plies, seed % 3 == 0, &mut draws(seed));
                assert_eq!(board.fullmove_number(), 1 + plies / 2);
                assert!(board.has_legal_moves());
            }
        }
    }
}
