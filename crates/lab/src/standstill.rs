//! Whether the machine, or this program, has stood still: a laptop that slept, a virtual machine that was put away, Ctrl-Z.
//! Clocks of games have run on meanwhile, or the engines have waited for nobody, so such a game says nothing.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How often somebody looks.
const GLANCE: Duration = Duration::from_millis(200);
/// Less than this happens to a thread on a busy machine.
const LONG: Duration = Duration::from_secs(3);

/// What is known so far; nothing before the first game.
static WATCH: Mutex<Option<Watch>> = Mutex::new(None);

#[derive(Clone, Copy)]
struct Watch {
    /// When somebody looked last. A clock for spans of time may stop while the machine sleeps, that of the wall does not.
    seen: (Instant, SystemTime),
    /// When everything went on again the last time, and how long it had stood still.
    stood: Option<(Instant, Duration)>,
}

impl Watch {
    fn look(&mut self, now: (Instant, SystemTime)) {
        let passed = now.0.saturating_duration_since(self.seen.0);
        let by_the_wall = now.1.duration_since(self.seen.1).unwrap_or_default();
        let longer = passed.max(by_the_wall);
        if longer >= LONG {
            self.stood = Some((now.0, longer));
        }
        self.seen = now;
    }
}

/// A span of time that is watched.
pub struct Span(Instant);

impl Span {
    /// Begins one.
    pub fn begin() -> Span {
        look();
        Span(Instant::now())
    }

    /// How long everything has stood still since then, if it has.
    pub fn stood(&self) -> Option<Duration> {
        look().stood.filter(|(end, _)| *end >= self.0).map(|(_, time)| time)
    }
}

/// Looks; the first who does makes somebody look all the time.
fn look() -> Watch {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    let now = (Instant::now(), SystemTime::now());
    match &mut *watch {
        Some(watch) => {
            watch.look(now);
            *watch
        }
        none => {
            std::thread::spawn(|| {
                loop {
                    std::thread::sleep(GLANCE);
                    look();
                }
            });
            *none.insert(Watch { seen: now, stood: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_are_watched() {
        let (instant, wall) = (Instant::now(), SystemTime::now());
        let seconds = Duration::from_secs;
        let stood = |steps: &[(u64, u64)]| {
            let mut watch = Watch { seen: (instant, wall), stood: None };
            steps.iter().for_each(|&(own, other)| watch.look((instant + seconds(own), wall + seconds(other))));
            watch.stood.map(|(end, time)| ((end - instant).as_secs(), time.as_secs()))
        };
        assert_eq!(stood(&[(1, 1), (2, 2), (4, 4)]), None);
        // The program was stopped, the machine slept, and somebody has set the clock back.
        assert_eq!(stood(&[(1, 1), (61, 61), (62, 62)]), Some((61, 60)));
        assert_eq!(stood(&[(1, 1), (2, 3602), (3, 3603)]), Some((2, 3601)));
        assert_eq!(stood(&[(1, 100), (2, 3)]), Some((1, 100)));
        assert_eq!(stood(&[(2, 0), (4, 0)]), None);
    }

    #[test]
    fn a_quiet_span_is_one() {
        let span = Span::begin();
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(span.stood(), None);
    }
}
