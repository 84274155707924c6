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
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().legal_moves().len(), 20);
    /// ```
    pub fn start() -> Board {
        Setup::start().validate().unwrap_or_else(|_| unreachable!("the start position is legal"))
    }

    /// Whose move it is.
    ///
    /// ```
    /// use chess::{Board, Color};
    /// assert_eq!(Board::start().side_to_move(), Color::White);
    /// ```
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Every occupied square.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().occupied().len(), 32);
    /// ```
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's pieces.
    ///
    /// ```
    /// use chess::{Color, Board, Bitboard};
    /// assert_eq!(Board::start().color(Color::Black), Bitboard::rank(6) | Bitboard::rank(7));
    /// ```
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one kind of piece, of both sides.
    ///
    /// ```
    /// use chess::{PieceKind, Board};
    /// assert_eq!(Board::start().kind(PieceKind::Knight).len(), 4);
    /// ```
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of one kind.
    ///
    /// ```
    /// use chess::{PieceKind, Color, Board, Bitboard};
    /// assert_eq!(Board::start().pieces(Color::White, PieceKind::Pawn), Bitboard::rank(1));
    /// ```
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The bishops and queens of both sides.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().diagonal_sliders().len(), 6);
    /// ```
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// The rooks and queens of both sides.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().orthogonal_sliders().len(), 6);
    /// ```
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// The kind of piece on a square.
    ///
    /// ```
    /// use chess::{PieceKind, Square, Board};
    /// assert_eq!(Board::start().kind_on(Square::D8), Some(PieceKind::Queen));
    /// ```
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Option<PieceKind> {
        self.mailbox[square.index()]
    }

    /// The piece on a square.
    ///
    /// ```
    /// use chess::{PieceKind, Square, Piece, Color, Board};
    ///
    /// assert_eq!(Board::start().piece_on(Square::E1), Some(Piece::new(Color::White, PieceKind::King)));
    /// assert_eq!(Board::start().piece_on(Square::E4), None);
    /// ```
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_on(square)?;
        let color = if self.color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece::new(color, kind))
    }

    /// Where the king of `color` stands.
    ///
    /// ```
    /// use chess::{Square, Board, Color};
    /// assert_eq!(Board::start().king(Color::Black), Square::E8);
    /// ```
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::King).first_unchecked()
    }

    /// Which rooks may still castle.
    ///
    /// ```
    /// use chess::{Square, Board, Color};
    /// assert_eq!(Board::start().castling().rooks(Color::White), Square::A1.bitboard() | Square::H1.bitboard());
    /// ```
    #[inline(always)]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square behind a pawn that can be captured en passant now, by a legal move.
    ///
    /// ```
    /// use chess::{Square, Board};
    ///
    /// let board = Board::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")?;
    /// assert_eq!(board.en_passant(), Some(Square::D6));
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 17 40")?;
    /// assert_eq!((board.halfmove_clock(), board.fullmove_number()), (17, 40));
    /// # Ok::<(), chess::FenError>(())
    /// ```
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
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 17 40")?;
    /// let later = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 18 41")?;
    /// assert_eq!(board.key(), later.key());
    /// # Ok::<(), chess::FenError>(())
    /// ```
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
    ///
    /// ```
    /// use chess::{Square, Board};
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1")?;
    /// assert_eq!(board.checkers(), Square::E1.bitboard());
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// use chess::Board;
    /// assert!(!Board::start().in_check());
    /// ```
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    ///
    /// ```
    /// use chess::{Square, Board};
    ///
    /// let board = Board::from_fen("4k3/4n3/8/8/8/8/8/4R1K1 b - - 0 1")?;
    /// assert!(board.pinned().contains(Square::E7));
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        (self.pins.orthogonal | self.pins.diagonal) & self.color(self.side_to_move)
    }

    /// Whether this side has a piece besides king and pawns.
    ///
    /// ```
    /// use chess::{Board, Color};
    ///
    /// let board = Board::from_fen("4k3/pppp4/8/8/8/8/8/4R1K1 b - - 0 1")?;
    /// assert!(board.has_non_pawns(Color::White) && !board.has_non_pawns(Color::Black));
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[inline(always)]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        (self.color(color) - self.kind(PieceKind::Pawn) - self.kind(PieceKind::King)).any()
    }

    /// The pieces of both sides that attack a square, seen through the given occupancy.
    ///
    /// ```
    /// use chess::{Square, Board};
    ///
    /// let board = Board::start();
    /// assert_eq!(board.attackers_to(Square::F3, board.occupied()).len(), 3);
    /// ```
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
    ///
    /// ```
    /// use chess::{Square, Board, Color};
    ///
    /// let board = Board::start();
    /// assert!(board.is_attacked(Square::F3, Color::White, board.occupied()));
    /// assert!(!board.is_attacked(Square::E4, Color::White, board.occupied()));
    /// ```
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
    ///
    /// ```
    /// use chess::{Color, Board, Bitboard};
    ///
    /// let board = Board::start();
    /// assert!(board.attacks_by(Color::White, board.occupied()).contains_all(Bitboard::rank(2)));
    /// ```
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
    ///
    /// ```
    /// use chess::{PieceKind, Board, parse_uci};
    ///
    /// let board = Board::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")?;
    /// let mv = parse_uci(&board, "e5d6")?;
    /// assert_eq!(board.captured(mv), Some(PieceKind::Pawn));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4KB2 w - - 0 1")?;
    /// assert!(board.is_insufficient_material());
    /// # Ok::<(), chess::FenError>(())
    /// ```
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
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 0 1")?;
    /// assert!(board.is_checkmate() && !board.is_stalemate());
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_moves()
    }

    /// Whether the side to move has no legal move but is not in check.
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?;
    /// assert!(board.is_stalemate() && !board.is_checkmate());
    /// # Ok::<(), chess::FenError>(())
    /// ```
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
