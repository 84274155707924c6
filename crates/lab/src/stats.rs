//! The statistics of a match in pairs of games: Elo with error bars, normalised Elo, and the log-likelihood
//! ratio of the generalised sequential probability ratio test (GSPRT). Derived in docs/laboratory.md.

use std::fmt;

/// 800 / ln 10: normalised Elo for each standard deviation of a game's score.
const NORMALISED_ELO: f64 = 347.435_585_522_601_8;

/// A normal variable is within this many standard deviations of its mean 95 % of the time.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// How often a pair of games brought 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// A number and how far it may be off, 19 times in 20.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2} ± {:.2}", self.value, self.error)
    }
}

impl Pentanomial {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of a pair's score, from 0 to 1. An even score if there are no pairs.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return (0.5, 0.0);
        }
        moments(&self.0.map(|count| count as f64 / pairs))
    }

    /// The difference in Elo that explains the score, in the logistic model.
    pub fn elo(&self) -> Estimate {
        let (mean, variance) = self.mean_and_variance();
        let deviation = TWO_SIDED_95 * (variance / self.pairs().max(1) as f64).sqrt();
        let error = (elo_of_score(mean + deviation) - elo_of_score(mean - deviation)) / 2.0;
        Estimate { value: elo_of_score(mean), error }
    }

    /// The difference in normalised Elo: the excess of a game's mean score over ½ in its standard deviations.
    pub fn normalised_elo(&self) -> Estimate {
        let (mean, variance) = self.mean_and_variance();
        let games = 2.0 * self.pairs().max(1) as f64;
        let per_game = (2.0 * variance).sqrt();
        let value = if per_game > 0.0 { (mean - 0.5) / per_game * NORMALISED_ELO } else { 0.0 };
        Estimate { value, error: TWO_SIDED_95 * NORMALISED_ELO / games.sqrt() }
    }

    /// The probability, in percent, that the first player is the stronger.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        if variance == 0.0 {
            return 50.0;
        }
        let z = (mean - 0.5) / (variance / self.pairs() as f64).sqrt();
        100.0 * normal_distribution(z)
    }
}

/// The Elo difference that gives an expected score; scores of nobody and everybody are pulled in a little.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-4, 1.0 - 1e-4);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative distribution function of the normal distribution, to about 1e-7 (Abramowitz & Stegun 7.1.26).
fn normal_distribution(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let erf = 1.0 - series * (-x * x).exp();
    if z >= 0.0 { (1.0 + erf) / 2.0 } else { (1.0 - erf) / 2.0 }
}

/// In what Elo the bounds of a sequential test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// In units of a game's standard deviation; the test's length then depends little on the draw rate.
    Normalised,
    /// As rating lists count.
    Logistic,
}

/// A sequential test between two hypotheses about the Elo difference.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Sprt {
    /// The first hypothesis.
    pub elo0: f64,
    /// The second hypothesis, which is greater.
    pub elo1: f64,
    /// How often the second may be accepted though the first is true.
    pub alpha: f64,
    /// How often the first may be accepted though the second is true.
    pub beta: f64,
    /// What the hypotheses are counted in.
    pub model: Model,
}

/// What a sequential test has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Verdict {
    /// The second hypothesis is accepted: a gain.
    H1,
    /// The first hypothesis is accepted: no gain.
    H0,
    /// Not enough games.
    Undecided,
}

impl Sprt {
    /// Where the log-likelihood ratio decides, lower and upper (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the two hypotheses.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        let pairs = results.pairs() as f64;
        if pairs == 0.0 {
            return 0.0;
        }
        // Outcomes that have not happened get a little weight, so that they stay possible.
        let counts = results.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => tilted(&observed, &SCORES.map(|score| score - score_of_elo(elo))),
            Model::Normalised => with_t_value(&observed, elo / NORMALISED_ELO * std::f64::consts::SQRT_2),
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        let mean: f64 = (0..5).map(|i| observed[i] * (p1[i] / p0[i]).ln()).sum();
        total * mean
    }

    /// What the results so far say.
    pub fn verdict(&self, results: &Pentanomial) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(results) {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Undecided,
        }
    }
}

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mean and variance of a distribution over the scores.
fn moments(p: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| p[i] * SCORES[i]).sum();
    let variance = (0..5).map(|i| p[i] * (SCORES[i] - mean).powi(2)).sum();
    (mean, variance)
}

/// The distribution nearest in likelihood to the observed one under which `values` have mean zero:
/// pᵢ = p̂ᵢ / (1 + x vᵢ), with x such that Σ p̂ᵢ vᵢ / (1 + x vᵢ) = 0.
fn tilted(observed: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return *observed;
    }
    // The sum falls from plus to minus infinity between the poles, so bisection finds its only zero.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let sum: f64 = (0..5).map(|i| observed[i] * values[i] / (1.0 + x * values[i])).sum();
        if sum > 0.0 { low = x } else { high = x }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + x * values[i]))
}

/// The distribution nearest in likelihood to the observed one whose mean exceeds ½ by `t` standard deviations.
/// The condition is not linear, so it is replaced by its tangent again and again until nothing changes.
fn with_t_value(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = [0.2; 5];
    for _ in 0..50 {
        let (mean, variance) = moments(&p);
        let deviation = variance.sqrt().max(1e-9);
        let values =
            SCORES.map(|score| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0);
        let next = tilted(observed, &values);
        let change = (0..5).map(|i| (next[i] - p[i]).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-12 {
            break;
        }
    }
    p
}
