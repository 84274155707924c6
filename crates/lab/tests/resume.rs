//! What is interrupted goes on, and comes to the same end as if it had not been interrupted.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{errors, field, games, good, lab, moves, read, scratch, wait_until_caught};

/// Starts the laboratory and sends it signals, one right after the other, as soon as something has happened. It must say
/// that it was interrupted.
fn interrupt(arguments: &[&str], signals: &[&str], until: impl Fn() -> bool) -> String {
    let mut child = common::program()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the laboratory runs");
    wait_until_caught(&mut child, until);
    let id = child.id().to_string();
    for signal in signals {
        assert!(Command::new("kill").args([signal, id.as_str()]).status().is_ok_and(|status| status.success()));
    }
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{arguments:?} with {signals:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

const ENGINES: [&str; 7] = [
    "match",
    "--engine",
    "name=A opt=UseNullMove=false",
    "--engine",
    "name=B",
    "--engine",
    "name=C opt=UseKillers=false",
];

fn arguments<'a>(nodes: &'a str, count: &'a str, json: &'a str, pgn: &'a str) -> Vec<&'a str> {
    [&ENGINES[..], &["--nodes", nodes, "--games", count, "--max-plies", "60", "--json", json, "--pgn", pgn]].concat()
}

#[test]
fn an_interrupted_match_goes_on() {
    let (pgn, json) = (scratch("straight.pgn"), scratch("straight.json"));
    good(&arguments("500", "40", &text(&json), &text(&pgn)));
    assert_eq!(games(&pgn), 120);
    let (broken_pgn, broken_json) = (scratch("broken.pgn"), scratch("broken.json"));
    let (p, j) = (text(&broken_pgn), text(&broken_json));
    let mut arguments = arguments("500", "40", &j, &p);
    let told = interrupt(&arguments, &["-INT"], || games(&broken_pgn) >= 5);
    assert!(told.contains("--resume"), "{told}");
    let played = games(&broken_pgn);
    assert!((5..120).contains(&played), "it was not interrupted in time");
    assert_eq!(field(&broken_json, "games"), played);
    arguments.push("--resume");
    interrupt(&arguments, &["-TERM"], || games(&broken_pgn) >= played + 5);
    // As if a game had been half written when the machine went down.
    std::fs::write(&broken_pgn, read(&broken_pgn) + "[Event \"half a ga").expect("room");
    good(&arguments);
    assert!(moves(&broken_pgn) == moves(&pgn), "the games differ");
    for name in ["results", "players", "pairings"] {
        assert_eq!(field(&broken_json, name), field(&json, name));
    }
    // It is over; going on does nothing.
    good(&arguments);
    assert_eq!(games(&broken_pgn), 120);
}

/// One Ctrl-C that comes twice, as under `timeout`, is one: the games are saved and the table is shown.
#[test]
fn an_interrupt_may_come_twice() {
    let (pgn, json) = (scratch("twice.pgn"), scratch("twice.json"));
    let (p, j) = (text(&pgn), text(&json));
    // Several thousand games; what is played between two savings would be lost.
    let told = interrupt(&arguments("100", "1000", &j, &p), &["-INT", "-INT", "-TERM"], || games(&pgn) >= 5);
    assert!(told.contains("--resume"), "{told}");
    assert_eq!(field(&json, "games"), games(&pgn));
}

#[test]
fn a_match_can_be_made_longer_but_not_another() {
    let (pgn, json) = (scratch("longer.pgn"), scratch("longer.json"));
    let (p, j) = (text(&pgn), text(&json));
    good(&arguments("100", "2", &j, &p));
    good(&[&arguments("100", "4", &j, &p)[..], &["--resume"]].concat());
    assert_eq!((games(&pgn), field(&json, "games")), (12, 12.into()));
    for (other, named) in [
        (arguments("101", "4", &j, &p), "101 nodes"),
        ([&arguments("100", "4", &j, &p)[..], &["--gauntlet"]].concat(), "gauntlet"),
        ([&arguments("100", "4", &j, &p)[..], &["--engine", "name=D"]].concat(), "D (this build ["),
        ([&arguments("100", "4", &j, &p)[..], &["--seed", "2"]].concat(), "seed 2"),
    ] {
        let output = lab(&[&other[..], &["--resume"]].concat());
        assert!(!output.status.success() && errors(&output).contains(named), "{named}: {}", errors(&output));
    }
    // Games of which the state knows are gone.
    std::fs::write(&pgn, "").expect("room");
    let output = lab(&[&arguments("100", "6", &j, &p)[..], &["--resume"]].concat());
    assert!(!output.status.success() && errors(&output).contains("longer.pgn"), "{}", errors(&output));
}

#[test]
fn an_interrupted_test_goes_on() {
    let play = ["--nodes", "500", "--max-plies", "60", "--concurrency", "2"];
    let test = [&["sprt", "--a", "UseKillers=false", "--fixed", "--games", "200"], &play[..]].concat();
    let (json, broken) = (scratch("test.json"), scratch("test-broken.json"));
    let (j, b) = (text(&json), text(&broken));
    good(&[&test[..], &["--json", &j]].concat());
    let resumed = [&test[..], &["--json", &b]].concat();
    let began = Instant::now();
    interrupt(&resumed, &["-INT"], || began.elapsed() > Duration::from_millis(300));
    let resumed = [&resumed[..], &["--resume"]].concat();
    good(&resumed);
    assert_eq!(field(&broken, "games"), 200);
    assert_eq!(field(&broken, "results"), field(&json, "results"));
    let other = [&resumed[..], &["--hash", "3"]].concat();
    assert!(errors(&lab(&other)).contains("hash 3 MiB"));
}

/// Commands that would take hours say so when they are interrupted, by either signal, and keep what they have. (All but
/// `ablate`, which counts its bench first, and that takes too long here.)
#[test]
fn what_was_not_finished_says_so() {
    let path = |name: &str| text(&scratch(name));
    let (json, state, book) = (path("long.json"), path("long-spsa.json"), path("long.epd"));
    let folder = scratch("long-data");
    let _ = std::fs::remove_dir_all(&folder);
    let (folder, games) = (text(&folder), ["--games", "100000000", "--nodes", "200"]);
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd");
    for (arguments, signal, file) in [
        ([&["sprt", "--a", "UseKillers=false", "--json", &json], &games[..]].concat(), "-INT", &json),
        (vec!["spsa", "--tune", "NullMove", "--pairs", "1000000", "--state", &state], "-TERM", &state),
        (vec!["openings", "--count", "10000000", "--out", &book], "-TERM", &book),
        ([&["datagen", "--out", &folder], &games[..]].concat(), "-INT", &folder),
        (vec!["suite", suite, "--movetime", "500", "--concurrency", "1", "--json", &json], "-TERM", &json),
    ] {
        let began = Instant::now();
        interrupt(&arguments, &[signal], || began.elapsed() > Duration::from_secs(2));
        assert!(Path::new(file).exists(), "{file}");
    }
}

/// An engine that is a shell script: ready for everything, but without a word about any position.
fn silent_engine(name: &str, first: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = scratch(name);
    let program = format!(
        "#!/bin/sh\n{first}\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done\n"
    );
    std::fs::write(&path, program).expect("room");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    text(&path)
}

/// Interrupted during the first of two engines: the second, here one that never answers, is not waited for, and the
/// answers of the first are shown and saved.
#[test]
fn an_interrupted_comparison_is_kept() {
    let json = scratch("comparison.json");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd");
    let second = format!("name=silent cmd={}", silent_engine("silent-engine", ""));
    let solve = ["suite", suite, "--movetime", "500", "--concurrency", "1", "--compare", &second];
    let began = Instant::now();
    let waited = || began.elapsed() > Duration::from_millis(700);
    let told = interrupt(&[&solve[..], &["--json", &text(&json)]].concat(), &["-INT"], waited);
    assert!(told.contains("\ndefaults: solved ") && told.contains("\nsilent: solved 0 of 0"), "{told}");
    let engines: serde_json::Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!((&engines[0]["engine"], &engines[1]["engine"]), (&"defaults".into(), &"silent".into()));
}

/// The second of two engines is tried before the first begins; if it then fails all the same, the answers of the first are
/// shown and saved.
#[test]
fn a_comparison_that_fails_is_kept() {
    let (json, marks) = (scratch("failed-comparison.json"), scratch("failing-engine.begun"));
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd");
    let second = silent_engine("failing-engine", "[ ! -e \"$0.begun\" ] || exit 1; echo > \"$0.begun\"");
    let (second, file) = (format!("name=failing cmd={second}"), text(&json));
    let solve = ["suite", suite, "--nodes", "100", "--concurrency", "1", "--compare", &second, "--json", &file];
    let output = lab(&solve);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("\ndefaults: solved ") && marks.exists(), "{told}");
    assert!(output.status.code() == Some(1) && errors(&output).contains("failing-engine"), "{}", errors(&output));
    let engines: serde_json::Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!((&engines[0]["positions"], &engines[1]["positions"]), (&58.into(), &0.into()));
}

/// An interrupted check is not a finished one, even if it can be gone on with and has found no fault.
#[test]
fn interrupted_checks_say_so() {
    use std::os::unix::fs::PermissionsExt;
    let (engine, folder, begun) = (scratch("leaving-engine"), scratch("checks"), scratch("leaving-engine.begun"));
    let _ = std::fs::remove_dir_all(&folder);
    let program = "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
        bench*) echo 1 nodes 1 nps;; go*) echo > \"$0.begun\";; quit) echo bestmove e2e4; exit;; esac; done\n";
    std::fs::write(&engine, program).expect("room");
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let (engine, results) = (text(&engine), text(&folder));
    let check = ["reliability", "--engine", &engine, "--only", "infinite-quit", "--percent", "1000"];
    let told = interrupt(&[&check[..], &["--results", &results]].concat(), &["-INT"], || begun.exists());
    assert!(told.contains("not finished"), "{told}");
    assert!(folder.join("infinite-quit.json").exists(), "{told}");
}

