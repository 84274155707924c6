//! Any text as a PGN file and as lines of an EPD file: an error that says where, or games of legal moves.

#![no_main]

use chess::Game;
use lab::book;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match book::read_openings(text.as_bytes(), 40) {
        Err(error) => assert!(error.starts_with("game ") || error.starts_with("line ")),
        Ok(games) => games.iter().for_each(check),
    }
    for line in text.lines() {
        if let Err(error) = book::board_of(line) {
            assert!(!error.to_string().is_empty());
        }
    }
});

/// The moves of a game are legal from its start.
fn check(game: &Game) {
    assert!(game.moves().len() <= 40);
    let mut again = Game::new(game.start().clone());
    assert!(game.moves().iter().all(|&mv| again.play(mv)));
    assert_eq!(again.board(), game.board());
}
