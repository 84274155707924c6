//! Evaluation history: a quiet move after which the evaluation is better for the side that made it is rewarded at once,
//! and one that made things worse is punished. Cutoffs teach about a few moves; this teaches at every node.

use chess::{Board, Score};

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Rewards or punishes the quiet move before by how the evaluation has changed.
    EvalHistory "UseEvalHistory" {
        /// Reward for each centipawn gained, in tenths.
        gain_factor = 15 in 0..=200 step 8;
        /// Added to every reward: an answer is still to come that looks good on the board.
        gain_base = 15 in -300..=500 step 30;
        /// The greatest reward or punishment.
        gain_max = 1253 in 50..=3000 step 80;
    }
}

impl Worker<'_> {
    /// Evaluation history: rewards or punishes the quiet move before by how the static evaluation has changed.
    #[inline(always)]
    pub(in crate::search) fn eval_history(&mut self, board: &Board, node: &Node) {
        let p = &self.params.search.eval_history;
        if p.enabled
            && let Some((mv, threats)) = self.frames.quiet_move_before(node.ply)
            && let Some(before) = self.frames.before(node.ply, 1).static_eval
        {
            let bonus = bonus(p, before, node.static_eval);
            self.histories.update_made(&self.params.history, !board.side_to_move(), threats, mv, bonus);
        }
    }
}

/// The reward for a move, from the evaluations before and after it, each for the side to move.
#[inline(always)]
fn bonus(p: &EvalHistory, before: Score, after: Score) -> i32 {
    let gained = -(before.0 + after.0);
    (gained * p.gain_factor / 10 + p.gain_base).clamp(-p.gain_max, p.gain_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_rewarded_and_losses_punished() {
        let p = EvalHistory { gain_base: 0, ..EvalHistory::default() };
        assert!(bonus(&p, Score(10), Score(-60)) > 0, "50 better for the mover");
        assert!(bonus(&p, Score(10), Score(40)) < 0, "50 worse for the mover");
        assert_eq!(bonus(&p, Score(10), Score(-10)), 0);
        assert_eq!(bonus(&p, Score(0), Score(-20000)), p.gain_max);
    }
}
