//! Whether a game ended as its record says.

use chess::Game;

use super::{End, GameInfo, GameResult};

/// How the rules of chess end the game here, if they do. `replies` is how many legal moves there are.
pub fn by_rule(game: &Game, replies: u64) -> Option<(GameResult, End)> {
    let board = game.board();
    let draw = |end| Some((GameResult::Draw, end));
    if replies == 0 {
        let winner = GameResult::won_by(!board.side_to_move());
        return if board.in_check() { Some((winner, End::Checkmate)) } else { draw(End::Stalemate) };
    }
    if board.is_insufficient_material() {
        draw(End::InsufficientMaterial)
    } else if game.is_threefold() {
        draw(End::Threefold)
    } else if board.halfmove_clock() >= 100 {
        draw(End::FiftyMoves)
    } else {
        None
    }
}

/// Whether the game, played to its end, agrees with what its header says about that end.
pub fn is_plausible(info: &GameInfo, game: &Game) -> bool {
    match (by_rule(game, game.board().count_legal_moves()), info.end) {
        (Some(found), _) => found == (info.result, info.end),
        (None, End::AdjudicatedWin) => info.result != GameResult::Draw,
        (None, End::AdjudicatedDraw | End::TooLong) => info.result == GameResult::Draw,
        (None, _) => false,
    }
}
