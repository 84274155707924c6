//! The built program from outside: `gannet perft`, and who gets the arguments.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn gannet(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    command.args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

/// Feeds the program some input.
fn gannet_reading(input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gannet"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The count in the last line, which must be `N nodes M nps`.
fn nodes(output: &Output) -> u64 {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    let words: Vec<_> = text.lines().last().expect("a last line").split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("{words:?}") };
    assert!(speed.parse::<u64>().is_ok(), "{speed}");
    nodes.parse().expect("a plain integer")
}

/// A file that is deleted again.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, content: &[u8]) -> TemporaryFile {
        let path = std::env::temp_dir().join(format!("gannet-perft-{}-{name}.epd", std::process::id()));
        std::fs::write(&path, content).expect("writable");
        TemporaryFile(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Runs a suite of this content.
fn suite(name: &str, content: &[u8], more: &[&str]) -> Output {
    let file = TemporaryFile::new(name, content);
    gannet(&[&["perft", "--suite", file.path()], more].concat())
}

/// Refused with this in the message: a status of its own, no panic, nothing on standard output.
fn assert_refused(output: &Output, expected: &str) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(expected), "{message:?} should contain {expected:?}");
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(stdout(output), "");
}

#[test]
fn counts_known_positions() {
    assert_eq!(nodes(&gannet(&["perft", "4"])), 197_281);
    assert_eq!(nodes(&gannet(&["perft", "1", "--fen", "startpos"])), 20);
    assert_eq!(nodes(&gannet(&["perft", "3", "--fen", KIWIPETE])), 97_862);
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(nodes(&gannet(&["perft", "3", "--fen", stalemate])), 0);
    assert_eq!(nodes(&gannet(&["perft", "3", "--fen", stalemate, "--divide"])), 0);
}

#[test]
fn divide_adds_up() {
    let output = gannet(&["perft", "3", "--divide", "--fen", KIWIPETE]);
    let total = nodes(&output);
    let text = stdout(&output);
    let moves: Vec<(&str, u64)> = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(mv, count)| (mv, count.parse().expect("a plain integer")))
        .collect();
    assert_eq!(moves.len(), 48);
    assert_eq!(moves.iter().map(|(_, count)| count).sum::<u64>(), total);
    assert_eq!(total, 97_862);
    assert!(moves.iter().any(|(mv, _)| *mv == "e1g1"));

    let text = stdout(&gannet(&["perft", "1", "--divide", "--chess960", "--fen", KIWIPETE]));
    assert!(text.contains("e1h1: 1\n") && text.contains("e1a1: 1\n") && !text.contains("e1g1"), "{text}");
}

#[test]
fn a_right_suite_passes() {
    let content = format!("# known counts\n\n{START} ;D1 20 ;D2 400 ;D3 8902\r\n{KIWIPETE} ;D1 48 ;D2 2039\n");
    let output = suite("right", content.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert_eq!(text.lines().last(), Some("2 passed, 0 failed"));
    assert!(text.starts_with(&format!("{} nodes ", 20 + 400 + 8902 + 48 + 2039)), "{text}");
    assert_eq!(stderr(&output), "", "no progress bar unless on a terminal");
}

#[test]
fn a_wrong_count_fails_and_is_named() {
    let content = format!("{START} ;D1 20\n{KIWIPETE} ;D1 48 ;D2 2040\n{START} ;D1 21 ;D2 401\n");
    let output = suite("wrong", content.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let failures: Vec<_> = text.lines().filter(|line| line.contains("expected")).collect();
    assert_eq!(failures.len(), 3);
    assert!(failures[0].contains(&format!(":2: D2 expected 2040, got 2039: {KIWIPETE}")), "{text}");
    assert!(failures[1].contains(":3: D1 expected 21, got 20: "), "{text}");
    assert!(failures[2].contains(":3: D2 expected 401, got 400: "), "{text}");
    assert_eq!(text.lines().last(), Some("1 passed, 2 failed"));
}

#[test]
fn large_counts_are_left_out() {
    // Depth 15 from the start would take years.
    let content = format!("{START} ;D1 20 ;D15 2015099950053364471960\n");
    assert_refused(&suite("too-large", content.as_bytes(), &[]), ":1: bad count");
    let content = format!("{START} ;D1 20 ;D13 1981066775000396239\n{KIWIPETE} ;D12 9999999999999999\n");
    let output = suite("large", content.as_bytes(), &["--max-nodes", "20"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("1 left out"), "{text}");
    assert_eq!(text.lines().last(), Some("1 passed, 0 failed"));
    let output = suite("all-large", content.as_bytes(), &["--max-nodes", "19"]);
    assert_refused(&output, "nothing to check");
}

#[test]
fn bad_suites_are_refused_by_file_and_line() {
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("empty", b"# nothing\n\n".to_vec(), "bad-empty.epd has no positions"),
        ("no-counts", format!("{START} ;D1 20\n{START}\n").into(), "bad-no-counts.epd:2: no counts"),
        ("count", format!("\n\n{START} ;D1 twenty\n").into(), "bad-count.epd:3: bad count \"D1 twenty\""),
        ("fen", b"8/8/8/8/8/8/8/8 w - - 0 1 ;D1 0\n".to_vec(), "bad-fen.epd:1: bad FEN: White has no king"),
        ("bytes", b"# \xc3\xa9\n\xff\xfe\x00;D1 1\n".to_vec(), "bad-bytes.epd:2: the line is not UTF-8"),
        ("text", b"what is this?".to_vec(), "bad-text.epd:1: bad FEN"),
    ];
    for (name, content, expected) in cases {
        assert_refused(&suite(&format!("bad-{name}"), &content, &[]), expected);
    }
}

#[test]
fn bad_arguments_are_refused() {
    for (arguments, expected) in [
        (&["perft"][..], "DEPTH"),
        (&["perft", "x"], "invalid"),
        (&["perft", "0"], "1..=99"),
        (&["perft", "-1"], "-1"),
        (&["perft", "100"], "1..=99"),
        (&["perft", "3", "--fen", "nonsense"], "bad FEN: the pieces"),
        (&["perft", "3", "--fen", ""], "bad FEN"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "no king"),
        (&["perft", "3", "--suite", "x.epd"], "cannot be used with"),
        (&["perft", "--suite", "x.epd", "--divide"], "cannot be used with"),
        (&["perft", "3", "--max-nodes", "5"], "--suite"),
        (&["perft", "--suite", "/nonexistent/x.epd"], "cannot read /nonexistent/x.epd"),
        (&["perft", "--suite", env!("CARGO_MANIFEST_DIR")], "cannot read"),
        (&["--nonsense"], "--nonsense"),
    ] {
        assert_refused(&gannet(arguments), expected);
    }
}

#[test]
fn help_and_version_are_for_the_command_line() {
    for arguments in [&["--help"][..], &["help"], &["help", "perft"], &["perft", "--help"]] {
        let output = gannet(arguments);
        assert!(output.status.success());
        assert!(stdout(&output).contains("Examples:"), "{arguments:?}");
    }
    assert_eq!(stdout(&gannet(&["--version"])), format!("gannet {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_rest_is_for_uci() {
    let output = gannet_reading(b"uci\n\xff\xfe nonsense\nisready\r\nquit\nisready\n");
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(text.starts_with("id name Gannet "), "{text}");
    assert!(text.ends_with("uciok\nreadyok\n"), "{text}");
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&gannet(&["isready", "quit", "isready"])), "readyok\n");
    assert_eq!(stdout(&gannet(&[])), "", "an empty input ends it");
}
