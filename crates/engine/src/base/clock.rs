//! Time, as far as the engine has any: it owns no clock and is lent one.

use std::time::{Duration, Instant};

/// Time since the search was asked for. Whoever owns a clock provides it; the engine has none.
pub trait Clock: Sync {
    /// How long the search has been running.
    fn elapsed(&self) -> Duration;
}

/// The time since that moment, for whoever has no other clock.
impl Clock for Instant {
    fn elapsed(&self) -> Duration {
        Instant::elapsed(self)
    }
}

/// A clock that stands still, for searches that time does not limit.
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
