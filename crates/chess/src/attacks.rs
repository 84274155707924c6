//! Where pieces attack: tables made by const evaluation, no build script, nothing to initialise.
//!
//! Sliders use one big table with a slice for each square. The index into the slice is the `pext`
//! instruction where the target has it and a magic multiplication elsewhere; both fill the slices to
//! the same size and differ only in order. `pext` makes perft 8 to 19 % faster than magics do, depending on the
//! target; docs/performance.md has the figures.

mod magics;

use crate::types::{Bitboard, Color, Square};

use magics::{BISHOP_MAGICS, ROOK_MAGICS};

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// How many occupancies of the relevant squares there are, over all squares.
const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The squares one step away in each of the directions.
const fn leaper(steps: [(i8, i8); 8]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            if let Some(target) = Square::new(index as u8).offset(steps[i].0, steps[i].1) {
                table[index].0 |= target.bitboard().0;
            }
            i += 1;
        }
        index += 1;
    }
    table
}

/// The squares a slider reaches, walking each direction up to and including the first occupied square.
const fn walk(square: Square, occupied: u64, steps: [(i8, i8); 4]) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < steps.len() {
        let mut at = square;
        while let Some(next) = at.offset(steps[i].0, steps[i].1) {
            reached |= next.bitboard().0;
            if occupied & next.bitboard().0 != 0 {
                break;
            }
            at = next;
        }
        i += 1;
    }
    reached
}

/// One square's slice of the slider table.
#[derive(Clone, Copy)]
struct Slice {
    /// The squares whose occupancy matters: those in reach, without the last of each direction.
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Slice {
    /// The place in the table for this occupancy, by magic multiplication.
    #[inline(always)]
    #[cfg_attr(target_feature = "bmi2", allow(dead_code))]
    const fn magic_index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }

    #[cfg(target_feature = "bmi2")]
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        // SAFETY: this function exists only where the target has BMI2. Measured: at least +8 % perft speed.
        self.offset as usize + unsafe { std::arch::x86_64::_pext_u64(occupied, self.mask) } as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        self.magic_index(occupied)
    }
}

const fn slices(steps: [(i8, i8); 4], magics: &[u64; 64]) -> [Slice; 64] {
    let mut table = [Slice { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u8);
        let mut edges = 0;
        if square.file() != 0 {
            edges |= Bitboard::FILE_A.0;
        }
        if square.file() != 7 {
            edges |= Bitboard::FILE_H.0;
        }
        if square.rank() != 0 {
            edges |= Bitboard::RANK_1.0;
        }
        if square.rank() != 7 {
            edges |= Bitboard::RANK_8.0;
        }
        let mask = walk(square, 0, steps) & !edges;
        let bits = mask.count_ones();
        table[index] = Slice { mask, magic: magics[index], offset, shift: 64 - bits };
        offset += 1 << bits;
        index += 1;
    }
    table
}

/// What a slider attacks along one line, by obstruction difference: subtracting the nearest blocker below
/// from the blockers above flips every bit from the one to the other. `line` is without the square itself.
const fn along(line: u64, square_bit: u64, occupied: u64) -> u64 {
    let below = line & occupied & (square_bit - 1) | 1;
    let above = line & occupied & !(square_bit - 1);
    line & (above ^ above.wrapping_sub(1 << (63 - below.leading_zeros())))
}

/// Fills the slices. Subsets of a mask come in the order of their `pext`, so that is a counter here.
/// Walking the board for each of them would add a quarter of a minute to every build.
const fn fill<const N: usize>(slices: &[Slice; 64], steps: [(i8, i8); 4]) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut index = 0;
    while index < 64 {
        let slice = &slices[index];
        let square = Square::new(index as u8);
        let bit = square.bitboard().0;
        let lines = [
            walk(square, 0, [steps[0], steps[0], steps[2], steps[2]]),
            walk(square, 0, [steps[1], steps[1], steps[3], steps[3]]),
        ];
        let mut subset = 0u64;
        let mut rank = 0;
        loop {
            let attacks = along(lines[0], bit, subset) | along(lines[1], bit, subset);
            let place =
                if cfg!(target_feature = "bmi2") { slice.offset as usize + rank } else { slice.magic_index(subset) };
            // Two occupancies may share a place only if they attack the same squares.
            assert!(table[place].0 == 0 || table[place].0 == attacks);
            table[place] = Bitboard(attacks);
            rank += 1;
            subset = subset.wrapping_sub(slice.mask) & slice.mask;
            if subset == 0 {
                break;
            }
        }
        index += 1;
    }
    table
}

static ROOK_SLICES: [Slice; 64] = slices(ROOK_STEPS, &ROOK_MAGICS);
static BISHOP_SLICES: [Slice; 64] = slices(BISHOP_STEPS, &BISHOP_MAGICS);
static ROOK_ATTACKS: [Bitboard; ROOK_ENTRIES] = fill(&ROOK_SLICES, ROOK_STEPS);
static BISHOP_ATTACKS: [Bitboard; BISHOP_ENTRIES] = fill(&BISHOP_SLICES, BISHOP_STEPS);
static KNIGHT_ATTACKS: [Bitboard; 64] = leaper(KNIGHT_STEPS);
static KING_ATTACKS: [Bitboard; 64] = leaper(KING_STEPS);

/// The empty-board rays of a rook and a bishop from each square.
static RAYS: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut i = 0;
    while i < 64 {
        table[0][i] = Bitboard(walk(Square::new(i as u8), 0, ROOK_STEPS));
        table[1][i] = Bitboard(walk(Square::new(i as u8), 0, BISHOP_STEPS));
        i += 1;
    }
    table
};

