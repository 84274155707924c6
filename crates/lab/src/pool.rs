//! Worker threads that do numbered jobs in any order and hand the results over in the order of the numbers.
//!
//! Because results are taken in order, what is decided from them does not depend on how many threads there are.

use std::collections::{BTreeMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};

/// Whether the user has asked to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether that is waited for: there is work that can be saved.
static CATCHING: AtomicBool = AtomicBool::new(false);
/// Whether the time is over that the user gave.
static TIME_OVER: AtomicBool = AtomicBool::new(false);

/// How long after an interrupt another one is taken for the same. Programs such as `timeout` pass on what the terminal
/// has sent to everyone, so that one Ctrl-C comes twice; and in this time all that was played is saved.
const SAME_INTERRUPT: Duration = Duration::from_secs(1);

/// From now on Ctrl-C, a closed terminal and `kill` do not end the process but ask the running jobs to end; a second
/// time does end it.
pub fn catch_interrupts() -> Result<()> {
    CATCHING.store(true, Relaxed);
    let mut first = None;
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Relaxed);
        let began = *first.get_or_insert_with(|| {
            eprintln!("\ninterrupted: ending the games in progress (again to quit at once)");
            Instant::now()
        });
        if began.elapsed() > SAME_INTERRUPT {
            uci::client::end_all();
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::new(format!("cannot catch Ctrl-C: {error}")))
}

/// Asks the running jobs to end, as the user can. False: nobody would save what they have.
#[cfg_attr(test, allow(dead_code, reason = "tests print as tests do"))]
pub fn ask_to_end() -> bool {
    INTERRUPTED.store(true, Relaxed);
    CATCHING.load(Relaxed)
}

/// Asks the running jobs to end after this time, as the user can.
pub fn interrupt_after(time: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        TIME_OVER.store(true, Relaxed);
    });
}

/// Whether to stop: the user has asked to, or the time is over.
pub fn interrupted() -> bool {
    interrupted_by_user() || TIME_OVER.load(Relaxed)
}

/// Whether the user has asked to stop.
fn interrupted_by_user() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// How a command ends that has saved and shown what it has: well, unless the user has ended it before it was finished.
pub fn end(finished: bool) -> Result<()> {
    if !finished && interrupted_by_user() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Tells a job whether its result is still wanted.
pub struct Stop(AtomicBool);

impl Stop {
    /// A job nobody stops but the user.
    pub fn new() -> Stop {
        Stop(AtomicBool::new(false))
    }

    /// Whether to give up.
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed) || interrupted()
    }
}

/// The threads to use when the user does not say: all cores.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a pool needs to know about its jobs.
pub struct Jobs<T> {
    /// The numbers of the jobs.
    pub range: Range<u64>,
    /// Results from an earlier run; these jobs are not done again.
    pub done: BTreeMap<u64, T>,
    /// How many threads work.
    pub threads: usize,
}

/// What is left when a run has ended.
#[derive(Debug, PartialEq)]
pub struct Rest<T> {
    /// Results that were not taken, because a job before them was never finished or the run was ended.
    pub waiting: BTreeMap<u64, T>,
    /// What went wrong, if anything did; everything that was taken or waits is good all the same.
    pub failure: Option<Failure>,
}

/// Does the jobs. Each thread makes itself a state, such as its engines, and works with it; `work` returns
/// `None` when it gave up because it was told to stop. `take` gets the results in the order of their numbers,
/// without gaps, and can end the run. Returned are the results that `take` has not seen, because a job
/// before them was never finished.
pub fn run<S, T: Send>(
    jobs: Jobs<T>,
    make: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, u64, &Stop) -> Result<Option<T>> + Sync,
    take: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<BTreeMap<u64, T>> {
    let Rest { waiting, failure } = run_and_keep(jobs, make, work, take);
    failure.map_or(Ok(waiting), Err)
}

