//! A thousand threads, seen from a GUI. By itself in a file, so that no other test has to share the machine with them.

mod uci_gui;

use std::time::{Duration, Instant};

use chess::Game;
use uci_gui::{Gui, READY, assert_settled, judge};

/// However many threads there are, or were: they are made when a search needs them, and go without being waited for.
#[test]
fn ready_with_a_thousand_threads() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name Hash value 64"]);
    for threads in [1024, 1, 64, 1, 1024] {
        let set = format!("setoption name Threads value {threads}");
        let mut times = Vec::new();
        for commands in [&[&set[..]][..], &["ucinewgame"], &["setoption name EvalFile value <empty>"], &["eval"]] {
            let start = Instant::now();
            gui.tell(commands);
            times.push(start.elapsed());
        }
        judge(&format!("readyok after {threads} threads were asked for"), READY, times);
        // All of them take part, so that there is something to give back.
        let start = Instant::now();
        gui.go("go movetime 300").check(&Game::default());
        println!("go movetime 300 with {threads} threads: {:.1?}", start.elapsed());
    }
    // Again from nothing: they make their memory while the GUI asks.
    gui.tell(&["setoption name Threads value 1", "setoption name Threads value 256"]);
    gui.send("go infinite");
    let mut times = Vec::new();
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(20));
        let start = Instant::now();
        gui.tell(&[]);
        times.push(start.elapsed());
    }
    judge("readyok while 256 threads search", READY, times);
    gui.go("stop").check(&Game::default());
    assert_settled(gui);
}
