//! Trials and their tally: how many were made, how many found a fault, what the first faults were, how long things took.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::report::Row;
use crate::pool;

/// A trial that went well, or what was wrong.
pub type Verdict = Result<(), String>;

/// Faults that are described; the others are only counted.
const EXAMPLES: usize = 8;

/// What was measured on the way, in a form that can be kept and gone on with.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Anything in words.
    notes: Vec<String>,
    /// How often something happened.
    counts: BTreeMap<String, u64>,
    /// The largest of some numbers.
    most: BTreeMap<String, u64>,
    /// Nanoseconds by what took them.
    times: BTreeMap<String, Vec<u64>>,
}

/// What the trials of a check came to.
pub struct Tally {
    tried: AtomicU64,
    faults: AtomicU64,
    examples: Mutex<Vec<String>>,
    figures: Mutex<Figures>,
    /// Trials that were made before, by another run.
    before: u64,
    bar: Option<ProgressBar>,
}

impl Tally {
    /// An empty one, with a progress bar on a terminal.
    pub fn new(name: &'static str, trials: u64) -> Tally {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{prefix:20} {bar:30} {pos}/{len} {elapsed_precise}, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(trials).with_style(style).with_prefix(name)
        });
        Tally {
            tried: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            examples: Mutex::default(),
            figures: Mutex::default(),
            before: 0,
            bar,
        }
    }

    /// The same, but the trials begin with this one.
    pub fn from(self, trial: u64) -> Tally {
        Tally { before: trial, ..self }
    }

    /// Goes on from what another run has left.
    pub fn resume(self, row: &Row) -> Tally {
        if let Some(bar) = &self.bar {
            bar.set_position(row.tried);
        }
        Tally {
            tried: AtomicU64::new(row.tried),
            faults: AtomicU64::new(row.faults),
            examples: Mutex::new(row.examples.clone()),
            figures: Mutex::new(row.figures.clone()),
            before: row.tried,
            bar: self.bar,
        }
    }

    /// The first trial to make.
    pub fn first(&self) -> u64 {
        self.before
    }

    /// Counts a trial.
    pub fn add(&self, verdict: Verdict) {
        self.add_many(1, verdict);
    }

    /// Counts several trials that had one verdict.
    pub fn add_many(&self, trials: u64, verdict: Verdict) {
        self.tried.fetch_add(trials, Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(trials);
        }
        if let Err(text) = verdict {
            self.faults.fetch_add(1, Relaxed);
            let mut examples = lock(&self.examples);
            if examples.len() < EXAMPLES {
                examples.push(text.chars().take(400).collect());
            }
        }
    }

    /// Notes how long something took.
    pub fn time(&self, what: &str, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        lock(&self.figures).times.entry(what.to_string()).or_default().push(nanos);
    }

    /// Counts something that happens, or may happen: zero is told too.
    pub fn count(&self, what: &str, number: u64) {
        *lock(&self.figures).counts.entry(what.to_string()).or_default() += number;
    }

    /// Notes a number of which only the largest matters.
    pub fn most(&self, what: &str, number: u64) {
        let mut figures = lock(&self.figures);
        let largest = figures.most.entry(what.to_string()).or_default();
        *largest = number.max(*largest);
    }

    /// Notes anything else worth telling, once.
    pub fn note(&self, text: String) {
        let notes = &mut lock(&self.figures).notes;
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// Takes the progress bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Trials so far.
    pub fn tried(&self) -> u64 {
        self.tried.load(Relaxed)
    }

    /// Trials that found a fault.
    pub fn faults(&self) -> u64 {
        self.faults.load(Relaxed)
    }

    /// The first faults.
    pub fn examples(&self) -> Vec<String> {
        lock(&self.examples).clone()
    }

    /// What was measured.
    pub fn figures(&self) -> Figures {
        lock(&self.figures).clone()
    }

    /// What was noted, durations as their median and worst.
    pub fn notes(&self) -> Vec<String> {
        let Figures { mut notes, counts, most, mut times } = self.figures();
        notes.extend(counts.iter().chain(most.iter()).map(|(what, number)| format!("{what}: {number}")));
        for (what, times) in times.iter_mut() {
            times.sort_unstable();
            if let (Some(&median), Some(&worst)) = (times.get(times.len() / 2), times.last()) {
                let [median, worst] = [median, worst].map(Duration::from_nanos);
                notes.push(format!("{what}: median {median:.1?}, worst {worst:.1?}"));
            }
        }
        notes
    }
}

