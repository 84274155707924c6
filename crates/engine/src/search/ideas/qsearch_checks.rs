//! Quiet checks in quiescence: on its first ply moves that give check are tried as well as captures. Off by default: they
//! find mates that quiescence would miss, and cost nodes everywhere else.

use crate::base::idea;
use crate::search::worker::Worker;

idea! {
    /// Tries quiet checks too on the first ply of quiescence.
    QSearchChecks "QSearchChecks" (_, QS10) off {}
}

impl Worker<'_> {
    /// Quiet checks: whether they are tried this far into quiescence.
    #[inline(always)]
    pub(in crate::search) fn qsearch_checks(&self, depth: usize) -> bool {
        self.params.search.qsearch_checks.enabled && depth == 0
    }
}
