//! Alpha reduction: once a move has raised alpha, the rest of the moves seldom beat it, so they are searched shallower.

use chess::Score;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Searches the moves after one that has raised alpha less deeply.
    AlphaReduction "UseAlphaReduction" off {
        /// How much shallower.
        reduction_base = 2 in 0..=3 step 1;
        /// The least depth it works at.
        min_depth = 3 in 2..=8 step 1;
        /// The deepest node it works at.
        max_depth = 13 in 4..=40 step 1;
    }
    counts AlphaReductionCounts { fired }
}

impl Worker<'_> {
    /// Alpha reduction: by how much shallower to search the rest of the moves, after this score has raised alpha.
    #[inline(always)]
    pub(in crate::search) fn alpha_reduction(&mut self, node: &Node, score: Score) -> i32 {
        let reduction = reduction(&self.params.search.alpha_reduction, node, score);
        self.telemetry.search.alpha_reduction.fired.count_if(reduction > 0);
        reduction
    }
}

#[inline(always)]
fn reduction(p: &AlphaReduction, node: &Node, score: Score) -> i32 {
    let applies = p.enabled && (p.min_depth..=p.max_depth).contains(&node.depth) && !score.is_decisive();
    if applies { p.reduction_base.min(node.depth - 1) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_within_its_depths_and_never_to_nothing() {
        let p = AlphaReduction { enabled: true, reduction_base: 3, ..AlphaReduction::default() };
        assert_eq!(reduction(&p, &Node::example(3, 0, 0), Score(5)), 2);
        assert_eq!(reduction(&p, &Node::example(8, 0, 0), Score(5)), 3);
        assert_eq!(reduction(&p, &Node::example(2, 0, 0), Score(5)), 0);
        assert_eq!(reduction(&p, &Node::example(14, 0, 0), Score(5)), 0);
        assert_eq!(reduction(&p, &Node::example(8, 0, 0), Score::MATE), 0);
    }
}
