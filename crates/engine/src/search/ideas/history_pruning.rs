//! History pruning: near the leaves, skip quiet moves that have failed again and again elsewhere.

use crate::heuristic;

heuristic! {
    /// History pruning.
    HistoryPruning "UseHistoryPruning" {
        /// The deepest reduced depth it works at.
        max_depth = 1 in 1..=10 step 1;
        /// A quiet is skipped when its history is below minus this for each ply.
        margin_factor = 5611 in 500..=8000 step 200;
    }
}

/// Whether a quiet move with this summed history can be skipped.
#[inline(always)]
pub fn prunes(p: &HistoryPruning, reduced_depth: i32, history: i32) -> bool {
    p.enabled && reduced_depth <= p.max_depth && history < -p.margin_factor * reduced_depth.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bad_history_near_the_leaves() {
        let p = HistoryPruning::default();
        assert!(prunes(&p, 1, -p.margin_factor - 1));
        assert!(!prunes(&p, 1, 0));
        assert!(!prunes(&p, p.max_depth + 1, -100_000));
    }
}
