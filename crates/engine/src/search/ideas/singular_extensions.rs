//! Singular extensions (SE): if the table move is much better than every other move, it is searched deeper. The
//! other moves are searched without it to find out; what that search says can also cut the node (multicut)
//! or make the table move's search shallower (negative extension).

use chess::{Board, Move, Score};

use crate::base::Bound;
use crate::base::idea;
use crate::search::carriers::{Candidate, Node, NonPv};
use crate::search::worker::Worker;
use crate::tt::Entry;

idea! {
    /// Extends a table move that is much better than all others; cuts or reduces where it is not.
    SingularExtensions "UseSingularExtensions" (SE, SS5) {
        /// The least depth it works at.
        min_depth = 5 in 4..=14 step 1;
        /// The table entry may be this much shallower than the node.
        entry_slack_depth = 3 in 1..=6 step 1;
        /// The others must stay this far below the table score, for each ply of depth, in sixteenths.
        margin_factor = 13 in 4..=80 step 4;
        /// Falling short by this much more extends by two plies.
        double_margin = 36 in 0..=100 step 5;
        /// On the principal variation, falling short by this much extends by two plies; 1000 for never.
        pv_double_margin = 60 in 0..=1000 step 25;
        /// Falling short by this much extends a quiet move by three plies; 1000 for never.
        triple_margin = 90 in 0..=1000 step 25;
        /// 1: where the position was on a principal variation, it is so as well while its move is left out.
        keep_was_pv = 1 in 0..=1 step 1;
        /// How often one line may be extended by more than one ply at a time.
        double_max = 12 in 0..=20 step 1;
        /// How much shallower the table move is searched when it is far from singular.
        negative_depth = 2 in 0..=4 step 1;
    }
    counts SingularExtensionsCounts { tried, extended, doubled, cut, not_extended }
}

/// What the search of the other moves says about the table move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Singularity {
    /// Search the table move this much deeper (or shallower).
    Extend(i32),
    /// Another move fails high as well: cut with this score.
    Cut(Score),
}

impl Worker<'_> {
    /// Singular extensions: searches the other moves, without the table move, to see whether it stands alone.
    #[inline(always)]
    pub(in crate::search) fn singular_extensions(
        &mut self,
        board: &Board,
        node: &Node,
        candidate: &Candidate,
    ) -> Singularity {
        match &node.entry {
            Some(entry) if candidate.is_table_move && node.excluded.is_none() => {
                self.judge_table_move(board, node, candidate.mv, entry)
            }
            _ => Singularity::Extend(0),
        }
    }

    fn judge_table_move(&mut self, board: &Board, node: &Node, mv: Move, entry: &Entry) -> Singularity {
        let p = &self.params.search.singular_extensions;
        let applies = p.enabled
            && node.depth >= p.min_depth
            && entry.depth >= node.depth - p.entry_slack_depth
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && !entry.score.is_decisive()
            && node.ply < 2 * self.root_depth as usize;
        if !applies {
            return Singularity::Extend(0);
        }
        self.telemetry.search.singular_extensions.tried.count();
        let ply = node.ply;
        let bar = bar(p, entry.score, node.depth);
        self.frames.at_mut(ply).excluded = Some(mv);
        let others = self.search::<NonPv>(board, bar - 1, bar, (node.depth - 1) / 2, ply, node.cut);
        self.frames.at_mut(ply).excluded = None;
        if self.stopped {
            return Singularity::Extend(0);
        }
        let most = if self.frames.at(ply).doubles >= p.double_max {
            1
        } else if node.pv || !mv.is_quiet() {
            2
        } else {
            3
        };
        let verdict = verdict(p, others, bar, entry.score, node, most);
        let counts = &mut self.telemetry.search.singular_extensions;
        match verdict {
            Singularity::Extend(2..) => counts.doubled.count(),
            Singularity::Extend(1) => counts.extended.count(),
            Singularity::Cut(_) => counts.cut.count(),
            Singularity::Extend(_) => counts.not_extended.count(),
        }
        verdict
    }
}

/// The bar that the other moves are tested against.
#[inline(always)]
fn bar(p: &SingularExtensions, table_score: Score, depth: i32) -> Score {
    table_score - p.margin_factor * depth / 16
}

/// A margin that is never reached.
const NEVER: i32 = 1000;

/// The verdict, given the score of the best other move; the move is extended by `most` plies at most.
#[inline(always)]
fn verdict(
    p: &SingularExtensions,
    others: Score,
    bar: Score,
    table_score: Score,
    node: &Node,
    most: i32,
) -> Singularity {
    if others < bar {
        let double_margin = if node.pv { p.pv_double_margin.max(p.double_margin) } else { p.double_margin };
        let double = others < bar - double_margin && (!node.pv || p.pv_double_margin < NEVER);
        let triple = double && !node.pv && others < bar - p.triple_margin && p.triple_margin < NEVER;
        Singularity::Extend((1 + i32::from(double) + i32::from(triple)).min(most))
    } else if bar >= node.beta {
        Singularity::Cut(bar)
    } else if table_score >= node.beta || node.cut {
        Singularity::Extend(-p.negative_depth)
    } else {
        Singularity::Extend(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_reached() {
        let p = SingularExtensions::default();
        let judge = |others: i32, bar, table, beta, double, cut| {
            let node = Node { cut, ..Node::example(8, 0, beta) };
            verdict(&p, Score(others), Score(bar), Score(table), &node, 1 + i32::from(double))
        };
        assert_eq!(judge(19, 20, 50, 60, false, false), Singularity::Extend(1));
        assert_eq!(judge(-100, 20, 50, 60, true, false), Singularity::Extend(2));
        assert_eq!(judge(-100, 20, 50, 60, false, false), Singularity::Extend(1));
        assert_eq!(judge(30, 20, 50, 10, true, false), Singularity::Cut(Score(20)));
        assert_eq!(judge(30, 20, 50, 40, true, false), Singularity::Extend(-p.negative_depth));
        assert_eq!(judge(30, 20, 50, 60, true, false), Singularity::Extend(0));
    }
}
