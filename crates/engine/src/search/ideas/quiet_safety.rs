//! Quiet safety: a quiet move that loses material where it arrives is tried later, whatever its history. The exchange
//! is looked into only when the move's turn comes and its target is attacked, so most moves cost nothing.

use crate::heuristic;

heuristic! {
    /// Quiet safety.
    QuietSafety "UseQuietSafety" {
        /// How far an unsafe move falls behind.
        unsafe_margin = 16331 in 0..=40000 step 1200;
        /// The loss that is still called safe.
        loss_margin = 27 in 0..=200 step 20;
    }
}
