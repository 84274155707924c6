//! Mate distance pruning: once a mate is known, no line that could at best mate later is worth a look.

use chess::Score;

use crate::heuristic;

heuristic! {
    /// Mate distance pruning.
    MateDistance "UseMateDistance" {}
}

/// The window narrowed to what is still possible at this ply; empty (alpha ≥ beta) means stop here.
#[inline(always)]
pub fn narrow(p: &MateDistance, alpha: Score, beta: Score, ply: usize) -> (Score, Score) {
    if !p.enabled {
        return (alpha, beta);
    }
    (alpha.max(Score::mated_in(ply)), beta.min(Score::mate_in(ply + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_mate_closes_longer_lines() {
        let p = MateDistance::default();
        let (alpha, beta) = narrow(&p, Score::mate_in(3), Score::INFINITE, 4);
        assert!(alpha >= beta);
        let (alpha, beta) = narrow(&p, Score(0), Score(1), 4);
        assert_eq!((alpha, beta), (Score(0), Score(1)));
    }
}
