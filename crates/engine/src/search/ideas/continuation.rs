//! Continuation history: how well a move does as an answer to the move before, to our own move before that,
//! and further back. Plans span several moves; the plain history cannot see that.

use crate::heuristic;

heuristic! {
    /// Continuation history.
    ContinuationHistory "UseContinuationHistory" {
        /// How much the answer to the last move counts in ordering, in percent of the plain history.
        reply_factor = 145 in 0..=300 step 15;
        /// How much the follow-up to our own last move counts.
        follow_factor = 248 in 0..=300 step 15;
        /// How much the follow-up to our move before that counts.
        far_factor = 148 in 0..=300 step 15;
    }
}

/// How many plies back each table looks.
pub const OFFSETS: [usize; 3] = [1, 2, 4];

impl ContinuationHistory {
    /// The weights in the order of [`OFFSETS`]; all zero when switched off.
    #[inline(always)]
    pub fn factors(&self) -> [i32; 3] {
        if self.enabled { [self.reply_factor, self.follow_factor, self.far_factor] } else { [0; 3] }
    }
}
