//! The order of moves out of check: captures first, then quiet moves by history; or, as an option, by what they
//! do about the check.

use chess::{Move, PieceKind};

use super::Context;
use super::escape_routes::Routes;
use super::scoring::{self, QuietScorer};
use crate::base::idea;

idea! {
    /// Sorts evasions: captures of the checker, then blocks, then king moves.
    InCheckClassOrdering "UseInCheckClassOrdering" (_, RP5) off {}
}

/// Higher than any score within a class.
const CLASS: i32 = 1 << 24;

/// The score of a move out of check.
#[inline(always)]
pub fn score(context: &Context<'_>, quiets: &QuietScorer<'_>, routes: &Routes, mv: Move) -> (i32, u16) {
    let (within, tie) = if mv.is_quiet() { quiets.score(mv) } else { scoring::capture(context, mv) };
    let class = if context.params.in_check_class_ordering.enabled {
        let captures_checker = mv.is_capture() && (context.board.checkers().contains(mv.to()) || mv.is_en_passant());
        let by_king = context.board.kind_on(mv.from()) == Some(PieceKind::King);
        // Captures of the checker, then blocks, then king moves.
        if captures_checker {
            3
        } else if !by_king {
            2
        } else {
            1
        }
    } else {
        i32::from(!mv.is_quiet())
    };
    (class * CLASS + within + routes.score(context, mv), tie)
}
