//! Correction history: how far the static evaluation has been off in positions that look alike (same pawns,
//! same pieces), remembered and added to it. The search knows better than the evaluation; this tells it.

use chess::{Score, Value};

use crate::heuristic;

heuristic! {
    /// Correction history.
    CorrectionHistory "UseCorrectionHistory" {
        /// Weight of the pawn structure's correction.
        pawn_factor = 157 in 0..=300 step 15;
        /// Weight of each side's pieces' correction.
        non_pawn_factor = 129 in 0..=300 step 15;
        /// Weight of the kings' and minor pieces' correction.
        minor_factor = 133 in 0..=300 step 15;
        /// Weight of the kings' and major pieces' correction.
        major_factor = 25 in 0..=300 step 15;
        /// Entries and weights are divided by this to give centipawns.
        scale_divisor = 1525 in 200..=4000 step 60;
    }
}

/// Entries stay within this.
pub const LIMIT: i32 = 1024;

/// What an entry moves by when a search to `depth` has found `score` where the evaluation said `eval`.
pub fn bonus(score: Score, eval: Score, depth: i32) -> Value {
    ((score - eval) * depth / 8).clamp(-LIMIT / 4, LIMIT / 4)
}

/// The evaluation with the correction added, kept clear of proven scores.
pub fn apply(p: &CorrectionHistory, eval: Score, sum: Value) -> Score {
    let bound = Score::WIN_BOUND.0 - 1;
    Score((eval.0 + sum / p.scale_divisor).clamp(-bound, bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_bounded() {
        assert_eq!(bonus(Score(100), Score(20), 8), 80);
        assert_eq!(bonus(Score(9000), Score(0), 20), LIMIT / 4);
        let p = CorrectionHistory::default();
        assert_eq!(apply(&p, Score(10), 0), Score(10));
        assert!(!apply(&p, Score::WIN_BOUND - 1, i32::MAX / 2).is_decisive());
    }
}
