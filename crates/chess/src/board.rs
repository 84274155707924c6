//! The board: what stands where, whose move it is, and what follows from that.
//!
//! A board is a small value that is copied, changed and dropped ("copy-make"): there is nothing to undo.
//! docs/performance.md measures that against making and unmaking, in perft and in the search: on the whole it is no
//! slower.

mod fen;
mod game;
mod keys;
mod legality;
mod makemove;
mod movegen;
mod repetition;
mod see;
mod setup;
mod validate;

use std::fmt;

use crate::attacks;
use crate::types::{Bitboard, Castling, Color, Move, Piece, PieceKind, Square};

pub use fen::{FenError, FenField};
pub use game::{Game, Outcome};
pub use keys::Keys;
pub use makemove::Observer;
pub use movegen::MoveSink;
pub use repetition::KeyHistory;
pub use see::SEE_VALUES;
pub use setup::Setup;
pub use validate::InvalidPosition;

/// A legal chess position. Every board that exists has passed [`Setup::validate`], or came from one
/// that did by legal moves.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    mailbox: [Option<PieceKind>; 64],
    keys: Keys,
    castling: Castling,
    checkers: Bitboard,
    pins: Pins,
    halfmove_clock: u16,
    fullmove_number: u32,
    en_passant: Option<Square>,
    side_to_move: Color,
}

/// The lines along which pieces of the side to move are pinned to their king: from the king
/// (exclusive) to the pinning piece (inclusive).
///
/// Whatever stands on such a line may move only along it. Two unions are enough: a piece can never
/// step from one pin line onto another one of the same sort.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Pins {
    orthogonal: Bitboard,
    diagonal: Bitboard,
}

impl Board {
    /// The start position of standard chess.
    pub fn start() -> Board {
        Setup::start().validate().unwrap_or_else(|_| unreachable!("the start position is legal"))
    }

    /// Whose move it is.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Every occupied square.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's pieces.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one kind of piece, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of one kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The bishops and queens of both sides.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// The rooks and queens of both sides.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// The kind of piece on a square.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceKind> {
        self.mailbox[square.index()]
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let color = if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece::new(color, kind))
    }

    /// Where the king of `color` stands.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first_unchecked()
    }

    /// Which rooks may still castle.
    #[inline(always)]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square behind a pawn that can be captured en passant now, by a legal move.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, 1 at the start, counted up after Black's moves.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The key of the whole position.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.keys.full()
    }

    /// All the keys, whole and partial.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        (self.pins.orthogonal | self.pins.diagonal) & self.color(self.side_to_move)
    }

    /// Whether this side has a piece besides king and pawns.
    #[inline(always)]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        (self.color(color) - self.kind(PieceKind::Pawn) - self.kind(PieceKind::King)).any()
    }

    /// The pieces of both sides that attack a square, seen through the given occupancy.
    #[inline(always)]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = self.kind(PieceKind::Pawn);
        (attacks::pawn(Color::Black, square) & pawns & self.color(Color::White))
            | (attacks::pawn(Color::White, square) & pawns & self.color(Color::Black))
            | (attacks::knight(square) & self.kind(PieceKind::Knight))
            | (attacks::king(square) & self.kind(PieceKind::King))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders())
    }

    /// Whether `by` attacks a square, seen through the given occupancy.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let them = self.color(by);
        let leapers = (attacks::pawn(!by, square) & self.kind(PieceKind::Pawn))
            | (attacks::knight(square) & self.kind(PieceKind::Knight))
            | (attacks::king(square) & self.kind(PieceKind::King));
        let sliders = (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.orthogonal_sliders());
        ((leapers | sliders) & them).any()
    }

    /// Every square that `color` attacks, defended own pieces included.
    pub fn attacks_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.color(color);
        let mut set = attacks::pawns(color, self.pieces(color, PieceKind::Pawn)) | attacks::king(self.king(color));
        for from in self.pieces(color, PieceKind::Knight) {
            set |= attacks::knight(from);
        }
        for from in self.diagonal_sliders() & own {
            set |= attacks::bishop(from, occupied);
        }
        for from in self.orthogonal_sliders() & own {
            set |= attacks::rook(from, occupied);
        }
        set
    }

    /// What a move captures: the pawn for en passant, nothing for a quiet move or castling.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<PieceKind> {
        if !mv.is_capture() {
            None
        } else if mv.is_en_passant() {
            Some(PieceKind::Pawn)
        } else {
            self.kind_on(mv.to())
        }
    }

    /// Whether neither side has the men for any mate at all: bare kings, a single minor piece, or
    /// nothing but bishops on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.kind(PieceKind::Pawn) | self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen);
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.kind(PieceKind::Knight), self.kind(PieceKind::Bishop));
        if (knights | bishops).len() <= 1 {
            return true;
        }
        knights.is_empty() && (Bitboard::LIGHT.contains_all(bishops) || !Bitboard::LIGHT.intersects(bishops))
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_moves()
    }

    /// Whether the side to move has no legal move but is not in check.
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_moves()
    }

    /// Finds the checkers and the pin lines of the side to move. Sliders are found by looking from the
    /// king along empty-board rays: what has nothing in between checks, what has one piece in between pins.
    #[inline(always)]
    fn update_check_info(&mut self) {
        let us = self.side_to_move;
        let king = self.king(us);
        let them = self.color(!us);
        let occupied = self.occupied();
        self.checkers = ((attacks::pawn(us, king) & self.kind(PieceKind::Pawn))
            | (attacks::knight(king) & self.kind(PieceKind::Knight)))
            & them;
        self.pins = Pins::default();
        for sniper in attacks::rook_rays(king) & self.orthogonal_sliders() & them {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !blockers.more_than_one() {
                self.pins.orthogonal |= between | sniper.bitboard();
            }
        }
        for sniper in attacks::bishop_rays(king) & self.diagonal_sliders() & them {
            let between = attacks::between(king, sniper);
            let blockers = between & occupied;
            if blockers.is_empty() {
                self.checkers |= sniper.bitboard();
            } else if !blockers.more_than_one() {
                self.pins.diagonal |= between | sniper.bitboard();
            }
        }
    }
}

impl fmt::Display for Board {
    /// A diagram with White at the bottom, and the FEN below it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, " +---+---+---+---+---+---+---+---+")?;
        for rank in (0..8).rev() {
            for file in 0..8 {
                let letter = self.piece_on(Square::at(file, rank)).map_or(' ', Piece::letter);
                write!(f, " | {letter}")?;
            }
            writeln!(f, " | {}", rank + 1)?;
            writeln!(f, " +---+---+---+---+---+---+---+---+")?;
        }
        writeln!(f, "   a   b   c   d   e   f   g   h")?;
        write!(f, "\nFen: {}", self.fen())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.fen())
    }
}
