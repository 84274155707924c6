//! Quiescence: at the horizon only captures, promotions and check evasions are followed, until the position is
//! quiet enough for the static evaluation. Without it every exchange that the horizon cuts in two is misjudged.

use crate::heuristic;

heuristic! {
    /// Quiescence search.
    Quiescence "UseQuiescence" {
        /// Checks are evaded in full only this many plies into quiescence (published 8).
        check_ply_max as "MaxCheckPly" = 8 in 0..=64 step 1;
        /// The most nodes below one entry into quiescence; 0 for no limit.
        node_limit as "QSearchNodeLimit" = 0 in 0..=1000000 step 1000;
        /// How many quiet answers to a check are tried once one of them holds; 64 for all.
        quiet_evasions_max = 6 in 1..=64 step 1;
        /// Captures that lose more than this in the exchange are skipped.
        see_margin = -59 in -200..=300 step 20;
    }
}

heuristic! {
    /// Quiet checks on the first ply of quiescence.
    QuietChecks "QSearchChecks" off {}
}
