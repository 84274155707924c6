//! Time management: how the planned time for a move stretches and shrinks with what the search sees.
//! An unstable best move or a falling score asks for more, a best move that takes most of the nodes for less.

use chess::Score;

use crate::base::idea;

idea! {
    /// Stretches or shrinks the time for a move by what the search sees.
    /// Switched off, the soft limit stays as planned.
    TimeManagement "UseTimeManagement" {
        /// Share of the remaining time that is planned for a move, in permille.
        share_base = 40 in 10..=100 step 3;
        /// Added to that by the hundredth move, in permille: the longer a game has lasted, the sooner it ends.
        share_growth = 0 in 0..=100 step 5;
        /// Share of the increment that is planned, in percent.
        increment_factor = 75 in 20..=100 step 4;
        /// The hard limit as a multiple of the remaining time, in percent.
        hard_factor = 60 in 20..=90 step 4;
        /// The hard limit as a multiple of what is planned, in percent.
        stretch_max = 2000 in 200..=2000 step 50;
        /// Time factor when the best move has just changed, in percent.
        unstable_factor = 150 in 100..=300 step 10;
        /// Taken off that for each iteration it stays the same.
        stability_factor = 12 in 0..=40 step 2;
        /// The least that leaves.
        stable_min = 30 in 10..=100 step 5;
        /// Added for each ten centipawns by which the score has dropped, in percent.
        drop_factor = 12 in 0..=40 step 2;
        /// Time factor when the best move takes no nodes at all, in percent.
        effort_base = 190 in 100..=300 step 10;
        /// Taken off in proportion to the share of nodes the best move takes.
        effort_factor = 150 in 0..=250 step 10;
        /// The least that leaves.
        effort_min = 30 in 10..=100 step 5;
        /// A mate that has been seen in so many iterations is played.
        mate_iterations = 100 in 1..=100 step 1;
    }
}

/// What the last iterations have shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signs {
    /// Iterations in a row with the same best move.
    pub stability: i32,
    /// The score of this iteration.
    pub score: Score,
    /// The score of the iteration before.
    pub previous_score: Score,
    /// Share of all nodes spent on the best move, in permille.
    pub effort_permille: i32,
    /// Iterations in a row that have seen a mate by the side to move.
    pub mates: i32,
}

/// The factor for the planned time, in percent.
pub fn factor(p: &TimeManagement, signs: &Signs) -> i64 {
    if !p.enabled {
        return 100;
    }
    let stability = (p.unstable_factor - p.stability_factor * signs.stability.clamp(0, 10)).max(p.stable_min);
    let drop = (signs.previous_score - signs.score).clamp(0, 100) * p.drop_factor / 10;
    let effort = (p.effort_base - p.effort_factor * signs.effort_permille / 1000).max(p.effort_min);
    i64::from(stability) * i64::from(100 + drop) * i64::from(effort) / 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubt_stretches_and_certainty_shrinks() {
        let p = TimeManagement::default();
        let calm = Signs { stability: 8, effort_permille: 900, ..Signs::default() };
        let doubt = Signs { stability: 0, effort_permille: 200, ..Signs::default() };
        let drop = Signs { previous_score: Score(60), score: Score(0), ..calm };
        assert!(factor(&p, &calm) < 100);
        assert!(factor(&p, &doubt) > 150);
        assert!(factor(&p, &drop) > factor(&p, &calm));
        assert_eq!(factor(&TimeManagement { enabled: false, ..p }, &doubt), 100);
    }
}
