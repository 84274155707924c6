//! The small vocabulary that everything else is written in, one type a file.

mod bitboard;
mod castling;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use castling::{Castling, Wing};
pub use color::Color;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Piece, PieceKind};
pub use score::{Score, Value};
pub use square::{ParseSquareError, Square};
