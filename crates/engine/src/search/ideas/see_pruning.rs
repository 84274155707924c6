//! SEE pruning: near the leaves, skip moves that lose material in the exchange on their target square: quiets
//! that hang a piece, captures that lose more than the depth could win back.

use chess::{Board, Value};

use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Skips moves that lose more in the exchange than the depth could win back.
    SeePruning "UseSeePruning" (SEE, SS5) {
        /// The deepest reduced depth at which quiets are tested.
        quiet_max_depth = 11 in 1..=16 step 1;
        /// What a quiet may lose for each squared ply of reduced depth.
        quiet_factor = 30 in 5..=100 step 4;
        /// The deepest node at which captures are tested.
        capture_max_depth = 10 in 1..=16 step 1;
        /// What a capture may lose for each ply of depth.
        capture_factor = 81 in 20..=250 step 10;
        /// A capture may lose more by its history divided by this; 0 for no difference.
        capture_history_divisor = 0 in 0..=256 step 8;
    }
    counts SeePruningCounts { quiets, captures }
}

impl Worker<'_> {
    /// SEE pruning: whether to skip a move for what it loses in the exchange.
    #[inline(always)]
    pub(in crate::search) fn see_pruning(&mut self, board: &Board, node: &Node, candidate: &Candidate) -> bool {
        if candidate.is_table_move {
            return false;
        }
        let bar =
            if candidate.must_hold { Some(0) } else { threshold(&self.params.search.see_pruning, node, candidate) };
        let loses = bar.is_some_and(|bar| !board.see_at_least(candidate.mv, bar));
        let counts = &mut self.telemetry.search.see_pruning;
        counts.quiets.count_if(loses && candidate.quiet);
        counts.captures.count_if(loses && !candidate.quiet);
        loses
    }
}

/// What a move must not fall short of in the exchange; `None` where it is not tested.
#[inline(always)]
fn threshold(p: &SeePruning, node: &Node, candidate: &Candidate) -> Option<Value> {
    if candidate.quiet {
        let depth = candidate.reduced_depth.max(0);
        (p.enabled && depth <= p.quiet_max_depth).then_some(-p.quiet_factor * depth * depth)
    } else {
        let leniency = candidate.history.checked_div(p.capture_history_divisor).unwrap_or(0);
        (p.enabled && node.depth <= p.capture_max_depth).then_some((-p.capture_factor * node.depth - leniency).min(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_nodes_allow_more() {
        let p = SeePruning::default();
        let quiet = |depth| threshold(&p, &Node::example(20, 0, 0), &Candidate::example(9, depth));
        assert_eq!(quiet(-3), Some(0));
        assert!(quiet(3) < quiet(2));
        assert_eq!(quiet(p.quiet_max_depth + 1), None);
        let noisy = Candidate { quiet: false, ..Candidate::example(9, 1) };
        let capture = |depth| threshold(&p, &Node::example(depth, 0, 0), &noisy);
        assert!(capture(3) < capture(2));
        assert_eq!(capture(p.capture_max_depth + 1), None);
    }
}
