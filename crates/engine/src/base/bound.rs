//! What a score says about the true one.

use chess::Score;

/// What a score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing: only the move and the evaluation are known.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is this.
    Exact = 3,
}

impl Bound {
    /// The bound that was stored as these two bits.
    pub(crate) const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }

    /// Whether the score proves a cutoff against this bound of the window.
    #[inline(always)]
    pub fn proves(self, score: Score, limit: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score >= limit,
            Bound::Upper => score < limit,
        }
    }
}
