//! What each factor is worth, from games in which many of them were turned at once: a logistic regression of the pairs'
//! scores on which side had which factors turned. The errors are those of the pairs as they fell out (the "sandwich"), so
//! that they hold whatever the games of a pair have in common.

use crate::stats::score_of_elo;

/// The most factors an experiment can have: a side's is a bit each.
pub const MOST: usize = 128;

/// The half width of a 95 % interval, in standard errors.
const WIDE: f64 = 1.959_963_984_540_054;

/// The slope of the expected score where that is `score`, for each Elo.
fn slope(score: f64) -> f64 {
    score * (1.0 - score) * std::f64::consts::LN_10 / 400.0
}

/// A pair of games: which factors each side had turned, a bit each, and A's share of the points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// The factors of A and of B.
    pub turned: [u128; 2],
    /// From 0 to 1.
    pub score: f64,
}

impl Pair {
    /// 1 where only A has the factor turned, −1 where only B has it.
    fn sign(&self, factor: usize) -> f64 {
        let [a, b] = self.turned.map(|bits| (bits >> factor & 1) as i8);
        f64::from(a - b)
    }

    /// The same of two factors at once.
    fn sign_of_both(&self, first: usize, second: usize) -> f64 {
        let [a, b] = self.turned.map(|bits| (bits >> first & bits >> second & 1) as i8);
        f64::from(a - b)
    }
}

/// Elo, and half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// What turning the factor brings.
    pub elo: f64,
    /// Its error.
    pub error: f64,
}

impl Effect {
    /// Whether the interval lies on one side of zero.
    pub fn is_decided(self) -> bool {
        self.elo.abs() > self.error
    }

    /// The effect of turning it back.
    pub fn reversed(self) -> Effect {
        Effect { elo: -self.elo, ..self }
    }
}

/// What two factors do together beyond what each does alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interaction {
    /// The two.
    pub factors: [usize; 2],
    /// What having both turned brings besides.
    pub effect: Effect,
}

type Matrix = Vec<Vec<f64>>;

/// The fitted experiment.
pub struct Fit {
    /// What each factor brings when it is turned; none where it was never turned on one side only.
    pub effects: Vec<Option<Effect>>,
    /// The factors that could be fitted, and the inverse of their curvature.
    columns: Vec<usize>,
    inverse: Matrix,
    elo: Vec<f64>,
}

