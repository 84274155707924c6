//! Everything around searching, seen from a GUI: who it is, options, positions, bad input, arguments, other commands.

mod uci_gui;

use std::time::Duration;

use chess::Game;
use uci_gui::{Gui, KIWIPETE, game};

#[test]
fn says_who_it_is_and_what_it_can() {
    let mut gui = Gui::start();
    gui.assert_silent(Duration::from_millis(50));
    gui.send("uci");
    let lines = gui.lines_until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Gannet ") && lines[1].starts_with("id author "), "{lines:#?}");
    for line in &lines[2..lines.len() - 1] {
        let (name, kind) = line.strip_prefix("option name ").and_then(|line| line.split_once(" type ")).expect(line);
        let words: Vec<_> = kind.split(' ').collect();
        match words[..] {
            ["check", "default", "true" | "false"] | ["button"] | ["string", "default", "<empty>"] => {}
            ["spin", "default", default, "min", min, "max", max] => {
                let [default, min, max] = [default, min, max].map(|text| text.parse::<i64>().expect("a whole number"));
                assert!(min <= default && default <= max, "{line}");
            }
            _ => panic!("{line}"),
        }
        assert!(!name.is_empty() && !name.contains("value"));
    }
    for expected in [
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Clear Hash type button",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name Expose type check default false",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    gui.quit();
}

#[test]
fn options_are_set_or_complained_about() {
    let mut gui = Gui::start();
    for command in [
        "setoption name Hash value 2",
        "setoption name hash value 16",
        "setoption name Clear Hash",
        "setoption name CLEAR HASH",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
        "setoption name Ponder value true",
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1",
        "setoption name Move Overhead value 0",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UseNullMove value false",
        "setoption name CountermoveBonus value 100",
        "setoption name TimeManagement_share_base value 50",
    ] {
        assert_eq!(gui.tell(&[command]), [""; 0], "{command}");
    }
    for (command, expected) in [
        ("setoption", "expected setoption name"),
        ("setoption Hash 5", "expected setoption name"),
        ("setoption name", "expected setoption name"),
        ("setoption name Hash value x", "option Hash expects a whole number from 1 to 1048576"),
        ("setoption name Hash value 0", "option Hash expects"),
        ("setoption name Hash value 1.5", "option Hash expects"),
        ("setoption name Threads value 99999999999999999999", "option Threads expects"),
        ("setoption name UCI_Chess960 value perhaps", "option UCI_Chess960 expects true or false"),
        ("setoption name Clear Hash value true", "takes no value"),
        ("setoption name UseNullMove value 7", "option UseNullMove expects true or false"),
        ("setoption name CountermoveBonus value 1000000", "option CountermoveBonus expects"),
        ("setoption name No Such Thing value 1", "no option is named 'No Such Thing'"),
    ] {
        let lines = gui.tell(&[command]);
        assert!(lines.len() == 1 && lines[0].starts_with("info string error: "), "{command}: {lines:#?}");
        assert!(lines[0].contains(expected), "{command}: {lines:#?}");
    }
    gui.go("go depth 4").check(&Game::default());
    gui.quit();
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let mut gui = Gui::start();
    // A tebibyte. Where the system promises even that, a smaller one is asked for again.
    let lines = gui.tell(&["setoption name Hash value 1048576"]);
    if let [line] = &lines[..] {
        assert!(line.starts_with("info string error: cannot allocate"), "{line}");
    }
    gui.go("go depth 4").check(&Game::default());
    assert!(gui.tell(&["setoption name Hash value 1"]).is_empty());
    gui.go("go depth 4").check(&Game::default());
    gui.quit();
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn bad_positions_are_named_and_not_searched() {
    let mut gui = Gui::start();
    for (position, expected) in [
        ("position", "expects startpos or fen"),
        ("position nonsense", "'nonsense'"),
        ("position startpos e2e4", "expects moves"),
        ("position startpos moves e2e4 e7e6 e1e5", "move 3 of the position, 'e1e5', is not a legal move here"),
        ("position startpos moves e2e4 huh", "'huh', is not written like a move"),
        ("position startpos moves 0000", "'0000'"),
        ("position fen", "bad FEN"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "eight ranks"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 extra", "sixth field"),
        ("position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "bad FEN"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e2e4", "move 2"),
    ] {
        gui.tell(&["position startpos"]);
        let lines = gui.tell(&[position]);
        assert!(lines.len() == 1 && lines[0].starts_with("info string error: "), "{position}: {lines:#?}");
        assert!(lines[0].contains(expected), "{position}: {lines:#?}");
        for command in ["go depth 3", "go wtime 100", "go"] {
            let answer = gui.go(command);
            assert!(answer.best == "0000" && answer.variations().is_empty(), "{position}, {command}");
        }
        gui.send("go infinite");
        gui.assert_no_best_move(1);
        assert_eq!(gui.go("stop").best, "0000");
        for command in ["eval", "flip", "perft 2"] {
            assert!(gui.tell(&[command])[0].contains("error: there is no position"), "{command}");
        }
        // The last good one is still shown, as what it is.
        let shown = gui.tell(&["d"]);
        assert!(shown[0].starts_with("info string the last position was not understood"), "{shown:#?}");
        assert!(shown.iter().any(|line| line == &format!("Fen: {START}")), "{shown:#?}");
    }
    gui.tell(&["ucinewgame"]);
    assert_eq!(gui.go("go depth 1").best, "0000", "only a good position helps");
    gui.tell(&[&format!("position fen {KIWIPETE}")]);
    gui.go("go depth 3").check(&game(KIWIPETE));
    gui.quit();
}

#[test]
fn odd_bytes_do_no_harm() {
    let mut gui = Gui::start();
    gui.send_bytes(b"\n\n \t \r\n\xff\xfe\x00\x01\n\0\0\0\n");
    gui.send_bytes("żółw 😀 \u{202e}\n".as_bytes());
    gui.send_bytes(b"xyzzy\r\nposition startpos moves \xff\xff\r\n");
    assert!(gui.tell(&[])[0].contains("not written like a move"));
    gui.send_bytes(b"position startpos\r\nis\0ready\r\n");
    assert_eq!(gui.line(), "readyok");
    // Words before a command are skipped.
    gui.send("joho isready");
    assert_eq!(gui.line(), "readyok");
    gui.send_bytes(&vec![b'a'; 5 << 20]);
    gui.send_bytes(b"\n");
    assert!(gui.tell(&[])[0].contains("bytes cannot be a command"));
    assert_eq!(gui.go("go depth 1").best, "0000", "it may have been a position");
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(5000);
    assert!(gui.tell(&[&format!("position startpos moves{shuffle}")]).is_empty());
    assert_ne!(gui.go("go depth 3").best, "0000");
    gui.quit();
}

#[test]
fn any_words_in_any_order_do_no_harm() {
    const WORDS: [&str; 36] = [
        "go",
        "stop",
        "ponderhit",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "depth",
        "3",
        "-1",
        "nodes",
        "infinite",
        "ponder",
        "wtime",
        "searchmoves",
        "mate",
        "movetime",
        "setoption",
        "name",
        "Hash",
        "value",
        "2",
        "isready",
        "ucinewgame",
        "uci",
        "d",
        "eval",
        "flip",
        "debug",
        "register",
        "UCI_Chess960",
        "true",
        "MultiPV",
        "é",
    ];
    const COMMANDS: [&str; 13] = [
        "go",
        "stop",
        "ponderhit",
        "position",
        "setoption",
        "isready",
        "ucinewgame",
        "uci",
        "d",
        "eval",
        "flip",
        "debug",
        "register",
    ];
    let mut gui = Gui::start();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let mut searches = 0;
    for _ in 0..600 {
        let line: Vec<_> = (0..1 + random(8)).map(|_| WORDS[random(WORDS.len())]).collect();
        let command = line.iter().find(|word| COMMANDS.contains(word));
        searches += usize::from(command == Some(&"go"));
        gui.send(&line.join(" "));
    }
    gui.send("setoption name UCI_Chess960 value false\nsetoption name MultiPV value 1\nposition startpos\ncompiler");
    let lines = gui.lines_until(|line| line.starts_with("assertions"));
    let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(answers, searches, "one best move for each search");
    gui.go("go depth 3").check(&Game::default());
    gui.quit();
}

#[test]
fn other_commands_answer() {
    let mut gui = Gui::start();
    let lines = gui.tell(&["position startpos moves e2e4", "d"]);
    assert!(lines.iter().any(|line| line == "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
    let lines = gui.tell(&["eval"]);
    for (line, start) in lines.iter().zip(["Evaluation: ", "Win ", "Internal score: "]) {
        assert!(line.starts_with(start), "{lines:#?}");
    }
    let lines = gui.tell(&["flip", "d"]);
    assert!(
        lines.iter().any(|line| line == "Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{lines:#?}"
    );
    assert!(gui.tell(&["help"]).iter().any(|line| line.contains("ponderhit")));
    let built = &gui.tell(&["compiler"])[0];
    let told = built.split_once(", compiled by rustc ").and_then(|(_, rest)| rest.split_once(" for "));
    // A version such as 1.95.0, and a target such as x86_64-unknown-linux-gnu.
    assert!(told.is_some_and(|(version, _)| version.matches('.').count() >= 2), "{built}");
    assert!(told.is_some_and(|(_, target)| target.starts_with(std::env::consts::ARCH)), "{built}");
    assert!(gui.tell(&["params"])[0].split(", ").count() == 7);
    assert!(gui.tell(&["register later", "register name x code y", "debug off"]).is_empty());
    assert!(gui.tell(&["debug on", "xyzzy"])[0].contains("unknown command 'xyzzy'"));
    assert!(gui.tell(&["debug off", "xyzzy"]).is_empty());
    gui.send("position startpos\nperft 3\nwait");
    assert_eq!(gui.lines_until(|line| line.starts_with("Nodes")).last().expect("a count"), "Nodes searched: 8902");
    gui.send("bench 4");
    let first = gui.lines_until(|line| line.ends_with(" nps"));
    gui.send("bench 4");
    let second = gui.lines_until(|line| line.ends_with(" nps"));
    let nodes = |lines: &[String]| lines.last().and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    assert!(nodes(&first).is_some() && nodes(&first) == nodes(&second));
    gui.send("speedtest 1 1 1");
    assert!(nodes(&gui.lines_until(|line| line.ends_with(" nps"))).is_some());
    for command in ["bench x", "speedtest x"] {
        gui.send(command);
        assert!(gui.line().contains("error"), "{command}");
    }
    gui.quit();
}

/// What the program prints when the environment names its vector arithmetic.
fn started_on(arithmetic: &str, arguments: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gannet"));
    command.env("GANNET_SIMD", arithmetic).args(arguments).output().expect("the program starts")
}

#[test]
fn every_arithmetic_counts_the_same_nodes() {
    let in_use = |name: &str| {
        let text = String::from_utf8(started_on(name, &["compiler"]).stdout).expect("UTF-8");
        let line = text.lines().find_map(|line| line.strip_prefix("vector arithmetic: ")).expect("a line");
        let (used, all) = line.split_once(" of ").expect(line);
        (used.to_string(), all.split(", ").map(str::to_string).collect::<Vec<_>>())
    };
    let (_, names) = in_use("");
    assert_eq!(names.last().map(String::as_str), Some("scalar"));
    let mut counts = Vec::new();
    for name in &names {
        assert_eq!(in_use(name).0, *name);
        let text = String::from_utf8(started_on(name, &["bench", "6"]).stdout).expect("UTF-8");
        counts.push(text.split(' ').next().and_then(|text| text.parse::<u64>().ok()).expect("a count"));
    }
    println!("{names:?}: {counts:?}");
    assert!(counts.iter().all(|count| *count == counts[0]), "{names:?}: {counts:?}");
    // A wrong name: a bench would be of something else, but a GUI gets its move.
    let output = started_on("abacus", &["bench", "2"]);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("GANNET_SIMD: 'abacus' is no vector arithmetic"));
    let output = started_on("abacus", &["go depth 1"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("info string error: GANNET_SIMD: 'abacus'") && text.contains("bestmove "), "{text}");
}

/// What the program says when it is started with arguments.
fn started_with(arguments: &[&str]) -> Vec<String> {
    let mut gui = Gui::start_with(arguments);
    let (_, status) = gui.end();
    assert!(status.success());
    gui.rest()
}

#[test]
fn arguments_are_commands() {
    let lines = started_with(&["position startpos", "go depth 6"]);
    assert!(lines.len() == 7 && lines[6].starts_with("bestmove "), "{lines:#?}");
    let wrong = ["go depth 3", "position startpos moves e2e5", "go depth 3", "quit", "go depth 3"];
    let mut gui = Gui::start_with(&wrong);
    // What was wrong is told, the rest is done, and a script can see that not all went well.
    assert_eq!(gui.end().1.code(), Some(1));
    let lines = gui.rest();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 2, "{lines:#?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"));
    let lines = started_with(&["go infinite depth 2", "stop"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{lines:#?}");
    assert_eq!(started_with(&["go infinite depth 2"]).len(), 3);
    assert!(started_with(&["go", "quit"]).last().is_some_and(|line| line.starts_with("bestmove ")));
    assert_eq!(started_with(&["isready\nisready"]), ["readyok"; 2]);
    assert!(started_with(&["go perft 2"]).last().expect("a count").ends_with(" 400"));
    // The bench, from the shell as from a GUI.
    let nodes =
        |lines: Vec<String>| lines.last().and_then(|line| line.strip_suffix(" nps")?.split(' ').next()?.parse().ok());
    let shell: Option<u64> = nodes(started_with(&["bench", "4"]));
    assert!(shell.is_some() && shell == nodes(started_with(&["bench 4"])));
    // Also where the word is one of the command line as well.
    assert_eq!(started_with(&["help", "isready"]).last().map(String::as_str), Some("readyok"));
    assert!(started_with(&["params", "go depth 1"]).last().is_some_and(|line| line.starts_with("bestmove ")));
    assert!(started_with(&["params"]).iter().all(|line| line.split(", ").count() == 7));
}

/// What was learned is forgotten, so that a search can be repeated.
#[test]
fn a_cleared_table_is_a_new_beginning() {
    let search = "go depth 8";
    for forget in ["setoption name Clear Hash", "ucinewgame"] {
        let lines = started_with(&[search, search, forget, search]);
        let nodes = |line: &String| line.split(' ').skip_while(|word| *word != "nodes").nth(1).map(str::to_string);
        let last: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth 8 ")).map(nodes).collect();
        assert!(last.len() == 3 && last[0] == last[2] && last[0] != last[1], "{forget}: {lines:#?}");
    }
}

/// Nothing is run where an argument is no command: most likely somebody has forgotten quotes.
#[test]
fn arguments_that_are_no_commands_are_refused() {
    for (arguments, word, hint) in
        [(&["go", "depth", "5"][..], "'depth'", "quotes"), (&["xyzzy"], "'xyzzy'", "gannet --help")]
    {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gannet")).args(arguments).output();
        let output = output.expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{arguments:?}");
        assert!(errors.contains(word) && errors.contains(hint), "{errors}");
        // Nor is it a reason to panic if that cannot be told.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_gannet")).args(arguments).stderr(writer).status();
        assert_eq!(status.expect("the program starts").code(), Some(2));
    }
}

#[test]
fn spaces_in_paths_count() {
    let folder = std::env::temp_dir().join(format!("gannet two  spaces {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a value  b.net");
    std::fs::write(&file, "not a network").expect("a file");
    let mut gui = Gui::start();
    let lines = gui.tell(&[&format!("setoption  name EvalFile  value {}", file.display())]);
    assert!(lines.len() == 1 && lines[0].contains("a value  b.net") && !lines[0].contains("No such"), "{lines:#?}");
    assert_eq!(gui.tell(&["setoption\tname  Clear  Hash", "setoption name Hash  value  2 "]), [""; 0]);
    gui.quit();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// Whatever prints, prints for nobody without complaint.
#[test]
fn a_closed_output_is_no_reason_to_panic() {
    use std::process::{Command, Stdio};
    for arguments in [
        &["bench", "3"][..],
        &["perft", "3"],
        &["params"],
        &["--help"],
        &["--version"],
        &["help", "bench"],
        &["position startpos", "d", "go depth 3"],
        &["uci", "help", "compiler", "eval", "flip", "bench 3"],
        &["genfens 5 seed 1 book None"],
        &["speedtest 1 1 1"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.args(arguments).stdin(Stdio::null()).stdout(writer).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.is_empty() && output.status.code() != Some(101), "{arguments:?}: {errors}");
    }
}

/// People get a greeting, a table and plain words. (`script` gives a program a terminal.)
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_greeted() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let mut script = Command::new("script");
    script.args(["-qec", env!("CARGO_BIN_EXE_gannet"), "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = script.spawn() else {
        return println!("SKIPPED: there is no script(1) here");
    };
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(b"go depth 4\nwait\nxyzzy\nposition nonsense\ngo\nuci\nposition startpos\ngo depth 2\nwait\nquit\n")
        .expect("it reads");
    let mut text = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut text).expect("UTF-8");
    let _ = child.wait();
    for expected in ["a UCI chess engine", "Try: go", "depth    score", "4/", "  1. ", "error: unknown command 'xyzzy'"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let (people, programs) = text.split_once("uciok").expect("an answer to uci");
    assert!(!people.contains("info ") && !people.contains("bestmove"), "{text}");
    // As in books: a pawn or a knight, without the square it came from.
    let best = people.lines().find_map(|line| line.strip_prefix("best move: ")).expect("a best move");
    assert!(best.contains(" (expects ") && !best.starts_with(|c: char| c.is_ascii_digit()), "{best}");
    assert!(people.contains("\nerror: position ") && people.contains("\nbest move: none"), "{people}");
    assert!(programs.contains("info depth 2 ") && programs.contains("\nbestmove "), "{text}");
}
