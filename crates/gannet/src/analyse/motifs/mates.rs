//! Mates that have a name.

use std::fmt;

use chess::{Bitboard, Board, Move, PieceKind, attacks};

/// A mate that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// By rook or queen along the first rank of a king that its own men shut in.
    BackRank,
    /// By a knight, with the king's own men on every square around it.
    Smothered,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pattern::BackRank => "on the back rank",
            Pattern::Smothered => "by a knight, with the king shut in by its own men",
        })
    }
}

impl Pattern {
    /// The name of the mate that a line of legal moves ends in.
    pub fn of(start: &Board, line: &[Move]) -> Option<Pattern> {
        let mut board = start.clone();
        line.iter().for_each(|&mv| board.make(mv));
        if !board.is_checkmate() {
            return None;
        }
        let mated = board.side_to_move();
        let king = board.king(mated);
        let own = board.color(mated);
        let rank = Bitboard::relative_rank(0, mated);
        let heavy = board.orthogonal_sliders() & board.checkers();
        if rank.contains(king) && (heavy & rank).any() {
            let flight = attacks::king(king) - rank;
            return own.contains_all(flight).then_some(Pattern::BackRank);
        }
        let knight = board.checkers() & board.kind(PieceKind::Knight);
        (knight.any() && own.contains_all(attacks::king(king))).then_some(Pattern::Smothered)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::line;
    use super::*;

    fn pattern(fen: &str, moves: &str) -> Option<Pattern> {
        let (board, line) = line(fen, moves);
        Pattern::of(&board, &line)
    }

    #[test]
    fn mates_with_a_name_are_told_from_others() {
        assert_eq!(pattern("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#"), Some(Pattern::BackRank));
        assert_eq!(pattern("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Ra1#"), Some(Pattern::BackRank));
        // The king could go to h7, were it not for the bishop.
        assert_eq!(pattern("6k1/5pp1/8/8/8/3B4/8/R5K1 w - - 0 1", "Ra8#"), None);
        assert_eq!(pattern("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra7"), None);
        assert_eq!(pattern("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "Nf7#"), Some(Pattern::Smothered));
        assert_eq!(pattern("k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8#"), None);
    }
}
