//! Which positions are legal: our verdict against shakmaty's on tens of thousands of positions that are slightly
//! or entirely wrong, and, where both accept, the same moves. These positions are stranger than those of random
//! games: three checkers, five bishops, castling rights on one wing twice, en passant squares out of nowhere.
//!
//! Where we differ, it is on purpose:
//! - Two pieces that give check from both sides of the king on one line: no move can do that, so shakmaty
//!   refuses it. We accept it, because well-known perft suites have such a position.
//! - Only as text: shakmaty fills in a missing side to move, allows a castling letter twice, cuts counters at their
//!   maximum, and reads a ninth rank as the pocket of another variant. We refuse all of these.

mod common;
mod oracles;

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{Board, Color, FenError, FenField, Piece, PieceKind, Setup, Square};
use common::{Random, in_parallel, random_move, random_start};
use oracles::{assert_agreement, assert_second_opinion, to_cozy};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionErrorKinds};

/// What shakmaty says of a FEN.
enum Verdict {
    Legal(Box<Chess>),
    ImpossibleCheck(Box<Chess>),
    Illegal,
}

fn verdict(fen: &str) -> Verdict {
    let Ok(fen) = Fen::from_ascii(fen.as_bytes()) else { return Verdict::Illegal };
    match fen.into_position::<Chess>(CastlingMode::Chess960) {
        Ok(position) => Verdict::Legal(Box::new(position)),
        Err(error) if error.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK => match error.ignore_impossible_check() {
            Ok(position) => Verdict::ImpossibleCheck(Box::new(position)),
            Err(_) => Verdict::Illegal,
        },
        Err(_) => Verdict::Illegal,
    }
}

/// Compares the verdicts, and all the rest where both accept. Returns whether we do.
fn compare(fen: &str) -> Result<Board, FenError> {
    let ours = Board::from_fen(fen);
    match (&ours, verdict(fen)) {
        (Ok(board), Verdict::Legal(theirs)) => {
            assert_agreement(board, &theirs);
            if let Some(second) = to_cozy(board) {
                assert_second_opinion(board, &second);
            }
        }
        (Ok(board), Verdict::ImpossibleCheck(theirs)) => {
            assert!(king_is_between_two_checkers(board), "accepted: {fen}");
            assert_agreement(board, &theirs);
        }
        (Ok(_), Verdict::Illegal) => panic!("accepted: {fen}"),
        (Err(error), Verdict::Legal(_)) => assert!(refused_on_purpose(fen, error), "refused: {fen}: {error}"),
        (Err(_), _) => {}
    }
    ours
}

fn king_is_between_two_checkers(board: &Board) -> bool {
    let king = board.king(board.side_to_move());
    let checkers: Vec<Square> = board.checkers().into_iter().collect();
    let direction = |square: Square| {
        let files = i32::from(square.file()) - i32::from(king.file());
        let ranks = i32::from(square.rank()) - i32::from(king.rank());
        (files.signum(), ranks.signum())
    };
    match checkers[..] {
        [a, b] => direction(a) == (-direction(b).0, -direction(b).1),
        _ => false,
    }
}

fn refused_on_purpose(fen: &str, error: &FenError) -> bool {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    match error {
        FenError::Syntax(FenField::Pieces) => fields[0].matches('/').count() > 7,
        FenError::Syntax(FenField::SideToMove) => fields.len() < 2,
        FenError::Syntax(FenField::Castling) => names_a_rook_twice(fields[2]),
        FenError::Syntax(FenField::HalfmoveClock) => fields[4].parse::<u64>().is_ok_and(|n| n > 65_535),
        FenError::Syntax(FenField::FullmoveNumber) => fields[5].parse::<u64>().is_ok_and(|n| n > 4_294_967_295),
        _ => false,
    }
}

