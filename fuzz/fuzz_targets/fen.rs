//! Any text as a FEN: an error with a message, or a board that is what it claims to be. A sound board is written
//! and read back unchanged, equals itself set up anew, and every move it generates is legal and leads to another
//! sound board.

#![no_main]

use chess::{Board, MAX_MOVES, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Board::from_fen(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(board) => check(&board),
    }
});

fn check(board: &Board) {
    assert_eq!(Board::from_fen(&board.fen()).as_ref(), Ok(board));
    assert_eq!(Board::from_fen(&board.shredder_fen()).as_ref(), Ok(board));
    assert_eq!(Setup::of(board).validate().as_ref(), Ok(board));
    let moves = board.legal_moves();
    assert!(moves.len() <= MAX_MOVES);
    assert_eq!(moves.len() as u64, board.count_legal_moves());
    assert!(!(board.is_checkmate() && board.is_stalemate()));
    for &mv in &moves {
        assert!(board.is_legal(mv));
        let next = board.after(mv);
        assert_eq!(board.gives_check(mv), next.in_check());
        assert_eq!(Setup::of(&next).validate().as_ref(), Ok(&next));
    }
}
