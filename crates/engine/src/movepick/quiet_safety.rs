//! Quiet safety: a quiet move that loses material where it arrives is tried later, whatever its history. The exchange
//! is looked into only when the move's turn comes and its target is attacked, so most moves cost nothing.

use chess::Move;

use super::{Context, Ordinary};
use crate::base::idea;

idea! {
    /// Tries quiet moves later that lose material where they arrive.
    QuietSafety "UseQuietSafety" {
        /// How far an unsafe move falls behind.
        unsafe_margin = 16331 in 0..=40000 step 1200;
        /// The loss that is still called safe.
        loss_margin = 27 in 0..=200 step 20;
    }
}

impl Ordinary {
    /// The best quiet move that is left. One that turns out to lose material falls behind.
    #[inline(always)]
    pub(super) fn next_quiet(&mut self, context: &Context<'_>) -> Option<Move> {
        let p = &context.params.quiet_safety;
        loop {
            let (mv, score, demoted) = self.list.take_best_marked()?;
            if !p.enabled
                || demoted
                || !context.threats.0.contains(mv.to())
                || context.board.see_at_least(mv, -p.loss_margin)
            {
                return Some(mv);
            }
            self.list.put_back(mv, score - p.unsafe_margin);
        }
    }
}
