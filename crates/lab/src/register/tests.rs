//! Lines come back as they were written, and of a run that was gone on with only the last one counts.

use super::*;
use crate::pairs;
use crate::stats::{Model, Sprt};

fn entry(key: &str, date: &str, games: u64, resumed: bool) -> Entry {
    let found = Found::Test(Test { pentanomial: [1, 2, 3, 4, 5], path: vec![(2, 0.5, 1.25, -0.1)], ..Test::default() });
    let (key, date, command) = (key.to_string(), date.to_string(), "sprt".to_string());
    Entry { key, date, command, games, resumed, found, ..Entry::default() }
}

#[test]
fn lines_come_back_and_bad_ones_hide_none() {
    let path = std::env::temp_dir().join(format!("gannet-lab-register-{}/a.jsonl", std::process::id()));
    let entries = [entry("1", "2026-01-01 00:00", 2, false), entry("2", "2026-01-02 00:00", 4, true)];
    add(&path, &entries[..1]).expect("room");
    let mut file = OpenOptions::new().append(true).open(&path).expect("it is there");
    file.write_all(b"\nno line\n{\"date\":\"2026\",\"from a later\":\"version\"}\n").expect("room");
    add(&path, &entries[1..]).expect("room");
    let read = read(&path).expect("it is there");
    assert_eq!(read.len(), 3);
    assert_eq!([&read[0], &read[2]], [&entries[0], &entries[1]]);
    let _ = std::fs::remove_dir_all(path.parent().expect("a folder"));
}

#[test]
fn who_goes_on_takes_the_place_of_whom_he_goes_on_with() {
    let ours = vec![entry("a", "2026-01-01 00:00", 10, false), entry("a", "2026-01-03 00:00", 20, true)];
    let theirs = vec![
        entry("b", "2026-01-02 00:00", 7, false),
        entry("a", "2026-01-01 00:00", 10, false),
        entry("b", "2026-01-04 00:00", 7, false),
    ];
    let games: Vec<u64> = collect([ours, theirs]).iter().map(|entry| entry.games).collect();
    assert_eq!(games, [7, 20, 7]);
}

#[test]
fn the_way_of_a_test_is_short_and_ends_where_it_ended() {
    let outcomes = pairs::from_text(&"WLDDWD".repeat(500)).expect("letters");
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised };
    let points = run::path(&outcomes, Some(sprt));
    assert!((40..=61).contains(&points.len()), "{}", points.len());
    let mut score = pairs::Score::default();
    outcomes.iter().for_each(|&outcome| score.add(outcome));
    let &(games, elo, _, llr) = points.last().expect("points");
    assert_eq!(games, 3000);
    assert!((elo - score.pairs.elo().value).abs() < 0.01 && (llr - sprt.llr(&score.pairs)).abs() < 0.01);
    assert!(points.iter().all(|(games, ..)| games % 2 == 0));
}
