//! The files of results: one run alone writes them, and a run that comes to nothing leaves older ones alone.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{errors, games, good, lab, program, read, scratch, wait_until_caught};

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn two_runs_do_not_write_the_same_files() {
    let (pgn, json) = (scratch("shared.pgn"), scratch("shared.json"));
    let (p, j) = (text(&pgn), text(&json));
    let (a, b) = ("name=A opt=UseKillers=false", "name=B");
    let play = ["match", "--engine", a, "--engine", b, "--nodes", "300", "--games", "100000", "--json", &j];
    let mut child = program()
        .args(play)
        .args(["--pgn", &p])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the laboratory runs");
    wait_until_caught(&mut child, || games(&pgn) >= 3);
    let began = Instant::now();
    while !json.exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let elsewhere = text(&scratch("elsewhere.json"));
    let (mut refused, mut all) = (true, String::new());
    for (arguments, file) in [
        ([&play[..], &["--pgn", &p, "--resume"]].concat(), "shared.json"),
        (vec!["sprt", "--a", "UseKillers=false", "--json", &j], "shared.json"),
        (vec!["spsa", "--tune", "NullMove", "--state", &j], "shared.json"),
        ([&play[..9], &["--json", &elsewhere, "--pgn", &p]].concat(), "shared.pgn"),
    ] {
        let output = lab(&arguments);
        let told = errors(&output);
        refused &= output.status.code() == Some(1) && told.contains("another gannet-lab is writing it");
        refused &= told.contains(file);
        all += &told;
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.is_ok_and(|status| status.success()));
    assert_eq!(child.wait().ok().and_then(|status| status.code()), Some(130));
    assert!(refused, "{all}");
    for path in [&j, &p] {
        assert!(!Path::new(&format!("{path}.lock")).exists(), "{path}");
    }
}

#[test]
fn a_run_that_does_not_begin_leaves_the_last_results() {
    let (pgn, json) = (scratch("kept.pgn"), scratch("kept.json"));
    let (p, j) = (text(&pgn), text(&json));
    let play = ["--nodes", "50", "--games", "2", "--max-plies", "20", "--json", &j];
    good(&[&["match", "--engine", "name=A", "--engine", "name=B", "--pgn", &p], &play[..]].concat());
    let before = [read(&json), read(&pgn)];
    let gone = "name=gone cmd=/no/such/engine";
    // Ready once, when it is tried, and never again.
    let mark = scratch("once.mark");
    let once =
        format!("[ ! -e {0} ] || exit; echo > {0}; read x; echo uciok; read x; echo readyok; read x", mark.display());
    let once = format!("name=once cmd=sh -c \"{once}\"");
    let sprt = |engine: &'static str| vec!["sprt", "--engine-a", engine];
    for arguments in [
        vec!["match", "--engine", "name=A", "--engine", gone, "--pgn", &p],
        vec!["match", "--engine", "name=A", "--engine", &once, "--pgn", &p],
        sprt("/no/such/engine"),
        sprt("cat"),
    ] {
        let output = lab(&[&arguments[..], &play[..], &["--startup", "1"]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", errors(&output));
        assert!([read(&json), read(&pgn)] == before, "{arguments:?}");
        assert!(!Path::new(&format!("{j}.old")).exists() && !Path::new(&format!("{p}.old")).exists());
    }
    // The next that begins does take their place.
    good(&[&["match", "--engine", "name=A", "--engine", "name=C", "--pgn", &p], &play[..]].concat());
    assert_eq!([read(Path::new(&format!("{j}.old"))), read(Path::new(&format!("{p}.old")))], before);
}

/// As on a full disk: files may be made, but nothing can be written into them.
#[test]
fn half_a_merge_is_no_hindrance() {
    let (data, out) = (scratch("merge-from"), scratch("merge-to"));
    for folder in [&data, &out] {
        let _ = std::fs::remove_dir_all(folder);
    }
    let (from, to) = (text(&data), text(&out));
    good(&["datagen", "--out", &from, "--games", "24", "--nodes", "50"]);
    let merge = ["data", "merge", &from, "--out", &to];
    let full = |blocks: &str| {
        let program = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh").args(["-c", &program, env!("CARGO_BIN_EXE_gannet-lab")]).args(merge).output();
        let output = output.expect("a shell");
        assert!(
            output.status.code() == Some(1) && errors(&output).contains("merged-00000.games"),
            "{}",
            errors(&output)
        );
        assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 0);
    };
    full("0");
    full("1");
    good(&merge);
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 1);
}

/// The games of a test are those of a match, and a test that goes on writes them all, each once.
#[test]
fn a_test_writes_its_games() {
    let (match_pgn, test_pgn) = (scratch("of-match.pgn"), scratch("of-test.pgn"));
    let (json, m, t) = (text(&scratch("of.json")), text(&match_pgn), text(&test_pgn));
    let play = ["--nodes", "200", "--max-plies", "60", "--json", &json];
    let engines = ["--engine", "name=UseKillers=false opt=UseKillers=false", "--engine", "name=defaults"];
    good(&[&["match"], &engines[..], &["--games", "12", "--pgn", &m], &play[..]].concat());
    let test = [&["sprt", "--a", "UseKillers=false", "--fixed", "--pgn", &t], &play[..]].concat();
    good(&[&test[..], &["--games", "8"]].concat());
    assert_eq!(games(&test_pgn), 8);
    good(&[&test[..], &["--games", "12", "--resume", "--concurrency", "3"]].concat());
    assert!(common::moves(&test_pgn) == common::moves(&match_pgn), "the games differ");
}

/// An engine with a limit and a table of its own, against itself with those of the match.
#[test]
fn one_side_may_have_more_nodes() {
    let (pgn, json) = (scratch("own.pgn"), scratch("own.json"));
    let (p, j) = (text(&pgn), text(&json));
    let test = ["sprt", "--limit-a", "nodes=400", "--hash-a", "2", "--nodes", "20", "--fixed", "--games", "6"];
    let output = good(&[&test[..], &["--pgn", &p, "--json", &j]].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("A: defaults at 400 nodes with 2 MiB\nB: defaults\n"), "{told}");
    let nodes: Vec<u64> = read(&pgn)
        .split_whitespace()
        .filter_map(|word| word.trim_end_matches('}').strip_suffix('n')?.parse().ok())
        .collect();
    assert!(nodes.iter().any(|&n| (300..1000).contains(&n)) && nodes.iter().any(|&n| n < 100), "{nodes:?}");
}
