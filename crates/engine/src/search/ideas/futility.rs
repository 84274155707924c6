//! Futility pruning: near the leaves, skip quiet moves when the evaluation is so far below alpha that no
//! quiet move can be expected to make up for it.

use chess::{Score, Value};

use crate::heuristic;
use crate::search::carriers::Node;

heuristic! {
    /// Futility pruning of quiet moves.
    Futility "UseFutility" {
        /// The deepest reduced depth it works at.
        max_depth = 9 in 1..=14 step 1;
        /// Margin at depth zero.
        margin_base = 6 in 0..=300 step 10;
        /// Margin for each ply of reduced depth.
        margin_factor = 88 in 20..=200 step 8;
        /// Extra margin when the evaluation is improving.
        improving_margin = 18 in 0..=200 step 8;
    }
}

/// Whether a quiet move that would be searched to `reduced_depth` can be skipped, given an extra margin.
#[inline(always)]
pub(in crate::search) fn prunes(p: &Futility, node: &Node, reduced_depth: i32, extra: Value) -> bool {
    p.enabled && reduced_depth <= p.max_depth && node.static_eval + margin(p, node, reduced_depth) + extra <= node.alpha
}

fn margin(p: &Futility, node: &Node, reduced_depth: i32) -> Value {
    p.margin_base + p.margin_factor * reduced_depth.max(0) + Value::from(node.improving) * p.improving_margin
}

/// The score a skipped move is taken to have had.
#[inline(always)]
pub(in crate::search) fn score(p: &Futility, node: &Node, reduced_depth: i32) -> Score {
    node.static_eval + margin(p, node, reduced_depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_grows_with_depth() {
        let p = Futility { margin_base: 90, margin_factor: 80, ..Futility::default() };
        let node = Node::example(3, 0, 301);
        assert!(prunes(&p, &node, 2, 0));
        assert!(!prunes(&p, &node, 3, 0));
        assert!(!prunes(&p, &node, 2, 60), "an extra margin protects");
        assert!(!prunes(&p, &node, p.max_depth + 1, -1000));
    }
}
