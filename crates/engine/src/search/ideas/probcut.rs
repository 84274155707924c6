//! ProbCut: if a good capture beats beta by a margin in a shallower search, it will beat beta in the full one.

use chess::{Board, Score};

use crate::base::Bound;
use crate::base::idea;
use crate::movepick::Ordinary;
use crate::search::carriers::{Node, NonPv};
use crate::search::worker::Worker;
use crate::tt::Entry;

idea! {
    /// Cuts a node where a good capture beats a raised beta in a shallower search.
    ProbCut "UseProbCut" (_, SS5) {
        /// The least depth it works at.
        min_depth = 8 in 3..=10 step 1;
        /// By how much beta must be beaten.
        margin = 52 in 50..=400 step 15;
        /// Less when improving.
        improving_margin = 58 in 0..=150 step 8;
        /// How much shallower the search is.
        reduction_base = 5 in 2..=6 step 1;
        /// 1: the score told is as far above beta as that of the capture is above the raised beta.
        soft_score = 0 in 0..=1 step 1;
    }
    counts ProbCutCounts { tried, fired }
}

impl Worker<'_> {
    /// ProbCut: the score that cuts the node, if a capture beats a raised beta in a shallower search.
    pub(in crate::search) fn probcut(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let p = &self.params.search.probcut;
        let bar = raised_beta(p, node)?;
        let depth = node.depth - p.reduction_base;
        // The table may already know that it cannot be done.
        if node.entry.is_some_and(|e| e.depth > depth && e.score < bar && e.bound != Bound::None) {
            return None;
        }
        self.telemetry.search.probcut.tried.count();
        let ply = node.ply;
        let table_move = node.entry.and_then(|e| e.mv);
        let mut picker = Ordinary::probcut(&self.ordering(board, node), table_move, bar - node.static_eval);
        loop {
            let mv = picker.next(&self.ordering(board, node), &mut self.telemetry.picker)?;
            self.prefetch_child(board, mv);
            let score = self.with_child(board, mv, ply, |worker, child| {
                let score = -worker.enter_quiescence::<NonPv>(child, -bar, -bar + 1, ply + 1);
                if score < bar || depth <= 0 {
                    return score;
                }
                -worker.search::<NonPv>(child, -bar, -bar + 1, depth, ply + 1, !node.cut)
            });
            if self.stopped {
                return None;
            }
            if score >= bar {
                self.telemetry.search.probcut.fired.count();
                let (eval, bound) = (node.raw_eval, Bound::Lower);
                let stored = Entry { mv: Some(mv), score, eval, depth: depth + 1, bound, pv: false };
                self.store(board, ply, stored);
                let soft = p.soft_score > 0 && !score.is_decisive();
                return Some(if soft { score - (bar - node.beta) } else { score });
            }
        }
    }
}

/// The raised beta that a capture must reach, or nothing where ProbCut is not to be tried.
#[inline(always)]
fn raised_beta(p: &ProbCut, node: &Node) -> Option<Score> {
    let beta = node.beta + p.margin - i32::from(node.improving) * p.improving_margin;
    (p.enabled && node.depth >= p.min_depth && !node.beta.is_decisive() && !beta.is_decisive()).then_some(beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_deep_enough_and_away_from_mates() {
        let p = ProbCut::default();
        assert_eq!(raised_beta(&p, &Node::example(p.min_depth, 0, 10)), Some(Score(10 + p.margin)));
        assert_eq!(raised_beta(&p, &Node::example(p.min_depth - 1, 0, 10)), None);
        assert_eq!(raised_beta(&p, &Node::example(9, 0, Score::MATE.0)), None);
    }
}
