//! Refutation history: when no move of a node reaches the window, the quiet move that led there has refuted everything
//! tried before it, and is rewarded. A cutoff one ply earlier teaches the same later; this works in fail-low nodes too.

use crate::heuristic;

heuristic! {
    /// Refutation history.
    RefutationHistory "UseRefutationHistory" {
        /// Share of the usual reward, in percent.
        share_factor = 104 in 0..=200 step 10;
    }
}
