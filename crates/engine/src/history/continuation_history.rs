//! Continuation history: how well a move does as an answer to the move before, to our own move before that,
//! and further back. Plans span several moves; the plain history cannot see that.

use chess::{Board, Color, Move, Piece, PieceKind, Square};

use super::{Cell, Histories, HistoryParams};
use crate::base::idea;

idea! {
    /// Remembers which moves go well with those before them.
    ContinuationHistory "UseContinuationHistory" (_, HI2) {
        /// How much the answer to the last move counts in ordering, in percent of the plain history.
        reply_factor = 145 in 0..=300 step 15;
        /// How much the follow-up to our own last move counts.
        follow_factor = 248 in 0..=300 step 15;
        /// How much the follow-up to our move before that counts.
        far_factor = 148 in 0..=300 step 15;
    }
}

impl ContinuationHistory {
    /// The weights in the order of [`PieceTo::OFFSETS`]; all zero when switched off.
    #[inline(always)]
    pub(super) fn factors(&self) -> [i32; 3] {
        if self.enabled { [self.reply_factor, self.follow_factor, self.far_factor] } else { [0; 3] }
    }
}

/// A piece and the square it went to, as one number: the row of a continuation table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    pub(super) const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// No move: before the root, or after a null move.
    pub const NONE: PieceTo = PieceTo(Self::COUNT as u16);

    /// How many plies back the moves are that a move continues.
    pub const OFFSETS: [usize; 3] = [1, 2, 4];

    /// The piece of a move that is about to be made, and its target.
    #[inline(always)]
    pub fn of(board: &Board, mv: Move) -> PieceTo {
        let kind = board.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
        PieceTo::new(board.side_to_move(), kind, mv.to())
    }

    /// A piece and a square.
    #[inline(always)]
    pub fn new(color: Color, kind: PieceKind, to: Square) -> PieceTo {
        PieceTo((Piece::new(color, kind).index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The previous moves that a move continues, in the order of [`PieceTo::OFFSETS`].
pub type Previous = [PieceTo; PieceTo::OFFSETS.len()];

/// An entry for every piece and target.
pub(super) type Row = [Cell; PieceTo::COUNT];

/// Answers by the move they answer; the last row is for no move.
pub(super) type Continuations = [Row; PieceTo::COUNT + 1];

impl Histories {
    /// The answers to each of the moves before.
    #[inline(always)]
    pub(super) fn continuations(&self, previous: &Previous) -> [&Row; PieceTo::OFFSETS.len()] {
        // Written out: `map` is not inlined here, and called for every move.
        let row = |piece_to: PieceTo| &self.continuation[piece_to.index()];
        let [reply, follow, far] = *previous;
        [row(reply), row(follow), row(far)]
    }

    /// Moves what is known of a move as a continuation of those before.
    #[inline(always)]
    pub fn update_continuation(&self, p: &HistoryParams, piece_to: PieceTo, previous: &Previous, bonus: i32) {
        if !p.continuation_history.enabled {
            return;
        }
        for row in previous {
            if *row != PieceTo::NONE {
                let entry = &self.continuation[row.index()][piece_to.index()];
                entry.update(|value| p.history_gravity.updated(value, bonus));
            }
        }
    }
}
