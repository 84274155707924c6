//! The only truth of what a legal position is.

use std::fmt;

use super::{Board, Keys, Pins, Setup};
use crate::types::{Bitboard, Color, Piece, PieceKind, Square, Wing};
use crate::zobrist;

/// Why a position is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPosition {
    /// A side has no king, or more than one.
    Kings(Color, u32),
    /// A pawn stands on the first or last rank.
    PawnOnBackRank(Square),
    /// A side has more men than sixteen, or more promoted pieces than missing pawns.
    TooManyMen(Color),
    /// The side that is not to move is in check.
    OpponentInCheck(Color),
    /// No move could have given this check: too many checkers, or two pawns or knights at once.
    ImpossibleCheck,
    /// A right to castle without the king and rook at home for it.
    Castling(Square),
    /// An en passant square that no pawn can just have passed over.
    EnPassant(Square),
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidPosition::Kings(color, 0) => write!(f, "{color:?} has no king"),
            InvalidPosition::Kings(color, n) => write!(f, "{color:?} has {n} kings, expected one"),
            InvalidPosition::PawnOnBackRank(square) => {
                write!(f, "pawn on {square}; pawns stand on ranks 2 to 7")
            }
            InvalidPosition::TooManyMen(color) => {
                write!(f, "{color:?} has more men than eight pawns and their promotions allow")
            }
            InvalidPosition::OpponentInCheck(color) => {
                write!(f, "{color:?} is in check but it is not its move")
            }
            InvalidPosition::ImpossibleCheck => f.write_str("the side to move is in a check that no move can give"),
            InvalidPosition::Castling(square) => {
                write!(f, "castling right for {square}, but king and rook are not at home for it")
            }
            InvalidPosition::EnPassant(square) => {
                write!(f, "no pawn can just have passed over {square}")
            }
        }
    }
}

impl std::error::Error for InvalidPosition {}

impl Setup {
    /// The board, if the position is legal. An en passant square where nobody can legally capture is
    /// dropped: it means nothing, and many programs write it after every double step.
    ///
    /// ```
    /// use chess::Setup;
    ///
    /// assert!(Setup::start().validate().is_ok());
    /// assert!(Setup::empty().validate().is_err(), "no king");
    /// ```
    pub fn validate(&self) -> Result<Board, InvalidPosition> {
        let mut board = self.place();
        check_men(&board)?;
        let (us, them) = (self.side_to_move, !self.side_to_move);
        if board.is_attacked(board.king(them), us, board.occupied()) {
            return Err(InvalidPosition::OpponentInCheck(them));
        }
        board.update_check_info();
        check_castling(&board)?;
        if let Some(square) = self.en_passant {
            check_en_passant(&board, square)?;
        }
        check_checkers(&board, self.en_passant)?;
        if let Some(square) = self.en_passant {
            board.set_en_passant(square, us);
        }
        Ok(board)
    }

    /// The pieces on a board, with keys, but without any check.
    fn place(&self) -> Board {
        let mut board = Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            keys: Keys::default(),
            castling: self.castling,
            checkers: Bitboard::EMPTY,
            pins: Pins::default(),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number.max(1),
            en_passant: None,
            side_to_move: self.side_to_move,
        };
        let mut keys = Keys::default();
        for square in Square::all() {
            if let Some(piece) = self.pieces[square.index()] {
                board.put(&mut keys, piece, square);
            }
        }
        keys.toggle_state(zobrist::castling(self.castling.all_rooks()));
        if self.side_to_move == Color::Black {
            keys.toggle_state(zobrist::black_to_move());
        }
        board.keys = keys;
        board
    }
}

