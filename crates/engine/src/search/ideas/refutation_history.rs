//! Refutation history: when no move of a node reaches the window, the quiet move that led there has refuted everything
//! tried before it, and is rewarded. A cutoff one ply earlier teaches the same later; this works in fail-low nodes too.

use chess::Board;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Rewards the quiet move before where no answer to it was found.
    RefutationHistory "UseRefutationHistory" {
        /// Share of the usual reward, in percent.
        share_factor = 104 in 0..=200 step 10;
    }
}

impl Worker<'_> {
    /// Refutation history: rewards the quiet move before, to which nothing was found.
    pub(in crate::search) fn refutation_history(&mut self, board: &Board, node: &Node) {
        let p = &self.params.search.refutation_history;
        if p.enabled
            && let Some((mv, threats)) = self.frames.quiet_move_before(node.ply)
        {
            let learning = &self.params.history;
            let bonus = learning.history_gravity.bonus(node.depth) * p.share_factor / 100;
            let previous = self.frames.previous(node.ply - 1);
            let piece_to = self.frames.before(node.ply, 1).piece_to;
            self.histories.update_made(learning, !board.side_to_move(), threats, mv, bonus);
            self.histories.update_continuation(learning, piece_to, &previous, bonus);
        }
    }
}
