//! Multicut: when several moves at a node fail high at reduced depth, one of them will at full depth, so the
//! node is cut at once. (The modern form, through the singular search, is in `singular.rs`.)

use super::Node;
use crate::heuristic;

heuristic! {
    /// Multicut in its published form.
    Multicut "UseMulticut" off {
        /// The least depth it works at.
        min_depth = 6 in 4..=14 step 1;
        /// How many of the first moves are tried.
        tries_max = 6 in 2..=12 step 1;
        /// How much shallower they are searched.
        reduction_base = 3 in 2..=6 step 1;
    }
}

/// Whether to try at this node: a cut must be expected.
#[inline(always)]
pub fn applies(p: &Multicut, node: &Node) -> bool {
    p.enabled && node.cut && node.depth >= p.min_depth && !node.beta.is_decisive()
}

/// How many fail-highs it takes: two below depth 8, three from there on.
#[inline(always)]
pub fn needed(depth: i32) -> usize {
    if depth < 8 { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_counts() {
        let p = Multicut { enabled: true, ..Multicut::default() };
        assert!(applies(&p, &Node::example(6, 0, 0)));
        assert!(!applies(&p, &Node::example(5, 0, 0)));
        assert_eq!((needed(6), needed(7), needed(8), needed(20)), (2, 2, 3, 3));
    }
}