/// `KK`, or `KH` with a rook on h1.
fn names_a_rook_twice(field: &str) -> bool {
    let letters = |is_ours: fn(&char) -> bool| field.chars().filter(is_ours).count();
    let mut seen = String::new();
    let repeated = field.chars().any(|letter| {
        let before = seen.contains(letter);
        seen.push(letter);
        before
    });
    let mixed = field.contains(['K', 'Q', 'k', 'q'])
        && field.to_ascii_lowercase().contains(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    repeated || (mixed && (letters(char::is_ascii_uppercase) > 1 || letters(char::is_ascii_lowercase) > 1))
}

/// The FEN of a position that need not be legal.
fn write(setup: &Setup) -> String {
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            fen.push(setup.pieces[Square::at(file, rank).index()].map_or('1', Piece::letter));
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen.push(setup.side_to_move.letter());
    fen.push(' ');
    for rook in setup.castling.all_rooks() {
        let file = (b'a' + rook.file()) as char;
        fen.push(if rook.rank() == 0 { file.to_ascii_uppercase() } else { file });
    }
    if setup.castling.is_empty() {
        fen.push('-');
    }
    let en_passant = setup.en_passant.map_or("-".to_string(), |square| square.to_string());
    format!("{fen} {en_passant} {} {}", setup.halfmove_clock, setup.fullmove_number)
}

/// Changes one thing about a position.
fn disturb(random: &mut Random, setup: &mut Setup) {
    let a = random.below(64);
    let b = random.below(64);
    match random.below(8) {
        0 => setup.pieces.swap(a, b),
        1 => setup.pieces[a] = None,
        2 | 3 => setup.pieces[a] = Some(random_piece(random)),
        4 => setup.side_to_move = !setup.side_to_move,
        5 => {
            // Half of the time with the pawn in place that should have gone past.
            let mover = !setup.side_to_move;
            let passed = Square::at(random.below(8) as u8, 2).relative_to(mover);
            setup.en_passant = Some(passed);
            if random.one_in(2) {
                setup.pieces[passed.forward(mover).index()] = Some(Piece::new(mover, PieceKind::Pawn));
                setup.pieces[passed.index()] = None;
                setup.pieces[passed.forward(!mover).index()] = None;
            }
        }
        6 => {
            let color = *random.pick(&Color::ALL);
            let rook = Square::at(random.below(8) as u8, 0).relative_to(color);
            setup.castling.grant(rook);
            if random.one_in(2) {
                setup.pieces[rook.index()] = Some(Piece::new(color, PieceKind::Rook));
            }
        }
        _ => setup.castling.revoke(Square::new(a as u8).bitboard() | Square::new(b as u8).bitboard()),
    }
}

fn random_piece(random: &mut Random) -> Piece {
    // Kings are rare: almost every position with a third one is wrong for that reason alone.
    let kinds = if random.one_in(30) { &PieceKind::ALL[..] } else { &PieceKind::ALL[..5] };
    let kind = *random.pick(kinds);
    Piece::new(*random.pick(&Color::ALL), kind)
}

/// A handful of men on random squares.
fn scatter(random: &mut Random) -> Setup {
    let mut setup = Setup::empty();
    for _ in 0..random.below(12) {
        let square = Square::new(random.below(64) as u8);
        let piece = random_piece(random);
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
        let mut setup = Setup::of(&random_board(random, turn));
        for _ in 0..1 + random.below(4) {
            disturb(random, &mut setup);
        }
        write(&setup)
    });
}

#[test]
fn scattered_pieces() {
    compare_many(400_000, |random, _| {
        let mut setup = scatter(random);
        for _ in 0..random.below(3) {
            disturb(random, &mut setup);
        }
        write(&setup)
    });
}

/// Letters changed, put in or left out: mostly nonsense, and some FENs that are sloppy but right.
#[test]
fn disturbed_text() {
    const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/ wb-KQkqHAhaef36 0 1 9xyz";
    compare_many(200_000, |random, turn| {
        let mut text = random_board(random, turn).fen().into_bytes();
        for _ in 0..1 + random.below(2) {
            // Mostly in the fields after the pieces, where a change does not always break everything.
            let pieces = text.iter().position(|&letter| letter == b' ').unwrap_or(0);
            let place =
                if random.one_in(3) { random.below(text.len()) } else { pieces + random.below(text.len() - pieces) };
            let letter = *random.pick(LETTERS);
            match random.below(3) {
                0 => text[place] = letter,
                1 => text.insert(place, letter),
                _ => drop(text.remove(place)),
            }
        }
        String::from_utf8(text).expect("ASCII")
    });
}
