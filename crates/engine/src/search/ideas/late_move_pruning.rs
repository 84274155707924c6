//! Late move pruning (LMP), also "move count pruning": near the leaves, once enough moves have been tried,
//! the remaining quiets are skipped. With good ordering the best move is hardly ever that late.

use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Skips quiet moves near the leaves once enough moves have been tried.
    LateMovePruning "UseLateMovePruning" (LMP, SS1) {
        /// The deepest node it works at.
        max_depth = 3 in 1..=16 step 1;
        /// Moves always tried.
        count_base = 6 in 1..=10 step 1;
        /// Moves tried for each squared ply of depth, in percent.
        depth_factor = 131 in 30..=300 step 10;
    }
    counts LateMovePruningCounts { fired }
}

impl Worker<'_> {
    /// Late move pruning: after how many moves the node skips quiets.
    #[inline(always)]
    pub(in crate::search) fn late_limit(&self, node: &Node) -> usize {
        limit(&self.params.search.late_move_pruning, node)
    }

    /// Late move pruning: whether to skip a quiet move, and all quiet moves after it.
    #[inline(always)]
    pub(in crate::search) fn late_move_pruning(&mut self, node: &Node, candidate: &Candidate) -> bool {
        let late = !node.in_check && candidate.number > candidate.late_limit;
        self.telemetry.search.late_move_pruning.fired.count_if(late);
        late
    }
}

/// How many moves are tried at this node before quiets are skipped.
#[inline(always)]
fn limit(p: &LateMovePruning, node: &Node) -> usize {
    if !p.enabled || node.depth > p.max_depth { usize::MAX } else { count(p, node) }
}

/// The same at any depth; in the published form `(3 + depth²) / (2 − improving)`.
#[inline(always)]
pub(in crate::search) fn count(p: &LateMovePruning, node: &Node) -> usize {
    let count = p.count_base + node.depth * node.depth * p.depth_factor / 100;
    (count / (2 - i32::from(node.improving))).max(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_counts() {
        let p = LateMovePruning { max_depth: 8, count_base: 3, depth_factor: 100, enabled: true };
        let count = |depth, improving| limit(&p, &Node { improving, ..Node::example(depth, 0, 0) });
        assert_eq!(count(1, false), 2);
        assert_eq!(count(1, true), 4);
        assert_eq!(count(4, false), 9);
        assert_eq!(count(4, true), 19);
        assert_eq!(count(9, true), usize::MAX);
    }
}
