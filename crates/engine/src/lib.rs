//! Gannet's evaluation and search as a library. Prints nothing, reads no arguments, has no clock of its own.
//!
//! ```
//! use chess::Game;
//! use engine::{Control, Engine, Limits, NoClock, Silent};
//!
//! let mut engine = Engine::new(1)?;
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let outcome = engine.search(&Game::default(), &limits, &Control::default(), &NoClock, &mut Silent);
//! assert!(outcome.best.is_some());
//! # Ok::<(), engine::OutOfMemory>(())
//! ```

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

pub use base::{Bound, Clock, Control, Count, Crc, Limits, NoClock, TimeLimit, crc32};
pub use evaluation::{LoadError, Source};
pub use search::params::{self, Param, ParamError, ParamValue, Params};
pub use search::telemetry;
pub use search::{Engine, Line, Outcome, Reporter, STACK_SIZE, Silent};
pub use tt::OutOfMemory;
