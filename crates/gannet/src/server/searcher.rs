//! The search thread. It has the stack that searching needs, waits for a job, is given the engine with it, and gives
//! it back when the job is done. So the engine has one owner at any time and needs no lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use engine::{Control, Engine, STACK_SIZE};

use super::input::Event;
use crate::output;

/// The work itself; gives the line with the best move, if there is to be one.
pub type Work = Box<dyn FnOnce(&mut Engine, &Control) -> Option<String> + Send>;

/// Something to do for the search thread.
pub struct Job {
    /// What to do it with.
    pub engine: Box<Engine>,
    /// How it is told to stop.
    pub control: Arc<Control>,
    /// What to do.
    pub work: Work,
    /// The answer if the work breaks down: a GUI must not wait for ever.
    pub fallback: Option<String>,
}

/// A job that is done.
pub struct Finished {
    /// The engine, given back.
    pub engine: Box<Engine>,
    /// The line with the best move, if there is to be one.
    pub best: Option<String>,
    /// How long the work took, without any waiting before and after it.
    pub took: Duration,
}

/// Starts the search thread, which sends an event for each job when it is done.
pub fn start(events: Sender<Event>) -> std::io::Result<Sender<Job>> {
    let (sender, jobs) = mpsc::channel::<Job>();
    let builder = std::thread::Builder::new().name("search".into()).stack_size(STACK_SIZE);
    builder.spawn(move || {
        for job in jobs {
            if events.send(Event::Finished(work(job))).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

fn work(job: Job) -> Finished {
    let Job { mut engine, control, work, fallback } = job;
    // What the search leaves behind half done, tables and histories, is only ever a hint to the next search.
    let began = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| work(&mut engine, &control)));
    let best = result.unwrap_or_else(|_| {
        output::complain("the search broke down; this is a fault of the engine, please report it");
        fallback
    });
    Finished { engine, best, took: began.elapsed() }
}
