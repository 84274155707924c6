//! Internal iterative reduction (IIR): without a table move the ordering is poor, so a full-depth search here
//! would be wasteful. Search it shallower now; the move found will be there next time.

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Searches a node without a table move less deeply.
    InternalReduction "UseInternalReduction" (IIR, SS5) {
        /// The least depth it works at.
        min_depth = 7 in 2..=12 step 1;
    }
    counts InternalReductionCounts { fired }
}

impl Worker<'_> {
    /// Internal iterative reduction: how much shallower to search the node.
    #[inline(always)]
    pub(in crate::search) fn internal_reduction(&mut self, node: &Node) -> i32 {
        let reduced = applies(&self.params.search.internal_reduction, node);
        self.telemetry.search.internal_reduction.fired.count_if(reduced);
        i32::from(reduced)
    }
}

/// Whether to reduce. Only where it matters: on the principal variation or where a cut is expected.
#[inline(always)]
fn applies(p: &InternalReduction, node: &Node) -> bool {
    p.enabled
        && node.table_move.is_none()
        && (node.pv || node.cut)
        && node.excluded.is_none()
        && node.depth >= p.min_depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, parse_uci};

    #[test]
    fn only_without_a_move_and_deep_enough() {
        let p = InternalReduction::default();
        let node = Node::example(p.min_depth, 0, 0);
        let mv = parse_uci(&Board::start(), "e2e4").ok();
        assert!(applies(&p, &node));
        assert!(!applies(&p, &Node { table_move: mv, ..node }));
        assert!(!applies(&p, &Node { excluded: mv, ..node }));
        assert!(!applies(&p, &Node { depth: p.min_depth - 1, ..node }));
        assert!(!applies(&p, &Node { cut: false, ..node }));
        assert!(applies(&p, &Node { cut: false, pv: true, ..node }));
    }
}
