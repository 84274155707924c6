//! A board in a few bytes: the occupied squares, a nibble a man, and the rest of a FEN.
//!
//! A rook that may castle is a piece of its own, so castling rights of any variant need no further bytes.

use chess::{Bitboard, Board, Color, Piece, PieceKind, Setup, Square};

use super::codec::{Input, RecordError, put_varint};

/// The nibble of a rook that may castle; below are the kinds, pawn to king. The other bit says Black.
const CASTLING_ROOK: u8 = 6;
const BLACK: u8 = 8;
/// "No square", where an en passant square could stand.
const NO_SQUARE: u8 = 64;
/// Black is to move, in the byte of the en passant square.
const BLACK_TO_MOVE: u8 = 128;

/// Appends a board.
pub fn put_board(out: &mut Vec<u8>, board: &Board) {
    let occupied = board.occupied();
    out.extend_from_slice(&occupied.0.to_le_bytes());
    let rooks = board.castling().all_rooks();
    let mut low = None;
    for square in occupied {
        let Some(piece) = board.piece_on(square) else { continue };
        let kind = if rooks.contains(square) { CASTLING_ROOK } else { piece.kind.index() as u8 };
        let nibble = kind | if piece.color == Color::Black { BLACK } else { 0 };
        low = match low {
            None => Some(nibble),
            Some(low) => {
                out.push(low | nibble << 4);
                None
            }
        };
    }
    out.extend(low);
    let square = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    let side = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    out.push(square | side);
    put_varint(out, u32::from(board.halfmove_clock()));
    put_varint(out, board.fullmove_number());
}

/// Reads a board, and checks that it is one.
pub fn take_board(input: &mut Input<'_>) -> Result<Board, RecordError> {
    let occupied = Bitboard(u64::from_le_bytes(input.array()?));
    if occupied.len() > 32 {
        return Err(RecordError::Board);
    }
    let mut setup = Setup::empty();
    let mut pair = 0;
    for (index, square) in occupied.into_iter().enumerate() {
        pair = if index % 2 == 0 { input.byte()? } else { pair >> 4 };
        let color = if pair & BLACK == 0 { Color::White } else { Color::Black };
        let kind = match pair & 7 {
            CASTLING_ROOK => {
                setup.castling.grant(square);
                PieceKind::Rook
            }
            index => *PieceKind::ALL.get(usize::from(index)).ok_or(RecordError::Board)?,
        };
        setup.pieces[square.index()] = Some(Piece::new(color, kind));
    }
    let state = input.byte()?;
    setup.side_to_move = if state & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black };
    setup.en_passant = match state & !BLACK_TO_MOVE {
        NO_SQUARE => None,
        square @ 0..64 => Some(Square::new(square)),
        _ => return Err(RecordError::Board),
    };
    setup.halfmove_clock = u16::try_from(input.varint()?).map_err(|_| RecordError::Board)?;
    setup.fullmove_number = input.varint()?;
    setup.validate().map_err(|_| RecordError::Board)
}
