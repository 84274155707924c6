//! Sets of squares, one bit a square.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use super::{Color, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use chess::{Bitboard, Square};
/// let back_rank = Bitboard::RANK_1;
/// assert_eq!(back_rank.len(), 8);
/// assert!(back_rank.contains(Square::E1));
/// let without = back_rank - Square::E1.bitboard();
/// assert_eq!(without.into_iter().count(), 7);
/// assert_eq!((back_rank & Bitboard::FILE_A).first(), Some(Square::A1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The a-file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The h-file.
    pub const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The first rank.
    pub const RANK_1: Bitboard = Bitboard(0xff);
    /// The eighth rank.
    pub const RANK_8: Bitboard = Bitboard(0xff << 56);
    /// The light squares.
    pub const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

    /// The squares of one file, 0 for the a-file.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    /// assert!(Bitboard::file(4).contains(Square::E7));
    /// ```
    #[inline(always)]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Self::FILE_A.0 << (file & 7))
    }

    /// The squares of one rank, 0 for the first.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    /// assert!(Bitboard::rank(0).contains(Square::E1));
    /// ```
    #[inline(always)]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(Self::RANK_1.0 << ((rank & 7) * 8))
    }

    /// The squares of one rank, counted from the side's own back rank.
    ///
    /// ```
    /// use chess::{Color, Bitboard};
    /// assert_eq!(Bitboard::relative_rank(0, Color::Black), Bitboard::rank(7));
    /// ```
    #[inline(always)]
    pub const fn relative_rank(rank: u8, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard::rank(rank),
            Color::Black => Bitboard::rank(7 - rank),
        }
    }

    /// How many squares are in the set.
    ///
    /// ```
    /// use chess::Bitboard;
    /// assert_eq!(Bitboard::file(0).len(), 8);
    /// ```
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no square.
    ///
    /// ```
    /// use chess::Bitboard;
    /// assert!((Bitboard::file(0) & Bitboard::file(1)).is_empty());
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    ///
    /// ```
    /// use chess::Bitboard;
    /// assert!((Bitboard::file(0) & Bitboard::rank(1)).any());
    /// ```
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    /// assert!(Bitboard::file(0).more_than_one() && !Square::A1.bitboard().more_than_one());
    /// ```
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the square is in the set.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    /// assert!(Bitboard::rank(3).contains(Square::E4));
    /// ```
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// Whether the two sets share a square.
    ///
    /// ```
    /// use chess::Bitboard;
    /// assert!(Bitboard::rank(3).intersects(Bitboard::file(4)));
    /// ```
    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of `other` is in the set.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    /// assert!(Bitboard::rank(3).contains_all(Square::E4.bitboard()));
    /// ```
    #[inline(always)]
    pub const fn contains_all(self, other: Bitboard) -> bool {
        other.0 & !self.0 == 0
    }

    /// The lowest square of the set.
    ///
    /// ```
    /// use chess::{Square, Bitboard};
    ///
    /// assert_eq!(Bitboard::rank(3).first(), Some(Square::A4));
    /// assert_eq!(Bitboard::default().first(), None);
    /// ```
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// The lowest square of a set that is known not to be empty; a1 if it is.
    #[inline(always)]
    pub const fn first_unchecked(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The set moved one rank forward for `color`; what leaves the board is lost.
    ///
    /// ```
    /// use chess::{Color, Bitboard};
    /// assert_eq!(Bitboard::rank(3).forward(Color::White), Bitboard::rank(4));
    /// ```
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The set moved one file towards the a-file.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::E4.bitboard().left(), Square::D4.bitboard());
    /// ```
    #[inline(always)]
    pub const fn left(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_A.0) >> 1)
    }

    /// The set moved one file towards the h-file.
    ///
    /// ```
    /// use chess::Square;
    ///
    /// assert_eq!(Square::E4.bitboard().right(), Square::F4.bitboard());
    /// assert!(Square::H4.bitboard().right().is_empty());
    /// ```
    #[inline(always)]
    pub const fn right(self) -> Bitboard {
        Bitboard((self.0 & !Self::FILE_H.0) << 1)
    }

    /// The set as the other colour sees it: ranks in reverse order.
    ///
    /// ```
    /// use chess::Bitboard;
    /// assert_eq!(Bitboard::rank(0).flip_ranks(), Bitboard::rank(7));
    /// ```
    #[inline(always)]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

/// Set difference: the squares of the left set that are not in the right one.
impl Sub for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl SubAssign for Bitboard {
    #[inline(always)]
    fn sub_assign(&mut self, other: Bitboard) {
        self.0 &= !other.0;
    }
}

/// Walks the squares of a set, lowest first.
#[derive(Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations_agree_with_membership() {
        let a = Bitboard(0x00ff_00f0_1234_8001);
        let b = Bitboard(0x8f00_0ff0_0034_0301);
        for s in Square::all() {
            assert_eq!((a & b).contains(s), a.contains(s) && b.contains(s));
            assert_eq!((a | b).contains(s), a.contains(s) || b.contains(s));
            assert_eq!((a - b).contains(s), a.contains(s) && !b.contains(s));
            assert_eq!((!a).contains(s), !a.contains(s));
        }
        assert_eq!(a.into_iter().collect::<Bitboard>(), a);
        assert_eq!(a.into_iter().len() as u32, a.len());
    }

    #[test]
    fn shifts_do_not_wrap() {
        assert_eq!(Bitboard::FILE_A.left(), Bitboard::EMPTY);
        assert_eq!(Bitboard::FILE_H.right(), Bitboard::EMPTY);
        assert_eq!(Bitboard::RANK_8.forward(Color::White), Bitboard::EMPTY);
        assert_eq!(Bitboard::RANK_1.forward(Color::Black), Bitboard::EMPTY);
        assert_eq!(Bitboard::ALL.right(), !Bitboard::FILE_A);
    }
}
