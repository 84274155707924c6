//! Pawn history: how well a quiet move does with this pawn structure. Where a knight belongs depends on the pawns
//! more than on anything else, and the structure outlasts the moves around it.

use crate::heuristic;

heuristic! {
    /// Pawn history.
    PawnHistory "UsePawnHistory" {
        /// How much it counts in ordering, in percent of the plain history.
        order_factor = 147 in 0..=300 step 15;
    }
}

impl PawnHistory {
    /// The weight in ordering; zero when switched off.
    #[inline(always)]
    pub fn factor(&self) -> i32 {
        if self.enabled { self.order_factor } else { 0 }
    }
}

/// How many pawn structures are told apart.
pub const STRUCTURES: usize = 512;
