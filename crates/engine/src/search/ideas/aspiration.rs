//! Aspiration windows: search each iteration with a narrow window around the last score.
//! Most iterations stay inside it and cut more; the window opens on the side that fails.

use std::cmp::Reverse;
use std::time::Duration;

use chess::{Score, Value};

use crate::base::{Bound, idea};
use crate::search::carriers::Root;
use crate::search::report::Reporter;
use crate::search::root::RootMove;
use crate::search::worker::Worker;

idea! {
    /// Searches each iteration in a narrow window around the last score, which opens where it fails.
    Aspiration "UseAspiration" (_, SS2) {
        /// The first depth with a narrow window.
        min_depth = 4 in 1..=20 step 1;
        /// Half the width of the first window.
        delta_base = 16 in 4..=100 step 3;
        /// The width grows with the square of the score divided by this.
        score_divisor = 15620 in 2000..=60000 step 1500;
        /// Growth on each failure, in percent.
        growth_factor = 200 in 120..=400 step 15;
    }
    counts AspirationCounts { tried, failed_low, failed_high }
}

/// How soon bounds are worth a line: before that they only flicker.
const BOUND_LINES_AFTER: Duration = Duration::from_secs(3);

/// After so many fail highs in a row the search is not made any shallower.
const FAILED_HIGH_MAX: i32 = 3;

/// A window that has grown to this saves nothing.
const WIDEST: Value = 1500;

impl Worker<'_> {
    /// Aspiration windows: one line of one iteration, with a window that opens until the score is inside.
    pub(in crate::search) fn aspiration(&mut self, depth: i32, reporter: &mut dyn Reporter) {
        let p = &self.params.search.aspiration;
        let root = self.root.clone();
        let expected = self.root_moves[self.pv_index].previous;
        let mut window = if expected > -Score::INFINITE { Window::around(p, expected, depth) } else { Window::FULL };
        let mut failed_high = 0;
        loop {
            self.telemetry.search.aspiration.tried.count();
            let reduced = (depth - failed_high).max(1);
            let score = self.search::<Root>(&root, window.alpha, window.beta, reduced, 0, false);
            let index = self.pv_index;
            // Best first; moves without a score in this iteration keep their order behind.
            self.root_moves[index..].sort_by_key(|root_move| (root_move.order(), Reverse(root_move.previous)));
            if self.stopped {
                return;
            }
            let bound = if score <= window.alpha {
                self.telemetry.search.aspiration.failed_low.count();
                failed_high = 0;
                Bound::Upper
            } else if score >= window.beta {
                self.telemetry.search.aspiration.failed_high.count();
                failed_high = (failed_high + 1).min(FAILED_HIGH_MAX);
                Bound::Lower
            } else {
                self.root_moves[..=index].sort_by_key(RootMove::order);
                return;
            };
            if self.is_first() && self.shared.limits.multi_pv <= 1 && self.elapsed() > BOUND_LINES_AFTER {
                self.report(depth, 1, bound, reporter);
            }
            window.widen(p, score);
        }
    }
}

/// The window of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    /// Lower end.
    alpha: Score,
    /// Upper end.
    beta: Score,
    delta: Value,
}

impl Window {
    /// The whole range of scores.
    const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE, delta: 0 };

    /// The first window of an iteration, around the score of the one before.
    fn around(p: &Aspiration, score: Score, depth: i32) -> Window {
        if !p.enabled || depth < p.min_depth || score.is_decisive() {
            return Window::FULL;
        }
        let delta = p.delta_base + score.0 * score.0 / p.score_divisor;
        Window { alpha: clamp(score - delta), beta: clamp(score + delta), delta }
    }

    /// Opens the side on which the score fell out, and pulls the other side in when it failed low.
    fn widen(&mut self, p: &Aspiration, score: Score) {
        if *self == Window::FULL {
            return;
        }
        self.delta = (self.delta * p.growth_factor / 100).max(self.delta + 1);
        if score <= self.alpha {
            self.beta = Score((self.alpha.0 + self.beta.0) / 2);
            self.alpha = clamp(score - self.delta);
        } else {
            self.beta = clamp(score + self.delta);
        }
        if self.delta > WIDEST {
            *self = Window::FULL;
        }
    }
}

fn clamp(score: Score) -> Score {
    score.clamp(-Score::INFINITE, Score::INFINITE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_opens_on_the_side_that_failed() {
        let p = Aspiration { delta_base: 11, ..Aspiration::default() };
        let mut window = Window::around(&p, Score(30), 8);
        assert_eq!((window.alpha, window.beta), (Score(19), Score(41)));
        window.widen(&p, Score(45));
        assert_eq!((window.alpha, window.beta), (Score(19), Score(67)));
        window.widen(&p, Score(10));
        assert!(window.alpha < Score(10) && window.beta < Score(67));
        for _ in 0..10 {
            window.widen(&p, Score(-500));
        }
        assert_eq!(window, Window::FULL);
        assert_eq!(Window::around(&p, Score::mate_in(3), 8), Window::FULL);
        assert_eq!(Window::around(&p, Score(30), 1), Window::FULL);
    }
}
