//! Singular extensions: if the table move is much better than every other move, it is searched deeper. The
//! other moves are searched without it to find out; what that search says can also cut the node (multicut)
//! or make the table move's search shallower (negative extension).

use chess::Score;

use crate::heuristic;

heuristic! {
    /// Singular, double and negative extensions, and multicut in its modern form.
    SingularExtensions "UseSingularExtensions" {
        /// The least depth it works at.
        min_depth = 5 in 4..=14 step 1;
        /// The table entry may be this much shallower than the node.
        entry_slack_depth = 1 in 1..=6 step 1;
        /// The others must stay this far below the table score, for each ply of depth, in sixteenths.
        margin_factor = 13 in 4..=80 step 4;
        /// Falling short by this much more extends by two plies.
        double_margin = 36 in 0..=100 step 5;
        /// The most plies that double extensions may add to one line.
        double_max = 12 in 0..=20 step 1;
        /// How much shallower the table move is searched when it is far from singular.
        negative_depth = 2 in 0..=4 step 1;
    }
}

/// What the search of the other moves says about the table move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Search the table move this much deeper (or shallower).
    Extend(i32),
    /// Another move fails high as well: cut with this score.
    Cut(Score),
}

/// The bar that the other moves are tested against.
#[inline(always)]
pub fn bar(p: &SingularExtensions, table_score: Score, depth: i32) -> Score {
    table_score - p.margin_factor * depth / 16
}

/// The verdict, given the score of the best other move.
#[inline(always)]
pub fn verdict(
    p: &SingularExtensions,
    others: Score,
    bar: Score,
    table_score: Score,
    beta: Score,
    may_double: bool,
    cut: bool,
) -> Verdict {
    if others < bar {
        let double = may_double && others < bar - p.double_margin;
        Verdict::Extend(1 + i32::from(double))
    } else if bar >= beta {
        Verdict::Cut(bar)
    } else if table_score >= beta || cut {
        Verdict::Extend(-p.negative_depth)
    } else {
        Verdict::Extend(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_reached() {
        let p = SingularExtensions::default();
        let judge = |others: i32, bar, table, beta, double, cut| {
            verdict(&p, Score(others), Score(bar), Score(table), Score(beta), double, cut)
        };
        assert_eq!(judge(19, 20, 50, 60, false, false), Verdict::Extend(1));
        assert_eq!(judge(-100, 20, 50, 60, true, false), Verdict::Extend(2));
        assert_eq!(judge(-100, 20, 50, 60, false, false), Verdict::Extend(1));
        assert_eq!(judge(30, 20, 50, 10, true, false), Verdict::Cut(Score(20)));
        assert_eq!(judge(30, 20, 50, 40, true, false), Verdict::Extend(-p.negative_depth));
        assert_eq!(judge(30, 20, 50, 60, true, false), Verdict::Extend(0));
    }
}
