//! The rules of chess: board, legal moves, exchange evaluation, keys and notation, for standard chess,
//! Chess960 and double Chess960. No dependencies, no input or output, no clock.
//!
//! ```
//! use chess::{Game, parse_san, uci};
//!
//! let mut game = Game::default();
//! for text in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
//!     let mv = parse_san(game.board(), text)?;
//!     assert!(game.play(mv));
//! }
//! assert!(game.board().is_checkmate());
//! # Ok::<(), chess::MoveTextError>(())
//! ```

pub mod attacks;
mod board;
mod notation;
mod perft;
mod types;
pub mod zobrist;

pub use board::*;
pub use notation::*;
pub use perft::{divide, perft};
pub use types::*;
