//! Reverse futility pruning (RFP), also "static null move".
//! If the static evaluation beats beta by a margin, some quiet move will most likely hold it; the more so if no own
//! piece is threatened.

use chess::{Board, Score, Value};

use crate::base::{Bound, idea};
use crate::movepick::any_threatened;
use crate::search::carriers::Node;
use crate::search::worker::Worker;
use crate::tt::Entry;

idea! {
    /// Cuts a node near the leaves whose evaluation is far above beta.
    ReverseFutility "UseReverseFutility" (RFP, SN1) {
        /// The deepest node it works at (published: 8 is too deep, 3 or 4 safe).
        max_depth = 6 in 1..=12 step 1;
        /// Margin for each ply of depth.
        margin_factor = 82 in 20..=200 step 6;
        /// Less when improving.
        improving_margin = 34 in 0..=200 step 6;
        /// Less when none of the own pieces is threatened.
        calm_margin = 82 in 0..=200 step 6;
        /// 1: not where the position was on a principal variation.
        guard_was_pv = 1 in 0..=1 step 1;
        /// How far above beta the score is, of what the evaluation is above it, in percent; 0 for the evaluation less the margin.
        soft_factor = 35 in 0..=100 step 5;
        /// Nodes shallower than this leave nothing in the table.
        store_min_depth = 3 in 0..=12 step 1;
    }
    counts ReverseFutilityCounts { tried, fired }
}

impl Worker<'_> {
    /// Reverse futility pruning: the score that cuts the node, if the evaluation is far enough above beta.
    #[inline(always)]
    pub(in crate::search) fn reverse_futility(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let params = self.params;
        let p = &params.search.reverse_futility;
        self.telemetry.search.reverse_futility.tried.count();
        let score = prune(p, node, || !any_threatened(board))?;
        self.telemetry.search.reverse_futility.fired.count();
        if node.entry.is_none() && node.depth >= p.store_min_depth {
            let (eval, bound, pv) = (node.raw_eval, Bound::Lower, node.was_pv);
            let stored = Entry { mv: None, score: node.beta, eval, depth: 0, bound, pv };
            self.store(board, node.ply, stored);
        }
        Some(score)
    }
}

fn margin(p: &ReverseFutility, node: &Node) -> Value {
    p.margin_factor * node.depth - Value::from(node.improving) * p.improving_margin
}

/// The score with which to cut, if the evaluation is high enough. `calm` says whether none of the own pieces is
/// threatened; it is asked only where the answer matters.
#[inline(always)]
fn prune(p: &ReverseFutility, node: &Node, calm: impl FnOnce() -> bool) -> Option<Score> {
    let trusted = p.enabled
        && node.depth <= p.max_depth
        && !node.endgame
        && !node.beta.is_decisive()
        && !node.eval.is_decisive()
        && (!node.was_pv || p.guard_was_pv == 0);
    if !trusted {
        return None;
    }
    let margin = margin(p, node);
    let sure = node.eval - margin.max(0);
    if sure >= node.beta {
        return Some(soft(p, node, sure));
    }
    let hoped = node.eval - (margin - p.calm_margin).max(0);
    (hoped >= node.beta && calm()).then(|| soft(p, node, hoped))
}

/// The score to tell, where `firm` is the evaluation less the margin.
#[inline(always)]
fn soft(p: &ReverseFutility, node: &Node, firm: Score) -> Score {
    if p.soft_factor == 0 { firm } else { node.beta + (node.eval - node.beta) * p.soft_factor / 100 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_scales_with_depth() {
        let p = ReverseFutility { margin_factor: 80, max_depth: 4, soft_factor: 0, ..ReverseFutility::default() };
        assert_eq!(prune(&p, &Node::example(2, 160, 0), || false), Some(Score(0)));
        assert_eq!(prune(&p, &Node::example(2, 159, 0), || false), None);
        assert_eq!(prune(&p, &Node::example(5, 5000, 0), || false), None);
        assert_eq!(prune(&p, &Node { endgame: true, ..Node::example(2, 500, 0) }, || false), None);
        let calm = ReverseFutility { calm_margin: 30, ..p };
        assert_eq!(prune(&calm, &Node::example(2, 130, 0), || true), Some(Score(0)));
        assert_eq!(prune(&calm, &Node::example(2, 130, 0), || false), None);
        assert_eq!(prune(&calm, &Node::example(2, 129, 0), || true), None);
        assert!(prune(&p, &Node { improving: true, ..Node::example(2, 159, 0) }, || false).is_some());
    }

    #[test]
    fn a_soft_score_lies_between_beta_and_the_evaluation() {
        let p = ReverseFutility { margin_factor: 80, soft_factor: 25, ..ReverseFutility::default() };
        assert_eq!(prune(&p, &Node::example(2, 200, 0), || false), Some(Score(50)));
        assert_eq!(prune(&p, &Node { was_pv: true, ..Node::example(2, 200, 0) }, || false), None);
    }
}
