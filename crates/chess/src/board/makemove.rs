//! Making a move.

use super::{Board, Keys};
use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square, Wing};
use crate::zobrist;

/// Hears of every piece that a move puts down, takes away or shifts, so that an evaluation can keep
/// up. `()` listens to nothing and costs nothing.
pub trait Observer {
    /// A piece appears on a square.
    fn add(&mut self, piece: Piece, square: Square);
    /// A piece disappears from a square.
    fn remove(&mut self, piece: Piece, square: Square);
    /// A piece goes from one square to another.
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.remove(piece, from);
        self.add(piece, to);
    }
}

impl Observer for () {
    #[inline(always)]
    fn add(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn remove(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn shift(&mut self, _: Piece, _: Square, _: Square) {}
}

impl Board {
    /// The position after a legal move.
    ///
    /// ```
    /// use chess::{Square, Board, parse_uci};
    ///
    /// let mv = parse_uci(&Board::start(), "e2e4")?;
    /// let board = Board::start().after(mv);
    /// assert_eq!(board.piece_on(Square::E4).map(|piece| piece.letter()), Some('P'));
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn after(&self, mv: Move) -> Board {
        let mut next = self.clone();
        next.make_from(self, mv, &mut ());
        next
    }

    /// Makes a legal move.
    ///
    /// ```
    /// use chess::{Board, Color, parse_uci};
    ///
    /// let mut board = Board::start();
    /// board.make(parse_uci(&board, "e2e4")?);
    /// assert_eq!(board.side_to_move(), Color::Black);
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn make(&mut self, mv: Move) {
        self.make_observed(mv, &mut ());
    }

    /// Makes a legal move and tells the observer what it changes.
    pub fn make_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let parent = self.clone();
        self.make_from(&parent, mv, observer);
    }

    /// Turns a fresh copy of `parent` into the position after a legal move, and tells the observer what changes.
    ///
    /// This is the hot path. What is known of the old position is read from `parent`: reading it back from the copy
    /// would wait for the copy to arrive in memory, and returning the new board by value would copy it twice.
    #[inline(always)]
    pub fn make_from<O: Observer>(&mut self, parent: &Board, mv: Move, observer: &mut O) {
        debug_assert!(parent.is_legal(mv), "{mv:?} is not legal in {}", parent.fen());
        let us = parent.side_to_move;
        let them = !us;
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = parent.kind_on(from) else { return };

        let mut keys = parent.keys;
        keys.toggle_state(zobrist::black_to_move());
        self.side_to_move = them;
        // A game may outlast the counters; they then stand still, so that a long clock never looks like a short one.
        self.halfmove_clock = parent.halfmove_clock.saturating_add(1);
        self.fullmove_number = parent.fullmove_number.saturating_add(us.index() as u32);
        self.en_passant = None;
        if let Some(square) = parent.en_passant {
            keys.toggle_state(zobrist::en_passant(square));
        }
        let lost = parent.castling_lost(mover, from, to);
        if lost.any() {
            keys.toggle_state(zobrist::castling(lost));
            self.castling.revoke(lost);
        }

        if mv.is_castle() {
            self.castle(&mut keys, us, from, to, observer);
        } else {
            if mv.is_capture() {
                let square = if mv.is_en_passant() { Self::en_passant_victim(to) } else { to };
                if let Some(victim) = parent.kind_on(square) {
                    self.take(&mut keys, Piece::new(them, victim), square);
                    observer.remove(Piece::new(them, victim), square);
                    self.halfmove_clock = 0;
                }
            }
            if let Some(promoted) = mv.promotion() {
                self.take(&mut keys, Piece::new(us, PieceKind::Pawn), from);
                self.put(&mut keys, Piece::new(us, promoted), to);
                observer.remove(Piece::new(us, PieceKind::Pawn), from);
                observer.add(Piece::new(us, promoted), to);
            } else {
                self.shift(&mut keys, Piece::new(us, mover), from, to);
                observer.shift(Piece::new(us, mover), from, to);
            }
        }
        self.keys = keys;
        if mover == PieceKind::Pawn {
            self.halfmove_clock = 0;
            if mv.is_double_push() {
                self.set_en_passant(from.forward(us), them);
            }
        }
        self.update_check_info();
    }

    /// The position after passing the move. Not for positions in check.
    ///
    /// ```
    /// use chess::{Board, Color};
    /// assert_eq!(Board::start().after_null().side_to_move(), Color::Black);
    /// ```
    #[inline(always)]
    pub fn after_null(&self) -> Board {
        debug_assert!(!self.in_check());
        let mut next = self.clone();
        // No position before a pass can be repeated after it.
        next.halfmove_clock = 0;
        next.fullmove_number = next.fullmove_number.saturating_add(self.side_to_move.index() as u32);

        if let Some(square) = next.en_passant.take() {
            next.keys.toggle_state(zobrist::en_passant(square));
        }
        next.side_to_move = !self.side_to_move;
        next.keys.toggle_state(zobrist::black_to_move());
        next.update_check_info();
        next
    }

    /// The key after a move, near enough to fetch its table entry ahead of time: castling, en passant
    /// and promotion are not followed.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let mv = parse_uci(&Board::start(), "e2e4")?;
    /// assert_ne!(Board::start().key_after(mv), Board::start().key());
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let us = self.side_to_move;
        let mut key = self.key() ^ zobrist::black_to_move();
        if let Some(mover) = self.kind_on(mv.from()) {
            key ^= zobrist::piece(us, mover, mv.from()) ^ zobrist::piece(us, mover, mv.to());
        }
        if mv.is_capture()
            && let Some(victim) = self.kind_on(mv.to())
        {
            key ^= zobrist::piece(!us, victim, mv.to());
        }
        key
    }

