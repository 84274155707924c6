//! Passed-pawn extension: a passed pawn that comes near to its promotion is searched deeper, since the horizon would hide what
//! it becomes.

use chess::{Board, Color, Move, PieceKind, Square};

use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Searches the advance of a far passed pawn a ply deeper.
    PassedPawnExtension "UsePassedPawnExtension" (_, SS5) off {
        /// The rank that it must reach, counted from its own side.
        rank_base = 7 in 5..=7 step 1;
        /// The deepest node it works at.
        max_depth = 8 in 2..=40 step 1;
    }
    counts PassedPawnExtensionCounts { fired }
}

impl Worker<'_> {
    /// Passed-pawn extension: by how much deeper to search a move.
    #[inline(always)]
    pub(in crate::search) fn passed_pawn_extension(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
    ) -> i32 {
        let p = &self.params.search.passed_pawn_extension;
        let extends = p.enabled
            && node.depth <= p.max_depth
            && node.ply < 2 * self.root_depth as usize
            && comes_far(p, board, candidate.mv);
        self.telemetry.search.passed_pawn_extension.fired.count_if(extends);
        i32::from(extends)
    }
}

/// Whether the move brings a pawn that no pawn can stop any more to the rank that counts, or beyond, but not to promotion.
fn comes_far(p: &PassedPawnExtension, board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let rank = rank_for(us, mv.to());
    let is_pawn = board.kind_on(mv.from()) == Some(PieceKind::Pawn);
    is_pawn && (p.rank_base..8).contains(&rank) && is_passed(board, us, mv.to())
}

/// The rank of a square, counted from 1 at the side of a colour.
fn rank_for(us: Color, square: Square) -> i32 {
    let rank = square.index() as i32 / 8;
    if us == Color::White { rank + 1 } else { 8 - rank }
}

/// Whether no opposing pawn stands ahead of a pawn of ours on this square, on its file or beside it.
fn is_passed(board: &Board, us: Color, square: Square) -> bool {
    let file = |square: Square| square.index() as i32 % 8;
    let stops = |other: Square| (file(other) - file(square)).abs() <= 1 && rank_for(us, other) > rank_for(us, square);
    !board.pieces(!us, PieceKind::Pawn).into_iter().any(stops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passed_pawns_near_promotion() {
        let p = PassedPawnExtension::default();
        let comes = |fen: &str, mv: &str| {
            let board = Board::from_fen(fen).expect(fen);
            comes_far(&p, &board, chess::parse_uci(&board, mv).expect(mv))
        };
        assert!(comes("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "a6a7"));
        assert!(!comes("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6"), "not far enough");
        assert!(!comes("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), "a promotion is seen without it");
        assert!(comes("4k3/8/8/8/8/7p/8/4K3 b - - 0 1", "h3h2"), "Black counts from the other side");
        assert!(!comes("4k3/8/8/8/8/7p/6P1/R3K3 w Q - 0 1", "a1a7"), "a rook is no pawn");
        let at = |name: &str| name.parse::<Square>().expect(name);
        let board = Board::from_fen("4k3/1p6/P7/8/8/8/8/4K3 w - - 0 1").expect("legal");
        assert!(!is_passed(&board, Color::White, at("a6")), "a pawn beside it can take it");
        assert!(is_passed(&board, Color::White, at("a7")));
    }
}
