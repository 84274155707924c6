//! Gannet's trainer: from positions of its own games to a network, on the processor alone. Prints nothing; it tells whoever
//! calls it how far it is.
//!
//! Everything is decided by the settings and the seed. The same positions give the same network, byte for byte, whatever
//! the number of threads and the width of the machine's vectors.

pub mod data;
mod error;
pub mod order;
pub mod position;
pub mod rng;

pub use data::Data;
pub use error::TrainError;
