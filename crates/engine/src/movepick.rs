//! Move pickers: they hand out the moves of a node one at a time, the most promising first, and generate and
//! judge no more of them than are asked for.
//!
//! A move and its rank are one 64-bit number: the score in the top half, then the value of victim and
//! attacker, then the raw encoding. Comparing the numbers breaks every tie the same way on every machine.

mod escape_routes;
mod in_check_class_ordering;
mod killers;
mod ordinary;
mod quiet_safety;
mod ranked_move_picker;
mod scoring;
mod strict_ordering;
mod threat_ordering;

use std::mem::MaybeUninit;

use chess::{Board, Move, MoveList};

use crate::base::group;
use crate::history::{Histories, HistoryParams, Previous, Threats};

pub use escape_routes::EscapeRoutes;
pub use in_check_class_ordering::InCheckClassOrdering;
pub use killers::{KillerPair, Killers};
pub use ordinary::{Ordinary, PickerCounts};
pub use quiet_safety::QuietSafety;
pub use ranked_move_picker::{Ranked, RankedMovePicker};
pub use strict_ordering::StrictOrdering;
pub use threat_ordering::{ThreatOrdering, any_threatened};

group! {
    /// In which order the moves are tried.
    OrderingParams, OrderingCounts {
        killers: Killers,
        threat_ordering: ThreatOrdering,
        quiet_safety: QuietSafety,
        ranked_move_picker: RankedMovePicker,
        in_check_class_ordering: InCheckClassOrdering,
        escape_routes: EscapeRoutes,
        strict_ordering: StrictOrdering,
    }
}

/// What scoring a node's moves looks at.
pub struct Context<'a> {
    /// The position.
    pub board: &'a Board,
    /// In which order the moves are tried.
    pub params: &'a OrderingParams,
    /// What they are remembered by.
    pub history: &'a HistoryParams,
    /// The thread's histories.
    pub histories: &'a Histories,
    /// What the opponent attacks.
    pub threats: Threats,
    /// The moves that led here.
    pub previous: &'a Previous,
    /// The killers of this ply.
    pub killers: KillerPair,
    /// The reply that last refuted the move before.
    pub countermove: Option<Move>,
    /// Depth left at the node; for quiescence, zero or less.
    pub depth: i32,
}

/// The moves of a node in the order in which to try them. The context is passed with every call because the
/// histories change while the node is searched.
pub enum Picker {
    /// In stages.
    Ordinary(Ordinary),
    /// A judged shortlist first.
    Ranked(Ranked),
}

impl Picker {
    /// All moves of a node; ranked where that is switched on and wanted.
    #[inline(always)]
    pub fn new(context: &Context<'_>, table_move: Option<Move>, may_rank: bool) -> Picker {
        if may_rank && context.params.ranked_move_picker.enabled {
            Picker::Ranked(Ranked::new(context, table_move))
        } else {
            Picker::Ordinary(Ordinary::all(context, table_move))
        }
    }

    /// The next move.
    #[inline(always)]
    pub fn next(&mut self, context: &Context<'_>, counts: &mut PickerCounts) -> Option<Move> {
        match self {
            Picker::Ordinary(picker) => picker.next(context, counts),
            Picker::Ranked(picker) => picker.next(context, counts),
        }
    }

    /// Whether a move was on the shortlist; nothing to say without one.
    pub fn lists(&self, mv: Move) -> Option<bool> {
        match self {
            Picker::Ordinary(_) => None,
            Picker::Ranked(picker) => picker.lists(mv),
        }
    }

    /// From now on only captures and promotions.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        match self {
            Picker::Ordinary(picker) => picker.skip_quiets(),
            Picker::Ranked(picker) => picker.skip_quiets(),
        }
    }
}

/// Moves with their ranks, in a fixed place on the stack. The place is not cleared: that would be two kibibytes for
/// every node.
pub(crate) struct Scored {
    /// All below `len` have been written.
    keys: [MaybeUninit<u64>; 256],
    len: usize,
    next: usize,
    /// How many moves at the front have been set aside for later.
    aside: usize,
}

impl Scored {
    #[inline(always)]
    fn new() -> Scored {
        Scored { keys: [const { MaybeUninit::uninit() }; 256], len: 0, next: 0, aside: 0 }
    }

