//! Soft cutoffs: how far above beta a cut node was is told with less conviction the shallower it was searched. A score from
//! far above a closed window is a guess that others would build upon.

use chess::Score;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Draws scores above beta towards it.
    SoftCutoffs "UseSoftCutoffs" off {}
}

impl Worker<'_> {
    /// Soft cutoffs: the score of a finished node, drawn towards beta if it is above.
    #[inline(always)]
    pub(in crate::search) fn soft_cutoff(&self, node: &Node) -> Score {
        soften(&self.params.search.soft_cutoffs, node)
    }
}

#[inline(always)]
fn soften(p: &SoftCutoffs, node: &Node) -> Score {
    let Node { best_score: score, beta, depth, .. } = *node;
    if !p.enabled || score < beta || score.is_decisive() || beta.is_decisive() {
        return score;
    }
    let depth = depth.max(1);
    Score((score.0 * depth + beta.0) / (depth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shallow_scores_are_drawn_to_beta() {
        let p = SoftCutoffs { enabled: true };
        let node = |depth, score| Node { best_score: Score(score), ..Node::example(depth, 0, 100) };
        assert_eq!(soften(&p, &node(1, 200)), Score(150));
        assert_eq!(soften(&p, &node(9, 200)), Score(190));
        assert_eq!(soften(&p, &node(1, 50)), Score(50), "below beta nothing changes");
        assert_eq!(soften(&p, &node(1, Score::MATE.0)), Score::MATE);
        assert_eq!(soften(&SoftCutoffs { enabled: false }, &node(1, 200)), Score(200));
    }
}
