//! Which positions are legal: our verdict against shakmaty's on tens of thousands of positions that are slightly
//! or entirely wrong, and, where both accept, the same moves. These positions are stranger than those of random
//! games: three checkers, five bishops, castling rights on one wing twice, en passant squares out of nowhere.
//! Where we differ on purpose is told in `wrong_positions.rs`.

mod common;
mod oracles;
#[path = "../../lab/src/reliability/wrong_positions.rs"]
mod wrong_positions;

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{Board, Color, FenError, Piece, PieceKind, Setup, Square};
use common::{Random, in_parallel, random_move, random_start};
use oracles::{assert_agreement, assert_second_opinion, to_cozy};
use wrong_positions::{Opinion, king_is_between_two_checkers, opinion, refused_on_purpose, text_of};

/// Compares the verdicts, and all the rest where both accept. Returns whether we do.
fn compare(fen: &str) -> Result<Board, FenError> {
    let ours = Board::from_fen(fen);
    match (&ours, opinion(fen)) {
        (Ok(board), Opinion::Legal(theirs)) => {
            assert_agreement(board, &theirs);
            if let Some(second) = to_cozy(board) {
                assert_second_opinion(board, &second);
            }
        }
        (Ok(board), Opinion::ImpossibleCheck(theirs)) => {
            assert!(king_is_between_two_checkers(board), "accepted: {fen}");
            assert_agreement(board, &theirs);
        }
        (Ok(_), Opinion::Illegal) => panic!("accepted: {fen}"),
        (Err(error), Opinion::Legal(_)) => assert!(refused_on_purpose(fen, error), "refused: {fen}: {error}"),
        (Err(_), _) => {}
    }
    ours
}

/// A handful of men on random squares.
fn scatter(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    for _ in 0..random.below(12) {
        let square = Square::new(random.below(64) as u8);
        let piece = wrong_positions::random_piece(&mut |bound| random.below(bound));
        if piece.kind != PieceKind::Pawn || (1..7).contains(&square.rank()) || random.one_in(50) {
            setup.pieces[square.index()] = Some(piece);
        }
    }
    for color in Color::ALL {
        let home = Square::at(random.below(8) as u8, 0).relative_to(color);
        let king = if random.one_in(2) { home } else { Square::new(random.below(64) as u8) };
        setup.pieces[king.index()] = Some(Piece::new(color, PieceKind::King));
    }
    setup.side_to_move = *random.pick(&Color::ALL);
    setup
}

/// Runs `make` many times and demands that neither verdict is rare.
fn compare_many(count: usize, make: impl Fn(&mut Random, usize) -> String + Sync) {
    let accepted = AtomicUsize::new(0);
    in_parallel(64, |batch| {
        let mut random = Random::new(40_000 + batch as u64);
        for turn in 0..count / 64 {
            if compare(&make(&mut random, turn)).is_ok() {
                accepted.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let accepted = accepted.into_inner();
    println!("{accepted} of {count} accepted");
    assert!(accepted > count / 20 && accepted < count / 20 * 19, "{accepted} of {count} accepted");
}

fn random_board(random: &mut Random, turn: usize) -> Board {
    let mut board = random_start(random, turn);
    for _ in 0..random.below(80) {
        let Some(mv) = random_move(random, &board) else { break };
        board.make(mv);
    }
    board
}

#[test]
fn disturbed_positions() {
    compare_many(200_000, |random, turn| {
        let board = random_board(random, turn);
        wrong_positions::disturbed_position(&board, &mut |bound| random.below(bound))
    });
}

#[test]
fn scattered_pieces() {
    compare_many(400_000, |random, _| {
        let mut setup = scatter(random);
        for _ in 0..random.below(3) {
            wrong_positions::disturb(&mut setup, &mut |bound| random.below(bound));
        }
        text_of(&setup)
    });
}

#[test]
fn disturbed_text() {
    compare_many(200_000, |random, turn| {
        let board = random_board(random, turn);
        wrong_positions::disturbed_text(&board, &mut |bound| random.below(bound))
    });
}
