//! Training positions: 32 bytes each, as the side to move sees them. docs/data.md has the layout.

use chess::{Board, Color, Square};

/// Bytes of a position.
pub const SIZE: usize = 32;

/// In place of half points: the position is of no game that was played to its end.
pub const NO_RESULT: u8 = 3;

/// One position as it lies in the file.
pub type Position = [u8; SIZE];

/// What is known of a position besides the board.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// The score for White.
    pub score: i16,
    /// What White got in the game: 0, 1 or 2 half points, or [`NO_RESULT`].
    pub half_points: u8,
    /// The ply of the game.
    pub ply: u32,
    /// The number of the game.
    pub game: u32,
}

/// Packs a position.
#[inline(always)]
pub fn pack(board: &Board, labels: Labels) -> Position {
    let us = board.side_to_move();
    let (flip, sign) = if us == Color::White { (0, 1) } else { (56, -1) };
    let occupied = if us == Color::White { board.occupied() } else { board.occupied().flip_ranks() };
    let own = board.color(us);
    let mut men = 0u128;
    for (index, square) in occupied.into_iter().enumerate() {
        let square = Square::new(square.index() as u8 ^ flip);
        let kind = board.kind_on(square).map_or(0, |kind| kind as u8);
        let nibble = kind | u8::from(!own.contains(square)) << 3;
        men |= u128::from(nibble) << ((4 * index) & 127);
    }
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    bytes[8..24].copy_from_slice(&men.to_le_bytes());
    bytes[24..26].copy_from_slice(&(labels.score * sign).to_le_bytes());
    let known = labels.half_points != NO_RESULT;
    bytes[26] = if us == Color::Black && known { 2 - labels.half_points } else { labels.half_points };
    bytes[27] = labels.ply.min(255) as u8;
    bytes[28..].copy_from_slice(&labels.game.to_le_bytes());
    bytes
}

/// Whether the bytes can be a position with a result: known pieces, one king a side.
pub fn is_sound(position: &Position) -> bool {
    let (occupied, rest) = position.split_at(8);
    let men: u32 = occupied.iter().map(|byte| byte.count_ones()).sum();
    let (nibbles, labels) = rest.split_at(16);
    let codes = nibbles.iter().flat_map(|byte| [byte & 15, byte >> 4]).take(men as usize);
    let (mut kings, mut known) = ([0, 0], true);
    for code in codes {
        match code {
            5 => kings[0] += 1,
            13 => kings[1] += 1,
            code => known &= code & 7 < 5,
        }
    }
    men <= 32 && known && kings == [1, 1] && labels[2] <= NO_RESULT
}

/// The number of a position's game.
pub fn game_of(position: &Position) -> u32 {
    u32::from_le_bytes([position[28], position[29], position[30], position[31]])
}

/// The score in centipawns, which is the side to move's.
pub fn score_of(position: &Position) -> i16 {
    i16::from_le_bytes([position[24], position[25]])
}

/// What the side to move got in the game: 0, 1 or 2 half points; nothing where there was no result.
pub fn half_points_of(position: &Position) -> Option<u8> {
    Some(position[26]).filter(|&points| points != NO_RESULT)
}

/// The men as (square, kind, whether they are the side to move's), square after square.
#[inline(always)]
pub fn men_of(position: &Position) -> impl Iterator<Item = (usize, usize, bool)> {
    let mut occupied = u64::from_le_bytes(std::array::from_fn(|index| position[index]));
    let mut codes = u128::from_le_bytes(std::array::from_fn(|index| position[8 + index]));
    std::iter::from_fn(move || {
        if occupied == 0 {
            return None;
        }
        let (square, code) = (occupied.trailing_zeros() as usize, codes as usize & 15);
        (occupied, codes) = (occupied & (occupied - 1), codes >> 4);
        Some((square, code & 7, code < 8))
    })
}

/// Changes the number of a position's game.
pub fn set_game(position: &mut Position, game: u32) {
    position[28..].copy_from_slice(&game.to_le_bytes());
}

/// Changes the score, which is the side to move's.
pub fn set_score(position: &mut Position, score: i16) {
    position[24..26].copy_from_slice(&score.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Piece, PieceKind, Setup};

    /// Reads a position by the table in the document: pieces by square, ours White.
    fn unpack(position: &Position) -> [Option<Piece>; 64] {
        let occupied = u64::from_le_bytes(position[..8].try_into().expect("eight bytes"));
        let mut pieces = [None; 64];
        let mut index = 0;
        for (square, piece) in pieces.iter_mut().enumerate() {
            if occupied >> square & 1 == 1 {
                let nibble = position[8 + index / 2] >> (index % 2 * 4) & 15;
                let color = if nibble < 8 { Color::White } else { Color::Black };
                *piece = Some(Piece::new(color, PieceKind::ALL[usize::from(nibble & 7)]));
                index += 1;
            }
        }
        pieces
    }

    #[test]
    fn the_side_to_move_is_always_below() {
        let labels = Labels { score: 120, half_points: 2, ply: 300, game: 70_000 };
        let board = Board::from_fen("r3k2r/8/8/3pP3/8/8/P6q/R3K2R w KQkq d6 0 150").expect("legal");
        let white = pack(&board, labels);
        assert_eq!(unpack(&white), Setup::of(&board).pieces);
        assert_eq!((white[24..26].to_vec(), white[26], white[27]), (120i16.to_le_bytes().to_vec(), 2, 255));
        assert_eq!(game_of(&white), 70_000);
        // The same position with colours and ranks exchanged, Black to move: the same bytes.
        let mirrored = Board::from_fen("r3k2r/p6Q/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 150").expect("legal");
        let labels = Labels { score: -120, half_points: 0, ..labels };
        assert_eq!(pack(&mirrored, labels), white);
        let start = pack(&Board::start(), labels);
        assert_eq!(unpack(&start), Setup::start().pieces);
    }

    #[test]
    fn what_is_no_position_is_told_apart() {
        let labels = Labels { score: 120, half_points: 2, ply: 30, game: 7 };
        let board = Board::from_fen("r3k2r/8/8/3pP3/8/8/P6q/R3K2R w KQkq d6 0 150").expect("legal");
        let good = pack(&board, labels);
        assert!(is_sound(&good) && is_sound(&pack(&Board::start(), labels)));
        // No man at all, 33 men, a result that does not exist, a king too many or too few, pieces that do not exist.
        let changed = |at: usize, byte: u8| {
            let mut bad = good;
            bad[at] = byte;
            bad
        };
        let mut crowd = pack(&Board::start(), labels);
        crowd[3] = 1;
        for bad in
            [[0; SIZE], [0xff; SIZE], crowd, changed(26, 4), changed(8, 0x55), changed(8, 0x33), changed(8, 0x5e)]
        {
            assert!(!is_sound(&bad), "{bad:?}");
        }
    }
}
