//! The keys of a position: one for the whole, and partial ones for tables that look at less.

use crate::types::{Color, PieceKind, Square};
use crate::zobrist;

/// Zobrist keys, kept up to date by every move.
///
/// The partial keys cover pieces only, not the side to move, castling or en passant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys([u64; 6]);

const FULL: usize = 0;
const PAWN: usize = 1;
const NON_PAWN: usize = 2;
const MINOR: usize = 4;
const MAJOR: usize = 5;

/// For each piece, which keys it is part of, as a mask to be anded with its Zobrist number: one vector
/// operation updates all six, where a branch on the kind of piece would often be mispredicted.
static MASKS: [[[u64; 6]; 6]; 2] = {
    let mut masks = [[[0; 6]; 6]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 6 {
            let mask = &mut masks[color][kind];
            mask[FULL] = !0;
            if kind == PieceKind::Pawn.index() {
                mask[PAWN] = !0;
            } else {
                mask[NON_PAWN + color] = !0;
            }
            if kind == PieceKind::Knight.index() || kind == PieceKind::Bishop.index() {
                mask[MINOR] = !0;
            }
            if kind == PieceKind::Rook.index() || kind == PieceKind::Queen.index() {
                mask[MAJOR] = !0;
            }
            if kind == PieceKind::King.index() {
                mask[MINOR] = !0;
                mask[MAJOR] = !0;
            }
            kind += 1;
        }
        color += 1;
    }
    masks
};

impl Keys {
    /// The whole position: pieces, side to move, castling rights, en passant.
    #[inline(always)]
    pub fn full(&self) -> u64 {
        self.0[FULL]
    }

    /// The pawns of both sides.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let moved = Board::start().after(parse_uci(&Board::start(), "g1f3")?);
    /// assert_eq!(moved.keys().pawn(), Board::start().keys().pawn());
    /// assert_ne!(moved.keys().minor(), Board::start().keys().minor());
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    #[inline(always)]
    pub fn pawn(&self) -> u64 {
        self.0[PAWN]
    }

    /// One side's king and pieces, without its pawns.
    #[inline(always)]
    pub fn non_pawn(&self, color: Color) -> u64 {
        self.0[NON_PAWN + color.index()]
    }

    /// Kings, knights and bishops of both sides.
    #[inline(always)]
    pub fn minor(&self) -> u64 {
        self.0[MINOR]
    }

    /// Kings, rooks and queens of both sides.
    #[inline(always)]
    pub fn major(&self) -> u64 {
        self.0[MAJOR]
    }

    /// Puts a piece on a square, or takes it away.
    #[inline(always)]
    pub(super) fn toggle_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.toggle(color, kind, zobrist::piece(color, kind, square));
    }

    /// Moves a piece.
    #[inline(always)]
    pub(super) fn move_piece(&mut self, color: Color, kind: PieceKind, from: Square, to: Square) {
        self.toggle(color, kind, zobrist::piece(color, kind, from) ^ zobrist::piece(color, kind, to));
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, kind: PieceKind, number: u64) {
        for (key, mask) in self.0.iter_mut().zip(&MASKS[color.index()][kind.index()]) {
            *key ^= number & mask;
        }
    }

    /// Changes what only the whole key knows: side to move, castling, en passant.
    #[inline(always)]
    pub(super) fn toggle_state(&mut self, number: u64) {
        self.0[FULL] ^= number;
    }
}
