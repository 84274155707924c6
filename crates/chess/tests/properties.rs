//! What must hold in every position, whatever the rules are: what is kept up to date move by move equals what is
//! computed from scratch, what is generated is exactly what is legal, and short cuts give the same answer as the
//! long way.

mod common;

use std::collections::HashMap;
use std::sync::Mutex;

use chess::{Bitboard, Board, Color, Move, MoveList, Observer, Piece, PieceKind, Setup, Square, zobrist};
use common::{in_parallel, visit_in_parallel, visit_positions};

const POSITIONS: usize = 60_000;

/// The board as it comes out of setting up the same position anew.
fn recomputed(board: &Board) -> Board {
    Setup::of(board).validate().unwrap_or_else(|error| panic!("{}: {error}", board.fen()))
}

/// Boards are equal when everything is: bitboards, mailbox, checkers, pins, and the five kinds of key. The keys
/// are looked at one by one first, so that a failure says which of them is wrong.
fn assert_same(board: &Board, expected: &Board, context: impl std::fmt::Debug) {
    let (keys, exact) = (board.keys(), expected.keys());
    assert_eq!(keys.full(), exact.full(), "full key: {context:?} {}", board.fen());
    assert_eq!(keys.pawn(), exact.pawn(), "pawn key: {context:?} {}", board.fen());
    assert_eq!(keys.minor(), exact.minor(), "minor key: {context:?} {}", board.fen());
    assert_eq!(keys.major(), exact.major(), "major key: {context:?} {}", board.fen());
    for color in Color::ALL {
        assert_eq!(keys.non_pawn(color), exact.non_pawn(color), "{color:?} key: {context:?} {}", board.fen());
    }
    assert!(board == expected, "{context:?}: {} is not {}", board.fen(), expected.fen());
}

#[test]
fn what_a_move_updates_is_what_setting_up_computes() {
    visit_in_parallel(10, POSITIONS, |board| {
        for &mv in &board.legal_moves() {
            let next = board.after(mv);
            assert_same(&next, &recomputed(&next), (board, mv));
        }
        if !board.in_check() {
            let next = board.after_null();
            let mut expected = recomputed(&next);
            assert_same(&next, &expected, (board, "pass"));
            expected = recomputed(board);
            assert_same(board, &expected, "before the pass");
        }
    });
}

#[test]
fn making_a_move_on_a_copy_leaves_the_original_alone() {
    visit_in_parallel(11, POSITIONS, |board| {
        let before = board.clone();
        for &mv in &board.legal_moves() {
            let mut copy = board.clone();
            copy.make(mv);
            assert!(copy == board.after(mv) && copy != *board, "{mv:?} in {}", board.fen());
            let mut child = board.clone();
            child.make_from(board, mv, &mut ());
            assert!(child == copy && *board == before, "{mv:?} in {}", before.fen());
        }
        assert!(*board == before, "{}", before.fen());
    });
}

/// Listens to a move and keeps a list of pieces of its own.
struct Shadow([Option<Piece>; 64]);

impl Observer for Shadow {
    fn add(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "{square} is taken");
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "{square} holds something else");
    }

    /// King and rook may change places in Chess960: what is shifted first may land on what is shifted next.
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        if self.0[from.index()] == Some(piece) {
            self.0[from.index()] = None;
        }
        self.0[to.index()] = Some(piece);
    }
}

#[test]
fn an_observer_hears_all_that_changes() {
    visit_in_parallel(12, POSITIONS, |board| {
        for &mv in &board.legal_moves() {
            let mut shadow = Shadow(Setup::of(board).pieces);
            let mut next = board.clone();
            next.make_observed(mv, &mut shadow);
            assert!(next == board.after(mv));
            assert_eq!(shadow.0, Setup::of(&next).pieces, "{mv:?} in {}", board.fen());
        }
    });
}

/// All 65 536 encodings, as they might come out of a hash table that was written for another position.
#[test]
fn exactly_the_generated_moves_are_legal() {
    visit_in_parallel(13, POSITIONS / 6, |board| {
        let mut generated = vec![false; 1 << 16];
        for &mv in &board.legal_moves() {
            assert!(!generated[usize::from(mv.bits())], "{mv:?} generated twice in {}", board.fen());
            generated[usize::from(mv.bits())] = true;
        }
        for bits in 0..=u16::MAX {
            let legal = Move::from_bits(bits).is_some_and(|mv| board.is_legal(mv));
            assert_eq!(legal, generated[usize::from(bits)], "{:?} in {}", Move::from_bits(bits), board.fen());
        }
    });
}

