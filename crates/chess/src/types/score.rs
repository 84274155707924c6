//! Scores in centipawns, with mates and tablebase results at the far ends.

use std::fmt;

/// A score from the side to move's point of view.
pub type Value = i32;

/// Centipawns, or a distance to mate near the ends of the range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Score(pub Value);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// More than any score.
    pub const INFINITE: Score = Score(32_500);
    /// Mate on the board, seen by the side that gives it.
    pub const MATE: Score = Score(32_000);
    /// Every mate score is at least this far from zero; plies are counted up to 1000.
    pub const MATE_BOUND: Score = Score(Self::MATE.0 - 1_000);
    /// A tablebase win at the root; later ones are worth a ply less each.
    pub const TABLEBASE_WIN: Score = Score(Self::MATE_BOUND.0 - 1);
    /// Every proven win, by mate or by tablebase, is at least this far from zero.
    pub const WIN_BOUND: Score = Score(Self::TABLEBASE_WIN.0 - 1_000);

    /// The score of giving mate after `ply` plies.
    ///
    /// ```
    /// use chess::Score;
    /// assert_eq!(Score::mate_in(5).to_string(), "mate 3");
    /// ```
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(Self::MATE.0 - ply as Value)
    }

    /// The score of being mated after `ply` plies.
    ///
    /// ```
    /// use chess::Score;
    /// assert_eq!(Score::mated_in(4).to_string(), "mate -2");
    /// ```
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(-Self::MATE.0 + ply as Value)
    }

    /// The score of a position that a tablebase says is won, after `ply` plies.
    ///
    /// ```
    /// use chess::Score;
    /// assert!(Score::tablebase_win_in(9).is_decisive() && !Score::tablebase_win_in(9).is_mate());
    /// ```
    #[inline(always)]
    pub const fn tablebase_win_in(ply: usize) -> Score {
        Score(Self::TABLEBASE_WIN.0 - ply as Value)
    }

    /// The score of a position that a tablebase says is lost, after `ply` plies.
    #[inline(always)]
    pub const fn tablebase_loss_in(ply: usize) -> Score {
        Score(-Self::TABLEBASE_WIN.0 + ply as Value)
    }

    /// Whether it is a mate for either side.
    ///
    /// ```
    /// use chess::Score;
    /// assert!(Score::mated_in(4).is_mate() && !Score(500).is_mate());
    /// ```
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE_BOUND.0
    }

    /// Whether it is proven, by mate or by tablebase, for either side.
    ///
    /// ```
    /// use chess::Score;
    /// assert!(!Score(500).is_decisive());
    /// ```
    #[inline(always)]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::WIN_BOUND.0
    }

    /// Centipawns, as they are shown. A tablebase win is 200 pawns less a centipawn a ply, and nothing unproven is more
    /// than 189.
    ///
    /// ```
    /// use chess::Score;
    /// assert_eq!(Score(35).centipawns(), 35);
    /// ```
    pub const fn centipawns(self) -> Value {
        const SHOWN: Value = 20_000;
        let gap = Score::TABLEBASE_WIN.0 - SHOWN;
        let most = Score::WIN_BOUND.0 - gap - 1;
        match self.0 {
            value if value >= Score::WIN_BOUND.0 => value - gap,
            value if value <= -Score::WIN_BOUND.0 => value + gap,
            value if value > most => most,
            value if value < -most => -most,
            value => value,
        }
    }

    /// For a mate score: full moves to mate, negative when being mated.
    ///
    /// ```
    /// use chess::Score;
    /// assert_eq!((Score::mate_in(5).mate_moves(), Score(35).mate_moves()), (Some(3), None));
    /// ```
    pub const fn mate_moves(self) -> Option<Value> {
        if !self.is_mate() {
            return None;
        }
        let plies = Self::MATE.0 - self.0.abs();
        Some(if self.0 > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 34`, `mate -3`, or `cp 19996` for a tablebase win four plies from here.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.centipawns()),
        }
    }
}

impl std::ops::Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl std::ops::Add<Value> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, delta: Value) -> Score {
        Score(self.0 + delta)
    }
}

impl std::ops::Sub<Value> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, delta: Value) -> Score {
        Score(self.0 - delta)
    }
}

impl std::ops::Sub<Score> for Score {
    type Output = Value;
    #[inline(always)]
    fn sub(self, other: Score) -> Value {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_full_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(2).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score(35).to_string(), "cp 35");
        assert_eq!(Score::mate_in(5).to_string(), "mate 3");
    }

    #[test]
    fn tablebase_wins_are_worth_less_than_mates_and_more_than_anything_else() {
        for ply in [0, 1, 240] {
            let (win, loss) = (Score::tablebase_win_in(ply), Score::tablebase_loss_in(ply));
            assert!(win.is_decisive() && !win.is_mate() && win == -loss);
            assert!(win < Score::mate_in(1000) && win > Score::WIN_BOUND);
            assert_eq!(win.to_string(), format!("cp {}", 20_000 - ply));
            assert_eq!(loss.centipawns(), -win.centipawns());
        }
        let shown: Vec<_> = (-Score::MATE_BOUND.0 + 1..Score::MATE_BOUND.0).map(|v| Score(v).centipawns()).collect();
        assert!(shown.is_sorted());
        assert_eq!(Score(Score::WIN_BOUND.0 - 1).centipawns(), 18_999);
        assert_eq!([Score(-120).centipawns(), Score(18_999).centipawns()], [-120, 18_999]);
    }
}