/// One king a side, pawns where pawns can be, no more men than a game can bring about.
fn check_men(board: &Board) -> Result<(), InvalidPosition> {
    for color in Color::ALL {
        let kings = board.pieces(color, PieceKind::King).len();
        if kings != 1 {
            return Err(InvalidPosition::Kings(color, kings));
        }
    }
    let stray = board.kind(PieceKind::Pawn) & (Bitboard::RANK_1 | Bitboard::RANK_8);
    if let Some(square) = stray.first() {
        return Err(InvalidPosition::PawnOnBackRank(square));
    }
    for color in Color::ALL {
        let count = |kind| board.pieces(color, kind).len();
        let bishops = board.pieces(color, PieceKind::Bishop);
        let light = (bishops & Bitboard::LIGHT).len();
        let promoted = count(PieceKind::Queen).saturating_sub(1)
            + count(PieceKind::Rook).saturating_sub(2)
            + count(PieceKind::Knight).saturating_sub(2)
            + light.saturating_sub(1)
            + (bishops.len() - light).saturating_sub(1);
        if count(PieceKind::Pawn) + promoted > 8 {
            return Err(InvalidPosition::TooManyMen(color));
        }
    }
    Ok(())
}

/// Kings on the back rank and rooks of their own there, one a wing.
fn check_castling(board: &Board) -> Result<(), InvalidPosition> {
    let mut known = Bitboard::EMPTY;
    for color in Color::ALL {
        let king = board.king(color);
        let rooks = board.castling.rooks(color);
        known |= rooks;
        let Some(first) = rooks.first() else { continue };
        if king.relative_rank(color) != 0 {
            return Err(InvalidPosition::Castling(first));
        }
        if let Some(square) = (rooks - board.pieces(color, PieceKind::Rook)).first() {
            return Err(InvalidPosition::Castling(square));
        }
        for wing in Wing::ALL {
            let mut on_wing = rooks.into_iter().filter(|&rook| Wing::of(king, rook) == wing);
            if let (Some(_), Some(second)) = (on_wing.next(), on_wing.next()) {
                return Err(InvalidPosition::Castling(second));
            }
        }
    }
    match (board.castling.all_rooks() - known).first() {
        Some(square) => Err(InvalidPosition::Castling(square)),
        None => Ok(()),
    }
}

/// The passed-over square and the pawn's origin are empty and the pawn stands in front of them.
fn check_en_passant(board: &Board, square: Square) -> Result<(), InvalidPosition> {
    let them = !board.side_to_move;
    let pawn = square.forward(them);
    let origin = square.forward(!them);
    let plausible = square.relative_rank(them) == 2
        && board.piece_on(pawn) == Some(Piece::new(them, PieceKind::Pawn))
        && board.kind_on(square).is_none()
        && board.kind_on(origin).is_none();
    if plausible { Ok(()) } else { Err(InvalidPosition::EnPassant(square)) }
}

/// At most two checkers, not both pawns or knights. With a pawn that has just made a double step, that pawn
/// alone, or one piece that it has uncovered. Two checkers with the king between them are let through, though no
/// move can give that check either: well-known perft suites have such a position, and it plays like any other.
fn check_checkers(board: &Board, en_passant: Option<Square>) -> Result<(), InvalidPosition> {
    let (us, them) = (board.side_to_move, !board.side_to_move);
    let king = board.king(us);
    let leapers = board.kind(PieceKind::Pawn) | board.kind(PieceKind::Knight);
    let mut checkers = board.checkers.into_iter();
    let possible = match (checkers.next(), checkers.next(), checkers.next(), en_passant) {
        (None, ..) => true,
        (Some(checker), None, None, Some(square)) => {
            let (pawn, origin) = (square.forward(them), square.forward(us));
            let before = (board.occupied() - pawn.bitboard()) | origin.bitboard();
            checker == pawn || (board.attackers_to(king, before) & board.color(them)).is_empty()
        }
        (Some(_), None, None, None) => true,
        (Some(a), Some(b), None, None) => !(leapers.contains(a) && leapers.contains(b)),
        _ => false,
    };
    if possible { Ok(()) } else { Err(InvalidPosition::ImpossibleCheck) }
}
