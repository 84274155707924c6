//! What an entry says of a position, and how it becomes 64 bits.

use chess::{Move, Score, Value};

use crate::base::Bound;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move found, or the one that refuted.
    pub mv: Option<Move>,
    /// The score, mates counted from this position.
    pub score: Score,
    /// The static evaluation, if it was made.
    pub eval: Option<Score>,
    /// The depth it was searched to.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// Whether the position was ever on a principal variation.
    pub pv: bool,
}

/// The stored form of "no evaluation".
const NO_EVAL: i16 = i16::MIN;
/// Depths are stored with this offset, so that the table can hold a little less than zero.
const DEPTH_OFFSET: i32 = 2;
/// Searches are counted up to this, then from zero again.
pub(super) const GENERATIONS: u8 = 32;

impl Entry {
    /// The stored form, with the search that it comes from.
    pub(super) fn pack(&self, generation: u8) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.0 as i16);
        let depth = (self.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        u64::from(self.mv.map_or(0, Move::bits))
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | depth << 48
            | (self.bound as u64) << 56
            | u64::from(self.pv) << 58
            | u64::from(generation) << 59
    }

    /// The entry of a stored form.
    pub(super) fn unpack(data: u64) -> Entry {
        let eval = (data >> 32) as i16;
        Entry {
            mv: Move::from_bits(data as u16),
            score: Score(Value::from((data >> 16) as i16)),
            eval: (eval != NO_EVAL).then_some(Score(Value::from(eval))),
            depth: i32::from((data >> 48) as u8) - DEPTH_OFFSET,
            bound: Bound::from_bits(data >> 56),
            pv: data >> 58 & 1 != 0,
        }
    }
}

/// The search that a stored entry comes from.
pub(super) const fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}
