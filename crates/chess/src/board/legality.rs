//! Whether a sixteen-bit number that came from a hash table is a legal move here, without generating moves.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, MoveKind, PieceKind, Square};

impl Board {
    /// Whether the move is legal here, encoding and all: true exactly for the moves that are generated.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let mv = parse_uci(&Board::start(), "e2e4")?;
    /// assert!(Board::start().is_legal(mv));
    /// assert!(!Board::start().after(mv).is_legal(mv));
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let (Some(kind), Some(mover)) = (mv.kind(), self.kind_on(from)) else {
            return false;
        };
        if !self.color(us).contains(from) {
            return false;
        }
        match kind {
            MoveKind::Castle => {
                return mover == PieceKind::King
                    && self.checkers.is_empty()
                    && self.castling.rooks(us).contains(to)
                    && self.can_castle(us, from, to);
            }
            MoveKind::EnPassant => {
                return mover == PieceKind::Pawn
                    && self.en_passant == Some(to)
                    && attacks::pawn(us, from).contains(to)
                    && self.en_passant_is_safe(from, to, us);
            }
            _ => {}
        }
        let fits_target = if mv.is_capture() { self.color(!us).contains(to) } else { !self.occupied().contains(to) };
        if !fits_target {
            return false;
        }
        if mover == PieceKind::King {
            return !mv.is_promotion()
                && kind != MoveKind::DoublePush
                && attacks::king(from).contains(to)
                && !self.is_attacked(to, !us, self.occupied() - from.bitboard());
        }
        let reachable = if mover == PieceKind::Pawn {
            self.pawn_reaches(us, mv, kind)
        } else {
            !mv.is_promotion() && kind != MoveKind::DoublePush && self.attacks_from(mover, from).contains(to)
        };
        reachable && self.keeps_king_safe(us, from, to)
    }

    /// Whether the move gives check. For legal moves only.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
    /// assert!(board.gives_check(parse_uci(&board, "a1a8")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let their_king = self.king(!us);
        if mv.is_castle() || mv.is_en_passant() {
            return self.after(mv).in_check();
        }
        let Some(arrives) = mv.promotion().or(self.kind_on(from)) else {
            return false;
        };
        let occupied = (self.occupied() - from.bitboard()) | to.bitboard();
        let direct = match arrives {
            PieceKind::Pawn => attacks::pawn(us, to),
            PieceKind::Knight => attacks::knight(to),
            PieceKind::Bishop => attacks::bishop(to, occupied),
            PieceKind::Rook => attacks::rook(to, occupied),
            PieceKind::Queen => attacks::queen(to, occupied),
            PieceKind::King => Bitboard::EMPTY,
        };
        if direct.contains(their_king) {
            return true;
        }
        // Discovered: only if the piece leaves a line to the king.
        let own = self.color(us) - from.bitboard();
        (attacks::rook_rays(their_king).contains(from)
            && (attacks::rook(their_king, occupied) & self.orthogonal_sliders() & own).any())
            || (attacks::bishop_rays(their_king).contains(from)
                && (attacks::bishop(their_king, occupied) & self.diagonal_sliders() & own).any())
    }

    /// Where a piece other than a pawn attacks from a square.
    #[inline(always)]
    fn attacks_from(&self, kind: PieceKind, from: Square) -> Bitboard {
        match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => attacks::knight(from),
            PieceKind::Bishop => attacks::bishop(from, self.occupied()),
            PieceKind::Rook => attacks::rook(from, self.occupied()),
            PieceKind::Queen => attacks::queen(from, self.occupied()),
            PieceKind::King => attacks::king(from),
        }
    }

    /// Whether a pawn's move has the right shape for its encoding, king safety aside.
    #[inline(always)]
    fn pawn_reaches(&self, us: Color, mv: Move, kind: MoveKind) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_promotion() != (to.relative_rank(us) == 7) {
            return false;
        }
        if mv.is_capture() {
            attacks::pawn(us, from).contains(to)
        } else if kind == MoveKind::DoublePush {
            let middle = from.forward(us);
            from.relative_rank(us) == 1 && to == middle.forward(us) && !self.occupied().contains(middle)
        } else {
            to == from.forward(us)
        }
    }

    /// Whether a piece other than the king answers the check, if there is one, and stays on its pin line.
    #[inline(always)]
    fn keeps_king_safe(&self, us: Color, from: Square, to: Square) -> bool {
        let king = self.king(us);
        if let Some(checker) = self.checkers.first() {
            let answers = attacks::between(king, checker) | self.checkers;
            if self.checkers.more_than_one() || !answers.contains(to) {
                return false;
            }
        }
        !self.pinned().contains(from) || attacks::line(king, from).contains(to)
    }
}
