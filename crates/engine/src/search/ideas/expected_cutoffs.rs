//! Expected cutoffs: near the leaves, a score of the table cuts only where it says what was expected of the node: that it
//! fails high where a cut is expected, low where none is. A surprise is worth a search of its own.

use chess::Score;

use crate::base::idea;
use crate::search::carriers::Node;

idea! {
    /// Lets the table cut near the leaves only as is expected of the node.
    ExpectedCutoffs "UseExpectedCutoffs" {
        /// The deepest node it works at.
        max_depth = 5 in 1..=12 step 1;
    }
}

/// Whether a score of the table says what was expected, or need not.
#[inline(always)]
pub(in crate::search) fn trusts(p: &ExpectedCutoffs, node: &Node, score: Score) -> bool {
    !p.enabled || node.depth > p.max_depth || node.cut == (score >= node.beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprises_are_searched() {
        let p = ExpectedCutoffs { enabled: true, max_depth: 5 };
        let node = Node { cut: true, ..Node::example(4, 0, 10) };
        assert!(trusts(&p, &node, Score(10)));
        assert!(!trusts(&p, &node, Score(9)));
        assert!(!trusts(&p, &Node { cut: false, ..node }, Score(10)));
        assert!(trusts(&p, &Node { depth: 6, ..node }, Score(9)));
        assert!(trusts(&ExpectedCutoffs { enabled: false, ..p }, &node, Score(9)));
    }
}
