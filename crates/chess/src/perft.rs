//! Perft: counting the leaves of the legal move tree, the standard proof of a move generator.

use crate::board::Board;
use crate::types::Move;

/// How many positions `depth` plies ahead there are. The last ply is counted, not made ("bulk counting").
///
/// ```
/// use chess::{Board, perft};
/// assert_eq!(perft(&Board::start(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            for &mv in &board.legal_moves() {
                let mut next = board.clone();
                next.make_from(board, mv, &mut ());
                nodes += perft(&next, depth - 1);
            }
            nodes
        }
    }
}

/// The count below each move of the root, in the order of generation.
///
/// ```
/// use chess::{Board, divide};
///
/// let counts = divide(&Board::start(), 3);
/// assert_eq!((counts.len(), counts.iter().map(|(_, nodes)| nodes).sum::<u64>()), (20, 8902));
/// ```
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    board.legal_moves().iter().map(|&mv| (mv, perft(&board.after(mv), depth.saturating_sub(1)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "hours")]
    fn known_counts() {
        for (fen, depth, nodes) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
            ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182_838),
        ] {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(perft(&board, depth), nodes, "{fen}");
            assert_eq!(divide(&board, depth).iter().map(|(_, n)| n).sum::<u64>(), nodes);
        }
    }
}
