//! Static exchange evaluation (SEE): what a capture wins once the dust on its square has settled.
//!
//! Both sides go on capturing on the target square, the least valuable piece first, and each may stop
//! when going on would lose. Handled: pieces that join in from behind (x-rays), pinned pieces that may
//! not join, en passant, and pawns that promote by capturing.

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

/// One side's pieces that are pinned to its king, and the pieces that pin them.
struct SeePins {
    king: Square,
    pinned: Bitboard,
    pinners: Bitboard,
}

impl Board {
    /// Whether a legal move wins at least `threshold` in the exchange on its target square.
    ///
    /// Works by asking in turn "can this side, by going on, reach `goal`?", where the goal is what the
    /// other side must not be allowed; it stops as soon as the answer is certain.
    pub fn see_at_least(&self, mv: Move, threshold: Value) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let us = self.side_to_move;
        let target = mv.to();
        let Some(mover) = self.kind_on(mv.from()) else {
            return false;
        };
        let promotion_gain = if (Bitboard::RANK_1 | Bitboard::RANK_8).contains(target) { PROMOTION_GAIN } else { 0 };
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
        let pins = [self.see_pins(Color::White), self.see_pins(Color::Black)];
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let mut goal = slack + 1;
        let mut side = us;
        loop {
            side = !side;
            let (reached, failed) = (side == us, side != us);
            let candidates = Self::without_pinned(attackers & self.color(side), &pins[side.index()], target, occupied);
            let Some((from, kind)) = self.least_valuable(candidates) else {
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
            goal = slack + 1;
        }
    }

    /// The cheapest of these pieces of one side, and its kind.
    #[inline(always)]
    fn least_valuable(&self, candidates: Bitboard) -> Option<(Square, PieceKind)> {
        if candidates.is_empty() {
            return None;
        }
        PieceKind::ALL.into_iter().find_map(|kind| Some(((candidates & self.kind(kind)).first()?, kind)))
    }

    /// Who is pinned to the king of `color` before the exchange begins.
    #[inline(always)]
    fn see_pins(&self, color: Color) -> SeePins {
        let king = self.king(color);
        let mut pins = SeePins { king, pinned: Bitboard::EMPTY, pinners: Bitboard::EMPTY };
        let snipers = (attacks::rook_rays(king) & self.orthogonal_sliders())
            | (attacks::bishop_rays(king) & self.diagonal_sliders());
        for sniper in snipers & self.color(!color) {
            let blockers = attacks::between(king, sniper) & self.occupied();
            if blockers.len() == 1 && (blockers & self.color(color)).any() {
                pins.pinned |= blockers;
                pins.pinners |= sniper.bitboard();
            }
        }
        pins
    }

    /// Leaves out the pieces that may not capture on `target` because their pinner still stands.
    #[inline(always)]
    fn without_pinned(candidates: Bitboard, pins: &SeePins, target: Square, occupied: Bitboard) -> Bitboard {
        let mut allowed = candidates;
        for piece in candidates & pins.pinned {
            if attacks::line(pins.king, piece).contains(target) {
                continue;
            }
            let held =
                (pins.pinners & occupied).into_iter().any(|pinner| attacks::between(pins.king, pinner).contains(piece));
            if held {
                allowed -= piece.bitboard();
            }
        }
        allowed
    }
}