/// For each pair of squares: those strictly between them, and the whole line through both.
struct Lines {
    between: [[Bitboard; 64]; 64],
    through: [[Bitboard; 64]; 64],
}

static LINES: Lines = {
    let mut lines = Lines { between: [[Bitboard::EMPTY; 64]; 64], through: [[Bitboard::EMPTY; 64]; 64] };
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let (from, to) = (Square::new(a as u8), Square::new(b as u8));
            let ends = from.bitboard().0 | to.bitboard().0;
            let mut i = 0;
            while i < 2 {
                let steps = [ROOK_STEPS, BISHOP_STEPS][i];
                if RAYS[i][a].contains(to) {
                    lines.between[a][b] =
                        Bitboard(walk(from, to.bitboard().0, steps) & walk(to, from.bitboard().0, steps));
                    lines.through[a][b] = Bitboard(RAYS[i][a].0 & RAYS[i][b].0 | ends);
                }
                i += 1;
            }
            b += 1;
        }
        a += 1;
    }
    lines
};

/// Where a knight on `square` attacks.
///
/// ```
/// use chess::{Square, attacks};
/// assert_eq!(attacks::knight(Square::A1), Square::B3.bitboard() | Square::C2.bitboard());
/// ```
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT_ATTACKS[square.index()]
}

/// Where a king on `square` attacks.
///
/// ```
/// use chess::{Square, attacks};
/// assert_eq!(attacks::king(Square::A1).len(), 3);
/// ```
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING_ATTACKS[square.index()]
}

/// Where a bishop on `square` attacks, with these squares occupied.
///
/// ```
/// use chess::{Square, attacks};
///
/// let blocker = Square::C3.bitboard();
/// assert_eq!(attacks::bishop(Square::A1, blocker), Square::B2.bitboard() | blocker);
/// ```
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_ATTACKS[BISHOP_SLICES[square.index()].index(occupied.0)]
}

/// Where a rook on `square` attacks, with these squares occupied.
///
/// ```
/// use chess::{Square, Bitboard, attacks};
/// assert_eq!(attacks::rook(Square::E4, Bitboard::default()).len(), 14);
/// ```
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_ATTACKS[ROOK_SLICES[square.index()].index(occupied.0)]
}

/// Where a queen on `square` attacks, with these squares occupied.
///
/// ```
/// use chess::{Square, Bitboard, attacks};
/// assert_eq!(attacks::queen(Square::E4, Bitboard::default()).len(), 27);
/// ```
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Where these pawns of `color` attack, taken together.
///
/// ```
/// use chess::{Color, Bitboard, attacks};
/// assert_eq!(attacks::pawns(Color::White, Bitboard::rank(1)), Bitboard::rank(2));
/// ```
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.left() | ahead.right()
}

/// Where a pawn of `color` on `square` attacks.
///
/// ```
/// use chess::{Square, Color, attacks};
/// assert_eq!(attacks::pawn(Color::Black, Square::A7), Square::B6.bitboard());
/// ```
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    pawns(color, square.bitboard())
}

/// Where a rook would attack on an empty board.
///
/// ```
/// use chess::{Square, attacks};
/// assert!(attacks::rook_rays(Square::A1).contains(Square::A8));
/// ```
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    RAYS[0][square.index()]
}

/// Where a bishop would attack on an empty board.
///
/// ```
/// use chess::{Square, attacks};
/// assert!(attacks::bishop_rays(Square::A1).contains(Square::H8));
/// ```
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    RAYS[1][square.index()]
}

/// The squares strictly between two squares on a common line; empty for any other pair.
///
/// ```
/// use chess::{Square, attacks};
///
/// assert_eq!(attacks::between(Square::A1, Square::C3), Square::B2.bitboard());
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    LINES.between[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty if they share none.
///
/// ```
/// use chess::{Square, attacks};
/// assert_eq!(attacks::line(Square::B2, Square::C3).len(), 8);
/// ```
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINES.through[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator for test occupancies.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn sliders_agree_with_walking() {
        let mut state = 1;
        for square in Square::all() {
            for _ in 0..if cfg!(miri) { 2 } else { 2000 } {
                let occupied = random(&mut state) & random(&mut state);
                assert_eq!(rook(square, Bitboard(occupied)).0, walk(square, occupied, ROOK_STEPS));
                assert_eq!(bishop(square, Bitboard(occupied)).0, walk(square, occupied, BISHOP_STEPS));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "hours")]
    fn magics_map_no_two_occupancies_to_one_place() {
        for (slices, steps) in [(&ROOK_SLICES, ROOK_STEPS), (&BISHOP_SLICES, BISHOP_STEPS)] {
            for (square, slice) in Square::all().zip(slices) {
                let mut seen = std::collections::HashMap::new();
                let mut subset = 0u64;
                loop {
                    let attacks = walk(square, subset, steps);
                    assert_eq!(*seen.entry(slice.magic_index(subset)).or_insert(attacks), attacks);
                    subset = subset.wrapping_sub(slice.mask) & slice.mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn lines_and_gaps() {
        let square = |s: &str| s.parse::<Square>().unwrap();
        assert_eq!(between(square("a1"), square("d4")).len(), 2);
        assert_eq!(line(square("b2"), square("c3")).len(), 8);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert!(line(a, b).contains_all(between(a, b)));
                assert_eq!(knight(a).contains(b), knight(b).contains(a));
                assert_eq!(pawn(Color::White, a).contains(b), pawn(Color::Black, b).contains(a));
            }
        }
    }
}
