//! Delta pruning: in quiescence, skip a capture that could not lift the score to alpha even if it came for
//! free. A margin covers what the evaluation may gain besides the material.

use chess::{PieceKind, SEE_VALUES, Score};

use crate::base::idea;

idea! {
    /// Delta pruning.
    DeltaPruning "UseDeltaPruning" {
        /// What a capture may gain besides its victim (published 900).
        margin = 867 in 50..=1200 step 25;
        /// Not with less non-pawn material on the board than this, both sides together.
        material_min = 3893 in 0..=4000 step 200;
    }
    counts DeltaPruningCounts { fired }
}

/// Whether a capture of `victim` is hopeless. Not to be asked in check, nor for promotions.
#[inline(always)]
pub fn prunes(p: &DeltaPruning, stand_pat: Score, victim: PieceKind, alpha: Score) -> bool {
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
