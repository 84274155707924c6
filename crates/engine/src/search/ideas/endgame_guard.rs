//! Endgame guard: static judgements (razoring, reverse futility) are not trusted when a side has little left.
//! There zugzwang, fortresses and races decide, and no margin covers them.

use chess::{Board, Color, PieceKind, SEE_VALUES, Value};

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Keeps razoring and reverse futility away where little material is left.
    EndgameGuard "UseEndgameGuard" (_, SN2) {
        /// Either side's non-pawn material below this raises the guard (published 1300).
        material_min = 308 in 0..=3000 step 100;
    }
}

impl Worker<'_> {
    /// Endgame guard: notes whether static judgements are to be trusted.
    #[inline(always)]
    pub(in crate::search) fn endgame_guard(&self, board: &Board, node: &mut Node) {
        node.endgame = is_up(&self.params.search.endgame_guard, board);
    }
}

/// One side's pieces without pawns, by exchange values.
#[inline(always)]
pub fn non_pawn_material(board: &Board, color: Color) -> Value {
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .map(|kind| SEE_VALUES[kind.index()] * board.pieces(color, kind).len() as Value)
        .sum()
}

/// Both sides' pieces without pawns, by exchange values.
#[inline(always)]
pub fn pieces_of_both(board: &Board) -> Value {
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
        .into_iter()
        .map(|kind| SEE_VALUES[kind.index()] * board.kind(kind).len() as Value)
        .sum()
}

/// Whether the guard is up.
#[inline(always)]
fn is_up(p: &EndgameGuard, board: &Board) -> bool {
    p.enabled && Color::ALL.into_iter().any(|color| non_pawn_material(board, color) < p.material_min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_side_can_raise_it() {
        let p = EndgameGuard { material_min: 1300, ..EndgameGuard::default() };
        assert!(!is_up(&p, &Board::start()));
        let lone = Board::from_fen("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1").expect("legal");
        assert!(is_up(&p, &lone));
        assert_eq!(non_pawn_material(&Board::start(), Color::White), 900 + 1000 + 600 + 600);
        assert_eq!(pieces_of_both(&lone), 900 + 1000 + 600 + 600, "Black has none");
    }
}
