//! Improving: whether the static evaluation is better than at this side's last move. If things get better,
//! a fail high is more likely and late moves deserve more care; if not, less.

use chess::Score;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Notes whether the evaluation has risen since this side's last move; pruning and reductions go by it.
    Improving "UseImproving" (_, HI3) {}
}

impl Worker<'_> {
    /// Improving: whether the static evaluation has risen.
    #[inline(always)]
    pub(in crate::search) fn improving(&self, node: &Node) -> bool {
        let before = |plies| self.frames.before(node.ply, plies).static_eval;
        is_improving(&self.params.search.improving, node.static_eval, before(2), before(4))
    }
}

/// Compares with two plies ago, or four where that ply was in check. Without either it counts as improving.
#[inline(always)]
fn is_improving(p: &Improving, now: Score, two_ago: Option<Score>, four_ago: Option<Score>) -> bool {
    p.enabled && two_ago.or(four_ago).is_none_or(|before| now > before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_in_check_are_skipped() {
        let p = Improving::default();
        assert!(is_improving(&p, Score(10), Some(Score(5)), None));
        assert!(!is_improving(&p, Score(10), Some(Score(15)), Some(Score(0))));
        assert!(!is_improving(&p, Score(10), None, Some(Score(15))));
        assert!(is_improving(&p, Score(10), None, None));
        assert!(!is_improving(&Improving { enabled: false }, Score(10), None, None));
    }
}
