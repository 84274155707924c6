//! Search control, seen from a GUI: one best move for each `go`, none unasked, answers at any moment, an end in time.

mod uci_gui;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use chess::Game;
use uci_gui::{Gui, KIWIPETE, MATED, READY, SLACK, STALEMATED, assert_settled, judge};

/// How soon it must be gone.
const END: Duration = Duration::from_millis(200);

#[test]
fn hundreds_of_go_and_stop() {
    let mut gui = Gui::start();
    let mut times = Vec::new();
    for round in 0..300 {
        gui.send("go");
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_millis(round % 7));
        }
        let start = Instant::now();
        gui.send("stop");
        gui.answer().check(&Game::default());
        times.push(start.elapsed());
    }
    judge("best move after stop", READY, times);
    assert_settled(gui);
}

#[test]
fn hundreds_of_infinite_and_stop() {
    let mut gui = Gui::start();
    for round in 0..200 {
        gui.send(if round % 2 == 0 { "go infinite" } else { "go infinite depth 2" });
        if round % 20 == 0 {
            gui.assert_no_best_move(3);
        }
        gui.go("stop").check(&Game::default());
    }
    assert_settled(gui);
}

#[test]
fn hundreds_of_ponder_rounds() {
    let mut gui = Gui::start();
    for round in 0..200 {
        gui.send("position startpos moves e2e4 e7e5");
        match round % 4 {
            0 => gui.send("go ponder depth 2"),
            1 => gui.send("go ponder movetime 1"),
            _ => gui.send("go ponder wtime 100 btime 100"),
        }
        if round % 20 < 2 {
            gui.assert_no_best_move(3);
        }
        let answer = gui.go(if round % 2 == 0 { "ponderhit" } else { "stop" });
        assert_ne!(answer.best, "0000");
        // Too late, and without effect.
        gui.send(if round % 3 == 0 { "stop" } else { "ponderhit" });
    }
    assert_settled(gui);
}

#[test]
fn ponderhit_leaves_infinite_alone() {
    let mut gui = Gui::start();
    gui.send("go infinite ponder depth 1");
    gui.tell(&["ponderhit"]);
    gui.assert_no_best_move(3);
    gui.go("stop").check(&Game::default());
    assert_settled(gui);
}

#[test]
fn terminal_roots_wait_like_others() {
    let mut gui = Gui::start();
    for (fen, score) in [(MATED, "score mate 0"), (STALEMATED, "score cp 0")] {
        gui.tell(&[&format!("position fen {fen}")]);
        for command in ["go", "go depth 3", "go movetime 10", "go wtime 100 btime 100", "go mate 2", "go nodes 5"] {
            let answer = gui.go(command);
            assert_eq!((answer.best.as_str(), answer.ponder), ("0000", None));
            assert!(answer.lines.iter().any(|line| line.ends_with(score)), "{:?}", answer.lines);
        }
        for (command, release) in [("go infinite", "stop"), ("go ponder", "ponderhit"), ("go ponder", "stop")] {
            gui.send(command);
            gui.assert_no_best_move(3);
            assert_eq!(gui.go(release).best, "0000");
        }
    }
    assert_settled(gui);
}

/// The processor time that a process has used, in clock ticks.
#[cfg(target_os = "linux")]
fn ticks(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("a process");
    let fields: Vec<_> = text.rsplit(')').next().expect("fields").split_ascii_whitespace().collect();
    fields[11].parse::<u64>().expect("user time") + fields[12].parse::<u64>().expect("system time")
}

#[cfg(target_os = "linux")]
#[test]
fn a_held_best_move_burns_no_time() {
    let mut gui = Gui::start();
    gui.send("go infinite depth 1");
    gui.assert_no_best_move(5);
    let before = ticks(gui.process());
    std::thread::sleep(Duration::from_millis(400));
    let used = ticks(gui.process()) - before;
    assert!(used <= 2, "{used} ticks while nothing was to be done");
    gui.go("stop").check(&Game::default());
    assert_settled(gui);
}

