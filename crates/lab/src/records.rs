//! Game records: self-play games on disk, about two bytes a ply, in files that survive damage.
//!
//! A shard is a header and then one block a game. Each block has a marker, a length and a checksum, so a reader
//! finds its way back after damage and loses only the games that were hit. docs/data.md has the format as a table.

mod codec;
mod ending;
mod packed;
mod shard;
#[cfg(test)]
mod tests;

use std::fmt;

use chess::{Board, Color, Move};
use serde::{Deserialize, Serialize};

pub use codec::{RecordError, Replay, encode};
pub use ending::{by_rule, is_plausible};
pub use packed::put_board;
pub use shard::{BLOCK_OVERHEAD, Fault, Header, Shard, ShardWriter, What, shards};
#[cfg(test)]
pub(crate) use tests::{folder, random_game};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black.
    BlackWin,
    /// Nobody.
    Draw,
    /// White.
    WhiteWin,
}

impl GameResult {
    /// 0 a loss, 1 a draw, 2 a win, as `side` sees it.
    #[inline(always)]
    pub fn half_points(self, side: Color) -> u8 {
        match side {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    /// The result where `side` has won.
    pub fn won_by(side: Color) -> GameResult {
        match side {
            Color::White => GameResult::WhiteWin,
            Color::Black => GameResult::BlackWin,
        }
    }

    /// As PGN writes it.
    pub fn pgn(self) -> &'static str {
        ["0-1", "1/2-1/2", "1-0"][self as usize]
    }

    fn from_bits(bits: u8) -> Option<GameResult> {
        [GameResult::BlackWin, GameResult::Draw, GameResult::WhiteWin].get(usize::from(bits)).copied()
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum End {
    /// Mate.
    Checkmate,
    /// No move and no check.
    Stalemate,
    /// The third time.
    Threefold,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Nobody can mate.
    InsufficientMaterial,
    /// The score was far from zero for long enough.
    AdjudicatedWin,
    /// The score was near zero for long enough.
    AdjudicatedDraw,
    /// It reached the greatest length.
    TooLong,
}

impl End {
    /// Every end, in the order of the encoding.
    pub const ALL: [End; 8] = [
        End::Checkmate,
        End::Stalemate,
        End::Threefold,
        End::FiftyMoves,
        End::InsufficientMaterial,
        End::AdjudicatedWin,
        End::AdjudicatedDraw,
        End::TooLong,
    ];
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::Threefold => "threefold repetition",
            End::FiftyMoves => "fifty moves",
            End::InsufficientMaterial => "insufficient material",
            End::AdjudicatedWin => "adjudicated win",
            End::AdjudicatedDraw => "adjudicated draw",
            End::TooLong => "too long",
        })
    }
}

/// The game began from a (double) Chess960 position: the first bit of [`GameInfo::flags`].
pub const FLAG_CHESS960: u8 = 1;

/// After each ply stands whether a side line begins before it: the second bit.
pub const FLAG_SIDE_LINES: u8 = 2;

/// What holds for a whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// Where the record begins: after the random plies, which its move number counts.
    pub start: Board,
    /// Who won.
    pub result: GameResult,
    /// How it ended.
    pub end: End,
    /// [`FLAG_CHESS960`] and [`FLAG_SIDE_LINES`]; the other bits are zero.
    pub flags: u8,
    /// The checksum of the network that played; zero for the bootstrap evaluation.
    pub net: u32,
    /// The soft limit of nodes a move.
    pub nodes: u32,
}

/// A move that was played, and what was thought of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The score of the position before the move, for White, as [`chess::Score`] counts: centipawns, mates near ±32000.
    pub score: i16,
}

/// A few plies that were searched beside a game: what might have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideLine {
    /// The ply of the record before which it leaves the game.
    pub ply: u32,
    /// The move with which it does.
    pub mv: Move,
    /// The moves after that, with the scores of the positions before them.
    pub plies: Vec<Ply>,
}

impl SideLine {
    /// Its positions after the move that leaves `board`, each with what was played there.
    pub fn positions(&self, board: &Board) -> impl Iterator<Item = (Board, Ply)> {
        let mut next = board.clone();
        next.make(self.mv);
        self.plies.iter().map(move |&ply| {
            let board = next.clone();
            next.make(ply.mv);
            (board, ply)
        })
    }
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// What holds for all of it.
    pub info: GameInfo,
    /// The moves.
    pub plies: Vec<Ply>,
    /// What was searched beside it, in the order of the plies, at most one line for each; only where the flags say so.
    pub sides: Vec<SideLine>,
}

/// How many plies of its game a position has behind it, random ones included: what its move number says.
#[inline(always)]
pub fn game_ply(board: &Board) -> u32 {
    board
        .fullmove_number()
        .saturating_sub(1)
        .saturating_mul(2)
        .saturating_add(u32::from(board.side_to_move() == Color::Black))
}
