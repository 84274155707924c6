//! Capture history: which captures have cut, by what takes what and where. Beyond the value of the victim that tells the
//! capture that matters from one that only wins material.

use chess::{Board, Move, PieceKind};

use super::{Cell, Histories, HistoryParams, PieceTo};
use crate::base::idea;

idea! {
    /// Remembers which captures have cut, beyond the value of the victim.
    CaptureHistory "UseCaptureHistory" (_, QS7) {
        /// A capture counts as good if it wins at least minus its history divided by this; 0 asks for no loss whatever
        /// the history.
        good_divisor = 54 in 0..=256 step 8;
        /// How much it counts beside the victim's value, in percent.
        order_factor = 128 in 0..=400 step 15;
    }
}

/// Captures by piece, target and victim.
pub(super) type Captures = [[Cell; 6]; PieceTo::COUNT];

#[inline(always)]
fn victim_index(board: &Board, mv: Move) -> usize {
    // A promotion without capture has no victim; a king is never captured, so its place is free.
    board.captured(mv).unwrap_or(PieceKind::King).index()
}

impl Histories {
    /// The history of a capture or promotion.
    #[inline(always)]
    pub fn capture(&self, board: &Board, mv: Move) -> i32 {
        self.capture[PieceTo::of(board, mv).index()][victim_index(board, mv)].get()
    }

    /// Moves a capture's history by a reward or punishment.
    #[inline(always)]
    pub(super) fn update_capture(&self, p: &HistoryParams, board: &Board, mv: Move, bonus: i32) {
        let entry = &self.capture[PieceTo::of(board, mv).index()][victim_index(board, mv)];
        entry.update(|value| p.history_gravity.updated(value, bonus));
    }
}