impl Fit {
    /// Fits so many factors.
    pub fn new(pairs: &[Pair], factors: usize) -> Fit {
        let columns: Vec<usize> =
            (0..factors).filter(|&factor| pairs.iter().any(|pair| pair.sign(factor) != 0.0)).collect();
        let mut elo = vec![0.0; columns.len()];
        let mut inverse = Matrix::new();
        for _ in 0..50 {
            let (gradient, curvature) = derivatives(pairs, &columns, &elo);
            inverse = invert(curvature);
            let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient).clamp(-100.0, 100.0)).collect();
            elo.iter_mut().zip(&step).for_each(|(elo, step)| *elo += step);
            if step.iter().all(|step| step.abs() < 1e-6) {
                break;
            }
        }
        let mut fit = Fit { effects: vec![None; factors], columns, inverse, elo };
        let errors = fit.errors(pairs);
        for ((&column, &elo), error) in fit.columns.iter().zip(&fit.elo).zip(errors) {
            fit.effects[column] = Some(Effect { elo, error });
        }
        fit
    }

    /// The signs of a pair, by the columns of the fit.
    fn signs(&self, pair: &Pair) -> Vec<f64> {
        self.columns.iter().map(|&factor| pair.sign(factor)).collect()
    }

    /// What A was expected to score.
    fn expected(&self, signs: &[f64]) -> f64 {
        score_of_elo(dot(signs, &self.elo))
    }

    /// Half the widths of the 95 % intervals. A pair that decides a factor by itself counts for what it would have moved it
    /// had it not been fitted; with few pairs for many factors that matters.
    fn errors(&self, pairs: &[Pair]) -> Vec<f64> {
        let mut variance = vec![0.0; self.columns.len()];
        for pair in pairs {
            let signs = self.signs(pair);
            let expected = self.expected(&signs);
            let pull: Vec<f64> = self.inverse.iter().map(|row| dot(row, &signs)).collect();
            let leverage = (slope(expected) * slope(expected) * dot(&pull, &signs)).clamp(0.0, 0.5);
            let residual = slope(expected) * (pair.score - expected) / (1.0 - leverage);
            variance.iter_mut().zip(&pull).for_each(|(sum, pull)| *sum += (pull * residual).powi(2));
        }
        variance.into_iter().map(|variance| WIDE * variance.sqrt()).collect()
    }

    /// What pairs of factors do together, strongest evidence first: one step from the fit without them. Only those that
    /// were turned together on one side only in at least so many pairs.
    pub fn interactions(&self, pairs: &[Pair], least: usize) -> Vec<Interaction> {
        let rows: Vec<(Vec<f64>, f64)> = pairs
            .iter()
            .map(|pair| {
                let signs = self.signs(pair);
                let expected = self.expected(&signs);
                (signs, expected)
            })
            .collect();
        let mut list = Vec::new();
        for (index, &first) in self.columns.iter().enumerate() {
            for &second in &self.columns[index + 1..] {
                list.extend(self.interaction(pairs, &rows, [first, second], least));
            }
        }
        let evidence = |interaction: &Interaction| interaction.effect.elo.abs() / interaction.effect.error;
        list.sort_by(|a, b| evidence(b).total_cmp(&evidence(a)));
        list
    }

    fn interaction(
        &self,
        pairs: &[Pair],
        rows: &[(Vec<f64>, f64)],
        factors: [usize; 2],
        least: usize,
    ) -> Option<Interaction> {
        let concerned = || {
            pairs.iter().zip(rows).filter_map(|(pair, (signs, expected))| {
                let both = pair.sign_of_both(factors[0], factors[1]);
                (both != 0.0).then_some((both, signs, slope(*expected)))
            })
        };
        if concerned().count() < least.max(1) {
            return None;
        }
        // What of it the single factors explain already.
        let mut shared = vec![0.0; self.columns.len()];
        for (both, signs, slope) in concerned() {
            shared.iter_mut().zip(signs).for_each(|(sum, sign)| *sum += slope * slope * both * sign);
        }
        let explained: Vec<f64> = self.inverse.iter().map(|row| dot(row, &shared)).collect();
        let (mut gradient, mut curvature, mut variance) = (0.0, 0.0, 0.0);
        for (pair, (signs, expected)) in pairs.iter().zip(rows) {
            let own = pair.sign_of_both(factors[0], factors[1]) - dot(signs, &explained);
            let slope = slope(*expected);
            let pull = slope * own * (pair.score - expected);
            gradient += pull;
            variance += pull * pull;
            curvature += slope * slope * own * own;
        }
        (curvature > 1e-12).then(|| Interaction {
            factors,
            effect: Effect { elo: gradient / curvature, error: WIDE * variance.sqrt() / curvature },
        })
    }
}

