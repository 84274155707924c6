//! Pawn history: how well a quiet move does with this pawn structure. Where a knight belongs depends on the pawns
//! more than on anything else, and the structure outlasts the moves around it.

use chess::Board;

use super::continuation_history::{PieceTo, Row};
use super::{Histories, HistoryParams};
use crate::base::idea;

idea! {
    /// Remembers which quiet moves go well with a pawn structure.
    PawnHistory "UsePawnHistory" {
        /// How much it counts in ordering, in percent of the plain history.
        order_factor = 147 in 0..=300 step 15;
    }
}

impl PawnHistory {
    /// The weight in ordering; zero when switched off.
    #[inline(always)]
    pub(super) fn factor(&self) -> i32 {
        if self.enabled { self.order_factor } else { 0 }
    }
}

/// How many pawn structures are told apart.
const STRUCTURES: usize = 512;

/// Moves by pawn structure.
pub(super) type Structures = [Row; STRUCTURES];

/// The row of a pawn structure.
#[inline(always)]
fn structure(board: &Board) -> usize {
    board.keys().pawn() as usize % STRUCTURES
}

impl Histories {
    /// How moves have done with these pawns.
    #[inline(always)]
    pub(super) fn with_pawns(&self, board: &Board) -> &Row {
        &self.pawn[structure(board)]
    }

    /// Moves what is known of a move with these pawns.
    #[inline(always)]
    pub(super) fn update_pawn(&self, p: &HistoryParams, board: &Board, to: PieceTo, bonus: i32) {
        if p.pawn_history.enabled {
            let entry = &self.pawn[structure(board)][to.index()];
            entry.update(|value| p.history_gravity.updated(value, bonus));
        }
    }
}
