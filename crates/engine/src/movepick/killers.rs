//! Killer moves: a quiet move that cut at the same distance from the root, in a sister node, will often cut
//! here too. Two are remembered a ply.

use chess::Move;

use crate::base::idea;

idea! {
    /// Tries quiet moves early that cut at the same distance from the root.
    Killers "UseKillers" (_, MO1) {
        /// Added to a killer's ordering score.
        bonus = 10934 in 0..=30000 step 1000;
    }
}

/// The two killers of a ply, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KillerPair([Option<Move>; 2]);

impl KillerPair {
    /// No killers yet.
    pub const NONE: KillerPair = KillerPair([None; 2]);

    /// Remembers a quiet move that cut.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// Whether the move is one of them.
    #[inline(always)]
    pub fn contains(&self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{MoveKind, Square};

    #[test]
    fn the_last_two_different_ones_are_kept() {
        let mv = |to| Move::new(Square::A1, Square::new(to), MoveKind::Quiet);
        let mut killers = KillerPair::default();
        for to in [1, 2, 2, 3] {
            killers.push(mv(to));
        }
        assert!(killers.contains(mv(3)) && killers.contains(mv(2)) && !killers.contains(mv(1)));
    }
}