/// The gradient of the fit and its curvature, at these Elo. Every pair weighs the same, so that it is least squares of the
/// scores.
fn derivatives(pairs: &[Pair], columns: &[usize], elo: &[f64]) -> (Vec<f64>, Matrix) {
    let n = columns.len();
    let (mut gradient, mut curvature) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    let mut signs = vec![0.0; n];
    for pair in pairs {
        for (sign, &column) in signs.iter_mut().zip(columns) {
            *sign = pair.sign(column);
        }
        let expected = score_of_elo(dot(&signs, elo));
        let slope = slope(expected);
        for (i, row) in curvature.iter_mut().enumerate().filter(|(i, _)| signs[*i] != 0.0) {
            gradient[i] += slope * signs[i] * (pair.score - expected);
            row.iter_mut().zip(&signs).for_each(|(sum, sign)| *sum += slope * slope * signs[i] * sign);
        }
    }
    (gradient, curvature)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a symmetric positive matrix, by Gauss and Jordan. A trace on the diagonal keeps factors apart that were
/// always turned together.
fn invert(mut matrix: Matrix) -> Matrix {
    let n = matrix.len();
    let trace = (0..n).map(|i| matrix[i][i]).fold(0.0, f64::max) * 1e-9 + f64::MIN_POSITIVE;
    let mut inverse: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    (0..n).for_each(|i| matrix[i][i] += trace);
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        let best = best.unwrap_or(column);
        matrix.swap(column, best);
        inverse.swap(column, best);
        let pivot = matrix[column][column];
        for row in [&mut matrix[column], &mut inverse[column]] {
            row.iter_mut().for_each(|value| *value /= pivot);
        }
        let (own, own_inverse) = (matrix[column].clone(), inverse[column].clone());
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&own).for_each(|(value, own)| *value -= factor * own);
            inverse[row].iter_mut().zip(&own_inverse).for_each(|(value, own)| *value -= factor * own);
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::stats::elo_of_score;

    /// Games with planted effects: each game of a pair is a loss, draw or win around what is expected.
    fn played(pairs: usize, share: f64, effects: &[f64], interactions: &[(usize, usize, f64)], seed: u64) -> Vec<Pair> {
        let mut rng = Rng::new(seed, 0);
        let worth = |bits: u128| {
            let single: f64 = effects.iter().enumerate().map(|(i, elo)| elo * f64::from((bits >> i & 1) as u8)).sum();
            let double = |&(i, j, elo): &(usize, usize, f64)| elo * f64::from((bits >> i & bits >> j & 1) as u8);
            single + interactions.iter().map(double).sum::<f64>()
        };
        (0..pairs)
            .map(|_| {
                let turned = [(); 2]
                    .map(|()| (0..effects.len()).fold(0u128, |bits, i| bits | u128::from(rng.unit() < share) << i));
                let expected = score_of_elo(worth(turned[0]) - worth(turned[1]));
                let mut game = || {
                    let draw = 1.6 * expected.min(1.0 - expected);
                    let win = expected - draw / 2.0;
                    let dice = rng.unit();
                    if dice < win { 1.0 } else { f64::from(u8::from(dice < win + draw)) / 2.0 }
                };
                Pair { turned, score: (game() + game()) / 2.0 }
            })
            .collect()
    }

    #[test]
    fn planted_effects_are_found_within_their_errors() {
        let effects: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 31) - 20.0).collect();
        let (mut inside, mut worst, mut trials) = (0, 0.0f64, 0);
        for seed in 0..10 {
            let fit = Fit::new(&played(4000, 0.1, &effects, &[], seed), effects.len());
            for (effect, truth) in fit.effects.iter().zip(&effects) {
                let effect = effect.expect("it was turned");
                inside += usize::from((effect.elo - truth).abs() <= effect.error);
                worst = worst.max(effect.error);
                trials += 1;
            }
        }
        assert!((270..=295).contains(&inside), "{inside} of {trials}");
        assert!(worst < 20.0, "{worst}");
    }

    #[test]
    fn a_planted_interaction_stands_out() {
        let effects = [10.0, -15.0, 5.0, 0.0, 20.0, -5.0, 0.0, 8.0];
        let pairs = played(20_000, 0.3, &effects, &[(1, 4, 60.0), (0, 7, -50.0)], 5);
        let fit = Fit::new(&pairs, effects.len());
        let found = fit.interactions(&pairs, 100);
        assert_eq!(found.len(), 28);
        let mut first: Vec<[usize; 2]> = found[..2].iter().map(|interaction| interaction.factors).collect();
        first.sort_unstable();
        assert_eq!(first, [[0, 7], [1, 4]]);
        for interaction in &found[..2] {
            let truth = if interaction.factors == [1, 4] { 60.0 } else { -50.0 };
            let Effect { elo, error } = interaction.effect;
            assert!((elo - truth).abs() <= 1.5 * error, "{elo} ± {error}, {truth}");
        }
        let false_alarms = found[2..].iter().filter(|interaction| interaction.effect.is_decided()).count();
        assert!(false_alarms <= 5, "{false_alarms}");
    }

    #[test]
    fn what_was_never_turned_has_no_effect_and_disturbs_nothing() {
        let mut pairs = played(500, 0.5, &[30.0, -30.0], &[], 9);
        pairs.iter_mut().for_each(|pair| pair.turned = pair.turned.map(|bits| bits | 4));
        let fit = Fit::new(&pairs, 4);
        assert!(fit.effects[0].is_some_and(|effect| effect.elo > 0.0));
        assert_eq!(fit.effects[2..], [None, None]);
        assert!(Fit::new(&[], 3).effects.iter().all(Option::is_none));
    }

    #[test]
    fn one_factor_alone_is_an_ordinary_match() {
        let pairs: Vec<Pair> =
            (0..400).map(|i| Pair { turned: [1, 0], score: [0.25, 0.5, 0.75, 1.0][i % 4] }).collect();
        let effect = Fit::new(&pairs, 1).effects[0].expect("it was turned");
        assert!((effect.elo - elo_of_score(0.625)).abs() < 1e-3, "{effect:?}");
    }
}
