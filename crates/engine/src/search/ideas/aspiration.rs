//! Aspiration windows: search each iteration with a narrow window around the last score.
//! Most iterations stay inside it and cut more; the window opens on the side that fails.

use chess::{Score, Value};

use crate::base::idea;

idea! {
    /// Aspiration windows.
    Aspiration "UseAspiration" {
        /// The first depth with a narrow window.
        min_depth = 4 in 1..=20 step 1;
        /// Half the width of the first window.
        delta_base = 11 in 4..=100 step 3;
        /// The width grows with the square of the score divided by this.
        score_divisor = 15620 in 2000..=60000 step 1500;
        /// Growth on each failure, in percent.
        growth_factor = 200 in 120..=400 step 15;
    }
    counts AspirationCounts { tried, failed_low, failed_high }
}

/// The window of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lower end.
    pub alpha: Score,
    /// Upper end.
    pub beta: Score,
    delta: Value,
}

impl Window {
    /// The whole range of scores.
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE, delta: 0 };

    /// The first window of an iteration, around the score of the one before.
    pub fn around(p: &Aspiration, score: Score, depth: i32) -> Window {
        if !p.enabled || depth < p.min_depth || score.is_decisive() {
            return Window::FULL;
        }
        let delta = p.delta_base + score.0 * score.0 / p.score_divisor;
        Window { alpha: clamp(score - delta), beta: clamp(score + delta), delta }
    }

    /// Opens the side on which the score fell out, and pulls the other side in when it failed low.
    pub fn widen(&mut self, p: &Aspiration, score: Score) {
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
        // A window this wide saves nothing.
        if self.delta > 1500 {
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
        let p = Aspiration::default();
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
