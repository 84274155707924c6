//! The search: iterative deepening at the root, one node function, quiescence at the leaves, threads around it.

mod carriers;
mod endgame_tables;
mod engine;
pub mod ideas;
mod node;
pub mod params;
mod priority;
mod quiescence;
mod report;
mod root;
mod stack;
mod static_eval;
mod table;
pub mod telemetry;
mod worker;

pub use engine::{Engine, Outcome};
pub use ideas::{SearchCounts, SearchParams};
pub use report::{Line, Reporter, Silent};

/// The stack a thread needs to search to [`MAX_PLY`](crate::base::MAX_PLY) in any build.
pub const STACK_SIZE: usize = 32 << 20;
