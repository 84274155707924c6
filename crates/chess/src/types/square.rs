//! Squares, files and ranks.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// One of the 64 squares: a1 = 0, b1 = 1 … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

#[allow(missing_docs)]
#[rustfmt::skip]
impl Square {
    pub const A1: Square = Square(0);  pub const B1: Square = Square(1);  pub const C1: Square = Square(2);
    pub const D1: Square = Square(3);  pub const E1: Square = Square(4);  pub const F1: Square = Square(5);
    pub const G1: Square = Square(6);  pub const H1: Square = Square(7);  pub const A2: Square = Square(8);
    pub const B2: Square = Square(9);  pub const C2: Square = Square(10); pub const D2: Square = Square(11);
    pub const E2: Square = Square(12); pub const F2: Square = Square(13); pub const G2: Square = Square(14);
    pub const H2: Square = Square(15); pub const A3: Square = Square(16); pub const B3: Square = Square(17);
    pub const C3: Square = Square(18); pub const D3: Square = Square(19); pub const E3: Square = Square(20);
    pub const F3: Square = Square(21); pub const G3: Square = Square(22); pub const H3: Square = Square(23);
    pub const A4: Square = Square(24); pub const B4: Square = Square(25); pub const C4: Square = Square(26);
    pub const D4: Square = Square(27); pub const E4: Square = Square(28); pub const F4: Square = Square(29);
    pub const G4: Square = Square(30); pub const H4: Square = Square(31); pub const A5: Square = Square(32);
    pub const B5: Square = Square(33); pub const C5: Square = Square(34); pub const D5: Square = Square(35);
    pub const E5: Square = Square(36); pub const F5: Square = Square(37); pub const G5: Square = Square(38);
    pub const H5: Square = Square(39); pub const A6: Square = Square(40); pub const B6: Square = Square(41);
    pub const C6: Square = Square(42); pub const D6: Square = Square(43); pub const E6: Square = Square(44);
    pub const F6: Square = Square(45); pub const G6: Square = Square(46); pub const H6: Square = Square(47);
    pub const A7: Square = Square(48); pub const B7: Square = Square(49); pub const C7: Square = Square(50);
    pub const D7: Square = Square(51); pub const E7: Square = Square(52); pub const F7: Square = Square(53);
    pub const G7: Square = Square(54); pub const H7: Square = Square(55); pub const A8: Square = Square(56);
    pub const B8: Square = Square(57); pub const C8: Square = Square(58); pub const D8: Square = Square(59);
    pub const E8: Square = Square(60); pub const F8: Square = Square(61); pub const G8: Square = Square(62);
    pub const H8: Square = Square(63);
}

impl Square {
    /// How many squares there are: the range of [`Square::index`].
    pub const COUNT: usize = 64;

    /// The square with this index. Only the low six bits count, so every byte is a square.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::new(0), Square::A1);
    /// ```
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on this file and rank, both 0…7.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::at(4, 3), Square::E4);
    /// ```
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square::new(rank * 8 + (file & 7))
    }

    /// Every square, a1 first.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::all().map(|square| u32::from(square.rank() == 0)).sum::<u32>(), 8);
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// 0…63, for indexing. The mask lets the compiler drop the bounds check on 64-entry tables.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!([Square::A1.index(), Square::H8.index()], [0, 63]);
    /// ```
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file, 0 for a … 7 for h.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!((Square::E4.file(), Square::E4.rank()), (4, 3));
    /// ```
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 for the first … 7 for the eighth.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The rank as its owner counts it: 0 is the side's own back rank.
    ///
    /// ```
    /// use chess::{Square, Color};
    /// assert_eq!(Square::E2.relative_rank(Color::Black), 6);
    /// ```
    #[inline(always)]
    pub const fn relative_rank(self, color: Color) -> u8 {
        match color {
            Color::White => self.rank(),
            Color::Black => 7 - self.rank(),
        }
    }

    /// The set of this one square.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::E4.bitboard().len(), 1);
    /// ```
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// The square across the middle of the board: e2 ↔ e7.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::E2.flip_rank(), Square::E7);
    /// ```
    #[inline(always)]
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square across the d/e line: c2 ↔ f2.
    ///
    /// ```
    /// use chess::Square;
    /// assert_eq!(Square::A2.flip_file(), Square::H2);
    /// ```
    #[inline(always)]
    pub const fn flip_file(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// The same square as `color` sees it: unchanged for White, across the middle for Black.
    ///
    /// ```
    /// use chess::{Square, Color};
    /// assert_eq!(Square::E1.relative_to(Color::Black), Square::E8);
    /// ```
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    ///
    /// ```
    /// use chess::Square;
    ///
    /// assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    /// assert_eq!(Square::H4.offset(1, 0), None);
    /// ```
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::at(file as u8, rank as u8))
    }

    /// One step forward for `color`; wraps round at the last rank, where no pawn stands.
    ///
    /// ```
    /// use chess::{Square, Color};
    /// assert_eq!(Square::E4.forward(Color::Black), Square::E3);
    /// ```
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square::new(self.0.wrapping_add(8)),
            Color::Black => Square::new(self.0.wrapping_sub(8)),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text was not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square from a1 to h8")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::at(file - b'a', rank - b'1')),
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "e", "e9", "i1", "e44", "É1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn flips_are_their_own_inverse() {
        for square in Square::all() {
            assert_eq!(square.flip_rank().flip_rank(), square);
            assert_eq!(square.flip_file().flip_file(), square);
            assert_eq!(square.relative_to(Color::Black).rank(), 7 - square.rank());
        }
    }
}
