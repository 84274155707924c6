//! A run that cannot be trusted ends with a non-zero status and without a verdict.
#![cfg(unix)]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{errors, field, lab, program, read, scratch, wait_until_caught};

/// An engine that is a shell script: what it does first, and for each line that it reads.
fn script(name: &str, first: &str, cases: &str) -> String {
    let path = scratch(name);
    for mark in ["gone", "child"] {
        let _ = std::fs::remove_file(mark_of(name, mark));
    }
    let program = format!(
        "#!/bin/sh\n{first}\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
         quit) exit;; {cases} esac; done\n"
    );
    std::fs::write(&path, program).expect("room");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    path.to_string_lossy().into_owned()
}

/// A file that a script writes beside itself.
fn mark_of(name: &str, mark: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{mark}"))
}

/// Tests an engine, so many games at a time, which must end without a verdict and with these words; returns the result.
fn untrusted(name: &str, engine: &str, concurrency: &str, words: &str) -> PathBuf {
    let json = scratch(&format!("{name}.json"));
    let path = json.to_string_lossy();
    let play = ["--nodes", "50", "--games", "300", "--patience", "1", "--concurrency", concurrency, "--json", &path];
    let output = lab(&[&["sprt", "--engine-a", engine], &play[..]].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(errors(&output).contains(words), "{}", errors(&output));
    assert!(!told.contains("accepted"), "{told}");
    json
}

#[test]
fn an_engine_that_stalls_gets_no_verdict() {
    let engine = script("stalling", "", "");
    let json = untrusted("stalling", &engine, "2", "not to be trusted: 3 of 3 games");
    assert_eq!((field(&json, "verdict"), field(&json, "games")), (serde_json::Value::Null, 3.into()));
    assert!(field(&json, "doubt").as_str().is_some_and(|text| text.contains("A lost 3 by stalls")));
    // A match says so too, and what it has is shown and saved.
    let json = scratch("stalling-match.json");
    let (a, path) = (format!("name=A cmd={engine}"), json.to_string_lossy());
    let play = ["--nodes", "50", "--games", "20", "--patience", "1", "--json", &path];
    let output = lab(&[&["match", "--engine", &a, "--engine", "name=B"], &play[..]].concat());
    assert!(output.status.code() == Some(1) && errors(&output).contains("A lost 3 by stalls"), "{}", errors(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("engine"));
    assert_eq!(field(&json, "games"), 3);
}

#[test]
fn an_engine_that_no_longer_starts_ends_the_test() {
    let gone = "[ ! -e \"$0.gone\" ] || exit 1";
    let engine = script("gone", gone, "position*) echo > \"$0.gone\"; exit;;");
    // One game at a time: a second engine might be started for the first time when the first is gone already.
    let json = untrusted("gone", &engine, "1", "no more games can be played");
    assert_ne!(field(&json, "verdict"), "H0");
    assert!(field(&json, "games").as_u64().is_some_and(|games| games <= 2));
}

/// What runs an engine may be a script around it.
#[test]
fn nothing_of_an_engine_is_left() {
    let engine = script("wrapper", "sleep 1000 & echo $! > \"$0.child\"", "");
    untrusted("wrapper", &engine, "2", "not to be trusted");
    let child = read(&mark_of("wrapper", "child"));
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    let began = Instant::now();
    while !state().is_empty() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(state().is_empty() || state().contains(") Z "), "{}", state());
}

/// As if the lid of a laptop had been closed.
#[test]
fn a_machine_that_stood_still_ends_the_test() {
    let json = scratch("standstill.json");
    let path = json.to_string_lossy();
    let test = ["sprt", "--a", "UseKillers=false", "--tc", "0.4+0.01", "--fixed", "--games", "400"];
    let mut command = program();
    command.args(test).args(["--margin", "1000", "--json", &path]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the laboratory runs");
    let began = Instant::now();
    wait_until_caught(&mut child, || began.elapsed() > Duration::from_secs(4));
    let signal = |name: &str| Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(signal("-STOP").success());
    std::thread::sleep(Duration::from_millis(3500));
    assert!(signal("-CONT").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("stood still for 3 seconds"), "{}", errors(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("to go on"));
    assert_eq!(field(&json, "faults")[0]["time_losses"], 0);
}
