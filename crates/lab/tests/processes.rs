//! The same games inside one process and between two, and whatever the concurrency.

mod common;

use std::path::{Path, PathBuf};

use common::{field, games, gannet, good, moves, scratch};

fn play(name: &str, engines: [&str; 2], more: &[&str]) -> Vec<String> {
    let path = scratch(name);
    let pgn = path.to_string_lossy();
    let [a, b] = engines;
    let mut arguments = vec!["match", "--engine", a, "--engine", b, "--max-plies", "100", "--pgn", &pgn];
    arguments.extend(more);
    good(&arguments);
    moves(&path)
}

#[test]
fn two_processes_play_the_games_of_one() {
    let command = gannet();
    let command = command.display();
    let inside = ["name=A opt=UseNullMove=false", "name=B"];
    let outside = [&*format!("name=A cmd={command} opt=UseNullMove=false"), &*format!("name=B cmd={command}")];
    for (name, more) in [
        ("standard", vec!["--nodes", "300", "--games", "12", "--no-adjudication"]),
        ("adjudicated", vec!["--nodes", "1500", "--games", "6"]),
        ("shuffled", vec!["--nodes", "300", "--games", "6", "--chess960", "--random-plies", "6"]),
        ("deep", vec!["--depth", "4", "--games", "4"]),
    ] {
        let alone = play(&format!("inside-{name}.pgn"), inside, &more);
        assert!(alone.len() > 200, "{name}");
        let tags = alone.iter().filter(|&word| word == "\"Chess960\"]").count();
        assert_eq!(tags, if more.contains(&"--chess960") { 6 } else { 0 }, "{name}");
        assert!(alone == play(&format!("outside-{name}.pgn"), outside, &more), "{name}: the games differ");
        let mixed = play(&format!("mixed-{name}.pgn"), [inside[0], outside[1]], &more);
        assert!(alone == mixed, "{name}: the games differ between a process and this one");
    }
}

#[test]
fn a_match_does_not_depend_on_the_concurrency() {
    let engines = ["name=A opt=UseNullMove=false", "name=B"];
    let arguments = ["--nodes", "200", "--games", "20", "--engine", "name=C opt=UseKillers=false", "--concurrency"];
    let play = |threads: &str| play(&format!("threads-{threads}.pgn"), engines, &[&arguments[..], &[threads]].concat());
    let alone = play("1");
    assert_eq!(games(&scratch_name("threads-1.pgn")), 60);
    for threads in ["2", "7"] {
        assert!(alone == play(threads), "{threads} threads play other games");
    }
}

fn scratch_name(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_test_does_not_depend_on_the_concurrency() {
    let result = |threads: &str, seed: &str| {
        let path = scratch(&format!("sprt-{threads}-{seed}.json"));
        let json = path.to_string_lossy();
        // It is decided after a few dozen games, so the end must not depend on who finished what first either.
        let test = ["sprt", "--a", "UseQuiescence=false", "--elo1", "60", "--nodes", "100", "--max-plies", "80"];
        good(&[&test[..], &["--seed", seed, "--json", &json, "--concurrency", threads]].concat());
        assert_eq!(field(&path, "verdict"), "H0");
        field(&path, "results")
    };
    let alone = result("1", "1");
    assert_eq!(alone, result("2", "1"));
    assert_eq!(alone, result("9", "1"));
    assert_ne!(alone, result("2", "2"));
}
