//! `gannet bench`: a fixed amount of searching whose node count names this version of the search, and whose speed
//! measures the machine. The count is the same on every run, machine and build.

#[cfg(feature = "full")]
mod command;

use std::fmt;
use std::time::{Duration, Instant};

pub use engine::bench::{DEPTH, HASH, games};
use engine::{Control, Engine};

#[cfg(feature = "full")]
pub use self::command::{Arguments, run};
use crate::reporter::per_second;

/// How much was searched; prints itself as `N nodes M nps`.
pub struct Total {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all of them.
    pub time: Duration,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, per_second(self.nodes, self.time))
    }
}

/// Searches every position to a depth and takes the time.
pub fn measure(engine: &mut Engine, depth: i32, control: &Control) -> Result<Total, String> {
    let start = Instant::now();
    let nodes = engine::bench::nodes(engine, depth, control)?;
    Ok(Total { nodes, time: start.elapsed() })
}
