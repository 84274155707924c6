//! The program as its user meets it: the same games inside one process and between two, and bad input.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gannet-lab")).args(arguments).output().expect("the laboratory runs")
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The games of a file, without comments.
fn moves(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("games");
    let mut inside = false;
    let bare: String = text
        .chars()
        .filter(|&letter| {
            inside = (inside || letter == '{') && letter != '}';
            !inside && letter != '}'
        })
        .collect();
    bare.split_whitespace().map(str::to_string).collect()
}

fn play(name: &str, engines: [&str; 2]) -> Vec<String> {
    let path = scratch(name);
    let text = path.to_string_lossy().into_owned();
    let [a, b] = engines;
    let output = lab(&[
        "match",
        "--engine",
        a,
        "--engine",
        b,
        "--nodes",
        "300",
        "--games",
        "6",
        "--no-adjudication",
        "--max-plies",
        "100",
        "--pgn",
        &text,
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    moves(&path)
}

/// When a file, or the latest file in a folder, was written.
fn written(path: &Path) -> Option<SystemTime> {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter_map(|entry| written(&entry.path())).max(),
        Err(_) => std::fs::metadata(path).and_then(|data| data.modified()).ok(),
    }
}

/// The engine's program beside the laboratory's, if it was built from the sources as they are; `cargo build -p gannet`
/// with the same profile makes it.
fn gannet() -> Option<PathBuf> {
    let gannet = Path::new(env!("CARGO_BIN_EXE_gannet-lab")).with_file_name("gannet");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = ["crates/chess/src", "crates/engine/src", "crates/gannet/src", "nets"];
    let latest = sources.iter().filter_map(|folder| written(&root.join(folder))).max()?;
    (written(&gannet)? > latest).then_some(gannet)
}

#[test]
fn two_processes_play_the_games_of_one() {
    let Some(gannet) = gannet() else {
        eprintln!("no engine built from these sources is there: not compared");
        return;
    };
    let command = gannet.display();
    let inside = play("inside.pgn", ["name=A opt=UseNullMove=false", "name=B"]);
    let outside =
        play("outside.pgn", [&format!("name=A cmd={command} opt=UseNullMove=false"), &format!("name=B cmd={command}")]);
    assert!(inside.len() > 200);
    assert!(inside == outside, "the games differ");
}

#[test]
fn bad_input_is_named() {
    let book = scratch("bad.epd");
    std::fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nnonsense\n").expect("a file");
    let book = book.to_string_lossy().into_owned();
    let empty = scratch("empty.epd");
    std::fs::write(&empty, "\n").expect("a file");
    let empty = empty.to_string_lossy().into_owned();
    for (arguments, named) in [
        (vec!["sprt", "--a", "NoSuch=1"], "NoSuch"),
        (vec!["sprt", "--a", "UseNullMove=perhaps"], "UseNullMove"),
        (vec!["sprt", "--book", "/no/such/book"], "/no/such/book"),
        (vec!["sprt", "--book", &book], "line 2"),
        (vec!["sprt", "--book", &empty], "empty.epd"),
        (vec!["sprt", "--engine-a", "/no/such/engine"], "/no/such/engine"),
        (vec!["sprt", "--json", "/no/such/folder/x.json"], "/no/such/folder/x.json"),
        (vec!["sprt", "--elo0", "5", "--elo1", "0"], "--elo0"),
        (vec!["sprt", "--tc", "fast"], "fast"),
        (vec!["sprt", "--json", &book, "--resume"], "bad.epd"),
        (vec!["match", "--engine", "name=A"], "two engines"),
        (vec!["match", "--engine", "name=A", "--engine", "name=A"], "'A'"),
        (vec!["suite", "/no/such/suite", "--nodes", "1"], "/no/such/suite"),
        (vec!["suite", &book, "--nodes", "1"], "bad.epd"),
        (vec!["ablate", "--only", "Nothing", "--out", "/no/such/page.md"], "Nothing"),
        (vec!["ablate", "--out", "/no/such/page.md"], "/no/such/page"),
        (vec!["spsa", "--tune", "Nothing"], "Nothing"),
        (vec!["spsa", "--inputs", &book], "line 1"),
        (vec!["openings", "--count", "1", "--out", "/no/such/book"], "/no/such/book"),
    ] {
        let output = lab(&arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(named), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
}