#[test]
fn ready_at_any_moment() {
    for threads in [1, 8] {
        let mut gui = Gui::start();
        gui.tell(&[&format!("setoption name Threads value {threads}")]);
        gui.send("go infinite");
        let mut times = Vec::new();
        for _ in 0..40 {
            std::thread::sleep(Duration::from_millis(5));
            let start = Instant::now();
            gui.tell(&[]);
            times.push(start.elapsed());
        }
        judge(&format!("readyok with {threads} threads"), READY, times);
        gui.go("stop").check(&Game::default());
        assert_settled(gui);
    }
}

#[test]
fn what_needs_the_engine_waits_for_the_end_of_a_search() {
    let mut gui = Gui::start();
    let has = |lines: &[String], what: &str| lines.iter().any(|line| line.contains(what));
    // And what is said once the engine is back.
    for (command, said) in [
        ("position startpos moves e2e4", ""),
        ("flip", ""),
        ("setoption name Hash value 8", ""),
        ("ucinewgame", ""),
        ("eval", "Evaluation"),
        ("position nonsense", ""),
        ("setoption nonsense", "info string error"),
    ] {
        for go in ["go infinite", "go", "go ponder wtime 1000", "go infinite depth 1"] {
            gui.send("position startpos");
            gui.send(go);
            let mut lines = gui.tell(&[command]);
            std::thread::sleep(Duration::from_millis(2));
            lines.extend(gui.tell(&[]));
            assert!(!has(&lines, "bestmove"), "{go}, {command}: {lines:#?}");
            let answer = gui.go("stop");
            answer.check(&Game::default());
            lines.extend(answer.lines);
            lines.extend(gui.tell(&[]));
            assert!(has(&lines, said), "{go}, {command}: {lines:#?}");
        }
    }
    // In the order in which they came, before the next search.
    gui.send("position startpos");
    gui.send("go infinite");
    gui.tell(&["setoption name MultiPV value 3", "position startpos moves e2e4", "setoption name MultiPV value 2"]);
    gui.send("go depth 3");
    gui.answer().check(&Game::default());
    let answer = gui.answer();
    let mut game = Game::default();
    assert!(game.play(chess::parse_uci(game.board(), "e2e4").expect("legal")));
    answer.check(&game);
    assert!(has(&answer.lines, "multipv 2") && !has(&answer.lines, "multipv 3"), "{:#?}", answer.lines);
    // One that was stopped has an end.
    gui.tell(&["setoption name MultiPV value 1", "position startpos"]);
    gui.send("go infinite\nstop\nwait\nsetoption name MultiPV value 1");
    let answer = gui.answer();
    assert!(!has(&answer.lines, "no point"), "{:#?}", answer.lines);
    gui.tell(&[]);
    gui.send("go infinite");
    gui.send("go depth 3");
    gui.answer().check(&Game::default());
    gui.answer().check(&Game::default());
    assert_settled(gui);
}

#[test]
fn harmless_commands_leave_a_search_alone() {
    let mut gui = Gui::start();
    gui.send("go infinite");
    for command in ["isready", "uci", "d", "help", "compiler", "register later", "debug on", "debug off", "", "xyzzy"] {
        let lines = gui.tell(&[command]);
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{command}");
    }
    gui.go("stop").check(&Game::default());
    assert_settled(gui);
}

#[test]
fn commands_wait_for_counts_and_when_asked_to() {
    let mut gui = Gui::start();
    gui.send("go depth 9\nwait\nposition startpos moves e2e4\nd");
    gui.answer().check(&Game::default());
    let lines = gui.lines_until(|line| line.starts_with("Checkers"));
    assert!(lines.iter().any(|line| line.contains(" b KQkq - 0 1")), "{lines:#?}");
    gui.send("go perft 5\nposition startpos\ngo depth 3");
    let count = gui.lines_until(|line| line.starts_with("Nodes searched"));
    assert_eq!(count.last().expect("a count"), "Nodes searched: 9771632");
    gui.answer().check(&Game::default());
    let start = Instant::now();
    gui.send("perft 9\nstop");
    gui.lines_until(|line| line.contains("stopped before"));
    assert!(start.elapsed() < SLACK);
    gui.send("go infinite\nwait");
    gui.lines_until(|line| line.contains("no point in waiting"));
    gui.go("stop").check(&Game::default());
    assert_settled(gui);
}

