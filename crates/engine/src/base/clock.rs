//! Time, as far as the engine has any: it owns no clock and is lent one.

use std::time::Duration;

/// Time since the search was asked for. Whoever owns a clock provides it; the engine has none.
pub trait Clock: Sync {
    /// How long the search has been running.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches that time does not limit.
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
