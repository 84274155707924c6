//! ProbCut: if a good capture beats beta by a margin in a shallower search, it will beat beta in the full one.

use chess::Score;

use super::Node;
use crate::heuristic;

heuristic! {
    /// ProbCut.
    ProbCut "UseProbCut" {
        /// The least depth it works at.
        min_depth = 8 in 3..=10 step 1;
        /// By how much beta must be beaten.
        margin = 52 in 50..=400 step 15;
        /// Less when improving.
        improving_margin = 58 in 0..=150 step 8;
        /// How much shallower the search is.
        reduction_base = 5 in 2..=6 step 1;
    }
}

/// The raised beta that a capture must reach, or nothing where ProbCut is not to be tried.
#[inline(always)]
pub fn raised_beta(p: &ProbCut, node: &Node) -> Option<Score> {
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