/// What is said between these lines and the end of the program, and how long the end takes after the last of them.
fn piped(lines: &str) -> (Vec<String>, Duration) {
    let mut gui = Gui::start();
    gui.send_bytes(lines.as_bytes());
    gui.close_input();
    let (time, status) = gui.end();
    assert!(status.success(), "{lines:?}: {status}");
    (gui.rest(), time)
}

/// The time of a search that had to wait begins when its turn comes.
#[test]
fn waiting_takes_no_time_from_a_search() {
    let mut gui = Gui::start();
    for first in ["go movetime 400", "perft 5"] {
        gui.send(first);
        gui.send("wait");
        gui.send("go movetime 400");
        if first.starts_with("go") {
            gui.answer().check(&Game::default());
        }
        gui.lines_until(|line| line.contains(" depth 1 ") || line.contains("Nodes searched"));
        let start = Instant::now();
        gui.answer().check(&Game::default());
        assert!(start.elapsed() > Duration::from_millis(300), "{first}: {:?}", start.elapsed());
    }
    assert_settled(gui);
}

/// What comes behind a `go` that waits for its turn is meant for that one.
#[test]
fn nothing_overtakes_a_search_that_waits() {
    let mut gui = Gui::start();
    for commands in [
        &["perft 7", "go infinite", "stop"][..],
        &["go movetime 2000", "wait", "go infinite", "stop"],
        &["perft 4", "go ponder movetime 1", "ponderhit"],
        &["go movetime 20", "wait", "go ponder movetime 1", "ponderhit"],
    ] {
        commands.iter().for_each(|command| gui.send(command));
        for _ in commands.iter().filter(|command| command.starts_with("go")) {
            gui.answer().check(&Game::default());
        }
    }
    assert_settled(gui);
}

#[test]
fn what_cannot_be_read_is_held_back_all_the_same() {
    let mut gui = Gui::start();
    for (go, release) in
        [("go infinite nodes", "stop"), ("go ponder wtime x", "ponderhit"), ("go ponder depth", "stop")]
    {
        gui.send(go);
        gui.assert_no_best_move(3);
        assert_eq!(gui.go(release).best, "0000", "{go}");
    }
    assert_settled(gui);
}

