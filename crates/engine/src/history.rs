//! Every history table: how it is indexed, read and updated. What each of them learns stands in its own file.
//!
//! A thread that has a core has a set of its own; threads without one share those of the others, since a set is large and
//! they learn little. So entries are atomic, though no order is asked for: that costs nothing, and where two write at
//! once one lesson of many is lost. To share among threads that do run at once is slow: 16 threads on 16 cores
//! searched 16.1 million nodes a second with 16 sets, 14.8 with 8 and 11.5 with one.

mod capture_history;
mod continuation_history;
mod correction_history;
mod countermoves;
mod history_gravity;
mod pawn_history;

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use crate::base::group;

pub use capture_history::CaptureHistory;
pub use continuation_history::{ContinuationHistory, PieceTo, Previous};
pub use correction_history::CorrectionHistory;
pub use countermoves::Countermoves;
pub use history_gravity::{HistoryGravity, Quiets, Threats, Tried};
pub use pawn_history::PawnHistory;

group! {
    /// What moves and positions are remembered by.
    HistoryParams, HistoryCounts {
        history_gravity: HistoryGravity,
        continuation_history: ContinuationHistory,
        pawn_history: PawnHistory,
        capture_history: CaptureHistory,
        countermoves: Countermoves,
        correction_history: CorrectionHistory,
    }
}

/// What experience says of one thing, such as a move.
struct Cell(AtomicI16);

impl Cell {
    #[inline(always)]
    fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }

    #[inline(always)]
    fn update(&self, change: impl FnOnce(i16) -> i16) {
        self.0.store(change(self.0.load(Relaxed)), Relaxed);
    }

    fn clear(&mut self) {
        *self.0.get_mut() = 0;
    }
}

/// A set of tables.
pub struct Histories {
    quiet: Box<history_gravity::QuietTable>,
    capture: Box<capture_history::Captures>,
    continuation: Box<continuation_history::Continuations>,
    pawn: Box<pawn_history::Structures>,
    countermoves: countermoves::Replies,
    pawn_correction: Box<correction_history::Corrections>,
    minor_correction: Box<correction_history::Corrections>,
    major_correction: Box<correction_history::Corrections>,
    non_pawn_correction: Box<[correction_history::Corrections; 2]>,
}

/// A table on the heap, without building it on the stack first.
fn table<T, const N: usize>(row: impl Fn() -> T) -> Box<[T; N]> {
    let rows: Box<[T]> = (0..N).map(|_| row()).collect();
    match rows.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length is N"),
    }
}

/// A row of entries, all zero.
fn row<const N: usize>() -> [Cell; N] {
    [const { Cell(AtomicI16::new(0)) }; N]
}

impl Histories {
    /// Empty tables.
    pub fn new() -> Histories {
        Histories {
            quiet: table(|| [row(), row(), row(), row()]),
            capture: table(row),
            continuation: table(row),
            pawn: table(row),
            countermoves: countermoves::Replies([const { AtomicU16::new(0) }; 4096]),
            pawn_correction: table(row),
            minor_correction: table(row),
            major_correction: table(row),
            non_pawn_correction: table(|| [row(), row()]),
        }
    }

    /// Forgets everything, in place: a match of short searches spends a good part of its time on new games.
    pub fn clear(&mut self) {
        let Histories {
            quiet,
            capture,
            continuation,
            pawn,
            countermoves,
            pawn_correction,
            minor_correction,
            major_correction,
            non_pawn_correction,
        } = self;
        quiet.as_flattened_mut().as_flattened_mut().iter_mut().for_each(Cell::clear);
        capture.as_flattened_mut().iter_mut().for_each(Cell::clear);
        continuation.as_flattened_mut().iter_mut().for_each(Cell::clear);
        pawn.as_flattened_mut().iter_mut().for_each(Cell::clear);
        countermoves.0.iter_mut().for_each(|reply| *reply.get_mut() = 0);
        for table in [pawn_correction, minor_correction, major_correction] {
            table.as_flattened_mut().iter_mut().for_each(Cell::clear);
        }
        non_pawn_correction.as_flattened_mut().as_flattened_mut().iter_mut().for_each(Cell::clear);
    }

    /// Shrinks the move histories to 7/8.
    pub fn decay(&self) {
        let shrink = |entry: &Cell| entry.update(|value| (i32::from(value) * 7 / 8) as i16);
        self.quiet.iter().flatten().flatten().for_each(shrink);
        self.capture.iter().flatten().for_each(shrink);
        self.continuation.iter().flatten().for_each(shrink);
        self.pawn.iter().flatten().for_each(shrink);
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}
