#![doc = include_str!("../README.md")]

mod base;
pub mod bench;
pub mod evaluation;
pub mod history;
pub mod movepick;
pub mod nnue;
pub mod openings;
pub mod search;
pub mod strength;
#[cfg(feature = "syzygy")]
pub mod syzygy;
#[cfg(not(feature = "syzygy"))]
#[path = "syzygy/absent.rs"]
pub mod syzygy;
mod time;
mod together;
pub mod tt;
pub mod variation;
pub mod wdl;

pub use base::{About, Bound, Clock, Control, Count, Crc, Limits, NoClock, SplitMix64, TimeLimit, crc32};
pub use evaluation::{LoadError, Source};
pub use search::params::{self, Param, ParamError, ParamValue, Params};
pub use search::telemetry;
pub use search::{Engine, Line, Outcome, Reporter, STACK_SIZE, Silent};
pub use tt::OutOfMemory;
