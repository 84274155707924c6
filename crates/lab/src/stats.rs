//! The statistics of a match in pairs of games: Elo with error bars, normalised Elo, and the log-likelihood
//! ratio of the generalised sequential probability ratio test (GSPRT). Derived in docs/laboratory.md.

#[cfg(test)]
mod repeats;

use std::fmt;
use std::ops::RangeInclusive;

/// 800 / ln 10: normalised Elo for each standard deviation of a game's score.
const NORMALISED_ELO: f64 = 347.435_585_522_601_8;

/// A normal variable is within this many standard deviations of its mean 95 % of the time.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Bounds of a sequential test beyond this make no sense in any model.
pub const MOST_ELO: f64 = 300.0;

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
    /// What of it is more than a guess.
    pub known: Known,
}

/// How much an estimate says. A score of nothing or of everything would be infinitely many Elo, so [`elo_of_score`] pulls
/// it in; what rests on that alone is not shown as a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// The value and both ends of its interval.
    All,
    /// The value and the lower end of its interval.
    Least(f64),
    /// The value and the upper end of its interval.
    Most(f64),
    /// Nothing.
    Nothing,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(2);
        let unit = 10f64.powi(digits as i32);
        // Adding zero turns minus zero into zero.
        let value = (self.value * unit).round() / unit + 0.0;
        match self.known {
            Known::All => write!(f, "{value:+.digits$} ± {:.digits$}", self.error),
            Known::Least(least) => write!(f, "{value:+.digits$}, at least {least:+.digits$}"),
            Known::Most(most) => write!(f, "{value:+.digits$}, at most {most:+.digits$}"),
            Known::Nothing => f.write_str("no estimate"),
        }
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

    /// The variance to compute errors from. Where all pairs came out alike nothing is known about it; then it is
    /// that of the same pairs and one more, which had every outcome equally.
    pub fn error_variance(&self) -> f64 {
        let (_, variance) = self.mean_and_variance();
        let pairs = self.pairs() as f64;
        if variance > 0.0 { variance } else { moments(&self.0.map(|count| (count as f64 + 0.2) / (pairs + 1.0))).1 }
    }

    /// The difference in Elo that explains the score, in the logistic model.
    pub fn elo(&self) -> Estimate {
        let ((mean, _), variance) = (self.mean_and_variance(), self.error_variance());
        let deviation = TWO_SIDED_95 * (variance / self.pairs().max(1) as f64).sqrt();
        let [low, value, high] = [mean - deviation, mean, mean + deviation].map(elo_of_score);
        let known = match [mean - deviation, mean, mean + deviation].map(|score| SHOWN.contains(&score)) {
            [true, true, true] => Known::All,
            [true, true, false] => Known::Least(low),
            [false, true, true] => Known::Most(high),
            _ => Known::Nothing,
        };
        Estimate { value, error: (high - low) / 2.0, known }
    }

    /// The difference in normalised Elo: the excess of a game's mean score over ½ in its standard deviations.
    pub fn normalised_elo(&self) -> Estimate {
        let (mean, variance) = self.mean_and_variance();
        let games = 2.0 * self.pairs().max(1) as f64;
        let per_game = (2.0 * variance).sqrt();
        let value = if per_game > 0.0 { (mean - 0.5) / per_game * NORMALISED_ELO } else { 0.0 };
        let any = self.pairs() > 0;
        let known = if any && (per_game > 0.0 || mean == 0.5) { Known::All } else { Known::Nothing };
        Estimate { value, error: TWO_SIDED_95 * NORMALISED_ELO / games.sqrt(), known }
    }

    /// The probability, in percent, that the first player is the stronger.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        if variance == 0.0 {
            // Every pair went the same way, as between equals each does at most half of the time.
            let chance = 100.0 * 0.5f64.powf(self.pairs() as f64);
            return if mean > 0.5 {
                100.0 - chance
            } else if mean < 0.5 {
                chance
            } else {
                50.0
            };
        }
        let z = (mean - 0.5) / (variance / self.pairs() as f64).sqrt();
        100.0 * normal_distribution(z)
    }
}

/// The scores that have an Elo difference of their own.
const SHOWN: RangeInclusive<f64> = 1e-4..=1.0 - 1e-4;

