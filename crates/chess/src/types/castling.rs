//! Castling rights: which rooks may still castle, for standard chess and Chess960 alike.

use super::{Bitboard, Color, Square};

/// The side of the board towards which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// King to the g-file, rook to the f-file.
    King,
    /// King to the c-file, rook to the d-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first, as a FEN lists them.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing towards which a king on `king` castles with a rook on `rook`.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook.file() > king.file() { Wing::King } else { Wing::Queen }
    }

    /// Where the king of `color` arrives.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Wing::King => Square::G1.relative_to(color),
            Wing::Queen => Square::C1.relative_to(color),
        }
    }

    /// Where the rook of `color` arrives.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Wing::King => Square::F1.relative_to(color),
            Wing::Queen => Square::D1.relative_to(color),
        }
    }
}

/// The set of rooks with which castling is still allowed.
///
/// A rook's colour follows from its rank and its wing from its king's file, so the squares say it all,
/// and a move takes rights away by removing the squares it touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Castling(Bitboard);

impl Castling {
    /// Nobody may castle.
    pub const NONE: Castling = Castling(Bitboard::EMPTY);

    /// Whether nobody may castle any more.
    ///
    /// ```
    /// use chess::Castling;
    /// assert!(Castling::default().is_empty());
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Every rook that may castle, of both sides.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().castling().all_rooks().len(), 4);
    /// ```
    #[inline(always)]
    pub const fn all_rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks with which `color` may castle: at most one on each wing.
    ///
    /// ```
    /// use chess::{Board, Color};
    /// assert_eq!(Board::start().castling().rooks(Color::Black).len(), 2);
    /// ```
    #[inline(always)]
    pub const fn rooks(self, color: Color) -> Bitboard {
        Bitboard(self.0.0 & Bitboard::relative_rank(0, color).0)
    }

    /// The rook with which `color`, its king on `king`, may castle towards `wing`.
    pub fn rook(self, color: Color, king: Square, wing: Wing) -> Option<Square> {
        self.rooks(color).into_iter().find(|&rook| Wing::of(king, rook) == wing)
    }

    /// Allows castling with the rook on `square`.
    ///
    /// ```
    /// use chess::{Castling, Square, Color};
    ///
    /// let mut castling = Castling::default();
    /// castling.grant(Square::H1);
    /// assert_eq!(castling.rooks(Color::White), Square::H1.bitboard());
    /// assert!(castling.rooks(Color::Black).is_empty());
    /// ```
    pub const fn grant(&mut self, square: Square) {
        self.0.0 |= square.bitboard().0;
    }

    /// Takes the rights of the rooks on these squares away.
    ///
    /// ```
    /// use chess::{Square, Board};
    ///
    /// let mut castling = Board::start().castling();
    /// castling.revoke(Square::A1.bitboard());
    /// assert_eq!(castling.all_rooks().len(), 3);
    /// ```
    #[inline(always)]
    pub const fn revoke(&mut self, squares: Bitboard) {
        self.0.0 &= !squares.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_come_and_go() {
        let mut rights = Castling::NONE;
        rights.grant(Square::H1);
        rights.grant(Square::B8);
        let rook = |rights: Castling, color, king, wing| rights.rook(color, king, wing);
        assert_eq!(rook(rights, Color::White, Square::E1, Wing::King), Some(Square::H1));
        assert_eq!(rook(rights, Color::White, Square::E1, Wing::Queen), None);
        assert_eq!(rook(rights, Color::Black, Square::C8, Wing::Queen), Some(Square::B8));
        rights.revoke(Square::H8.bitboard());
        assert!(rights.rooks(Color::White).any());
        rights.revoke(Bitboard::RANK_1);
        assert!(rights.rooks(Color::White).is_empty());
        rights.revoke(Square::B8.bitboard());
        assert!(rights.is_empty());
    }
}