fn collect(generate: impl Fn(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    let mut moves = list.to_vec();
    moves.sort_unstable();
    moves
}

#[test]
fn the_stages_share_out_the_moves() {
    visit_in_parallel(14, POSITIONS * 4, |board| {
        let all = collect(|list| board.generate_all(list));
        let noisy = collect(|list| board.generate_captures(list));
        let quiet = collect(|list| board.generate_quiets(list));
        let evasions = collect(|list| board.generate_evasions(list));
        assert!(noisy.iter().all(|mv| mv.is_capture() || mv.is_promotion()), "{}", board.fen());
        assert!(quiet.iter().all(|mv| mv.is_quiet()), "{}", board.fen());
        let mut both = [noisy, quiet].concat();
        both.sort_unstable();
        assert_eq!(both, all, "{}", board.fen());
        assert_eq!(evasions, if board.in_check() { all } else { Vec::new() }, "{}", board.fen());
        assert_eq!(board.has_legal_moves(), !both.is_empty());
        assert_eq!(board.count_legal_moves(), both.len() as u64);
    });
}

#[test]
fn a_check_is_known_before_the_move_is_made() {
    visit_in_parallel(15, POSITIONS * 2, |board| {
        for &mv in &board.legal_moves() {
            assert_eq!(board.gives_check(mv), board.after(mv).in_check(), "{mv:?} in {}", board.fen());
        }
    });
}

/// The key that is guessed for prefetching is exact for every move whose side effects it does follow.
#[test]
fn the_key_ahead_of_an_ordinary_move_is_exact() {
    visit_in_parallel(16, POSITIONS, |board| {
        for &mv in &board.legal_moves() {
            let next = board.after(mv);
            let special = mv.is_castle() || mv.is_en_passant() || mv.is_promotion();
            let state = |board: &Board| (board.castling(), board.en_passant());
            if !special && state(board) == state(&next) && board.en_passant().is_none() {
                assert_eq!(board.key_after(mv), next.key(), "{mv:?} in {}", board.fen());
            }
        }
    });
}

#[test]
fn attacks_are_the_same_seen_from_either_end() {
    visit_in_parallel(17, POSITIONS, |board| {
        let occupied = board.occupied();
        for color in Color::ALL {
            let attacked = board.attacks_by(color, occupied);
            for square in Square::all() {
                let by_attackers = (board.attackers_to(square, occupied) & board.color(color)).any();
                assert_eq!(attacked.contains(square), by_attackers, "{square} in {}", board.fen());
                assert_eq!(board.is_attacked(square, color, occupied), by_attackers, "{square} in {}", board.fen());
            }
        }
        let (us, king) = (board.side_to_move(), board.king(board.side_to_move()));
        assert_eq!(board.checkers(), board.attackers_to(king, occupied) & board.color(!us));
        // A pinned piece is one whose disappearance would bring another attacker on the king.
        let uncovers = |square: &Square| {
            let seen = board.attackers_to(king, occupied - square.bitboard()) & board.color(!us);
            *square != king && (seen - board.checkers()).any()
        };
        let pinned: Bitboard = board.color(us).into_iter().filter(uncovers).collect();
        assert_eq!(board.pinned(), pinned, "{}", board.fen());
    });
}

/// Bitboards, mailbox and counts tell the same story.
#[test]
fn the_views_of_the_board_agree() {
    visit_in_parallel(18, POSITIONS, |board| {
        for square in Square::all() {
            let piece = board.piece_on(square);
            assert_eq!(board.kind_on(square), piece.map(|piece| piece.kind));
            for color in Color::ALL {
                for kind in PieceKind::ALL {
                    let there = board.pieces(color, kind).contains(square);
                    assert_eq!(there, piece == Some(Piece::new(color, kind)), "{square} in {}", board.fen());
                }
            }
        }
        for color in Color::ALL {
            assert_eq!(board.piece_on(board.king(color)), Some(Piece::new(color, PieceKind::King)));
            let others = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
            assert_eq!(board.has_non_pawns(color), others.iter().any(|&kind| board.pieces(color, kind).any()));
        }
    });
}

/// Each key is the sum of the numbers of the pieces it covers; the full one also knows side, castling, en passant.
#[test]
fn keys_cover_the_pieces_they_are_named_after() {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    visit_in_parallel(20, POSITIONS, |board| {
        let sum = |colors: &[Color], kinds: &[PieceKind]| {
            let pieces = board.occupied().into_iter().filter_map(|square| Some((square, board.piece_on(square)?)));
            pieces
                .filter(|(_, piece)| colors.contains(&piece.color) && kinds.contains(&piece.kind))
                .fold(0, |key, (square, piece)| key ^ zobrist::piece(piece.color, piece.kind, square))
        };
        let keys = board.keys();
        assert_eq!(keys.pawn(), sum(&Color::ALL, &[Pawn]));
        assert_eq!(keys.minor(), sum(&Color::ALL, &[King, Knight, Bishop]));
        assert_eq!(keys.major(), sum(&Color::ALL, &[King, Rook, Queen]));
        for color in Color::ALL {
            assert_eq!(keys.non_pawn(color), sum(&[color], &[Knight, Bishop, Rook, Queen, King]));
        }
        let side = if board.side_to_move() == Color::Black { zobrist::black_to_move() } else { 0 };
        let state =
            side ^ zobrist::castling(board.castling().all_rooks()) ^ board.en_passant().map_or(0, zobrist::en_passant);
        assert_eq!(keys.full(), sum(&Color::ALL, &PieceKind::ALL) ^ state);
    });
}

/// Equal positions have equal keys, and different ones different keys; counters are no part of a position.
#[test]
fn keys_name_positions() {
    let names: Mutex<HashMap<u64, String>> = Mutex::default();
    in_parallel(64, |batch| {
        let mut seen = Vec::new();
        visit_positions(19_000 + batch as u64, 3_000, |board| {
            let fen = board.shredder_fen();
            let name = fen.rsplitn(3, ' ').last().map(str::to_string).unwrap_or_default();
            seen.push((board.key(), name));
        });
        let mut names = names.lock().expect("no panic while locked");
        for (key, name) in seen {
            let known = names.entry(key).or_insert_with(|| name.clone());
            assert_eq!(*known, name, "one key for two positions");
        }
    });
    let names = names.into_inner().expect("no panic while locked");
    let mut fens: Vec<&String> = names.values().collect();
    fens.sort_unstable();
    fens.dedup();
    assert_eq!(fens.len(), names.len(), "two keys for one position");
}
