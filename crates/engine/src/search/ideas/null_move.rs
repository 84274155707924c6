//! Null move pruning (NMP): give the opponent a free move; if a shallower search still fails high, the position
//! is too good for him to allow. Wrong in zugzwang, hence the guards and the verification search.

use chess::{Board, Score};

use super::endgame_guard;
use crate::base::idea;
use crate::search::carriers::{Node, NonPv};
use crate::search::worker::Worker;

idea! {
    /// Gives the opponent a free move and cuts if that does not help him.
    NullMove "UseNullMove" (NMP, NM1) {
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
        slack_base = 200 in 0..=400 step 20;
        /// See `slack_base`.
        slack_factor = 9 in 0..=60 step 3;
        /// From this depth on a fail high is verified by a search of the same node.
        verify_depth = 14 in 4..=40 step 1;
    }
    counts NullMoveCounts { tried, fired, verified }
}

impl Worker<'_> {
    /// Null move pruning: the score that cuts the node, if the opponent's free move does not bring it below beta. Not for
    /// a node in check.
    pub(in crate::search) fn null_move(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let p = &self.params.search.null_move;
        let ply = node.ply;
        let us = board.side_to_move();
        let last_was_null = self.frames.before(ply, 1).mv.is_none();
        if last_was_null || ply < self.null_move_ply || endgame_guard::non_pawn_material(board, us) <= p.material_min {
            return None;
        }
        let depth = node.depth - reduction(p, node)?;
        self.telemetry.search.null_move.tried.count();
        let score = self.with_null(board, ply, |worker, child| {
            -worker.search::<NonPv>(child, -node.beta, -node.beta + 1, depth, ply + 1, !node.cut)
        });
        if self.stopped || score < node.beta {
            return None;
        }
        // A mate found after a free move is no mate.
        let score = if score.is_decisive() { node.beta } else { score };
        if node.depth < p.verify_depth || self.null_move_ply > 0 {
            self.telemetry.search.null_move.fired.count();
            return Some(score);
        }
        // Verification: the same node, shallower, with null moves forbidden for the next plies.
        self.telemetry.search.null_move.verified.count();
        self.null_move_ply = ply + (3 * depth.max(1) / 4) as usize + 1;
        let verified = self.search::<NonPv>(board, node.beta - 1, node.beta, depth.max(1), ply, false);
        self.null_move_ply = 0;
        (!self.stopped && verified >= node.beta).then_some(score)
    }
}

/// The reduction with which to try a null move here, or nothing if the conditions are not met.
#[inline(always)]
fn reduction(p: &NullMove, node: &Node) -> Option<i32> {
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
