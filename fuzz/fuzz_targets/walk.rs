//! Bytes choose a start position and then moves: after each, the board must equal itself set up anew, keys and all.
//! On the way, numbers that might come out of a hash table are asked about: legal means generated.

#![no_main]

use chess::{Board, Game, Move, MoveList, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [a, b, c, d, choices @ ..] = data else { return };
    let (white, black) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
    let start = Setup::double_chess960(white, black).validate().expect("start positions are legal");
    let mut game = Game::new(start);
    for choice in choices.chunks(3) {
        let board = game.board().clone();
        check(&board, choice);
        let moves = board.legal_moves();
        let Some(&mv) = moves.get(usize::from(choice[0]) % moves.len().max(1)) else { break };
        assert!(game.play(mv));
        assert_eq!(board.gives_check(mv), game.board().in_check(), "{mv:?} in {}", board.fen());
        assert_eq!(*game.board(), board.after(mv));
        let _ = game.history().has_upcoming_repetition(game.board(), choices.len());
    }
});

fn check(board: &Board, choice: &[u8]) {
    assert_eq!(Setup::of(board).validate().as_ref(), Ok(board), "{}", board.fen());
    assert_eq!(Board::from_fen(&board.fen()).as_ref(), Ok(board), "{}", board.fen());
    let moves = board.legal_moves();
    let mut staged = MoveList::new();
    board.generate_captures(&mut staged);
    board.generate_quiets(&mut staged);
    assert_eq!(staged.len(), moves.len(), "{}", board.fen());
    for mv in &moves {
        assert!(board.is_legal(*mv) && staged.contains(mv), "{mv:?} in {}", board.fen());
        // The exchange evaluator is asked about every move, at a threshold around what pieces are worth.
        let threshold = i32::from(choice[0]) * 8 - 1_000;
        assert!(!board.see_at_least(*mv, threshold + 1) || board.see_at_least(*mv, threshold));
    }
    // A number from outside, and that number on the squares of every legal move.
    if let [_, low, high] = *choice {
        let bits = u16::from_le_bytes([low, high]);
        let near = moves.iter().map(|mv| mv.bits() ^ (bits & 0xf000));
        for bits in near.chain([bits]) {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(board.is_legal(mv), moves.contains(&mv), "{mv:?} in {}", board.fen());
            }
        }
    }
    if !board.in_check() {
        let passed = board.after_null();
        assert_eq!(Setup::of(&passed).validate().as_ref(), Ok(&passed), "{}", board.fen());
    }
}
