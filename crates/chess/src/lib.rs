#![doc = include_str!("../README.md")]

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
