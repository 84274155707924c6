//! A plan is replayed, goes on where it was, and is refused as a whole where something is wrong with it.

mod common;

use std::path::{Path, PathBuf};

use common::{errors, field, good, lab, program, read};

const PLAN: &str = r#"
title = "A small plan"
about = "Shows that it works."
limit = "nodes=60"
games = 6

[[phase]]
name = "as it is"
options = "CountermoveBonus=8000"
same_bench = true

[[phase]]
name = "less"
what = "no reductions"
add = "UseLateMoveReductions=false"
figure = "-100"
"#;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[test]
fn a_plan_is_replayed_and_gone_on_with() {
    let folder = folder("phases");
    let [plan, state, out, register] =
        ["small.toml", "state", "plans.md", "register.jsonl"].map(|name| text(&folder.join(name)));
    std::fs::write(&plan, PLAN).expect("room");
    let words = ["phases", &plan, "--state", &state, "--out", &out];
    // First the benches alone.
    good(&[&words[..], &["--benches"]].concat());
    let page = read(Path::new(&out));
    assert!(
        page.contains("| as it is |") && page.contains("searches alike") && page.contains("| not played |"),
        "{page}"
    );
    let output = program().args(words).args(["--register", &register]).current_dir(&folder).output().expect("it runs");
    assert!(output.status.success(), "{}", errors(&output));
    let page = read(Path::new(&out));
    assert!(page.contains("## A small plan") && page.contains("| 6 / 6 | nodes=60 |"), "{page}");
    assert!(!page.contains("| not played |") && page.contains("| -100 |"), "{page}");
    // The base searches like the phase before, so one match is enough; it has left a line in the register.
    assert_eq!(read(Path::new(&register)).lines().count(), 1);
    assert!(read(Path::new(&register)).contains("UseLateMoveReductions=false"));
    let results = || {
        let files = std::fs::read_dir(&state).expect("a folder").filter_map(|entry| Some(entry.ok()?.path()));
        let json: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
        assert_eq!(json.len(), 1, "{json:?}");
        field(&json[0], "results").as_str().map(str::to_string).expect("games")
    };
    let games = results();
    // It is done; again nothing is played. With more games the same match goes on.
    good(&words);
    assert_eq!((results(), read(Path::new(&out))), (games.clone(), page));
    good(&[&words[..], &["--games", "10"]].concat());
    assert!(results().starts_with(&games) && results().len() == 10);
    // Another plan leaves the first one alone.
    let other = text(&folder.join("other.toml"));
    std::fs::write(&other, PLAN.replace("A small plan", "Another plan")).expect("room");
    good(&["phases", &other, "--state", &state, "--out", &out, "--benches"]);
    let page = read(Path::new(&out));
    assert!(page.contains("## A small plan") && page.contains("## Another plan") && page.contains("10 / 10"), "{page}");
}

#[test]
fn a_bad_plan_is_refused_before_anything_is_played() {
    let folder = folder("phases-bad");
    let complaint = |text: &str, more: &[&str]| {
        let [plan, out, state] =
            ["bad.toml", "plans.md", "state"].map(|name| folder.join(name).to_string_lossy().into_owned());
        std::fs::write(&plan, text).expect("room");
        let output = lab(&[&["phases", &plan, "--out", &out, "--state", &state], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
        assert!(!folder.join("plans.md").exists());
        errors(&output)
    };
    assert!(complaint(&PLAN.replace("UseLateMoveReductions", "UseNothing"), &[]).contains("'UseNothing=false'"));
    assert!(complaint(&PLAN.replace("games = 6", "games = six"), &[]).contains("bad.toml"));
    assert!(complaint(&format!("{PLAN}\nbook = \"none.epd\""), &[]).contains("book"));
    assert!(complaint(&PLAN.replace("games = 6", "book = \"none.epd\""), &[]).contains("there is no book"));
    assert!(complaint(PLAN, &["--only", "nothing"]).contains("there are as it is, less"));
}
