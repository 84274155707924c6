//! Whether a game ended as its record says.

use chess::{Game, Outcome};

use super::{End, GameInfo, GameResult};

/// How the rules of chess end the game here, if they do.
pub fn by_rule(game: &Game) -> Option<(GameResult, End)> {
    let outcome = game.outcome()?;
    let end = match outcome {
        Outcome::Checkmate(_) => End::Checkmate,
        Outcome::Stalemate => End::Stalemate,
        Outcome::InsufficientMaterial => End::InsufficientMaterial,
        Outcome::Threefold => End::Threefold,
        Outcome::FiftyMoves => End::FiftyMoves,
    };
    Some((outcome.winner().map_or(GameResult::Draw, GameResult::won_by), end))
}

/// Whether the game, played to its end, agrees with what its header says about that end.
pub fn is_plausible(info: &GameInfo, game: &Game) -> bool {
    match (by_rule(game), info.end) {
        (Some(found), _) => found == (info.result, info.end),
        (None, End::AdjudicatedWin) => info.result != GameResult::Draw,
        (None, End::AdjudicatedDraw | End::TooLong) => info.result == GameResult::Draw,
        (None, _) => false,
    }
}
