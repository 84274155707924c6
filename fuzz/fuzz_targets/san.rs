//! A position and any text as a move: the first line is a FEN, the second a move in SAN or UCI. Reading never
//! panics and only finds legal moves; a move that is found, and every other legal one, is written and read back
//! unchanged.

#![no_main]

use chess::{Board, parse_san, parse_uci, san, uci};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    let board = Board::from_fen(fen).unwrap_or_else(|_| Board::start());
    for mv in [parse_san(&board, text), parse_uci(&board, text)].into_iter().flatten() {
        assert!(board.is_legal(mv), "{text} is {mv:?} in {}", board.fen());
    }
    for &mv in &board.legal_moves() {
        assert_eq!(parse_san(&board, &san(&board, mv)), Ok(mv), "{mv:?} in {}", board.fen());
        assert_eq!(parse_uci(&board, &uci(mv, true).to_string()), Ok(mv), "{mv:?} in {}", board.fen());
    }
});