    /// Adds a move with its score and tie-breaker.
    #[inline(always)]
    fn push(&mut self, mv: Move, score: i32, tie: u16) {
        debug_assert!(self.len < chess::MAX_MOVES);
        self.keys[self.len & 255].write(key(mv, score, tie));
        self.len += 1;
    }

    /// Adds all moves of a list, with a function that says the score and tie-breaker of each.
    #[inline(always)]
    fn fill(&mut self, moves: &MoveList, skip: Option<Move>, mut score: impl FnMut(Move) -> (i32, u16)) {
        for &mv in moves {
            if Some(mv) != skip {
                let (score, tie) = score(mv);
                self.push(mv, score, tie);
            }
        }
    }

    /// Takes out the best move that is left: one step of a selection sort.
    #[inline(always)]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let key = self.take_best_key()?;
        Some((Move::from_bits(key as u16)?, score_of(key)))
    }

    /// Takes out the best move that is left; says its score, and whether it was put back before.
    #[inline(always)]
    fn take_best_marked(&mut self) -> Option<(Move, i32, bool)> {
        let key = self.take_best_key()?;
        Some((Move::from_bits(key as u16)?, score_of(key), (key >> 16) as u16 == DEMOTED))
    }

    #[inline(always)]
    fn take_best_key(&mut self) -> Option<u64> {
        if self.next >= self.len {
            return None;
        }
        let rest = &mut self.keys[self.next..self.len];
        // SAFETY: all keys below `len` have been written. Clearing the place first costs 4 % of the time.
        let rest = unsafe { rest.assume_init_mut() };
        // Written without a branch on the comparison, which nobody could predict.
        let (mut best, mut key) = (0, rest[0]);
        for (index, &other) in rest.iter().enumerate() {
            let better = other > key;
            best = if better { index } else { best };
            key = if better { other } else { key };
        }
        rest.swap(0, best);
        self.next += 1;
        Some(key)
    }

    /// Puts the move just taken back with a lower score, marked as having been looked at.
    #[inline(always)]
    fn put_back(&mut self, mv: Move, score: i32) {
        self.next -= 1;
        self.keys[self.next & 255].write(key(mv, score, DEMOTED));
    }

    /// Keeps the move just taken for later. Its place is free, so the front of the array holds these.
    #[inline(always)]
    fn set_aside(&mut self, mv: Move) {
        debug_assert!(self.aside < self.next);
        self.keys[self.aside & 255].write(u64::from(mv.bits()));
        self.aside += 1;
    }

    /// The moves set aside, in the order in which that happened.
    #[inline(always)]
    fn aside(&self, index: usize) -> Option<Move> {
        if index >= self.aside {
            return None;
        }
        // SAFETY: what was set aside has been written.
        Move::from_bits(unsafe { self.keys[index & 255].assume_init() } as u16)
    }

    /// Forgets what is left, but not what was set aside.
    #[inline(always)]
    fn clear(&mut self) {
        self.len = self.aside;
        self.next = self.aside;
    }
}

/// The tie-breaker of a move that was put back.
const DEMOTED: u16 = 1;

#[inline(always)]
fn key(mv: Move, score: i32, tie: u16) -> u64 {
    // Flipping the sign bit orders negative scores below positive ones.
    u64::from(score as u32 ^ 1 << 31) << 32 | u64::from(tie) << 16 | u64::from(mv.bits())
}

#[inline(always)]
fn score_of(key: u64) -> i32 {
    ((key >> 32) as u32 ^ 1 << 31) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{MoveKind, Square};

    #[test]
    fn ties_are_broken_by_victim_and_attacker_then_encoding() {
        let mv = |to| Move::new(Square::A1, Square::new(to), MoveKind::Capture);
        let mut list = Scored::new();
        for (to, score, tie) in [(1, -5, 0), (2, 7, 1), (3, 7, 2), (4, 7, 2), (5, -6, 9)] {
            list.push(mv(to), score, tie);
        }
        let order: Vec<usize> = std::iter::from_fn(|| list.take_best()).map(|(mv, _)| mv.to().index()).collect();
        assert_eq!(order, [4, 3, 2, 1, 5]);
        assert_eq!(score_of(key(mv(1), -12345, 3)), -12345);
    }
}
