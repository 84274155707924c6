//! The priority of search threads, as the system tells it.
#![cfg(target_os = "linux")]

mod uci_gui;

use std::time::{Duration, Instant};

use chess::Game;
use uci_gui::Gui;

/// Threads that no core is left for run at a lower priority, the same for all of them. (Linux tells it in the 19th field
/// of what it says about a thread.)
#[test]
fn threads_without_a_core_step_back() {
    const THREADS: usize = 64;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut gui = Gui::start();
    gui.tell(&[&format!("setoption name Threads value {THREADS}")]);
    gui.send("go infinite");
    let priorities = |process: u32| -> Vec<i32> {
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("the program runs");
        let told = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
        // The name of a thread stands in brackets and may have spaces.
        let fields = told.filter_map(|text| text.rsplit_once(')').map(|(_, rest)| rest.to_string()));
        fields.filter_map(|rest| rest.split_whitespace().nth(16)?.parse().ok()).collect()
    };
    let mut found = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
        found = priorities(gui.process());
        let usual = found.iter().min().copied().unwrap_or(0);
        // Where it cannot be lowered further, there is nothing to see.
        if usual >= 10
            || found.iter().filter(|&&priority| priority == usual + 10).count() == THREADS.saturating_sub(cores)
        {
            break;
        }
    }
    gui.go("stop").check(&Game::default());
    let usual = found.iter().min().copied().unwrap_or(0);
    let lowered = found.iter().filter(|&&priority| priority == usual + 10).count();
    assert!(usual >= 10 || lowered == THREADS.saturating_sub(cores), "{found:?}");
    gui.quit();
}
