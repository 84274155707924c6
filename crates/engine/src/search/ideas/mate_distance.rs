//! Mate distance pruning (MDP): once a mate is known, no line that could at best mate later is worth a look.

use chess::Score;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Cuts lines that could at best mate later than a mate that is known.
    MateDistance "UseMateDistance" (MDP, SS5) {}
    counts MateDistanceCounts { fired }
}

impl Worker<'_> {
    /// Mate distance pruning: narrows the window; the score, if nothing is left of it.
    #[inline(always)]
    pub(in crate::search) fn mate_distance(&mut self, node: &mut Node) -> Option<Score> {
        (node.alpha, node.beta) = narrow(&self.params.search.mate_distance, node.alpha, node.beta, node.ply);
        let closed = node.alpha >= node.beta;
        self.telemetry.search.mate_distance.fired.count_if(closed);
        closed.then_some(node.alpha)
    }
}

/// The window narrowed to what is still possible at this ply; empty (alpha ≥ beta) means stop here.
#[inline(always)]
fn narrow(p: &MateDistance, alpha: Score, beta: Score, ply: usize) -> (Score, Score) {
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
