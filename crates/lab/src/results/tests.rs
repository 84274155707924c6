//! Runs are found by what is asked for, and shown a line each.

use clap::Parser;

use super::*;
use crate::register::{Found, Number, Side, Standing, Status, Test, Tuning};
use crate::stats::{Model, Sprt, Verdict};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    filter: Filter,
}

fn side(name: &str) -> Side {
    Side { name: name.to_string(), ..Side::default() }
}

fn runs() -> Vec<Entry> {
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
    let test = Test {
        pentanomial: [3, 20, 50, 25, 4],
        games: [60, 100, 44],
        sprt: Some(sprt),
        llr: Some(2.97),
        verdict: Some(Verdict::H1),
        path: Vec::new(),
    };
    let base = |command: &str, date: &str, found| Entry {
        command: command.to_string(),
        date: date.to_string(),
        limit: "25000 nodes".to_string(),
        book: "built-in book".to_string(),
        games: 204,
        seconds: 7300.0,
        found,
        ..Entry::default()
    };
    let number = Number { name: "NullMove_base".to_string(), start: 3.0, value: 4.25, step: 1.0 };
    let standing = Standing { name: "Fish".to_string(), elo: 12.0, error: 3.0, games: [1, 2, 3] };
    vec![
        Entry {
            engines: vec![side("UseNullMove=false"), side("defaults")],
            distinct_games: Some(200),
            ..base("sprt", "2026-11-01 10:00", Found::Test(test.clone()))
        },
        Entry {
            status: Status::Interrupted,
            ..base("sprt", "2026-11-02 10:00", Found::Test(Test { verdict: Some(Verdict::Undecided), ..test }))
        },
        base("spsa", "2026-11-03 10:00", Found::Tuning(Tuning { pairs: 9, numbers: vec![number], path: Vec::new() })),
        Entry { limit: "8+0.08 s".to_string(), ..base("match", "2026-11-04 10:00", Found::Standings(vec![standing])) },
    ]
}

#[test]
fn runs_are_found() {
    let found = |words: &[&str]| {
        let filter = Line::parse_from([&["lab"], words].concat()).filter;
        filter.choose(runs()).iter().map(|entry| entry.date[8..10].parse().expect("a day")).collect::<Vec<u32>>()
    };
    assert_eq!(found(&[]), [1, 2, 3, 4]);
    assert_eq!(found(&["--last", "2"]), [3, 4]);
    assert_eq!(found(&["--command", "sprt"]), [1, 2]);
    assert_eq!(found(&["--find", "nullmove"]), [1, 3]);
    assert_eq!(found(&["--find", "fish"]), [4]);
    assert_eq!(found(&["--limit", "8+0.08"]), [4]);
    assert_eq!(found(&["--verdict", "H1"]), [1]);
    assert_eq!(found(&["--verdict", "unfinished"]), [2]);
    assert_eq!(found(&["--since", "2026-11-02", "--until", "2026-11-04"]), [2, 3]);
    assert_eq!(found(&["--games", "205"]), [0u32; 0]);
}

#[test]
fn the_table_says_what_was_found() {
    let text = table::text(&runs());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].contains("UseNullMove=false against defaults") && lines[1].contains("204 (200 differ)"), "{text}");
    assert!(lines[1].contains("LLR 2.97") && lines[1].contains("H1") && lines[1].ends_with("2.0 h"), "{text}");
    assert!(lines[2].contains("unfinished"), "{text}");
    assert!(lines[3].contains("NullMove_base 3 to 4"), "{text}");
    assert!(lines[4].contains("Fish +12 ± 3"), "{text}");
    assert_eq!(table::text(&[]), "no runs\n");
}
