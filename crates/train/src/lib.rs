//! Gannet's trainer: from positions of its own games to a network, on the processor alone. Prints nothing; it tells whoever
//! calls it how far it is.
//!
//! Everything is decided by the settings and the seed. The same positions give the same network, byte for byte, whatever
//! the number of threads and the width of the machine's vectors.

mod chunk;
pub mod data;
mod error;
pub mod integer;
mod kernels;
mod layout;
mod loss;
mod math;
mod model;
mod order;
pub mod position;
pub mod rng;
mod row;
mod tail;
mod trainer;

pub use data::{Data, Split};
pub use error::TrainError;
pub use kernels::Kernels;
pub use layout::Layout;
pub use loss::Loss;
pub use model::AtLimit;
pub use trainer::{Epoch, Settings, Trainer};
