//! Static exchange evaluation (SEE): what a capture wins once the dust on its square has settled.
//!
//! Both sides go on capturing on the target square, the least valuable piece first, and each may stop
//! when going on would lose. Handled: pieces that join in from behind (x-rays), en passant, and pawns that promote
//! by capturing.
//!
//! Each side's first capture obeys pins: the move itself is legal, and a piece that is pinned once it has been made
//! does not answer. Later captures do not ask: by then pieces have left their squares and the lines have changed.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceKind, Square, Value};

/// What the exchange evaluator counts for each kind of piece.
pub const SEE_VALUES: [Value; 6] = [100, 300, 300, 500, 900, 0];

/// What a pawn gains by becoming a queen.
const PROMOTION_GAIN: Value = SEE_VALUES[PieceKind::Queen.index()] - SEE_VALUES[PieceKind::Pawn.index()];

#[inline(always)]
const fn value(kind: PieceKind) -> Value {
    SEE_VALUES[kind.index()]
}

/// From the least to the most valuable on the last rank, where a pawn arrives as a queen and puts as much at stake.
const LAST_RANK_ORDER: [PieceKind; 6] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Pawn, PieceKind::Queen, PieceKind::King];

impl Board {
    /// Whether a legal move wins at least `threshold` in the exchange on its target square.
    ///
    /// Works by asking in turn "can this side, by going on, reach `goal`?", where the goal is what the
    /// other side must not be allowed; it stops as soon as the answer is certain.
    ///
    /// ```
    /// use chess::{Board, parse_uci};
    ///
    /// let board = Board::from_fen("4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1")?;
    /// let mv = parse_uci(&board, "e1e5")?;
    /// assert!(!board.see_at_least(mv, 0), "a rook for a pawn");
    /// assert!(board.see_at_least(mv, -500));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see_at_least(&self, mv: Move, threshold: Value) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let us = self.side_to_move;
        let target = mv.to();
        let Some(mover) = self.kind_on(mv.from()) else {
            return false;
        };
        let on_last_rank = (Bitboard::RANK_1 | Bitboard::RANK_8).contains(target);
        let promotion_gain = if on_last_rank { PROMOTION_GAIN } else { 0 };
        let mut won = self.captured(mv).map_or(0, value);
        let mut standing = value(mover);
        if let Some(piece) = mv.promotion() {
            won += value(piece) - value(PieceKind::Pawn);
            standing = value(piece);
        }
        let slack = won - threshold;
        if slack < 0 {
            return false;
        }
        if slack >= standing + promotion_gain {
            return true;
        }

        let mut occupied = (self.occupied() - mv.from().bitboard()) | target.bitboard();
        if mv.is_en_passant() {
            occupied -= Self::en_passant_victim(target).bitboard();
        }
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let mut held = self.held_from(target, !us, occupied);
        let mut goal = slack + 1;
        let mut side = us;
        loop {
            side = !side;
            let (reached, failed) = (side == us, side != us);
            let Some((from, kind)) = self.least_valuable((attackers & self.color(side)) - held, on_last_rank) else {
                return failed;
            };
            if kind == PieceKind::King && (attackers & self.color(!side)).any() {
                return failed;
            }
            let gain = if kind == PieceKind::Pawn { promotion_gain } else { 0 };
            let slack = standing + gain - goal;
            standing = value(kind) + gain;
            if slack < 0 {
                return failed;
            }
            if slack >= standing + promotion_gain {
                return reached;
            }
            occupied -= from.bitboard();
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop(target, occupied) & self.diagonal_sliders();
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook(target, occupied) & self.orthogonal_sliders();
            }
            attackers &= occupied;
            held = Bitboard::EMPTY;
            goal = slack + 1;
        }
    }

    /// The least valuable of these pieces of one side, and its kind.
    #[inline(always)]
    fn least_valuable(&self, candidates: Bitboard, on_last_rank: bool) -> Option<(Square, PieceKind)> {
        if candidates.is_empty() {
            return None;
        }
        let first_of = |order: [PieceKind; 6]| {
            order.into_iter().find_map(|kind| Some(((candidates & self.kind(kind)).first()?, kind)))
        };
        if on_last_rank { first_of(LAST_RANK_ORDER) } else { first_of(PieceKind::ALL) }
    }

    /// The pieces of `color` that a pin keeps from capturing on `target`, with the pieces standing as in `occupied`.
    #[inline(always)]
    fn held_from(&self, target: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let king = self.king(color);
        let snipers = (attacks::rook_rays(king) & self.orthogonal_sliders())
            | (attacks::bishop_rays(king) & self.diagonal_sliders());
        let mut held = Bitboard::EMPTY;
        for sniper in snipers & self.color(!color) & occupied {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.more_than_one() && !attacks::line(king, sniper).contains(target) {
                held |= blockers;
            }
        }
        held
    }
}