/// The Elo difference that gives an expected score; scores of nobody and everybody are pulled in a little.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(*SHOWN.start(), *SHOWN.end());
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

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        let model = if *model == Model::Normalised { "normalised" } else { "logistic" };
        write!(f, "{model} [{elo0}, {elo1}], alpha {alpha}, beta {beta}")
    }
}

impl Sprt {
    /// Where the log-likelihood ratio decides, lower and upper. Ville's inequality says that the ratio reaches 1 / α
    /// with a probability of at most α if the first hypothesis is true, and the same the other way round. (Wald's usual
    /// bounds keep the sum of the two errors, not each of them, and are passed a little sooner.)
    pub fn bounds(&self) -> (f64, f64) {
        (self.beta.ln(), -self.alpha.ln())
    }

    /// The log-likelihood ratio of the two hypotheses.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        let pairs = results.pairs() as f64;
        if pairs == 0.0 {
            return 0.0;
        }
        // The spread of the scores is not known but estimated. After few pairs the plain estimate is too small too often,
        // and the test too sure of itself; half a pair more of each outcome mends that.
        let observed = results.0.map(|count| (count as f64 + 0.5) / (pairs + 2.5));
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => tilted(&observed, &SCORES.map(|score| score - score_of_elo(elo))),
            Model::Normalised => with_t_value(&observed, elo / NORMALISED_ELO * std::f64::consts::SQRT_2),
        };
        let (p0, p1) = (likeliest(self.elo0), likeliest(self.elo1));
        (0..5).map(|i| results.0[i] as f64 * (p1[i] / p0[i]).ln()).sum()
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
    // The sum falls from plus to minus infinity between the poles: Newton's method, kept inside the bracket.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..5 {
            let ratio = values[i] / (1.0 + x * values[i]);
            sum += observed[i] * ratio;
            slope -= observed[i] * ratio * ratio;
        }
        if sum > 0.0 {
            low = x
        } else {
            high = x
        }
        let newton = x - sum / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let change = (next - x).abs();
        x = next;
        if change < 1e-13 {
            break;
        }
    }
    std::array::from_fn(|i| observed[i] / (1.0 + x * values[i]))
}

