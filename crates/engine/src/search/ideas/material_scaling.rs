//! Material scaling: with much material on the board an advantage is worth more than with little, where games are drawn.

use chess::{Board, Score};

use super::endgame_guard::pieces_of_both;
use crate::base::idea;

idea! {
    /// Scales the evaluation by the pieces that are left.
    MaterialScaling "UseMaterialScaling" {
        /// The larger, the less material matters.
        inertia_base = 18000 in 4000..=40000 step 1000;
        /// With so much non-pawn material, both sides together, the evaluation is as the network says.
        neutral_base = 4000 in 0..=6400 step 200;
    }
}

/// The evaluation, scaled by the material of both sides.
#[inline(always)]
pub fn scale(p: &MaterialScaling, board: &Board, eval: Score) -> Score {
    if !p.enabled {
        return eval;
    }
    let scaled = eval.0 * (p.inertia_base + pieces_of_both(board)) / (p.inertia_base + p.neutral_base);
    let bound = Score::WIN_BOUND.0 - 1;
    Score(scaled.clamp(-bound, bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_is_worth_more_with_pieces() {
        let p = MaterialScaling::default();
        let bare = Board::from_fen("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1").expect("legal");
        assert!(scale(&p, &Board::start(), Score(100)) > Score(100));
        assert!(scale(&p, &bare, Score(100)) < Score(100));
        assert!(scale(&p, &bare, Score(-100)) > Score(-100));
        assert!(!scale(&p, &Board::start(), Score::WIN_BOUND - 1).is_decisive());
        assert_eq!(scale(&MaterialScaling { enabled: false, ..p }, &bare, Score(100)), Score(100));
    }
}
