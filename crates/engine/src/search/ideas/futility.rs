//! Futility pruning (FP): near the leaves, skip quiet moves when the evaluation is so far below alpha that no
//! quiet move can be expected to make up for it.

use chess::{Score, Value};

use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Skips quiet moves near the leaves where the evaluation is too far below alpha.
    Futility "UseFutility" (FP, SS5) {
        /// The deepest reduced depth it works at.
        max_depth = 9 in 1..=14 step 1;
        /// Margin at depth zero.
        margin_base = 6 in 0..=300 step 10;
        /// Margin for each ply of reduced depth.
        margin_factor = 88 in 20..=200 step 8;
        /// Extra margin when the evaluation is improving.
        improving_margin = 18 in 0..=200 step 8;
    }
    counts FutilityCounts { fired }
}

impl Worker<'_> {
    /// Futility pruning: what a quiet move is taken to be worth if it is skipped, and all quiet moves after it.
    #[inline(always)]
    pub(in crate::search) fn futility(&mut self, node: &Node, candidate: &Candidate) -> Option<Score> {
        let score = estimate(&self.params.search.futility, node, candidate)?;
        self.telemetry.search.futility.fired.count();
        Some(score)
    }
}

/// The score a quiet move is taken to have, if that is not above alpha.
#[inline(always)]
fn estimate(p: &Futility, node: &Node, candidate: &Candidate) -> Option<Score> {
    if !p.enabled || node.in_check || candidate.gives_check || candidate.reduced_depth > p.max_depth {
        return None;
    }
    let margin = p.margin_base
        + p.margin_factor * candidate.reduced_depth.max(0)
        + Value::from(node.improving) * p.improving_margin;
    let score = node.static_eval + margin;
    (score + candidate.futility_margin <= node.alpha).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_grows_with_depth() {
        let p = Futility { margin_base: 90, margin_factor: 80, ..Futility::default() };
        let node = Node::example(3, 0, 301);
        let at = |reduced_depth| Candidate::example(9, reduced_depth);
        assert_eq!(estimate(&p, &node, &at(2)), Some(Score(250)));
        assert_eq!(estimate(&p, &node, &at(3)), None);
        assert_eq!(estimate(&p, &node, &Candidate { futility_margin: 60, ..at(2) }), None, "more protects");
        assert_eq!(estimate(&p, &node, &Candidate { gives_check: true, ..at(2) }), None);
        assert_eq!(estimate(&p, &Node { in_check: true, ..node }, &at(2)), None);
        assert_eq!(estimate(&p, &Node::example(3, -5000, 0), &at(p.max_depth + 1)), None);
    }
}
