//! More threads than cores: those too many step back.
//!
//! With many threads to a core, whoever else wants to run waits for its turn behind all of them: the thread that reads
//! what the GUI says, and the first search thread, which has the clock. So a helper that no core is left for asks for less.
//! Only Linux gives each thread a priority of its own; elsewhere nothing is done.

use std::sync::LazyLock;

/// The system is asked once: it takes a while to answer.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// How many threads can run at once.
pub fn cores() -> usize {
    *CORES
}

/// How far helpers step back.
#[derive(Clone, Copy)]
pub struct Surplus {
    /// Their niceness. Not relative: a thread has that of the one that started it.
    #[cfg_attr(not(all(target_os = "linux", feature = "linux")), allow(dead_code))]
    niceness: Option<i32>,
}

impl Surplus {
    /// Behind the calling thread.
    pub fn behind_this_thread() -> Surplus {
        Surplus { niceness: lowered() }
    }

    /// Lowers the priority of the calling thread, the search thread of this number, if there is no core for it.
    pub fn step_back(self, id: usize) {
        if id >= cores() {
            self.lower();
        }
    }

    #[cfg(all(target_os = "linux", feature = "linux"))]
    fn lower(self) {
        if let Some(niceness) = self.niceness {
            // Where it is not allowed, all are equal, as elsewhere.
            let _ = rustix::process::setpriority_process(None, niceness);
        }
    }

    #[cfg(not(all(target_os = "linux", feature = "linux")))]
    fn lower(self) {}
}

/// The niceness of the calling thread and ten more: a thread of the usual priority runs nine times as long.
#[cfg(all(target_os = "linux", feature = "linux"))]
fn lowered() -> Option<i32> {
    const STEP: i32 = 10;
    const MOST: i32 = 19;
    rustix::process::getpriority_process(None).ok().map(|niceness| (niceness + STEP).min(MOST))
}

#[cfg(not(all(target_os = "linux", feature = "linux")))]
fn lowered() -> Option<i32> {
    None
}
