//! Rank-aware gates: the rank of a move (when it was handed out) scales how much it is reduced and how easily it
//! is pruned. Top ranks are searched with care, late ranks must earn it.

use chess::Value;

use super::late_move_pruning::{self, LateMovePruning};
use super::late_move_reductions::PLY;
use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Prunes and reduces by the rank at which a move is handed out.
    /// Only off the principal variation, not in check, from a minimum depth on.
    RankAwareGates "UseRankAwareGates" (_, RG1) off {
        /// The least depth they work at.
        min_depth = 4 in 2..=10 step 1;
        /// Taken off the reduction of ranks 2 to 5, in 1024ths of a ply.
        near_factor = 512 in 0..=2048 step 64;
        /// Added to the reduction of ranks from 11 on (measured elsewhere to lose).
        far_factor = 0 in 0..=2048 step 64;
        /// Late ranks are pruned by count this much earlier, in percent.
        late_factor = 15 in 0..=60 step 5;
        /// Counts are changed up to this depth, also where late move pruning itself has ended.
        late_max_depth = 8 in 4..=12 step 1;
        /// Futility margins grow by this for each rank beyond five, in centipawns; negative to shrink.
        futility_factor = 4 in -20..=20 step 1;
        /// Captures from this rank on must not lose material.
        capture_rank_base = 11 in 6..=30 step 1;
        /// A protected window of ranks `clamp(4 + depth / 2, 6, 12)`: 1 for on (measured elsewhere to lose).
        protected_window = 0 in 0..=1 step 1;
        /// Re-searches above this share, in percent, soften the gates.
        research_max = 20 in 5..=60 step 2;
        /// … once there have been so many attempts.
        attempts_base = 32 in 8..=256 step 8;
        /// 1: the rank changes reductions (RG2).
        reductions = 1 in 0..=1 step 1;
        /// 1: the rank changes late move pruning (RG3).
        late_moves = 1 in 0..=1 step 1;
        /// 1: the rank changes futility margins (RG4).
        futility = 1 in 0..=1 step 1;
        /// 1: late captures must hold (RG5).
        captures = 1 in 0..=1 step 1;
        /// 1: re-searches soften the gates (RG6).
        smoothing = 1 in 0..=1 step 1;
    }
    counts RankAwareGatesCounts { reductions, late_moves, futility, captures, smoothed }
}

/// Futility margins grow only from this depth on.
const FUTILITY_MIN_DEPTH: i32 = 3;

impl Worker<'_> {
    /// Rank-aware gates: whether they are up at this node.
    #[inline(always)]
    pub(in crate::search) fn has_gates(&self, node: &Node) -> bool {
        let p = &self.params.search.rank_aware_gates;
        p.enabled && !node.pv && !node.in_check && node.depth >= p.min_depth
    }

    /// Rank-aware gates: what the rank of a move means for it. They leave the best and the forcing moves alone. Out of
    /// line: they are off by default.
    #[cold]
    #[inline(never)]
    pub(in crate::search) fn rank_aware_gates(&mut self, node: &Node, candidate: &mut Candidate) {
        let p = &self.params.search.rank_aware_gates;
        let Candidate { mv, number, .. } = *candidate;
        let recapture = node.last_move.is_some_and(|last| last.is_capture() && last.to() == mv.to());
        let forcing = candidate.gives_check || mv.is_promotion() || recapture;
        if candidate.is_table_move || candidate.refutation || forcing {
            return;
        }
        let late = &self.params.search.late_move_pruning;
        candidate.late_limit = late_move_limit(p, late, node, number, &self.rates);
        candidate.futility_margin = if node.depth >= FUTILITY_MIN_DEPTH { futility_extra(p, number) } else { 0 };
        candidate.must_hold = p.captures > 0 && !candidate.quiet && number >= p.capture_rank_base as usize;
        candidate.reduction = reduction(p, node.depth, number, &self.rates);
        let quiet = candidate.quiet;
        self.telemetry.search.rank_aware_gates.late_moves.count_if(quiet && candidate.late_limit != node.late_limit);
        self.telemetry.search.rank_aware_gates.futility.count_if(quiet && candidate.futility_margin != 0);
        self.telemetry.search.rank_aware_gates.captures.count_if(candidate.must_hold);
        self.telemetry.search.rank_aware_gates.reductions.count();
        self.telemetry.search.rank_aware_gates.smoothed.count_if(self.rates.too_many(p, node.depth, number));
    }

    /// Rank-aware gates: counts a reduced search, and whether it had to be repeated.
    #[inline(always)]
    pub(in crate::search) fn note_research(&mut self, node: &Node, candidate: &Candidate, repeated: bool) {
        if self.params.search.rank_aware_gates.enabled {
            self.rates.record(node.depth, candidate.number, repeated);
        }
    }
}

/// The buckets in which re-searches are counted: rank 1, 2–5, 6–10, 11 and later.
#[inline(always)]
pub fn bucket(rank: usize) -> usize {
    match rank {
        0 | 1 => 0,
        2..=5 => 1,
        6..=10 => 2,
        _ => 3,
    }
}

/// How often reduced searches had to be repeated, by depth and rank.
#[derive(Clone, Debug, Default)]
pub struct ResearchRates {
    counts: [[(u32, u32); 4]; 32],
}

impl ResearchRates {
    /// Counts a reduced search and whether it had to be repeated.
    #[cold]
    fn record(&mut self, depth: i32, rank: usize, repeated: bool) {
        let (attempts, repeats) = &mut self.counts[depth.clamp(0, 31) as usize][bucket(rank)];
        *attempts += 1;
        *repeats += u32::from(repeated);
        // Old counts fade, and never overflow.
        if *attempts >= 1 << 16 {
            *attempts /= 2;
            *repeats /= 2;
        }
    }

