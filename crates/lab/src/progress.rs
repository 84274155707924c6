//! How far a long run is, for whoever watches: a bar on a terminal, else a line now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is said where there is no terminal.
const SPEAK: Duration = Duration::from_secs(10);

/// What happens now and then, and not more often.
pub struct Every {
    time: Duration,
    last: Instant,
}

impl Every {
    /// From now on, once in so long a time.
    pub fn new(time: Duration) -> Every {
        Every { time, last: Instant::now() }
    }

    /// Whether it is time again.
    pub fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.time;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

/// A bar on a terminal, else a line now and then.
pub struct Progress {
    bar: Option<ProgressBar>,
    title: String,
    speak: Every,
}

impl Progress {
    /// Of so many of which some are done already; the template says how the bar looks.
    pub fn new(template: &str, title: &str, all: u64, done: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(all).with_style(style).with_prefix(title.to_string()).with_position(done);
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, title: title.to_string(), speak: Every::new(SPEAK) }
    }

    /// Shows how many are done, and what has come of it.
    pub fn show(&mut self, done: u64, unit: &str, came: impl FnOnce() -> String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(came());
            }
            None if self.speak.is_due() => eprintln!("{}{done} {unit}{}", self.title_text(), came()),
            None => {}
        }
    }

    fn title_text(&self) -> String {
        if self.title.is_empty() { String::new() } else { format!("{}: ", self.title) }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_due_now_and_then() {
        assert!(!Every::new(Duration::from_secs(3600)).is_due());
        let mut always = Every::new(Duration::ZERO);
        assert!(always.is_due() && always.is_due());
    }
}
