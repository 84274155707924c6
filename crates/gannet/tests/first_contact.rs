//! The first minutes with the program: what it offers, what it makes of mistakes, and how it reads what people write.

mod uci_gui;

use chess::{Board, Game};
use uci_gui::{Gui, KIWIPETE, game};

/// The names in a list of options.
fn names(options: &[String]) -> Vec<&str> {
    options.iter().filter_map(|option| option.split(" type ").next()).collect()
}

#[test]
fn the_options_of_the_search_are_listed_on_request() {
    const SEARCH: [&str; 3] = ["UseNullMove", "CountermoveBonus", "ReverseFutility_margin_factor"];
    let lists_them = |gui: &mut Gui| {
        let options = gui.options();
        let listed = SEARCH.map(|name| names(&options).contains(&name));
        assert_eq!(names(&options)[..3], ["Hash", "Clear Hash", "Threads"], "what users need comes first");
        assert!(listed == [listed[0]; 3] && (options.len() < 20) != listed[0], "{options:#?}");
        listed[0]
    };
    let mut gui = Gui::start();
    assert!(!lists_them(&mut gui));
    assert_eq!(gui.tell(&["setoption name Expose value true"]), [""; 0]);
    assert!(lists_them(&mut gui));
    assert_eq!(gui.tell(&["setoption name expose value false"]), [""; 0]);
    assert!(!lists_them(&mut gui));
    gui.quit();
    for (arguments, value, expected) in [
        (&["--expose"][..], "", true),
        (&[], "1", true),
        (&[], "true", true),
        (&[], "0", false),
        (&[], "false", false),
        (&[], "", false),
    ] {
        let mut gui = Gui::start_in(arguments, &[("GANNET_EXPOSE", value)]);
        assert_eq!(lists_them(&mut gui), expected, "{arguments:?} {value}");
        gui.quit();
    }
}

/// Whatever is listed, every switch and every number can be set.
#[test]
fn options_that_are_not_listed_can_be_set() {
    let mut gui = Gui::start_in(&["--expose"], &[]);
    let all = gui.options();
    gui.quit();
    let mut gui = Gui::start();
    let few = gui.options();
    let hidden = all.iter().filter(|option| !few.contains(option));
    let mut count = 0;
    for option in hidden {
        let (name, kind) = option.split_once(" type ").expect(option);
        let words: Vec<_> = kind.split(' ').collect();
        let (good, bad) = match words[..] {
            ["check", "default", default] => (if default == "true" { "false" } else { "true" }, "perhaps"),
            ["spin", "default", _, "min", _, "max", max] => (max, "x"),
            _ => panic!("{option}"),
        };
        assert_eq!(gui.tell(&[&format!("setoption name {name} value {good}")]), [""; 0], "{option}");
        let complaint = gui.tell(&[&format!("setoption name {name} value {bad}")]);
        assert!(complaint.len() == 1 && complaint[0].contains(&format!("option {name} expects")), "{complaint:#?}");
        count += 1;
    }
    assert!(count > 130, "{count}");
    // They have an effect: a search of everything to depth 3 looks at other numbers of nodes.
    let mut fresh = Gui::start();
    let count = |gui: &mut Gui| gui.go("go depth 6").nodes();
    assert_ne!(count(&mut gui), count(&mut fresh));
    gui.quit();
    fresh.quit();
}

#[test]
fn a_go_with_a_typing_error_does_not_think_for_ever() {
    let mut gui = Gui::start();
    for (go, word) in [("go dpeth 5", "dpeth"), ("go infinte", "infinte"), ("go 5", "5"), ("go deep", "deep")] {
        let answer = gui.go(go);
        assert_eq!(answer.best, "0000", "{go}");
        let [line] = &answer.lines[..] else { panic!("{go}: {:#?}", answer.lines) };
        assert!(line.starts_with(&format!("info string error: go does not know '{word}'")), "{line}");
        assert!(line.contains("depth") && line.contains("movetime"), "what it does know: {line}");
    }
    let answer = gui.go("go searchmoves e2e4 dpeth 5");
    assert!(
        answer.best == "0000" && answer.lines[0].contains("'dpeth' is not a legal move here"),
        "{:#?}",
        answer.lines
    );
    // Where something else limits the search, whoever asked gets a move.
    for go in ["go dpeth 5 depth 3", "go depth 3 please", "go wtime 50 btime 50 x 7", "go movetime 20 y"] {
        let answer = gui.go(go);
        answer.check(&Game::default());
        assert!(answer.lines[0].starts_with("info string error: go does not know '"), "{go}: {:#?}", answer.lines);
    }
    // Whoever plays on is not told twice about nothing.
    let answer = gui.go("go depth 3");
    assert!(answer.lines.iter().all(|line| !line.contains("error")), "{:#?}", answer.lines);
    gui.quit();
}

