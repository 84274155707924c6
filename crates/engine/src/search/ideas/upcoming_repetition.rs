//! Upcoming repetition: if the side to move can go back to an earlier position, it has at least a draw. Known a
//! ply before the repetition happens, and without generating a move.

use crate::heuristic;

heuristic! {
    /// Upcoming repetition detection.
    UpcomingRepetition "UseUpcomingRepetition" {}
}
