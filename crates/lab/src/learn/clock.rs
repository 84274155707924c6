//! How long a folder was worked on: by the clock on the wall, and in CPU time, which is what a curve of strength is to be
//! read over. It is written down every few seconds, so that who is killed loses no more.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::machine;

/// How often it is written down.
const BEAT: Duration = Duration::from_secs(5);

/// Time that was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// By the clock on the wall.
    pub seconds: f64,
    /// Of all threads.
    pub cpu_seconds: f64,
}

/// Counts on from what was spent before.
#[derive(Clone)]
pub struct Clock {
    path: PathBuf,
    before: Spent,
    began: Instant,
    cpu: f64,
}

impl Clock {
    /// Goes on from what the folder says, or from what was written down later.
    pub fn begin(path: &Path, known: Spent) -> Clock {
        let noted: Spent = files::read_json(path).unwrap_or_default();
        let before = if noted.seconds > known.seconds { noted } else { known };
        let clock = Clock { path: path.to_path_buf(), before, began: Instant::now(), cpu: machine::cpu_seconds() };
        let beating = clock.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(BEAT);
                // What cannot be noted now can be in a few seconds.
                let _ = files::write_json(&beating.path, &beating.now());
            }
        });
        clock
    }

    /// What was spent up to now.
    pub fn now(&self) -> Spent {
        Spent {
            seconds: self.before.seconds + self.began.elapsed().as_secs_f64(),
            cpu_seconds: self.before.cpu_seconds + (machine::cpu_seconds() - self.cpu).max(0.0),
        }
    }
}
