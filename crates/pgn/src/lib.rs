//! Portable Game Notation (PGN): the one reader and the one writer of games as text.

mod lexer;
mod reader;
pub mod record;
mod texts;
mod writer;

use chess::{Board, Move, MoveTextError, parse_san, parse_uci};

pub use reader::Reader;
pub use texts::Texts;
pub use writer::write;

/// The legal move that is written so, in SAN or in coordinates.
pub fn parse_move(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    parse_san(board, text).or_else(|error| parse_uci(board, text).map_err(|_| error))
}