    /// Whether reductions here have been failing too often to be made harsher.
    fn too_many(&self, p: &RankAwareGates, depth: i32, rank: usize) -> bool {
        let (attempts, repeats) = self.counts[depth.clamp(0, 31) as usize][bucket(rank)];
        p.smoothing > 0
            && attempts >= p.attempts_base as u32
            && u64::from(repeats) * 100 > u64::from(attempts) * p.research_max as u64
    }
}

/// Whether a rank is in the protected window, where no gate applies.
fn is_protected(p: &RankAwareGates, depth: i32, rank: usize) -> bool {
    rank <= 1 || (p.protected_window == 1 && rank <= (4 + depth / 2).clamp(6, 12) as usize)
}

/// What to add to a move's reduction, in 1024ths of a ply; `None` forbids any reduction.
fn reduction(p: &RankAwareGates, depth: i32, rank: usize, rates: &ResearchRates) -> Option<i32> {
    let smoothed = if rates.too_many(p, depth, rank) { PLY } else { 0 };
    if p.reductions == 0 {
        return Some(-smoothed);
    }
    if is_protected(p, depth, rank) {
        return None;
    }
    Some(match bucket(rank) {
        1 => -p.near_factor - smoothed,
        2 => -smoothed,
        _ => p.far_factor - smoothed,
    })
}

/// The move count from which quiets are skipped, earlier for late ranks. Top ranks are never skipped.
fn late_move_limit(
    p: &RankAwareGates,
    late: &LateMovePruning,
    node: &Node,
    rank: usize,
    rates: &ResearchRates,
) -> usize {
    if p.late_moves == 0 {
        return node.late_limit;
    }
    if is_protected(p, node.depth, rank) || rank <= 5 {
        return usize::MAX;
    }
    if !late.enabled || node.depth > p.late_max_depth || rates.too_many(p, node.depth, rank) {
        return node.late_limit;
    }
    late_move_pruning::count(late, node) * (100 - p.late_factor) as usize / 100
}

/// What to add to the futility margin.
fn futility_extra(p: &RankAwareGates, rank: usize) -> Value {
    p.futility * p.futility_factor * (rank.saturating_sub(5) as Value).min(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_ranks_are_safe_and_late_ranks_are_not() {
        let p = RankAwareGates::default();
        let rates = ResearchRates::default();
        assert_eq!(reduction(&p, 6, 1, &rates), None);
        assert_eq!(reduction(&p, 6, 3, &rates), Some(-p.near_factor));
        assert_eq!(reduction(&p, 6, 8, &rates), Some(0));
        let (late, node) = (LateMovePruning::default(), Node::example(6, 0, 0));
        let plain = late_move_pruning::count(&late, &node);
        assert_eq!(late_move_limit(&p, &late, &node, 3, &rates), usize::MAX);
        assert!(late_move_limit(&p, &late, &node, 12, &rates) < plain, "though late move pruning ends before depth 6");
        let deep = Node { depth: p.late_max_depth + 1, ..node };
        assert_eq!(late_move_limit(&p, &late, &deep, 12, &rates), usize::MAX);
        let off = LateMovePruning { enabled: false, ..late };
        assert_eq!(late_move_limit(&p, &off, &node, 12, &rates), usize::MAX);
        assert_eq!(futility_extra(&p, 5), 0);
        assert_eq!(futility_extra(&p, 9), 4 * p.futility_factor);
    }

    #[test]
    fn many_re_searches_soften_the_gates() {
        let p = RankAwareGates::default();
        let mut rates = ResearchRates::default();
        for i in 0..64 {
            rates.record(6, 8, i % 4 == 0);
        }
        assert!(rates.too_many(&p, 6, 8));
        assert_eq!(reduction(&p, 6, 8, &rates), Some(-1024));
        let (late, node) = (LateMovePruning::default(), Node { late_limit: 20, ..Node::example(6, 0, 0) });
        assert_eq!(late_move_limit(&p, &late, &node, 8, &rates), 20);
        assert!(!rates.too_many(&p, 7, 8));
    }

    #[test]
    fn each_gate_has_a_switch() {
        let all = RankAwareGates::default();
        let (late, node) = (LateMovePruning::default(), Node { late_limit: 20, ..Node::example(6, 0, 0) });
        let mut rates = ResearchRates::default();
        assert_eq!(reduction(&RankAwareGates { reductions: 0, ..all.clone() }, 6, 3, &rates), Some(0));
        let p = RankAwareGates { late_moves: 0, ..all.clone() };
        assert_eq!([3, 12].map(|rank| late_move_limit(&p, &late, &node, rank, &rates)), [20, 20]);
        assert_eq!(futility_extra(&RankAwareGates { futility: 0, ..all.clone() }, 9), 0);
        (0..64).for_each(|_| rates.record(6, 8, true));
        assert!(!RankAwareGates { smoothing: 0, ..all.clone() }.smoothing_of(&rates) && all.smoothing_of(&rates));
    }

    impl RankAwareGates {
        fn smoothing_of(&self, rates: &ResearchRates) -> bool {
            rates.too_many(self, 6, 8)
        }
    }

    #[test]
    fn a_protected_window_shields_more_the_deeper() {
        let p = RankAwareGates { protected_window: 1, ..RankAwareGates::default() };
        let last = |depth| (1..=40).rev().find(|&rank| is_protected(&p, depth, rank)).expect("rank 1");
        assert_eq!([2, 6, 10, 30].map(last), [6, 7, 9, 12]);
        assert!(!is_protected(&RankAwareGates::default(), 10, 2));
    }
}
