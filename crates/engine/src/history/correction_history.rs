//! Correction history: how far the static evaluation has been off in positions that look alike (same pawns,
//! same pieces), remembered and added to it. The search knows better than the evaluation; this tells it.

use chess::{Board, Color, Move, Score, Value};

use super::{Cell, Histories};
use crate::base::{Bound, idea};

idea! {
    /// Corrects the evaluation by how far it was off in positions alike.
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
const LIMIT: i32 = 1024;

/// How many places each table has for a side.
const PLACES: usize = 1 << 14;

/// What an evaluation was off by, by side and what looks alike.
pub(super) type Corrections = [[Cell; PLACES]; 2];

/// What an entry moves by when a search to `depth` has found `score` where the evaluation said `eval`.
fn bonus(score: Score, eval: Score, depth: i32) -> Value {
    ((score - eval) * depth / 8).clamp(-LIMIT / 4, LIMIT / 4)
}

/// The evaluation with the correction added, kept clear of proven scores.
#[inline(always)]
fn apply(p: &CorrectionHistory, eval: Score, sum: Value) -> Score {
    let bound = Score::WIN_BOUND.0 - 1;
    Score((eval.0 + sum / p.scale_divisor).clamp(-bound, bound))
}

impl Histories {
    /// The static evaluation as experience corrects it.
    #[inline(always)]
    pub fn corrected(&self, p: &CorrectionHistory, board: &Board, eval: Score) -> Score {
        if !p.enabled {
            return eval;
        }
        let side = board.side_to_move().index();
        let keys = board.keys();
        let at = |table: &Corrections, key: u64| table[side][key as usize % PLACES].get();
        let mut sum = at(&self.pawn_correction, keys.pawn()) * p.pawn_factor
            + at(&self.minor_correction, keys.minor()) * p.minor_factor
            + at(&self.major_correction, keys.major()) * p.major_factor;
        for color in Color::ALL {
            sum += at(&self.non_pawn_correction[color.index()], keys.non_pawn(color)) * p.non_pawn_factor;
        }
        apply(p, eval, sum)
    }

    /// Learns how far the static evaluation was off, where a search to `depth` says so.
    #[inline(always)]
    pub fn correct(
        &self,
        p: &CorrectionHistory,
        board: &Board,
        eval: Score,
        (score, bound): (Score, Bound),
        best: Option<Move>,
        depth: i32,
    ) {
        let quiet = best.is_none_or(Move::is_quiet);
        let says_so = match bound {
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
            _ => true,
        };
        if p.enabled && quiet && says_so && !score.is_decisive() {
            self.update_correction(board, bonus(score, eval, depth));
        }
    }

    #[inline(always)]
    fn update_correction(&self, board: &Board, bonus: i32) {
        let side = board.side_to_move().index();
        let keys = board.keys();
        let update = |table: &Corrections, key: u64| {
            table[side][key as usize % PLACES].update(|value| {
                let old = i32::from(value);
                (old + bonus - old * bonus.abs() / LIMIT) as i16
            });
        };
        update(&self.pawn_correction, keys.pawn());
        update(&self.minor_correction, keys.minor());
        update(&self.major_correction, keys.major());
        for color in Color::ALL {
            update(&self.non_pawn_correction[color.index()], keys.non_pawn(color));
        }
    }
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

    #[test]
    fn corrections_converge_on_the_error() {
        let (tables, p, board) = (Histories::new(), CorrectionHistory::default(), Board::start());
        assert_eq!(tables.corrected(&p, &board, Score(10)), Score(10));
        for _ in 0..200 {
            let eval = tables.corrected(&p, &board, Score(10));
            tables.correct(&p, &board, eval, (Score(60), Bound::Exact), None, 8);
        }
        let learned = tables.corrected(&p, &board, Score(10)).0;
        assert!((50..=70).contains(&learned), "{learned}");
        for (found, best) in [((Score(60), Bound::Upper), None), ((Score::mate_in(3), Bound::Exact), None)] {
            tables.correct(&p, &board, Score(0), found, best, 8);
            assert_eq!(tables.corrected(&p, &board, Score(10)).0, learned, "nothing is learned from {found:?}");
        }
    }
}
