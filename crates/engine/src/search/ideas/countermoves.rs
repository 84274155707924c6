//! Countermoves: the quiet move that last refuted a given move is tried early against it.
//! Most threats have one good answer, whatever else is on the board.

use crate::heuristic;

heuristic! {
    /// Countermove ordering.
    Countermoves "UseCountermoves" {
        /// Added to the ordering score of the countermove; 0 switches the effect off.
        bonus as "CountermoveBonus" = 8000 in 0..=20000 step 500;
    }
}

impl Countermoves {
    /// What the countermove is worth in ordering.
    #[inline(always)]
    pub fn ordering_bonus(&self) -> i32 {
        if self.enabled { self.bonus } else { 0 }
    }
}
