//! Time: from the clock to a budget, and what stretches or shrinks it.

mod budget;
mod time_management;

use crate::base::group;

pub use budget::Budget;
pub use time_management::{Signs, TimeManagement, factor};

group! {
    /// How much time a move takes.
    TimeParams, TimeCounts {
        time_management: TimeManagement,
    }
}
