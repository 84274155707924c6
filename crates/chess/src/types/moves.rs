//! A move in sixteen bits, and a list of moves that never allocates.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Deref;

use super::{PieceKind, Square};

/// What sort of move it is: the top four bits of a [`Move`].
///
/// Bit 2 says capture, bit 3 says promotion, and a promotion's low two bits are the piece.
/// No kind is zero, so no move is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    Quiet = 1,
    DoublePush = 2,
    /// From the king's square to the square of the rook it castles with, in every variant.
    Castle = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The promotion to `piece`, capturing or not. Anything but N, B, R, Q counts as a queen.
    #[inline(always)]
    pub const fn promotion(piece: PieceKind, capture: bool) -> MoveKind {
        match (piece, capture) {
            (PieceKind::Knight, false) => MoveKind::PromoteKnight,
            (PieceKind::Bishop, false) => MoveKind::PromoteBishop,
            (PieceKind::Rook, false) => MoveKind::PromoteRook,
            (_, false) => MoveKind::PromoteQueen,
            (PieceKind::Knight, true) => MoveKind::CapturePromoteKnight,
            (PieceKind::Bishop, true) => MoveKind::CapturePromoteBishop,
            (PieceKind::Rook, true) => MoveKind::CapturePromoteRook,
            (_, true) => MoveKind::CapturePromoteQueen,
        }
    }
}

/// A move: six bits from, six bits to, four bits [`MoveKind`].
///
/// `Option<Move>` is as small as `Move`: "no move" is the number zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of this kind.
    ///
    /// ```
    /// use chess::{MoveKind, Move, Square};
    ///
    /// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!((e4.from(), e4.to(), e4.kind()), (Square::E2, Square::E4, Some(MoveKind::DoublePush)));
    /// ```
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// The move with this encoding; `None` for zero. The result need not be legal, or even make sense.
    ///
    /// ```
    /// use chess::{MoveKind, Move, Square};
    ///
    /// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert_eq!(Move::from_bits(e4.bits()), Some(e4));
    /// assert_eq!(Move::from_bits(0), None);
    /// ```
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The encoding.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.bits() as u8)
    }

    /// The square the piece goes to; for castling, the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> 6) as u8)
    }

    /// From and to as one number below 4096: for indexing.
    #[inline(always)]
    pub const fn from_to(self) -> usize {
        (self.bits() & 0xfff) as usize
    }

    /// What sort of move it is; `None` for the encodings that mean nothing.
    #[inline(always)]
    pub const fn kind(self) -> Option<MoveKind> {
        Some(match self.bits() >> 12 {
            1 => MoveKind::Quiet,
            2 => MoveKind::DoublePush,
            3 => MoveKind::Castle,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8 => MoveKind::PromoteKnight,
            9 => MoveKind::PromoteBishop,
            10 => MoveKind::PromoteRook,
            11 => MoveKind::PromoteQueen,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            15 => MoveKind::CapturePromoteQueen,
            _ => return None,
        })
    }

    #[inline(always)]
    const fn has_kind(self, kind: MoveKind) -> bool {
        self.bits() >> 12 == kind as u16
    }

    /// Whether a piece is captured, en passant included.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let takes = parse_uci(&Board::from_fen("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1")?, "e1e2")?;
    /// assert!(takes.is_capture() && !takes.is_quiet() && !takes.is_promotion());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.bits() & 1 << 14 != 0
    }

    /// Whether a pawn promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.bits() & 1 << 15 != 0
    }

    /// Neither a capture nor a promotion.
    #[inline(always)]
    pub const fn is_quiet(self) -> bool {
        self.bits() & 0b11 << 14 == 0
    }

    /// Whether the king castles.
    ///
    /// ```
    /// use chess::{Square, Board, parse_uci};
    ///
    /// let castles = parse_uci(&Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?, "e1g1")?;
    /// assert!(castles.is_castle());
    /// assert_eq!(castles.to(), Square::H1, "the rook's square");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.has_kind(MoveKind::Castle)
    }

    /// Whether a pawn captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.has_kind(MoveKind::EnPassant)
    }

    /// Whether a pawn takes two steps.
    ///
    /// ```
    /// use chess::{MoveKind, Move, Square};
    ///
    /// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    /// assert!(e4.is_double_push());
    /// ```
    #[inline(always)]
    pub const fn is_double_push(self) -> bool {
        self.has_kind(MoveKind::DoublePush)
    }

    /// What the pawn becomes, if it promotes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceKind> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.bits() >> 12 & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.kind() {
            Some(kind) => write!(f, " {kind:?}"),
            None => write!(f, " invalid"),
        }
    }
}

/// The most legal moves a valid position can have.
pub const MAX_MOVES: usize = 218;

/// A list of moves with a fixed place for every move a position can have.
///
/// The length is a byte and the array has 256 places, so pushing needs neither a bounds check nor
/// `unsafe`; a valid position has at most [`MAX_MOVES`] moves.
#[derive(Clone)]
pub struct MoveList {
    len: u8,
    moves: [Move; 256],
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        const FILLER: Move = Move::new(Square::A1, Square::A1, MoveKind::Quiet);
        MoveList { len: 0, moves: [FILLER; 256] }
    }

    /// Adds a move at the end.
    #[inline(always)]
    pub const fn push(&mut self, mv: Move) {
        debug_assert!((self.len as usize) < MAX_MOVES);
        self.moves[self.len as usize] = mv;
        self.len = self.len.wrapping_add(1);
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len as usize]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meaningful_encoding_goes_both_ways() {
        let mut meaningful = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else { continue };
            assert_eq!(mv.bits(), bits);
            if let Some(kind) = mv.kind() {
                meaningful += 1;
                assert_eq!(Move::new(mv.from(), mv.to(), kind), mv);
                if let Some(piece) = mv.promotion() {
                    assert_eq!(MoveKind::promotion(piece, mv.is_capture()), kind);
                }
            }
        }
        assert_eq!(meaningful, 13 * 64 * 64);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }
}
