//! Portable Game Notation (PGN), read: what `gannet analyse` gets as files and what is pasted into `gannet board`.

mod lexer;
mod reader;
pub mod record;

pub use reader::Reader;
