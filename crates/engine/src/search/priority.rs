//! More threads than cores: those too many step back.
//!
//! With many threads to a core, whoever else wants to run waits for its turn behind all of them: the thread that reads
//! what the GUI says, and the first search thread, which has the clock. So a helper that no core is left for asks for less.
//! Only Linux gives each thread a priority of its own; elsewhere nothing is done.

use std::sync::LazyLock;

/// How many threads can run at once.
static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// Lowers the priority of the calling thread, the search thread of this number, if there is no core for it.
pub fn step_back_if_surplus(id: usize) {
    if id >= *CORES {
        step_back();
    }
}

#[cfg(all(target_os = "linux", feature = "priority"))]
fn step_back() {
    /// A thread of the usual priority runs three times as long.
    const NICENESS: i32 = 5;
    // Where it is not allowed, all are equal, as elsewhere.
    let _ = rustix::process::nice(NICENESS);
}

#[cfg(not(all(target_os = "linux", feature = "priority")))]
fn step_back() {}
