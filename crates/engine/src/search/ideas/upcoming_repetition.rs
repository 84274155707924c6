//! Upcoming repetition: if the side to move can go back to an earlier position, it has at least a draw. Known a
//! ply before the repetition happens, and without generating a move.

use chess::{Board, Score};

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Counts on a draw where the side to move can go back to an earlier position.
    UpcomingRepetition "UseUpcomingRepetition" (_, SS5) {}
    counts UpcomingRepetitionCounts { fired }
}

impl Worker<'_> {
    /// Upcoming repetition: raises alpha to a draw where the side to move can have one; the score, if that closes the
    /// window.
    #[inline(always)]
    pub(in crate::search) fn upcoming_repetition(&mut self, board: &Board, node: &mut Node) -> Option<Score> {
        let applies = self.params.search.upcoming_repetition.enabled
            && node.alpha < Score::DRAW
            && self.keys.has_upcoming_repetition(board, node.ply);
        if !applies {
            return None;
        }
        node.alpha = Score::DRAW;
        let closed = node.alpha >= node.beta;
        self.telemetry.search.upcoming_repetition.fired.count_if(closed);
        closed.then_some(node.alpha)
    }
}
