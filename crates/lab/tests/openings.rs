//! No opening and no game comes twice, however short the book.

mod common;

use std::collections::HashSet;
use std::path::Path;

use common::{errors, field, games, good, read, scratch};

/// The lines of games in a PGN file that are not comments, tags or dates, one text for each game.
fn played(path: &Path) -> Vec<String> {
    let text = read(path);
    let one = |game: &str| {
        let fen = game.lines().find(|line| line.starts_with("[FEN")).unwrap_or("").to_string();
        let body: String = game.lines().filter(|line| !line.starts_with('[')).collect::<Vec<_>>().join(" ");
        let mut inside = false;
        let moves = body.chars().filter(|&letter| {
            let shown = !inside && letter != '{';
            inside = (inside || letter == '{') && letter != '}';
            shown
        });
        fen + &moves.collect::<String>()
    };
    text.split("[Event ").skip(1).map(one).collect()
}

fn book(name: &str, lines: usize) -> String {
    let path = scratch(name);
    let all = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/openings.epd")));
    let text: String = all.lines().take(lines).flat_map(|line| [line, "\n"]).collect();
    std::fs::write(&path, text).expect("room");
    path.to_string_lossy().into_owned()
}

/// Plays two engines that differ, and returns the number of different games.
fn different(name: &str, games_wanted: &str, more: &[&str]) -> u64 {
    let (pgn, json) = (scratch(&format!("{name}.pgn")), scratch(&format!("{name}.json")));
    let (p, j) = (pgn.to_string_lossy(), json.to_string_lossy());
    let engines = ["--engine", "name=A opt=UseQuiescence=false", "--engine", "name=B"];
    let files = ["--games", games_wanted, "--pgn", &p, "--json", &j];
    let output = good(&[&["match"], &engines[..], &files, more].concat());
    if let Some(at) = more.iter().position(|&word| word == "--book") {
        assert_eq!(errors(&output).matches("openings of the book are played").count(), 1, "{}", more[at + 1]);
    }
    let all = played(&pgn);
    assert_eq!(all.len(), games(&pgn));
    let set: HashSet<&String> = all.iter().collect();
    assert_eq!(field(&json, "distinct_games"), set.len());
    assert_eq!(field(&json, "openings"), all.len() / 2);
    set.len() as u64
}

#[test]
fn three_lines_give_eighteen_games() {
    let book = book("three.epd", 3);
    for threads in ["1", "3"] {
        let more = ["--book", &book, "--nodes", "1000", "--concurrency", threads];
        assert_eq!(different(&format!("three-{threads}"), "18", &more), 18);
    }
    assert_eq!(played(&scratch_name("three-1.pgn")), played(&scratch_name("three-3.pgn")));
}

fn scratch_name(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn fifty_lines_give_four_hundred_games() {
    let book = book("fifty.epd", 50);
    assert_eq!(different("fifty", "400", &["--book", &book, "--nodes", "60", "--max-plies", "80"]), 400);
}

#[test]
#[ignore = "takes minutes"]
fn the_built_in_book_gives_ten_thousand_games() {
    assert_eq!(different("many", "10000", &["--nodes", "200"]), 10_000);
}

/// Games that were played before would be counted once more, and nobody would know.
#[test]
fn a_test_tells_how_many_games_are_different() {
    let (book, json) = (book("test-three.epd", 3), scratch("test-three.json"));
    let path = json.to_string_lossy();
    let test = ["sprt", "--a", "UseLateMovePruning=false", "--nodes", "500", "--fixed", "--games", "18"];
    let output = good(&[&test[..], &["--book", &book, "--json", &path]].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("Openings: 9, different games: 18"), "{told}");
    assert_eq!((field(&json, "openings"), field(&json, "distinct_games")), (9.into(), 18.into()));
    // Few pairs say little, and the line says what is done about that.
    let test = ["sprt", "--a", "UseLateMovePruning=false", "--nodes", "100", "--games", "8", "--json", &path];
    let told = String::from_utf8_lossy(&good(&test).stdout).into_owned();
    assert!(told.contains("LLR") && told.contains("(few pairs: half a pair more"), "{told}");
    // Equal engines play each game twice, unless their nodes differ.
    let twins = ["sprt", "--a", "", "--b", "", "--nodes", "200", "--fixed", "--games", "8", "--max-plies", "60"];
    let output = good(&[&twins[..], &["--json", &path]].concat());
    assert!(errors(&output).contains("--node-jitter"), "{}", errors(&output));
    assert_eq!((field(&json, "openings"), field(&json, "distinct_games")), (4.into(), 4.into()));
    let pair =
        ["match", "--engine", "name=A", "--engine", "name=B opt=UseNullMove=true", "--nodes", "50", "--games", "2"];
    assert!(errors(&good(&[&pair[..], &["--json", &path]].concat())).contains("--node-jitter"));
    let output = good(&[&twins[..], &["--json", &path, "--node-jitter", "20"]].concat());
    assert!(!errors(&output).contains("same engine"), "{}", errors(&output));
    assert_eq!(field(&json, "distinct_games"), 8);
}