/// The same, for results that are to be kept even if a job fails.
pub fn run_and_keep<S, T: Send>(
    jobs: Jobs<T>,
    make: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, u64, &Stop) -> Result<Option<T>> + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Rest<T> {
    let Jobs { range, done: mut waiting, threads } = jobs;
    let done: HashSet<u64> = waiting.keys().copied().collect();
    let mut next = range.start;
    let queue = Queue { next: AtomicU64::new(range.start), end: range.end, done };
    let threads = threads.clamp(1, usize::try_from(range.end - range.start).unwrap_or(usize::MAX).max(1));
    let stop = Stop::new();
    let (sender, receiver) = mpsc::channel();
    let mut failure = None;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let (make, work, queue, stop) = (&make, &work, &queue, &stop);
            let thread = move || {
                let end = worker(make, work, queue, stop, &sender);
                // The receiver may be gone already; then nobody wants to know.
                let _ = sender.send(end);
            };
            if let Err(error) = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn_scoped(scope, thread) {
                failure = Some(Failure::new(format!("cannot start a thread: {error}")));
                stop.0.store(true, Relaxed);
            }
        }
        drop(sender);
        let mut wanted = true;
        let mut hand_over = |waiting: &mut BTreeMap<u64, T>| {
            while wanted && let Some(result) = waiting.remove(&next) {
                if take(next, result).is_break() {
                    wanted = false;
                    stop.0.store(true, Relaxed);
                }
                next += 1;
            }
        };
        hand_over(&mut waiting);
        for message in receiver {
            match message {
                Message::Result(job, result) => {
                    waiting.insert(job, result);
                    hand_over(&mut waiting);
                }
                Message::Finished => {}
                Message::Failed(error) => {
                    stop.0.store(true, Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
    });
    Rest { waiting, failure }
}

/// The jobs that nobody has begun.
struct Queue {
    next: AtomicU64,
    end: u64,
    done: HashSet<u64>,
}

impl Queue {
    fn pop(&self) -> Option<u64> {
        loop {
            let job = self.next.fetch_add(1, Relaxed);
            if job >= self.end {
                return None;
            }
            if !self.done.contains(&job) {
                return Some(job);
            }
        }
    }
}

enum Message<T> {
    Result(u64, T),
    Finished,
    Failed(Failure),
}

fn worker<S, T>(
    make: &impl Fn() -> Result<S>,
    work: &impl Fn(&mut S, u64, &Stop) -> Result<Option<T>>,
    queue: &Queue,
    stop: &Stop,
    sender: &mpsc::Sender<Message<T>>,
) -> Message<T> {
    let mut state = match make() {
        Ok(state) => state,
        Err(failure) => return Message::Failed(failure),
    };
    while !stop.is_set()
        && let Some(job) = queue.pop()
    {
        // An engine in this process that panics must not take the results of others with it.
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut state, job, stop)))
            .unwrap_or_else(|_| Err(Failure::new(format!("job {job} panicked; the message is above"))));
        match result {
            Ok(Some(result)) => {
                if sender.send(Message::Result(job, result)).is_err() {
                    break;
                }
            }
            Ok(None) => break,
            Err(failure) => return Message::Failed(failure),
        }
    }
    Message::Finished
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, done: BTreeMap<u64, u64>, until: u64) -> (Vec<u64>, BTreeMap<u64, u64>) {
        let mut taken = Vec::new();
        let jobs = Jobs { range: 3..40, done, threads };
        let rest = run(
            jobs,
            || Ok(()),
            |(), job, _| {
                std::thread::sleep(std::time::Duration::from_micros(job * 7919 % 300));
                Ok(Some(job * job))
            },
            |job, result| {
                assert_eq!(result, job * job);
                taken.push(job);
                if job == until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        (taken, rest.expect("no job fails"))
    }

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [1, 2, 7, 100] {
            let done = BTreeMap::from([(5, 25), (3, 9)]);
            let (taken, rest) = squares(threads, done, 1000);
            assert_eq!(taken, (3..40).collect::<Vec<_>>());
            assert!(rest.is_empty());
            let (taken, _) = squares(threads, BTreeMap::new(), 10);
            assert_eq!(taken, (3..11).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_failure_ends_the_run() {
        let jobs = Jobs { range: 0..1000, done: BTreeMap::new(), threads: 3 };
        let result = run(
            jobs,
            || Ok(()),
            |(), job, _| if job == 20 { Err(Failure::new("job 20")) } else { Ok(Some(job)) },
            |_, _| ControlFlow::Continue(()),
        );
        assert_eq!(result, Err(Failure::new("job 20")));
    }

    #[test]
    fn what_was_done_before_a_failure_is_kept() {
        let jobs = Jobs { range: 0..100, done: BTreeMap::from([(50, 50)]), threads: 1 };
        let mut taken = Vec::new();
        let rest = run_and_keep(
            jobs,
            || Ok(()),
            |(), job, _| if job == 20 { Err(Failure::new("job 20")) } else { Ok(Some(job)) },
            |job, _| {
                taken.push(job);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(taken, (0..20).collect::<Vec<_>>());
        assert_eq!(rest, Rest { waiting: BTreeMap::from([(50, 50)]), failure: Some(Failure::new("job 20")) });
    }

    #[test]
    fn a_panic_is_a_failure() {
        let jobs = Jobs { range: 0..10, done: BTreeMap::new(), threads: 2 };
        let mut taken = 0;
        let result = run(
            jobs,
            || Ok(()),
            |(), job, _| if job == 4 { panic!("on purpose") } else { Ok(Some(job)) },
            |_, _| {
                taken += 1;
                ControlFlow::Continue(())
            },
        );
        assert!(result.is_err_and(|failure| failure.to_string().contains("job 4")));
        assert_eq!(taken, 4);
    }
}
