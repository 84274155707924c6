//! What a move is called, and what it has to cost for that.

use pgn::record::{BLUNDER, BRILLIANT, DUBIOUS, GOOD, MISTAKE};

/// What a move that costs this much is called, and its mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Nothing to say.
    Fine,
    /// The only good move, and not easy to see.
    Only,
    /// A sound sacrifice that is by far the best move, and not easy to see.
    Brilliant,
    /// `?!`.
    Inaccuracy,
    /// `?`.
    Mistake,
    /// `??`.
    Blunder,
}

/// An inaccuracy costs at least this share of a point.
pub const INACCURACY_LOSS: f64 = 0.08;
/// A mistake costs at least this.
pub const MISTAKE_LOSS: f64 = 0.15;
/// A blunder costs at least this.
pub const BLUNDER_LOSS: f64 = 0.30;

impl Verdict {
    /// What a move is called that costs this many points.
    pub fn of(loss: f64) -> Verdict {
        if loss >= BLUNDER_LOSS {
            Verdict::Blunder
        } else if loss >= MISTAKE_LOSS {
            Verdict::Mistake
        } else if loss >= INACCURACY_LOSS {
            Verdict::Inaccuracy
        } else {
            Verdict::Fine
        }
    }

    /// The numeric annotation glyph.
    pub fn mark(self) -> Option<u16> {
        match self {
            Verdict::Fine => None,
            Verdict::Only => Some(GOOD),
            Verdict::Brilliant => Some(BRILLIANT),
            Verdict::Inaccuracy => Some(DUBIOUS),
            Verdict::Mistake => Some(MISTAKE),
            Verdict::Blunder => Some(BLUNDER),
        }
    }

    /// The mark as people write it.
    pub fn glyph(self) -> &'static str {
        match self {
            Verdict::Fine => "",
            Verdict::Only => "!",
            Verdict::Brilliant => "!!",
            Verdict::Inaccuracy => "?!",
            Verdict::Mistake => "?",
            Verdict::Blunder => "??",
        }
    }

    /// In a word, as pages read it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Fine => "",
            Verdict::Only => "only",
            Verdict::Brilliant => "brilliant",
            Verdict::Inaccuracy => "inaccuracy",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
        }
    }

    /// Whether the move is criticised.
    pub fn is_error(self) -> bool {
        self >= Verdict::Inaccuracy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_it_costs_the_worse_it_is_called() {
        let verdicts = [0.0, 0.0799, 0.08, 0.15, 0.2999, 0.3, 1.0].map(Verdict::of);
        use Verdict::{Blunder, Brilliant, Fine, Inaccuracy, Mistake, Only};
        assert_eq!(verdicts, [Fine, Fine, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(verdicts.map(Verdict::mark), [None, None, Some(6), Some(2), Some(2), Some(4), Some(4)]);
        assert_eq!([Only, Brilliant].map(Verdict::mark), [Some(1), Some(3)]);
        assert!(!Only.is_error() && !Brilliant.is_error() && Inaccuracy.is_error());
    }
}
