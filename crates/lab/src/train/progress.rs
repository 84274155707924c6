//! How far a training is: a line for each epoch, and some in between.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use train::{Epoch, Trainer};

/// How often a line is said to somebody who watches.
const WATCHED: Duration = Duration::from_secs(10);
/// How often to a file.
const UNWATCHED: Duration = Duration::from_secs(120);

/// Tells how far the training is.
pub struct Progress {
    began: Instant,
    first: u64,
    said: Instant,
    at: u64,
    every: Duration,
}

impl Progress {
    /// Begins to count.
    pub fn new(trainer: &Trainer) -> Progress {
        let every = if std::io::stdout().is_terminal() { WATCHED } else { UNWATCHED };
        let (now, at) = (Instant::now(), trainer.step_number());
        Progress { began: now, first: at, said: now, at, every }
    }

    /// Says a line if it is time for one.
    pub fn say(&mut self, trainer: &Trainer, epoch: Option<Epoch>) {
        if epoch.is_none() && self.said.elapsed() < self.every {
            return;
        }
        let step = trainer.step_number();
        let batch = trainer.settings().batch as f64;
        let speed = (step - self.at) as f64 * batch / self.said.elapsed().as_secs_f64();
        let seconds = self.began.elapsed().as_secs_f64() / (step - self.first).max(1) as f64;
        let left = duration(seconds * (trainer.steps() - step) as f64);
        let percent = 100.0 * step as f64 / trainer.steps() as f64;
        let (name, training, validation) = match epoch {
            Some(Epoch { training, validation, .. }) => {
                (format!("epoch {}", trainer.epochs().len()), training, format!("validation {validation:.6}"))
            }
            None => (String::new(), trainer.loss().0, String::new()),
        };
        println!(
            "{name:<10} {percent:5.1} %  training {training:.6}  {validation:<19}  {:.0} k positions/s  {left} left",
            speed / 1e3
        );
        (self.said, self.at) = (Instant::now(), step);
    }
}

/// Hours, minutes and seconds.
fn duration(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
