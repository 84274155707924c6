//! What a variation shows: how much of it can be played, and whether a mate is in it that the score counts.
//!
//! A search that is stopped at the wrong moment may know of a mate without a line that leads to it. People and programs
//! count the moves, so whoever shows such a score shows it as a win that is certain in a number of moves that is not.

use chess::{Game, Move, Score};

/// The moves of a variation that can be played, up to the end of the game, and whether that end is mate.
pub fn playable(game: &Game, pv: &[Move]) -> (Vec<Move>, bool) {
    let mut game = game.clone();
    let mut kept = Vec::with_capacity(pv.len());
    for &mv in pv {
        if !game.play(mv) {
            break;
        }
        kept.push(mv);
        if game.outcome().is_some() {
            break;
        }
    }
    (kept, game.board().is_checkmate())
}

/// Whether a mate is shown to its end, so that its moves can be counted; true of any other score.
pub fn is_counted(score: Score, pv: &[Move], mated: bool) -> bool {
    let plies = |moves: i32| if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    score.mate_moves().is_none_or(|moves| mated && pv.len() == plies(moves) as usize)
}

/// A mate as a win or loss that is certain, in a number of moves that is not: as endgame tables know it.
pub fn uncounted(score: Score) -> Score {
    let plies = (Score::MATE.0 - score.0.abs()).max(0) as usize;
    if score > Score::DRAW { Score::tablebase_win_in(plies) } else { Score::tablebase_loss_in(plies) }
}

/// A score as it can be shown with this variation.
pub fn shown(game: &Game, score: Score, pv: &[Move]) -> Score {
    if !score.is_mate() {
        return score;
    }
    let (pv, mated) = playable(game, pv);
    if is_counted(score, &pv, mated) { score } else { uncounted(score) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, parse_uci};

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        for text in moves {
            let mv = parse_uci(game.board(), text).expect(text);
            assert!(game.play(mv));
        }
        game
    }

    /// The moves in a row, taken as they come, and how many of them are kept.
    fn kept(game: &Game, moves: &[&str]) -> usize {
        let mut board = game.board().clone();
        let mut pv = Vec::new();
        for text in moves {
            let mv = parse_uci(&board, text).expect(text);
            board.make(mv);
            pv.push(mv);
        }
        playable(game, &pv).0.len()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn variations_end_with_the_game() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let twice = [shuffle, shuffle].concat();
        // The start counts as the first time, so the eighth ply brings the third.
        assert_eq!(kept(&game(START, &[]), &[&twice[..], &["e2e4"]].concat()), 8);
        assert_eq!(kept(&game(START, &shuffle), &twice), 4);
        let shuffle = ["a1a2", "e8d8", "a2a1", "d8e8"];
        assert_eq!(kept(&game("4k3/8/8/8/8/8/8/R3K3 w - - 97 80", &[]), &shuffle), 3);
        let mate = game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &[]);
        assert_eq!(kept(&mate, &["a1a8"]), 1);
    }

    #[test]
    fn illegal_moves_cut_a_variation() {
        let game = game(START, &[]);
        let board = game.board();
        let e4 = parse_uci(board, "e2e4").expect("legal");
        assert_eq!(playable(&game, &[e4, e4]), (vec![e4], false));
        assert_eq!(playable(&game, &[]), (vec![], false));
    }

    #[test]
    fn a_mate_without_its_moves_is_a_certain_win() {
        let game = game("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &[]);
        let mate = [parse_uci(game.board(), "a1a8").expect("legal")];
        assert_eq!(shown(&game, Score::mate_in(1), &mate), Score::mate_in(1));
        assert_eq!(shown(&game, Score::mate_in(1), &[]).to_string(), "cp 19999");
        assert_eq!(shown(&game, Score::mate_in(17), &mate).to_string(), "cp 19983");
        assert_eq!(shown(&game, Score::mated_in(4), &mate).to_string(), "cp -19996");
        assert_eq!(shown(&game, Score(25), &[]), Score(25));
    }
}
