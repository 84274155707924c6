//! Quiescence futility: in quiescence, a capture that wins nothing in the exchange is skipped where even a margin on top of
//! the evaluation does not reach alpha. Delta pruning asks the same of the victim alone.

use chess::{Board, Move, Score};

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Skips captures in quiescence that win nothing where a margin does not reach alpha.
    QuiescenceFutility "UseQuiescenceFutility" off {
        /// What a capture that wins nothing may gain.
        margin = 150 in 0..=600 step 20;
    }
    counts QuiescenceFutilityCounts { fired }
}

impl Worker<'_> {
    /// Quiescence futility: what a skipped capture is taken to be worth, if it is to be skipped. Not to be asked in check,
    /// nor before a line is found that does not lose by force.
    #[inline(always)]
    pub(in crate::search) fn quiescence_futility(&mut self, board: &Board, node: &Node, mv: Move) -> Option<Score> {
        let stand_pat = node.static_eval;
        let p = &self.params.search.quiescence_futility;
        if !p.enabled || mv.is_promotion() || stand_pat + p.margin > node.alpha {
            return None;
        }
        // Taking back is never hopeless, nor is a check.
        let recaptures = self.frames.before(node.ply, 1).mv.is_some_and(|last| last.to() == mv.to());
        if recaptures || board.see_at_least(mv, 1) || board.gives_check(mv) {
            return None;
        }
        self.telemetry.search.quiescence_futility.fired.count();
        Some(stand_pat + p.margin)
    }
}
