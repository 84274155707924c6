//! Delta pruning: in quiescence, skip a capture that could not lift the score to alpha even if it came for
//! free. A margin covers what the evaluation may gain besides the material.

use chess::{Board, Move, PieceKind, SEE_VALUES, Score};

use super::endgame_guard::pieces_of_both;
use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Skips captures in quiescence that could not reach alpha even if they came for free.
    DeltaPruning "UseDeltaPruning" (_, QS8) {
        /// What a capture may gain besides its victim (published 900).
        margin = 867 in 50..=1200 step 25;
        /// Not with less non-pawn material on the board than this, both sides together.
        material_min = 3893 in 0..=4000 step 200;
    }
    counts DeltaPruningCounts { fired }
}

impl Worker<'_> {
    /// Delta pruning: whether there is enough on the board for it.
    #[inline(always)]
    pub(in crate::search) fn may_delta_prune(&self, board: &Board) -> bool {
        pieces_of_both(board) >= self.params.search.delta_pruning.material_min
    }

    /// Delta pruning: whether to skip a capture.
    #[inline(always)]
    pub(in crate::search) fn delta_pruning(&mut self, board: &Board, node: &Node, mv: Move) -> bool {
        let p = &self.params.search.delta_pruning;
        let hopeless = |victim| prunes(p, node.static_eval, victim, node.alpha);
        let hopeless = !mv.is_promotion() && board.captured(mv).is_some_and(hopeless);
        self.telemetry.search.delta_pruning.fired.count_if(hopeless);
        hopeless
    }
}

/// Whether a capture of `victim` is hopeless. Not to be asked in check, nor for promotions.
#[inline(always)]
fn prunes(p: &DeltaPruning, stand_pat: Score, victim: PieceKind, alpha: Score) -> bool {
    p.enabled && stand_pat + SEE_VALUES[victim.index()] + p.margin <= alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hopeless_captures_are_skipped() {
        let p = DeltaPruning { margin: 200, ..DeltaPruning::default() };
        assert!(prunes(&p, Score(0), PieceKind::Pawn, Score(300)));
        assert!(!prunes(&p, Score(0), PieceKind::Pawn, Score(299)));
        assert!(!prunes(&p, Score(0), PieceKind::Queen, Score(300)));
    }
}
