//! Our positions and moves in the words of shakmaty and cozy-chess, and what it means to agree with them.

// Every test file is a program of its own and uses only a part of this.
#![allow(dead_code)]

use chess::{Board, Move, MoveKind, PieceKind, Square};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role};

/// The same position in shakmaty.
pub fn to_shakmaty(board: &Board) -> Chess {
    parse_shakmaty(&board.fen()).unwrap_or_else(|error| panic!("{}: {error}", board.fen()))
}

/// What shakmaty makes of a FEN, or why it refuses.
pub fn parse_shakmaty(fen: &str) -> Result<Chess, String> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(|error| error.to_string())?;
    fen.into_position(CastlingMode::Chess960).map_err(|error| error.to_string())
}

/// The same position in cozy-chess, which refuses some that we accept: halfmove clocks above 100, for one.
pub fn to_cozy(board: &Board) -> Option<cozy_chess::Board> {
    cozy_chess::Board::from_fen(&board.shredder_fen(), true).ok()
}

/// A move of ours in shakmaty's terms.
pub fn to_shakmaty_move(board: &Board, mv: Move) -> shakmaty::Move {
    let (from, to) = (square(mv.from()), square(mv.to()));
    match mv.kind() {
        Some(MoveKind::Castle) => shakmaty::Move::Castle { king: from, rook: to },
        Some(MoveKind::EnPassant) => shakmaty::Move::EnPassant { from, to },
        _ => shakmaty::Move::Normal {
            role: role(board.kind_on(mv.from()).expect("a piece moves")),
            from,
            capture: board.captured(mv).map(role),
            to,
            promotion: mv.promotion().map(role),
        },
    }
}

/// A move of ours in the terms of cozy-chess, where castling is also the king taking its rook.
pub fn to_cozy_move(mv: Move) -> cozy_chess::Move {
    cozy_chess::Move {
        from: cozy_chess::Square::index(mv.from().index()),
        to: cozy_chess::Square::index(mv.to().index()),
        promotion: mv.promotion().map(|kind| cozy_chess::Piece::index(kind.index())),
    }
}

/// A move of shakmaty's in our terms, kind and all.
pub fn from_shakmaty_move(mv: shakmaty::Move) -> Move {
    let ours = |square: shakmaty::Square| Square::new(square.to_usize() as u8);
    match mv {
        shakmaty::Move::Castle { king, rook } => Move::new(ours(king), ours(rook), MoveKind::Castle),
        shakmaty::Move::EnPassant { from, to } => Move::new(ours(from), ours(to), MoveKind::EnPassant),
        shakmaty::Move::Normal { role, from, capture, to, promotion } => {
            let two_steps = from.to_usize().abs_diff(to.to_usize()) == 16;
            let kind = match (promotion, capture) {
                (Some(piece), capture) => MoveKind::promotion(kind(piece), capture.is_some()),
                (None, Some(_)) => MoveKind::Capture,
                (None, None) if role == Role::Pawn && two_steps => MoveKind::DoublePush,
                (None, None) => MoveKind::Quiet,
            };
            Move::new(ours(from), ours(to), kind)
        }
        shakmaty::Move::Put { .. } => unreachable!("no drops in chess"),
    }
}

fn square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}

const ROLES: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

fn role(kind: PieceKind) -> Role {
    ROLES[kind.index()]
}

fn kind(role: Role) -> PieceKind {
    PieceKind::ALL[ROLES.iter().position(|&r| r == role).expect("six roles")]
}

/// Our legal moves, in order of their encoding.
pub fn sorted_moves(board: &Board) -> Vec<Move> {
    let mut moves = board.legal_moves().to_vec();
    moves.sort_unstable();
    moves
}

/// Same legal moves, same verdicts, same FEN, and the FEN leads back to the same board.
pub fn assert_agreement(board: &Board, theirs: &Chess) {
    let fen = board.fen();
    let moves = sorted_moves(board);
    let mut expected: Vec<Move> = theirs.legal_moves().into_iter().map(from_shakmaty_move).collect();
    expected.sort_unstable();
    assert_eq!(moves, expected, "legal moves of {fen}");
    assert_eq!(board.count_legal_moves(), moves.len() as u64, "{fen}");
    assert_eq!(board.checkers().0, theirs.checkers().0, "checkers in {fen}");
    assert_eq!(board.is_checkmate(), theirs.is_checkmate(), "mate in {fen}");
    assert_eq!(board.is_stalemate(), theirs.is_stalemate(), "stalemate in {fen}");
    assert_eq!(board.is_insufficient_material(), theirs.is_insufficient_material(), "material in {fen}");
    assert_eq!(fen, Fen::from_position(theirs, EnPassantMode::Legal).to_string());
    assert_eq!(Board::from_fen(&fen).as_ref(), Ok(board), "{fen}");
    assert_eq!(Board::from_fen(&board.shredder_fen()).as_ref(), Ok(board), "{fen}");
}

/// Same moves, checkers and pinned pieces.
pub fn assert_second_opinion(board: &Board, second: &cozy_chess::Board) {
    let name = |mv: cozy_chess::Move| (mv.from as usize, mv.to as usize, mv.promotion.map(|piece| piece as usize));
    let mut expected = Vec::new();
    second.generate_moves(|batch| {
        expected.extend(batch.into_iter().map(name));
        false
    });
    expected.sort_unstable();
    let mut moves: Vec<_> = board.legal_moves().iter().map(|&mv| name(to_cozy_move(mv))).collect();
    moves.sort_unstable();
    assert_eq!(moves, expected, "legal moves of {}", board.fen());
    assert_eq!(board.checkers().0, second.checkers().0, "checkers in {}", board.fen());
    let own_pinned = second.pinned() & second.colors(second.side_to_move());
    assert_eq!(board.pinned().0, own_pinned.0, "pinned in {}", board.fen());
}
