//! History pruning: near the leaves, skip quiet moves that have failed again and again elsewhere.

use crate::base::idea;
use crate::search::carriers::Candidate;
use crate::search::worker::Worker;

idea! {
    /// Skips quiet moves near the leaves that have failed again and again.
    HistoryPruning "UseHistoryPruning" (_, SS5) {
        /// The deepest reduced depth it works at.
        max_depth = 1 in 1..=10 step 1;
        /// A quiet is skipped when its history is below minus this for each ply.
        margin_factor = 5611 in 500..=8000 step 200;
    }
    counts HistoryPruningCounts { fired }
}

impl Worker<'_> {
    /// History pruning: whether to skip a quiet move.
    #[inline(always)]
    pub(in crate::search) fn history_pruning(&mut self, candidate: &Candidate) -> bool {
        let failed = prunes(&self.params.search.history_pruning, candidate);
        self.telemetry.search.history_pruning.fired.count_if(failed);
        failed
    }
}

#[inline(always)]
fn prunes(p: &HistoryPruning, candidate: &Candidate) -> bool {
    let depth = candidate.reduced_depth;
    p.enabled && depth <= p.max_depth && candidate.history < -p.margin_factor * depth.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bad_history_near_the_leaves() {
        let p = HistoryPruning::default();
        let quiet = |history, depth| Candidate { history, ..Candidate::example(9, depth) };
        assert!(prunes(&p, &quiet(-p.margin_factor - 1, 1)));
        assert!(!prunes(&p, &quiet(0, 1)));
        assert!(!prunes(&p, &quiet(-100_000, p.max_depth + 1)));
    }
}
