//! Portable Game Notation (PGN), read: what `gannet analyse` gets as files and what is pasted into `gannet board`.

mod lexer;
mod reader;
pub mod record;

use chess::{Board, Move, MoveTextError, parse_san, parse_uci};

pub use reader::Reader;

/// The legal move that is written so, in SAN or in coordinates.
pub fn parse_move(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    parse_san(board, text).or_else(|error| parse_uci(board, text).map_err(|_| error))
}
