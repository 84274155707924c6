//! Work on many shards at a time, results in order, and never more than a few of them in memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::failure::{Failure, Result};
use crate::pool::{self, Jobs};
use crate::records::Shard;

/// How often a thread that waits for its turn looks whether there will be one.
const LOOK: Duration = Duration::from_millis(50);

/// Reads the shards and works on each; `take` gets the results in the order of the shards. An error of either ends it.
pub fn shards_in_order<T: Send>(
    paths: &[PathBuf],
    threads: usize,
    work: impl Fn(&Shard) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let gate = Gate::new(threads as u64 + 2);
    let jobs = Jobs { range: 0..paths.len() as u64, done: BTreeMap::new(), threads };
    let mut failure = None;
    pool::run(
        jobs,
        || Ok(()),
        |(), job, stop| {
            if !gate.wait(job, || stop.is_set()) {
                return Ok(None);
            }
            work(&Shard::open(&paths[job as usize])?).map(Some)
        },
        |job, result| {
            let taken = take(result);
            gate.open(job + 1);
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
    )?;
    if pool::interrupted() {
        return Err(Failure::Interrupted);
    }
    failure.map_or(Ok(()), Err)
}

/// Lets jobs through that are not too far ahead of what has been taken.
struct Gate {
    ahead: u64,
    taken: Mutex<u64>,
    moved: Condvar,
}

impl Gate {
    fn new(ahead: u64) -> Gate {
        Gate { ahead, taken: Mutex::new(0), moved: Condvar::new() }
    }

    fn open(&self, taken: u64) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = taken;
        self.moved.notify_all();
    }

    /// False if it was told to give up instead.
    fn wait(&self, job: u64, give_up: impl Fn() -> bool) -> bool {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while job >= *taken + self.ahead {
            if give_up() {
                return false;
            }
            taken = self.moved.wait_timeout(taken, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}