    /// The pawn that an en passant capture arriving on `target` takes.
    #[inline(always)]
    pub(super) const fn en_passant_victim(target: Square) -> Square {
        Square::new(target.index() as u8 ^ 8)
    }

    /// Sets the en passant square, if `capturer` really has a legal en passant capture there. So equal
    /// positions have equal keys, as the rule on repetition wants.
    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, target: Square, capturer: Color) {
        let candidates = attacks::pawn(!capturer, target) & self.pieces(capturer, PieceKind::Pawn);
        for from in candidates {
            if self.en_passant_is_safe(from, target, capturer) {
                self.en_passant = Some(target);
                self.keys.toggle_state(zobrist::en_passant(target));
                return;
            }
        }
    }

    /// Whether an en passant capture leaves the capturer's own king unattacked.
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square, us: Color) -> bool {
        let victim = Self::en_passant_victim(target).bitboard();
        let occupied = (self.occupied() - from.bitboard() - victim) | target.bitboard();
        (self.attackers_to(self.king(us), occupied) & self.color(!us) & !victim).is_empty()
    }

    /// The rights that a move ends: of a rook that moves or is captured, and of a king that moves.
    #[inline(always)]
    fn castling_lost(&self, mover: PieceKind, from: Square, to: Square) -> Bitboard {
        let mut touched = from.bitboard() | to.bitboard();
        if mover == PieceKind::King {
            touched |= Bitboard::relative_rank(0, self.side_to_move);
        }
        self.castling.all_rooks() & touched
    }

    /// Moves king and rook. In Chess960 either may stand where the other goes, so both are taken off first.
    fn castle<O: Observer>(&mut self, keys: &mut Keys, us: Color, king: Square, rook: Square, observer: &mut O) {
        let wing = Wing::of(king, rook);
        let pieces = [
            (Piece::new(us, PieceKind::King), king, wing.king_target(us)),
            (Piece::new(us, PieceKind::Rook), rook, wing.rook_target(us)),
        ];
        for (piece, from, _) in pieces {
            self.take(keys, piece, from);
        }
        for (piece, from, to) in pieces {
            self.put(keys, piece, to);
            observer.shift(piece, from, to);
        }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, keys: &mut Keys, piece: Piece, square: Square) {
        self.flip_bits(piece, square.bitboard());
        self.mailbox[square.index()] = Some(piece.kind);
        keys.toggle_piece(piece.color, piece.kind, square);
    }

    #[inline(always)]
    fn take(&mut self, keys: &mut Keys, piece: Piece, square: Square) {
        self.flip_bits(piece, square.bitboard());
        self.mailbox[square.index()] = None;
        keys.toggle_piece(piece.color, piece.kind, square);
    }

    #[inline(always)]
    fn shift(&mut self, keys: &mut Keys, piece: Piece, from: Square, to: Square) {
        self.flip_bits(piece, from.bitboard() | to.bitboard());
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece.kind);
        keys.move_piece(piece.color, piece.kind, from, to);
    }

    #[inline(always)]
    fn flip_bits(&mut self, piece: Piece, squares: Bitboard) {
        self.kinds[piece.kind.index()] ^= squares;
        self.colors[piece.color.index()] ^= squares;
    }
}
