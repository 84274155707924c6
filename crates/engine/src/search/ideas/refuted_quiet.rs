//! Refuted quiet: where a node is cut, one of the first moves of the node before has been refuted. If that was a quiet move,
//! it is tried later next time. (Refutation history is the other side of it.)

use chess::Board;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Punishes an early quiet move that was refuted.
    RefutedQuiet "UseRefutedQuiet" {
        /// Share of the usual punishment, in percent.
        share_factor = 50 in 0..=200 step 10;
        /// Only if it was one of so many first moves.
        early_max = 2 in 1..=8 step 1;
    }
}

impl Worker<'_> {
    /// Refuted quiet: punishes the quiet move before, to which an answer was found.
    #[inline(always)]
    pub(in crate::search) fn refuted_quiet(&mut self, board: &Board, node: &Node) {
        let p = &self.params.search.refuted_quiet;
        if p.enabled
            && self.frames.before(node.ply, 1).number <= p.early_max as usize
            && let Some((mv, threats)) = self.frames.quiet_move_before(node.ply)
        {
            let learning = &self.params.history;
            let malus = learning.history_gravity.malus(node.depth) * p.share_factor / 100;
            let previous = self.frames.previous(node.ply - 1);
            let piece_to = self.frames.before(node.ply, 1).piece_to;
            self.histories.update_made(learning, !board.side_to_move(), threats, mv, malus);
            self.histories.update_continuation(learning, piece_to, &previous, malus);
        }
    }
}
