//! What everything stands on: words that all rooms of the engine share. Nothing here looks at any other module of the crate.
//! (`Score`, the most common word of all, comes with the rules.)

mod bound;
mod clock;
mod count;
mod crc;
mod declare;
mod evaluator;
mod limits;
mod random;

pub use bound::Bound;
pub use clock::{Clock, NoClock};
pub(crate) use count::counts;
pub use count::{Count, Counts, NoCounts};
pub use crc::{Crc, crc32};
pub use declare::{About, Idea, Param, ParamValue, Visit};
pub(crate) use declare::{group, idea};
pub use evaluator::Evaluator;
pub use limits::{Control, Limits, TimeLimit};
pub use random::SplitMix64;

/// No line is followed further than this.
pub const MAX_PLY: usize = 240;
