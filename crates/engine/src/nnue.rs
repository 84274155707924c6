//! The network evaluation (NNUE): an efficiently updatable neural network that learned from this engine's own games.
//!
//! Each side's view of the board is a sum of one column of weights per piece. A move changes two to four pieces,
//! so the sums are kept up to date instead of made anew; only the small second layer is computed for every
//! position. The arithmetic is exact in integers, or in floating-point numbers in a fixed order, so every machine gets
//! the same values.

mod accumulator;
mod features;
mod network;
mod refresh;
mod simd;
mod tail;
mod weights;

pub use accumulator::Accumulators;
pub use features::INPUTS;
pub use network::{
    MAX_HIDDEN, MAX_INPUT_BIAS, MAX_INPUT_WEIGHT, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, MAX_PROVENANCE, Network,
    NetworkError, QA, QB, SCALE, Shape,
};
pub use simd::Kernels;
pub use tail::{BLOCK, FIRST, MAX_DENSE_WEIGHT, MAX_TAIL_WEIGHT, SECOND, TAIL_NUMBERS, TAIL_UNIT, Tail};
pub use weights::Weights;