#[test]
fn the_last_good_position_is_still_shown() {
    let mut gui = Gui::start();
    let fen = |lines: &[String]| lines.iter().find_map(|line| line.strip_prefix("Fen: ").map(str::to_string));
    gui.tell(&[&format!("position fen {KIWIPETE}"), "position fen 8/8 w"]);
    assert_eq!(fen(&gui.tell(&["d"])).as_deref(), Some(KIWIPETE));
    assert_eq!(gui.go("go depth 3").best, "0000", "but never searched");
    gui.tell(&[&format!("position fen {KIWIPETE} moves e1g1")]);
    let lines = gui.tell(&["d"]);
    assert!(!lines[0].contains("not understood"), "{lines:#?}");
    gui.go("go depth 3").check(&game(&fen(&lines).expect("a position")));
    gui.quit();
}

/// What the program says when it is given these commands as arguments.
fn says(arguments: &[&str]) -> Vec<String> {
    let mut gui = Gui::start_with(arguments);
    gui.end();
    gui.rest()
}

#[test]
fn people_write_moves_as_in_books() {
    let fen = |position: &str| {
        let lines = says(&[position, "d"]);
        lines.iter().find_map(|line| line.strip_prefix("Fen: ").map(str::to_string)).unwrap_or_else(|| lines.join("\n"))
    };
    let expected = fen("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    assert!(Board::from_fen(&expected).is_ok(), "{expected}");
    for moves in ["e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O", "e2e4 e5 Nf3 b8c6 Bc4 Bc5 e1g1"]
    {
        assert_eq!(fen(&format!("position startpos moves {moves}")), expected, "{moves}");
    }
    let lines = says(&["position startpos moves e4 e5", "go depth 3 searchmoves Nf3"]);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove g1f3")), "{lines:#?}");
    let lines = says(&["position startpos moves e4 Nf3"]);
    assert!(lines[0].contains("move 2 of the position, 'Nf3', is not a legal move here"), "{lines:#?}");
    // Programs write coordinates, and a word that is none is an error.
    let mut gui = Gui::start();
    assert!(gui.tell(&["position startpos moves e4"])[0].contains("'e4', is not written like a move"));
    gui.quit();
}

/// A network is a file. Whatever else has the name of one would be waited for, or read, for ever.
#[cfg(unix)]
#[test]
fn a_network_that_is_no_file_is_refused() {
    let folder = std::env::temp_dir().join(format!("gannet-pipe-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (pipe, empty) = (folder.join("pipe.gnet"), folder.join("empty.gnet"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success());
    assert!(made, "mkfifo");
    std::fs::write(&empty, "").expect("a file");
    let mut gui = Gui::start();
    for (path, expected) in [
        ("/dev/zero", "not a file"),
        ("/dev/tty", "not a file"),
        ("/proc/kmsg", ""),
        (pipe.to_str().expect("UTF-8"), "not a file"),
        (folder.to_str().expect("UTF-8"), "not a file"),
        (empty.to_str().expect("UTF-8"), "an empty file"),
    ] {
        let lines = gui.tell(&[&format!("setoption name EvalFile value {path}")]);
        assert!(
            lines.len() == 1 && lines[0].starts_with(&format!("info string error: network {path}: ")),
            "{lines:#?}"
        );
        assert!(lines[0].ends_with(expected), "{lines:#?}");
    }
    gui.go("go depth 3").check(&Game::default());
    gui.quit();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// What a person sees on a terminal. (`script` gives a program one.)
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_whites_scores_and_reads_san() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let mut script = Command::new("script");
    script.args(["-qec", env!("CARGO_BIN_EXE_gannet"), "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = script.spawn() else {
        return println!("SKIPPED: there is no script(1) here");
    };
    // Black is to move and has lost his queen for nothing.
    let commands = "position startpos moves 1. e4 e5 2. Nf3 Qg5 3. Nxg5\neval\ngo depth 6\nwait\nposition nonsense\nd\n\
                    go dpeth 5\nquit\n";
    child.stdin.take().expect("piped").write_all(commands.as_bytes()).expect("it reads");
    let mut text = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut text).expect("UTF-8");
    let _ = child.wait();
    let number = |line: &str| line.split_whitespace().find_map(|word| word.parse::<f64>().ok());
    let evaluation = text.lines().find(|line| line.starts_with("Evaluation: ")).and_then(number);
    let row = text.lines().find_map(|line| line.strip_prefix("6/")?.split_once(' ')).and_then(|(_, rest)| number(rest));
    assert!(evaluation.is_some_and(|score| score > 2.0) && row.is_some_and(|score| score > 2.0), "{text}");
    for expected in [
        "from White's side",
        "+ is good for White",
        "the last position was not understood",
        "Fen: rnb1kbnr/pppp1ppp/8/4p1N1/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3",
        "error: go does not know 'dpeth'",
        "best move: none",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
