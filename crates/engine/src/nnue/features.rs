//! What the network sees: which inputs a piece on a square switches on, from each side's point of view.
//!
//! A side looks at the board from its own end, and mirrored when its king stands on the files e to h, so that its king
//! is always on the files a to d: what was learned on one wing holds on the other.

use chess::{Color, Piece, Square};

/// Inputs per king bucket: two sides, six kinds, 64 squares.
pub const INPUTS: usize = 768;

/// How a side looks at the board: everything that depends on where its king stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    /// What every square index is combined with by exclusive or: 56 turns the board, 7 mirrors it.
    flip: u8,
    bucket: u8,
}

impl View {
    /// The view of `color`, whose king stands on `king`.
    #[inline(always)]
    pub fn new(color: Color, king: Square, buckets: &[u8; 64]) -> View {
        let turn = if color == Color::Black { 56 } else { 0 };
        let flip = turn | if king.file() >= 4 { 7 } else { 0 };
        View { color, flip, bucket: buckets[king.index() ^ flip as usize] }
    }

    /// The input that a piece on a square switches on.
    #[inline(always)]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        let side = if piece.color == self.color { 0 } else { 384 };
        usize::from(self.bucket) * INPUTS + side + piece.kind.index() * 64 + (square.index() ^ usize::from(self.flip))
    }

    /// The number of this view among all views of its side.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.bucket) * 2 + usize::from(self.flip & 1)
    }
}