/// The distribution nearest in likelihood to the observed one whose mean exceeds ½ by `t` standard deviations.
/// The condition is not linear, so it is replaced by its tangent again and again until nothing changes.
fn with_t_value(observed: &[f64; 5], t: f64) -> [f64; 5] {
    let mut p = *observed;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-5 * (1.0 + b.abs())
    }

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// Elo, its error, normalised Elo, its error. Computed by a separate program from the definitions.
    #[test]
    fn estimates_are_those_computed_elsewhere() {
        for (counts, expected) in [
            ([89, 1250, 2430, 1340, 101], [3.801270, 3.781677, 6.706326, 6.670963]),
            ([9, 11, 44, 15, 21], [48.962560, 41.021445, 58.522945, 48.151231]),
            ([10, 20, 30, 25, 8], [1.867951, 39.772826, 2.355293, 49.930500]),
            ([3, 120, 900, 160, 2], [5.571175, 4.968121, 15.689421, 13.987761]),
            ([0, 5, 20, 9, 1], [29.853447, 40.559856, 60.480772, 81.390435]),
        ] {
            let (elo, normalised) = (Pentanomial(counts).elo(), Pentanomial(counts).normalised_elo());
            let found = [elo.value, elo.error, normalised.value, normalised.error];
            assert!(found.iter().zip(expected).all(|(&a, b)| close(a, b)), "{counts:?}: {found:?}, not {expected:?}");
        }
    }

    /// The ratio for normalised [0, 5] and [-3, 1] and logistic [0, 5] and [0, 20]. Computed by a separate program
    /// that maximises the likelihood under the constraint directly, by Newton's method on the Lagrangian.
    #[test]
    fn likelihood_ratios_are_those_computed_elsewhere() {
        for (counts, expected) in [
            ([89, 1250, 2430, 1340, 101], [1.814665, 2.659843, 1.747253, -33.103842]),
            ([9, 11, 44, 15, 21], [0.452207, 0.384523, 0.527488, 1.781802]),
            ([10, 20, 30, 25, 8], [-0.001115, 0.020671, -0.007764, -0.399759]),
            ([3, 120, 900, 160, 2], [1.288013, 1.304095, 2.378834, -13.192511]),
            ([0, 5, 20, 9, 1], [0.162155, 0.137537, 0.304137, 0.891235]),
            ([1000, 9000, 20000, 9200, 1100], [1.674671, 10.687270, -7.842015, -331.165836]),
        ] {
            let tests = [
                test(0.0, 5.0, Model::Normalised),
                test(-3.0, 1.0, Model::Normalised),
                test(0.0, 5.0, Model::Logistic),
                test(0.0, 20.0, Model::Logistic),
            ];
            let found = tests.map(|test| test.llr(&Pentanomial(counts)));
            assert!(found.iter().zip(expected).all(|(&a, b)| close(a, b)), "{counts:?}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn equal_results_are_not_certain() {
        assert!(Pentanomial([0, 0, 1, 0, 0]).elo().error > 100.0);
        assert!(Pentanomial([0, 0, 0, 0, 3]).elo().error > 100.0);
        assert!(Pentanomial([0, 0, 1000, 0, 0]).elo().error < 1.0);
    }

    #[test]
    fn what_is_not_known_is_not_shown() {
        let elo = |counts| Pentanomial(counts).elo().to_string();
        assert_eq!([[0, 0, 0, 0, 3], [500, 0, 0, 0, 0], [0; 5]].map(elo), ["no estimate"; 3]);
        assert_eq!(elo([10, 20, 40, 20, 10]), "+0.00 ± 37.44");
        assert_eq!(format!("{:.1}", Pentanomial([10, 20, 40, 20, 10]).elo()), "+0.0 ± 37.4");
        let (won, lost) = (elo([0, 0, 0, 1, 19]), elo([19, 1, 0, 0, 0]));
        assert_eq!([won.as_str(), lost.as_str()], ["+759.05, at least +569.22", "-759.05, at most -569.22"]);
        let normalised = |counts| Pentanomial(counts).normalised_elo().known;
        assert_eq!([[0, 0, 0, 0, 9], [0; 5]].map(normalised), [Known::Nothing; 2]);
        assert_eq!(normalised([0, 0, 9, 0, 0]), Known::All);
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-400.0, -10.0, 0.0, 3.5, 200.0] {
            assert!(close(elo_of_score(score_of_elo(elo)), elo));
        }
        assert!(close(score_of_elo(400.0), 10.0 / 11.0));
    }

    #[test]
    fn swapping_sides_changes_the_sign() {
        let (one, other) = (Pentanomial([3, 20, 50, 30, 7]), Pentanomial([7, 30, 50, 20, 3]));
        assert!(close(one.elo().value, -other.elo().value));
        assert!(close(one.superiority(), 100.0 - other.superiority()));
        // Clean scores say something too, the more of them the more.
        assert!(close(Pentanomial([0, 0, 0, 0, 10]).superiority(), 100.0 - 100.0 / 1024.0));
        assert!(close(Pentanomial([2, 0, 0, 0, 0]).superiority(), 25.0));
        assert!(close(Pentanomial([0, 0, 7, 0, 0]).superiority(), 50.0));
        for model in [Model::Normalised, Model::Logistic] {
            assert!(close(test(-2.0, 6.0, model).llr(&one), -test(-6.0, 2.0, model).llr(&other)));
        }
    }

    #[test]
    fn few_or_strange_results_give_finite_numbers() {
        for counts in [[0; 5], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 3, 0, 0], [0, 0, 0, 0, 500], [1, 0, 0, 0, 1]] {
            let results = Pentanomial(counts);
            let (elo, normalised) = (results.elo(), results.normalised_elo());
            let llr = [Model::Normalised, Model::Logistic].map(|model| test(0.0, 5.0, model).llr(&results));
            let all = [elo.value, elo.error, normalised.value, normalised.error, llr[0], llr[1], results.superiority()];
            assert!(all.iter().all(|number| number.is_finite()), "{counts:?}: {all:?}");
        }
    }

    /// Results of pairs as they come: in most matches, with many draws, and with few and strong openings.
    pub const KINDS: [(&str, [f64; 5]); 3] = [
        ("usual", [0.03, 0.20, 0.50, 0.23, 0.04]),
        ("drawish", [0.004, 0.05, 0.88, 0.06, 0.006]),
        ("wild", [0.12, 0.18, 0.35, 0.20, 0.15]),
    ];

    /// The distribution nearest to `usual` whose true difference is this.
    pub fn at_truth(test: &Sprt, usual: &[f64; 5], truth: f64) -> [f64; 5] {
        match test.model {
            Model::Normalised => with_t_value(usual, truth / NORMALISED_ELO * std::f64::consts::SQRT_2),
            Model::Logistic => tilted(usual, &SCORES.map(|score| score - score_of_elo(truth))),
        }
    }

    /// Plays the whole test many times with results drawn from such a distribution, and returns how often it said H1, and
    /// how many pairs it took.
    fn monte_carlo(test: &Sprt, usual: &[f64; 5], truth: f64, runs: u64) -> (f64, f64) {
        let p = at_truth(test, usual, truth);
        let play = |run: u64| {
            let mut rng = Rng::new(2024, run);
            let mut results = Pentanomial::default();
            loop {
                let mut draw = rng.unit();
                let outcome = p.iter().position(|&share| {
                    draw -= share;
                    draw < 0.0
                });
                results.0[outcome.unwrap_or(2)] += 1;
                match test.verdict(&results) {
                    Verdict::Undecided => {}
                    verdict => return (u64::from(verdict == Verdict::H1), results.pairs()),
                }
            }
        };
        let add = |(a, b): (u64, u64), (c, d): (u64, u64)| (a + c, b + d);
        let (accepted, pairs) = std::thread::scope(|scope| {
            let half = |parity| scope.spawn(move || (parity..runs).step_by(2).map(play).fold((0, 0), add));
            [half(0), half(1)].into_iter().map(|half| half.join().expect("no panic")).fold((0, 0), add)
        });
        (accepted as f64 / runs as f64, pairs as f64 / runs as f64)
    }

    /// How often the test errs either way at exactly the two hypotheses, told and returned.
    fn errors(test: &Sprt, (name, usual): &(&str, [f64; 5]), runs: u64) -> [f64; 2] {
        let (accepted, pairs0) = monte_carlo(test, usual, test.elo0, runs);
        let (right, pairs1) = monte_carlo(test, usual, test.elo1, runs);
        let Sprt { elo0, elo1, model, .. } = test;
        let (wrong, missed) = (100.0 * accepted, 100.0 * (1.0 - right));
        println!(
            "| {model:?} [{elo0}, {elo1}] | {name} | {runs} | {wrong:.2} % | {pairs0:.0} | {missed:.2} % | {pairs1:.0} |"
        );
        [accepted, 1.0 - right]
    }

    fn check_errors(test: Sprt, runs: u64) {
        for kind in &KINDS {
            let errors = errors(&test, kind, runs);
            assert!(errors.iter().all(|&rate| rate <= 0.05), "{test:?}, {kind:?}: {errors:?}");
        }
    }

    #[test]
    fn the_whole_test_errs_no_more_than_promised() {
        check_errors(test(0.0, 60.0, Model::Normalised), 4000);
        check_errors(test(0.0, 60.0, Model::Logistic), 4000);
    }

    /// The table of docs/laboratory.md: `cargo test --profile checked -p gannet-lab -- --ignored --nocapture at_length`.
    #[test]
    #[ignore = "takes minutes"]
    fn the_whole_test_errs_no_more_than_promised_at_length() {
        check_errors(test(0.0, 100.0, Model::Normalised), 40_000);
        check_errors(test(0.0, 60.0, Model::Logistic), 40_000);
        check_errors(test(0.0, 20.0, Model::Normalised), 20_000);
        check_errors(test(-5.0, 10.0, Model::Logistic), 20_000);
    }

    #[test]
    #[ignore = "takes long"]
    fn the_default_bounds_at_length() {
        check_errors(test(0.0, 5.0, Model::Normalised), 20_000);
    }

    #[test]
    fn bounds_can_be_as_far_apart_as_is_allowed() {
        for model in [Model::Normalised, Model::Logistic] {
            let far = test(-MOST_ELO, MOST_ELO, model);
            for counts in [[2, 0, 0, 0, 0], [0, 1, 2, 1, 0], [100, 200, 300, 200, 100], [0, 0, 0, 0, 2]] {
                let llr = far.llr(&Pentanomial(counts));
                let lead: f64 = counts.iter().zip([-2.0, -1.0, 0.0, 1.0, 2.0]).map(|(&n, s)| n as f64 * s).sum();
                assert!(llr.is_finite() && (lead == 0.0 || (llr > 0.0) == (lead > 0.0)), "{counts:?}: {llr}");
            }
        }
    }
}
