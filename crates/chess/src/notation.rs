//! Moves as text: the coordinates of UCI and standard algebraic notation (SAN), both ways.

mod san;
mod uci;

use std::fmt;

pub use san::{parse_san, san};
pub use uci::{parse_uci, uci};

/// Why a move's text could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveTextError {
    /// It is not written like a move.
    Syntax,
    /// It is written like a move, but no legal move fits.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveTextError::Syntax => "not written like a move",
            MoveTextError::Illegal => "not a legal move here",
            MoveTextError::Ambiguous => "more than one legal move fits",
        })
    }
}

impl std::error::Error for MoveTextError {}
