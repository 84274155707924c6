//! Null move pruning (NMP): give the opponent a free move; if a shallower search still fails high, the position
//! is too good for him to allow. Wrong in zugzwang, hence the guards and the verification search.

use super::Node;
use crate::heuristic;

heuristic! {
    /// Null move pruning.
    NullMove "UseNullMove" {
        /// The least depth it works at.
        min_depth = 4 in 1..=6 step 1;
        /// Reduction at depth zero.
        reduction_base = 3 in 2..=6 step 1;
        /// One ply more for every so many plies of depth.
        depth_divisor = 3 in 2..=8 step 1;
        /// One ply more for every so much by which the evaluation beats beta.
        eval_margin = 238 in 50..=500 step 20;
        /// The most that the evaluation can add (published 1).
        eval_max = 5 in 0..=6 step 1;
        /// 1 tries only where a cutoff is expected.
        cut_only = 1 in 0..=1 step 1;
        /// The side to move must have more non-pawn material than this.
        material_min = 195 in 0..=1500 step 100;
        /// The static evaluation may be this much below beta, less for each ply of depth.
        slack_base = 56 in 0..=400 step 20;
        /// See `slack_base`.
        slack_factor = 3 in 0..=60 step 3;
        /// From this depth on a fail high is verified by a search of the same node.
        verify_depth = 14 in 4..=40 step 1;
    }
}

/// The reduction with which to try a null move here, or nothing if the conditions are not met. That the last
/// move was not null, that the side is not in check and has the material, is for the caller to see to.
#[inline(always)]
pub fn reduction(p: &NullMove, node: &Node) -> Option<i32> {
    let slack = (p.slack_base - p.slack_factor * node.depth).max(0);
    let applies = p.enabled
        && node.depth >= p.min_depth
        && node.ply > 0
        && (node.cut || p.cut_only == 0)
        && node.eval >= node.beta
        && node.static_eval + slack >= node.beta
        && !node.beta.is_decisive();
    applies.then(|| {
        let surplus = ((node.eval - node.beta) / p.eval_margin).min(p.eval_max);
        p.reduction_base + node.depth / p.depth_divisor + surplus
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_needs_a_good_position_and_grows_with_depth_and_surplus() {
        let p = NullMove { eval_max: 3, ..NullMove::default() };
        assert_eq!(reduction(&p, &Node::example(8, -1, 0)), None);
        assert_eq!(reduction(&p, &Node::example(p.min_depth - 1, 100, 0)), None);
        assert_eq!(reduction(&p, &Node { ply: 0, ..Node::example(8, 100, 0) }), None);
        let at = |depth, eval| reduction(&p, &Node::example(depth, eval, 0)).expect("applies");
        assert!(at(16, 0) > at(4, 0));
        assert_eq!(at(8, p.eval_margin), at(8, 0) + 1);
        assert_eq!(at(8, 30 * p.eval_margin), at(8, 0) + p.eval_max);
    }
}
