//! Any bytes as a PGN file: games of legal moves with faults that name the game, and what is written of them reads the same.
//! Any text as something pasted into the board: a reason, or a game of legal moves.

#![no_main]

use chess::{Board, Game};
use libfuzzer_sys::fuzz_target;

use gannet::board::import;
use pgn::Reader;
use pgn::record::{Line, Record};

fuzz_target!(|bytes: &[u8]| {
    let records: Vec<_> = Reader::new(bytes, 0).collect();
    records.iter().zip(1..).for_each(|(record, number)| check(record, number));
    let written: String = records.iter().map(|record| pgn::write(record, Some("Gannet"))).collect();
    let again: Vec<_> = Reader::new(written.as_bytes(), 0).collect();
    assert_eq!(again.len(), records.len(), "{written}");
    for (record, again) in records.iter().zip(&again) {
        // Two positions, of which one is no FEN, are written without that one.
        let has_start = record.broken.as_ref().is_none_or(|broken| broken.word.is_some());
        assert!(!has_start || again.start == record.start, "{written}");
        assert!(again.main.plies.iter().map(|ply| ply.mv).eq(record.main.plies.iter().map(|ply| ply.mv)), "{written}");
    }
    match std::str::from_utf8(bytes).map(|text| import::read(text, 1)) {
        Ok(Ok(import)) => {
            let Record { start, main, .. } = &import.record;
            let mut game = Game::new(start.clone());
            assert!(main.plies.iter().all(|ply| game.play(ply.mv)));
            walk(start.clone(), main);
            assert!(import.describe().is_ok_and(|json| json.starts_with("{\"game\":{")));
        }
        Ok(Err(reason)) => assert!(!reason.is_empty()),
        Err(_) => {}
    }
});

/// A game that was read: legal throughout, and whatever is wrong with it names the game.
fn check(record: &Record, number: usize) {
    assert_eq!(record.number, number);
    let place = format!("game {number}");
    assert!(record.faults.iter().all(|fault| fault.starts_with(&place)));
    assert!(record.broken.as_ref().is_none_or(|broken| broken.fault.starts_with(&place)));
    walk(record.start.clone(), &record.main);
}

/// Every move of a line and of its variations is legal where it stands.
fn walk(mut board: Board, line: &Line) {
    for ply in &line.plies {
        assert!(board.is_legal(ply.mv));
        ply.variations.iter().for_each(|variation| walk(board.clone(), variation));
        board.make(ply.mv);
    }
}
