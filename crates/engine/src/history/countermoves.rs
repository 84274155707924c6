//! Countermoves: the quiet move that last refuted a given move is tried early against it.
//! Most threats have one good answer, whatever else is on the board.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use chess::Move;

use super::{Histories, PieceTo};
use crate::base::idea;

idea! {
    /// Tries the quiet move early that last refuted the opponent's move.
    Countermoves "UseCountermoves" (_, CM1) {
        /// Added to the ordering score of the countermove; 0 switches the effect off.
        bonus as "CountermoveBonus" = 8000 in 0..=20000 step 500;
        /// 1: moves are told apart by their piece and target rather than by their squares.
        by_piece = 0 in 0..=1 step 1;
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

/// The reply that last refuted each move, by the squares of the move or by its piece and target: 8 KiB, aligned to cache lines.
#[repr(align(64))]
pub(super) struct Replies(pub [AtomicU16; 4096]);

impl Histories {
    /// The reply that last refuted this move, made by this piece. Without a bonus there is none to be acted upon.
    #[inline(always)]
    pub fn countermove(&self, p: &Countermoves, previous: Option<Move>, piece_to: PieceTo) -> Option<Move> {
        if p.ordering_bonus() == 0 { None } else { self.countermove_kept(p, previous, piece_to) }
    }

    /// The same whether or not it is acted upon.
    #[inline(always)]
    pub fn countermove_kept(&self, p: &Countermoves, previous: Option<Move>, piece_to: PieceTo) -> Option<Move> {
        Move::from_bits(self.countermoves.0[place(p, previous?, piece_to)].load(Relaxed))
    }

    /// Remembers a reply.
    #[inline(always)]
    pub fn set_countermove(&self, p: &Countermoves, previous: Move, piece_to: PieceTo, reply: Move) {
        self.countermoves.0[place(p, previous, piece_to)].store(reply.bits(), Relaxed);
    }
}

/// Where the reply to a move is kept.
#[inline(always)]
fn place(p: &Countermoves, previous: Move, piece_to: PieceTo) -> usize {
    if p.by_piece == 0 { previous.from_to() } else { piece_to.index() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, parse_uci};

    #[test]
    fn countermoves_answer_the_move_before() {
        let (tables, p, board) = (Histories::new(), Countermoves::default(), Board::start());
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        let pawn = PieceTo::of(&board, e4);
        assert_eq!(tables.countermove(&p, Some(e4), pawn), None);
        tables.set_countermove(&p, e4, pawn, d4);
        assert_eq!(tables.countermove(&p, Some(e4), pawn), Some(d4));
        assert_eq!(tables.countermove(&p, None, PieceTo::NONE), None);
        let shadow = Countermoves { bonus: 0, ..p };
        assert_eq!(tables.countermove(&shadow, Some(e4), pawn), None);
        assert_eq!(tables.countermove_kept(&shadow, Some(e4), pawn), Some(d4), "it is kept, but not acted upon");
        assert_eq!(size_of::<Replies>(), 8192);
        assert_eq!(align_of::<Replies>(), 64);
    }

    #[test]
    fn by_piece_other_squares_of_origin_are_the_same_move() {
        let (tables, board) = (Histories::new(), Board::start());
        let p = Countermoves { by_piece: 1, ..Countermoves::default() };
        let [e4, e3, d4] = ["e2e4", "e2e3", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        tables.set_countermove(&p, e4, PieceTo::of(&board, e4), d4);
        assert_eq!(tables.countermove(&p, Some(e3), PieceTo::of(&board, e4)), Some(d4));
        assert_eq!(tables.countermove(&p, Some(e4), PieceTo::of(&board, e3)), None);
        let by_squares = Countermoves::default();
        tables.set_countermove(&by_squares, e4, PieceTo::of(&board, e4), d4);
        assert_eq!(tables.countermove(&by_squares, Some(e3), PieceTo::of(&board, e4)), None);
    }
}
