//! Which positions of a game are worth learning from.
//!
//! What can be told from a position and the move played in it is [`Filter::allows`]; what needs the game so far, that the
//! position came before, a [`Keeper`] adds.

use chess::{Board, Score};
use clap::Args;

use crate::records::{Ply, SideLine, game_ply};

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
    /// Whether the position before this move is worth keeping, by itself.
    #[inline(always)]
    pub fn allows(&self, board: &Board, ply: Ply) -> bool {
        ply.mv.is_quiet()
            && self.allows_position(board)
            && ply.score.abs() <= self.max_score
            && !Score(ply.score.into()).is_mate()
            && self.max_clock.is_none_or(|max| board.halfmove_clock() <= max)
    }

    /// How many positions of a side line that leaves this position are worth keeping.
    pub fn kept_beside(&self, board: &Board, side: &SideLine) -> u64 {
        side.positions(board).filter(|(board, ply)| self.allows(board, *ply)).count() as u64
    }

    /// The part of it that is known before the position is searched.
    #[inline(always)]
    pub fn allows_position(&self, board: &Board) -> bool {
        !board.in_check() && game_ply(board) >= self.first_ply
    }
}

/// Goes along a game and keeps each of its positions once.
pub struct Keeper<'a> {
    filter: &'a Filter,
    /// The keys of what was kept since the last capture or pawn move; before it nothing can come again.
    kept: Vec<u64>,
}

impl<'a> Keeper<'a> {
    /// For a new game.
    pub fn new(filter: &'a Filter) -> Keeper<'a> {
        Keeper { filter, kept: Vec::new() }
    }

    /// Whether the position before this move is kept. Positions have to come in the order of the game.
    #[inline(always)]
    pub fn keeps(&mut self, board: &Board, ply: Ply) -> bool {
        if board.halfmove_clock() == 0 {
            self.kept.clear();
        }
        let keeps = self.filter.allows(board, ply) && !self.kept.contains(&board.key());
        if keeps {
            self.kept.push(board.key());
        }
        keeps
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
            [Filter::default(), strict].map(|filter| filter.allows(&board, Ply { mv, score }))
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

    #[test]
    fn what_comes_again_is_kept_once() {
        let filter = Filter::default();
        let mut keeper = Keeper::new(&filter);
        let mut board = Board::from_fen("r3k3/p7/8/8/8/8/P7/4K2R w - - 4 30").expect("legal");
        let mut kept = Vec::new();
        // Twice round, then a pawn moves and the same squares make new positions.
        for text in "h1h2 a8b8 h2h1 b8a8 h1h2 a8b8 h2h1 b8a8 a2a3 a7a6 h1h2 a8b8 h2h1 b8a8".split(' ') {
            let mv = parse_uci(&board, text).expect(text);
            kept.push(keeper.keeps(&board, Ply { mv, score: 0 }));
            board.make(mv);
        }
        let expected = [[true; 4].as_slice(), &[false; 4], &[false, true], &[true; 4]].concat();
        assert_eq!(kept, expected, "the position before the pawn moves had been there");
    }
}
