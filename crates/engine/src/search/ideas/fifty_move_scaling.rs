//! Fifty-move scaling: the longer nothing was captured and no pawn moved, the nearer the game is to a draw, and the less an
//! advantage is worth. So the search looks for progress before the clock is full.

use chess::{Board, Score};

use crate::base::idea;

idea! {
    /// Shrinks the evaluation as the fifty-move clock runs.
    FiftyMoveScaling "UseFiftyMoveScaling" {
        /// Each ply on the clock takes one part in so many.
        divisor = 210 in 100..=600 step 20;
    }
}

/// The evaluation, scaled by the clock.
#[inline(always)]
pub fn scale(p: &FiftyMoveScaling, board: &Board, eval: Score) -> Score {
    let plies = i32::from(p.enabled) * board.halfmove_clock() as i32;
    Score(eval.0 - eval.0 * plies.min(100) / p.divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_takes_its_part() {
        let p = FiftyMoveScaling { enabled: true, divisor: 200 };
        let at = |clock| {
            let board = Board::from_fen(&format!("4k3/8/8/8/8/8/4P3/R3K3 w Q - {clock} 70")).expect("legal");
            scale(&p, &board, Score(100))
        };
        assert_eq!([at(0), at(20), at(100)], [Score(100), Score(90), Score(50)]);
        assert_eq!(scale(&FiftyMoveScaling { enabled: false, ..p }, &Board::start(), Score(100)), Score(100));
    }
}
