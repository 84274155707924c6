//! Which positions of a game are worth learning from.

use chess::{Board, Score};
use clap::Args;

use crate::records::{Ply, game_ply};

/// Plies at the beginning of a game that are left out, random ones included.
const FIRST_PLY: u32 = 16;

/// What is kept. Left out always: positions in check, and those where the move played is a capture or promotion,
/// because a static evaluation cannot be right there; and mate scores, which are no centipawns.
#[derive(Args, Clone, Debug)]
pub struct Filter {
    /// Leave out scores further from zero, in centipawns
    #[arg(long, default_value_t = 3000, value_name = "CP", value_parser = clap::value_parser!(i16).range(1..))]
    max_score: i16,
    /// Leave out so many plies at the beginning of the game, random ones included
    #[arg(long, default_value_t = FIRST_PLY, value_name = "PLIES")]
    first_ply: u32,
    /// Leave out positions with more plies than this since the last capture or pawn move [default: none are]
    #[arg(long, value_name = "PLIES")]
    max_clock: Option<u16>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { max_score: 3000, first_ply: FIRST_PLY, max_clock: None }
    }
}

impl Filter {
    /// Whether the position before this move is kept.
    #[inline(always)]
    pub fn keeps(&self, board: &Board, ply: Ply) -> bool {
        ply.mv.is_quiet()
            && !board.in_check()
            && ply.score.abs() <= self.max_score
            && !Score(ply.score.into()).is_mate()
            && game_ply(board) >= self.first_ply
            && self.max_clock.is_none_or(|max| board.halfmove_clock() <= max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::parse_uci;

    #[test]
    fn noise_is_left_out() {
        let keeps = |fen: &str, text: &str, score| {
            let board = Board::from_fen(fen).expect(fen);
            let mv = parse_uci(&board, text).expect(text);
            let strict = Filter { max_clock: Some(20), ..Filter::default() };
            [Filter::default(), strict].map(|filter| filter.keeps(&board, Ply { mv, score }))
        };
        let quiet = "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 9 30";
        assert_eq!(keeps(quiet, "e1e2", 3000), [true; 2]);
        assert_eq!(keeps(quiet, "e1e2", -3001), [false; 2]);
        assert_eq!(keeps(quiet, "e4d5", 0), [false; 2], "a capture");
        assert_eq!(keeps(quiet, "a7a8q", 0), [false; 2], "a promotion");
        assert_eq!(keeps(&quiet.replace(" 9 ", " 21 "), "e1e2", 0), [true, false]);
        assert_eq!(keeps("4k3/8/8/8/8/8/4r3/4K3 w - - 0 30", "e1f1", 0), [false; 2], "in check");
        assert_eq!(keeps("4k3/8/8/8/8/8/8/4K2R w - - 0 9", "e1f1", 0), [true; 2], "ply 16");
        assert_eq!(keeps("4k2r/8/8/8/8/8/8/4K3 b - - 0 8", "e8f8", 0), [false; 2], "ply 15");
    }
}
