//! Ranked move picker: a shortlist of the best moves, judged in one pass over all of them, comes before the
//! ordinary order. The rank at which a move is handed out is what the rank-aware gates go by.

use crate::heuristic;

heuristic! {
    /// The ranked move picker.
    RankedPicker "UseRankedMovePicker" off {
        /// Length of the shortlist (published 10, then 8).
        shortlist_max = 8 in 1..=16 step 1;
        /// Quiets are shortlisted only from this depth on.
        quiet_min_depth = 6 in 0..=20 step 1;
        /// What a killer is worth on the shortlist.
        killer_bonus = 400 in 0..=1000 step 50;
        /// What a countermove is worth on the shortlist.
        countermove_bonus = 250 in 0..=1000 step 50;
        /// 1 takes the shortlist from the ordinary order, for comparison.
        parity = 0 in 0..=1 step 1;
    }
}

heuristic! {
    /// In check: captures of the checker first, then blocks, then king moves.
    InCheckClasses "UseInCheckClassOrdering" off {}
}
