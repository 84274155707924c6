//! Tests that were played with several seeds are added up, every pair of games once.

mod common;

use common::{errors, field, good, lab, scratch};

const PLAY: [&str; 9] = ["sprt", "--fixed", "--games", "6", "--nodes", "100", "--max-plies", "60", "--no-adjudication"];

/// Plays a test with a seed and returns its file.
fn piece(name: &str, a: &str, more: &[&str]) -> String {
    let json = scratch(name).to_string_lossy().into_owned();
    good(&[&PLAY[..], &["--a", a, "--json", &json], more].concat());
    json
}

fn sum(name: &str, pieces: &[&str]) -> (std::path::PathBuf, String) {
    let json = scratch(name);
    let output = good(&[&["sprt", "--json", &json.to_string_lossy(), "--merge"], pieces].concat());
    (json, errors(&output))
}

#[test]
fn seeds_are_added_up_and_repeats_left_out() {
    let off = "UseQuiescence=false";
    let [one, two] = ["1", "2"].map(|seed| piece(&format!("merge-{seed}.json"), off, &["--seed", seed]));
    let (both, told) = sum("merge-both.json", &[&one, &two]);
    assert_eq!((field(&both, "games"), told.as_str()), (12.into(), ""));
    let letters = |path: &str| field(std::path::Path::new(path), "results").as_str().map(str::to_string);
    let joined = [&one, &two].map(|path| letters(path).expect("games")).concat();
    assert_eq!(field(&both, "results"), joined);
    assert!(field(&both, "conditions").as_str().is_some_and(|text| text.contains("seeds 1 + 2")));
    assert!(field(&both, "llr").is_number() && field(&both, "verdict").is_string());
    // Adding a piece again changes nothing.
    let (again, told) = sum("merge-again.json", &[&both.to_string_lossy(), &one]);
    assert!(told.contains("played before and are left out: 3"), "{told}");
    assert_eq!(field(&again, "results"), joined);
    let other = piece("merge-other.json", "UseKillers=false", &["--seed", "2"]);
    let refused = lab(&["sprt", "--merge", &one, &other]);
    assert!(!refused.status.success() && errors(&refused).contains("its A is 'this build UseKillers=false"));
}

#[test]
fn another_seed_of_a_small_book_adds_nothing() {
    let book = scratch("merge.epd");
    let lines = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
                 rnbqkbnr/pppppp1p/6p1/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n\
                 rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    std::fs::write(&book, lines).expect("room");
    let of = |seed: &str| {
        let more = ["--seed", seed, "--book", &book.to_string_lossy()];
        piece(&format!("merge-book-{seed}.json"), "UseQuiescence=false", &more)
    };
    let (sum, told) = sum("merge-book.json", &[&of("1"), &of("5")]);
    assert!(told.contains("played before and are left out: 3"), "{told}");
    assert_eq!((field(&sum, "games"), field(&sum, "distinct_games")), (6.into(), 6.into()));
}
