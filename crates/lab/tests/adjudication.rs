//! Scores inside one process and between two are the same, so games that scores end are the same too.

mod common;

use common::{gannet, good, read, scratch};

/// Plays, and returns the games with scores and depths, but without times, nodes and dates.
fn play(name: &str, engines: &[String; 2], conditions: &[&str]) -> Vec<String> {
    let path = scratch(name);
    let pgn = path.to_string_lossy();
    let [a, b] = engines;
    good(&[&["match", "--engine", a, "--engine", b, "--pgn", &pgn], conditions].concat());
    let text = read(&path);
    let is_figure = |word: &&str| {
        let word = word.trim_end_matches('}');
        let number = word.strip_suffix(['s', 'n']).unwrap_or("");
        !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    };
    let lines = text.lines().filter(|line| !line.starts_with("[Date"));
    lines.flat_map(str::split_whitespace).filter(|word| !is_figure(word)).map(str::to_string).collect()
}

#[test]
fn two_processes_adjudicate_like_one() {
    let program = gannet();
    let inside = ["name=A opt=UseNullMove=false".to_string(), "name=B".to_string()];
    let outside = [
        format!("name=A cmd={} opt=UseNullMove=false", program.display()),
        format!("name=B cmd={}", program.display()),
    ];
    let soon = ["--win-score", "250", "--win-moves", "2", "--draw-score", "40", "--draw-moves", "2"];
    let count = |games: &[String], word: &str| games.iter().filter(|found| found.contains(word)).count();
    for (name, conditions) in [
        // So few that some searches end before their first move is looked at.
        ("hasty", [&["--nodes", "25", "--games", "12", "--draw-from", "10"], &soon[..]].concat()),
        ("soon", [&["--nodes", "700", "--games", "20", "--draw-from", "15"], &soon[..]].concat()),
        ("ordinary", vec!["--nodes", "1500", "--games", "8"]),
        ("unjudged", vec!["--nodes", "300", "--games", "4", "--no-adjudication", "--max-plies", "160"]),
    ] {
        let alone = play(&format!("alone-{name}.pgn"), &inside, &conditions);
        let apart = play(&format!("apart-{name}.pgn"), &outside, &conditions);
        let differing = alone.iter().zip(&apart).position(|(a, b)| a != b);
        let around = differing.map(|at| (&alone[at.saturating_sub(8)..=at], &apart[at.saturating_sub(8)..=at]));
        assert!(alone == apart, "{name}: the games differ: {around:?}");
        assert!(count(&alone, "+") > 20, "{name}: there are scores");
        if name == "soon" {
            assert!(count(&alone, "win\"]") > 0 && count(&alone, "draw\"]") > 0, "both kinds of end are there");
        }
    }
}
