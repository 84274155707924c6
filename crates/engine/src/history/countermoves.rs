//! Countermoves: the quiet move that last refuted a given move is tried early against it.
//! Most threats have one good answer, whatever else is on the board.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use chess::Move;

use super::Histories;
use crate::base::idea;

idea! {
    /// Tries the quiet move early that last refuted the opponent's move.
    Countermoves "UseCountermoves" (_, CM1) {
        /// Added to the ordering score of the countermove; 0 switches the effect off.
        bonus as "CountermoveBonus" = 8000 in 0..=20000 step 500;
    }
    counts CountermovesCounts { updates, probes, hits, cutoffs }
}

impl Countermoves {
    /// What the countermove is worth in ordering.
    #[inline(always)]
    pub fn ordering_bonus(&self) -> i32 {
        if self.enabled { self.bonus } else { 0 }
    }
}

/// The reply that last refuted each move, by the squares of the move: 8 KiB, aligned to cache lines.
#[repr(align(64))]
pub(super) struct Replies(pub [AtomicU16; 4096]);

impl Histories {
    /// The reply that last refuted this move.
    #[inline(always)]
    pub fn countermove(&self, p: &Countermoves, previous: Option<Move>) -> Option<Move> {
        if p.ordering_bonus() == 0 {
            return None;
        }
        Move::from_bits(self.countermoves.0[previous?.from_to()].load(Relaxed))
    }

    /// Remembers a reply.
    #[inline(always)]
    pub fn set_countermove(&self, previous: Move, reply: Move) {
        self.countermoves.0[previous.from_to()].store(reply.bits(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, parse_uci};

    #[test]
    fn countermoves_answer_the_move_before() {
        let (tables, p, board) = (Histories::new(), Countermoves::default(), Board::start());
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        assert_eq!(tables.countermove(&p, Some(e4)), None);
        tables.set_countermove(e4, d4);
        assert_eq!(tables.countermove(&p, Some(e4)), Some(d4));
        assert_eq!(tables.countermove(&p, None), None);
        assert_eq!(tables.countermove(&Countermoves { bonus: 0, ..p }, Some(e4)), None);
        assert_eq!(size_of::<Replies>(), 8192);
    }
}
