//! One-reply extension: out of check with a single legal move there is nothing to choose, so the move is searched a ply deeper
//! at little cost. Finds long mates by checks.

use chess::Board;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Searches the only legal move out of check a ply deeper.
    OneReplyExtension "UseOneReplyExtension" (_, SS5) off {}
    counts OneReplyExtensionCounts { fired }
}

impl Worker<'_> {
    /// One-reply extension: by how much deeper to search the move.
    #[inline(always)]
    pub(in crate::search) fn one_reply_extension(&mut self, board: &Board, node: &Node) -> i32 {
        let extends = self.params.search.one_reply_extension.enabled
            && node.in_check
            && node.ply < 2 * self.root_depth as usize
            && board.legal_moves().len() == 1;
        self.telemetry.search.one_reply_extension.fired.count_if(extends);
        i32::from(extends)
    }
}