/// What a lock guards, also after a trial has panicked.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Makes trials on so many threads. Each thread makes itself a state, such as a running engine, and makes a new one
/// after a fault. A panic is a fault.
pub fn run<S>(
    tally: &Tally,
    trials: u64,
    threads: usize,
    make: impl Fn() -> Result<S, String> + Sync,
    trial: impl Fn(&mut S, u64) -> Verdict + Sync,
) {
    let next = AtomicU64::new(tally.first());
    let work = || {
        let mut state = None;
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= trials || pool::interrupted() {
                return;
            }
            let mut attempt = || match &mut state {
                Some(state) => trial(state, index),
                None => trial(state.insert(make()?), index),
            };
            let verdict = catch_unwind(AssertUnwindSafe(&mut attempt))
                .unwrap_or_else(|_| Err("panicked".to_string()))
                .map_err(|text| format!("trial {index}: {text}"));
            if verdict.is_err() {
                state = None;
            }
            tally.add(verdict);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let builder = std::thread::Builder::new().stack_size(engine::STACK_SIZE);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                tally.add(Err(format!("cannot start a thread: {error}")));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_counted_and_faults_described() {
        let tally = Tally::new("test", 20);
        let made = AtomicU64::new(0);
        let make = || Ok(made.fetch_add(1, Relaxed));
        run(&tally, 20, 1, make, |_, index| match index {
            3 => Err("three".to_string()),
            7 => panic!("seven"),
            _ => Ok(()),
        });
        assert_eq!((tally.tried(), tally.faults(), made.into_inner()), (20, 2, 3));
        assert_eq!(tally.examples(), ["trial 3: three", "trial 7: panicked"]);
        tally.time("x", Duration::from_millis(2));
        [(1, 3), (1, 2)].into_iter().for_each(|(seen, size)| {
            tally.count("seen", seen);
            tally.most("size", size);
        });
        assert_eq!(tally.notes(), ["seen: 2", "size: 3", "x: median 2.0ms, worst 2.0ms"]);
    }

    #[test]
    fn a_run_goes_on_where_another_has_ended() {
        let before = Tally::new("test", 20);
        run(&before, 8, 1, || Ok(()), |(), index| if index == 3 { Err("three".to_string()) } else { Ok(()) });
        before.count("seen", 2);
        before.note("once".to_string());
        let row = Row {
            name: String::new(),
            version: String::new(),
            short: false,
            date: String::new(),
            seconds: 0,
            tried: before.tried(),
            faults: before.faults(),
            examples: before.examples(),
            notes: before.notes(),
            figures: before.figures(),
        };
        let text = crate::files::json(&row).expect("JSON");
        let row: Row = serde_json::from_str(&text).expect("a row");
        let (after, first) = (Tally::new("test", 20).resume(&row), AtomicU64::new(u64::MAX));
        run(
            &after,
            20,
            1,
            || Ok(()),
            |(), index| {
                first.fetch_min(index, Relaxed);
                Ok(())
            },
        );
        after.count("seen", 1);
        after.note("once".to_string());
        assert_eq!((after.tried(), after.faults(), first.into_inner()), (20, 1, 8));
        assert_eq!(after.notes(), ["once", "seen: 3"]);
        assert_eq!(after.examples(), ["trial 3: three"]);
    }

    #[test]
    fn what_cannot_be_made_is_a_fault() {
        let tally = Tally::new("test", 3);
        run(&tally, 3, 2, || Err::<(), _>("no".to_string()), |(), _| Ok(()));
        assert_eq!((tally.tried(), tally.faults()), (3, 3));
    }
}
