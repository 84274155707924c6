//! Replacement in the transposition table: which entry gives way. Good entries (deep, exact, with a move, of
//! this search) are protected against the flood of shallow ones.

use crate::heuristic;

heuristic! {
    /// Four entries a cache line, the victim chosen by depth and age; switched off, one slot a key.
    ClusteredTable "UseClusteredTT" {
        /// Plies of depth that one generation of age costs an entry.
        age_factor = 3 in 0..=16 step 1;
        /// A result for the same position may be this much shallower and still replace.
        same_key_margin = 4 in 0..=12 step 1;
        /// A result without a move must be this much deeper to push out another position.
        moveless_margin = 3 in 0..=12 step 1;
    }
}
