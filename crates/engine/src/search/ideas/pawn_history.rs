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

/// How many pawn structures are told apart.
pub const STRUCTURES: usize = 512;