#[test]
fn an_interrupted_tuning_goes_on() {
    let play = ["--nodes", "500", "--max-plies", "60", "--concurrency", "2"];
    let tune =
        [&["spsa", "--tune", "NullMove,Razoring", "--with", "UseRazoring=true", "--pairs", "100"], &play[..]].concat();
    let (state, broken) = (scratch("tune.json"), scratch("tune-broken.json"));
    let (s, b) = (text(&state), text(&broken));
    good(&[&tune[..], &["--state", &s]].concat());
    let resumed = [&tune[..], &["--state", &b]].concat();
    let began = Instant::now();
    interrupt(&resumed, &["-INT"], || began.elapsed() > Duration::from_millis(300));
    good(&[&resumed[..], &["--resume"]].concat());
    for name in ["done", "recent", "path"] {
        assert!(field(&broken, name) == field(&state, name), "{name} differs");
    }
    let sources = scratch("tuned-sources");
    std::fs::create_dir_all(&sources).expect("room");
    let heuristics = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/search/ideas");
    for name in ["null_move.rs", "razoring.rs"] {
        std::fs::copy(Path::new(heuristics).join(name), sources.join(name)).expect("the sources are there");
    }
    good(&["spsa", "--state", &s, "--apply", &text(&sources)]);
    let values = read(&state.with_extension("txt"));
    let margin = values.lines().find_map(|line| line.strip_prefix("Razoring_margin_base, int, ")?.split(',').next());
    let expected = format!("margin_base = {} in", margin.expect("a new value"));
    assert!(read(&sources.join("razoring.rs")).contains(&expected), "{expected}");
}