#[test]
fn what_has_no_end_is_not_waited_for() {
    for lines in ["go\nwait\nquit\n", "go\nwait\n", "go infinite\nwait\nquit\n", "go ponder wtime 9000\nwait\n"] {
        let (said, time) = piped(lines);
        assert!(time < SLACK, "{lines:?}: {time:?}");
        assert!(said.iter().any(|line| line.contains("no point in waiting")), "{lines:?}: {said:#?}");
        assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}: {said:#?}");
    }
    // A search with a limit is what waiting is for, and so is a weak player, who ends by itself.
    for lines in ["go depth 9\nwait\nquit\n", "go depth 9\nwait\n", "go movetime 300\nwait\n"] {
        let (said, _) = piped(lines);
        let deep = said.iter().any(|line| line.starts_with("info depth 9 ")) || lines.contains("movetime");
        assert!(deep && said.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}: {said:#?}");
    }
    let (said, _) = piped("setoption name UCI_LimitStrength value true\ngo\nwait\n");
    assert!(said.len() == 2 && said[1].starts_with("bestmove "), "{said:#?}");
}

#[test]
fn leaving_ends_a_count_that_nobody_waits_for() {
    for position in ["startpos", &format!("fen {KIWIPETE}")] {
        for end in [Gui::close_input, |gui: &mut Gui| gui.send("quit")] {
            let mut gui = Gui::start();
            gui.tell(&[&format!("position {position}")]);
            gui.send("go perft 9");
            gui.assert_no_best_move(5);
            // What has been waiting for the count is not carried out any more.
            gui.send("go depth 3");
            end(&mut gui);
            let (time, status) = gui.end();
            judge("the end of go perft 9", END, vec![time]);
            assert!(status.success());
        }
    }
    let mut gui = Gui::start();
    gui.send("go perft 9");
    gui.assert_no_best_move(5);
    let start = Instant::now();
    gui.send("stop");
    gui.lines_until(|line| line.contains("stopped before"));
    judge("stop during go perft 9", END, vec![start.elapsed()]);
    gui.quit();
    for lines in ["go perft 4\nwait\nquit\n", "go perft 4\nwait\n", "perft 4\nquit\n", "perft 4\n"] {
        assert_eq!(piped(lines).0.last().map(String::as_str), Some("Nodes searched: 197281"), "{lines:?}");
    }
    // Whatever stands behind a `wait`, and between it and the count.
    for wait in ["wait", "wait now", " please wait"] {
        let lines = format!("go perft 5\nposition startpos\n{wait}\nquit\n");
        assert_eq!(piped(&lines).0.last().map(String::as_str), Some("Nodes searched: 4865609"), "{lines:?}");
    }
    let (said, _) = piped("go perft 4\nposition startpos\ngo depth 8\nwait\nquit\n");
    for start in ["Nodes searched: 197281", "info depth 8 ", "bestmove "] {
        assert!(said.iter().any(|line| line.starts_with(start)), "{start}: {said:#?}");
    }
}

/// Starts searches with this many threads and ends each in this way; how long it takes the program to be gone.
fn ends(threads: usize, end: impl Fn(&mut Gui)) -> Vec<Duration> {
    let mut times = Vec::new();
    for round in 0..6 {
        let mut gui = Gui::start();
        gui.tell(&[&format!("setoption name Threads value {threads}")]);
        gui.send(["go infinite", "go", "go ponder", "go wtime 900000 btime 900000"][round % 4]);
        std::thread::sleep(Duration::from_millis(20 * round as u64));
        end(&mut gui);
        let (time, status) = gui.end();
        assert!(status.success(), "{status}");
        times.push(time);
    }
    times
}

#[test]
fn the_end_comes_in_time() {
    for threads in [1, 8] {
        judge(&format!("quit, {threads} threads"), END, ends(threads, |gui| gui.send("quit")));
        judge(&format!("end of input, {threads} threads"), END, ends(threads, Gui::close_input));
    }
}

#[test]
fn nobody_reads_any_more() {
    for threads in [1, 8] {
        for pause in [0, 300] {
            // The deeper the search, the longer it has nothing to write that would tell.
            let commands = format!("setoption name Threads value {threads}\ngo infinite\n");
            let times = (0..3).map(|_| close_output(&commands, Duration::from_millis(pause))).collect();
            judge(&format!("closed output, {threads} threads"), END, times);
        }
    }
    judge("closed output while idle", END, vec![close_output("isready\n", Duration::ZERO)]);
    for commands in ["", "go infinite\n"] {
        for last in ["quit\n", ""] {
            judge("the end with a full output that nobody reads", END, vec![leave_unread(commands, last)]);
        }
    }
    judge("closed output while holding", END, vec![close_output("go infinite depth 1\n", Duration::ZERO)]);
}

/// Fills the output and leaves it unread; how long it takes to end with this, and the end of input.
fn leave_unread(commands: &str, last: &str) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let questions = "isready\n".repeat(20_000);
    input.write_all(format!("uci\n{commands}{questions}{last}").as_bytes()).expect("the program reads");
    drop(input);
    time_to_end(&mut child)
}

/// Closes the output after the first line and a pause; how long it takes the program to be gone.
fn close_output(commands: &str, pause: Duration) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(commands.as_bytes()).expect("the program reads");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    std::thread::sleep(pause);
    drop(output);
    time_to_end(&mut child)
}

/// How long it takes to end; it is helped after a while.
fn time_to_end(child: &mut Child) -> Duration {
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > SLACK {
            child.kill().expect("a child");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    start.elapsed()
}

#[test]
fn the_end_comes_while_idle_and_while_holding() {
    for commands in [&[][..], &["go depth 1"], &["go infinite depth 1"], &["position nonsense", "go infinite"]] {
        for end in [Gui::close_input, |gui: &mut Gui| gui.send("quit")] {
            let mut gui = Gui::start();
            gui.tell(commands);
            end(&mut gui);
            let (time, status) = gui.end();
            assert!(status.success() && time < SLACK, "{commands:?}: {time:?}");
        }
    }
}
