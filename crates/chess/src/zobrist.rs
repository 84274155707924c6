//! Random numbers that, xored together, name a position.
//!
//! Made by const evaluation from a fixed seed, so that keys, and with them search trees and bench
//! counts, are the same in every build.

use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

struct Tables {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    castling: [u64; Square::COUNT],
    en_passant: [u64; 8],
    black_to_move: u64,
}

/// One step of SplitMix64: the new state and a number drawn from it.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

static TABLES: Tables = {
    let mut tables = Tables { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
    let mut state = 0x6761_6e6e_6574; // "gannet"
    let mut i = 0;
    while i < 12 * 64 {
        (state, tables.pieces[i / 64][i % 64]) = split_mix(state);
        i += 1;
    }
    i = 0;
    while i < 64 {
        (state, tables.castling[i]) = split_mix(state);
        i += 1;
    }
    i = 0;
    while i < 8 {
        (state, tables.en_passant[i]) = split_mix(state);
        i += 1;
    }
    (_, tables.black_to_move) = split_mix(state);
    tables
};

/// The key of a piece on a square.
#[inline(always)]
pub const fn piece(color: Color, kind: PieceKind, square: Square) -> u64 {
    TABLES.pieces[Piece::new(color, kind).index()][square.index()]
}

/// The key of a set of rooks that may castle.
#[inline(always)]
pub fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ TABLES.castling[rook.index()])
}

/// The key of the file on which a pawn can be taken en passant.
#[inline(always)]
pub fn en_passant(square: Square) -> u64 {
    TABLES.en_passant[square.file() as usize]
}

/// The key that says it is Black's move.
#[inline(always)]
pub const fn black_to_move() -> u64 {
    TABLES.black_to_move
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinct_and_fixed() {
        let mut all: Vec<u64> = TABLES.pieces.iter().flatten().copied().collect();
        all.extend(TABLES.castling);
        all.extend(TABLES.en_passant);
        all.push(TABLES.black_to_move);
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(!all.contains(&0));
    }
}
