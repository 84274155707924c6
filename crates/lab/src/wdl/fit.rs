//! Maximum likelihood for the eight coefficients, by Newton's method.
//!
//! With u = (s − a) / b and q = (s + a) / b the probabilities are σ(u) for a win, σ(−q) for a loss and σ(q) − σ(u) for
//! a draw, σ being the logistic function. The logarithm of each is concave in (u, q). As functions of a and b they
//! need not be, so steps are damped: the diagonal grows until a step lowers the loss, and shrinks again after it.

use std::array;

use engine::wdl::{Chances, Model, scaled};

use super::counts::Bin;
use crate::failure::{Failure, Result};

/// The coefficients: those of a, then those of b.
const SIZE: usize = 8;
type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// How much the square of each coefficient but the constant ones adds to the loss. It moves what the data can tell by
/// far less than a centipawn, and keeps near zero what it cannot.
const RESTRAINT: f64 = 1e-11;
/// A step that promises less than this is the last.
const ENOUGH: f64 = 1e-13;
/// Far more steps than it has ever taken.
const MAX_STEPS: usize = 500;

/// Which coefficients are free, the others being zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Degree {
    /// a and b are the same for every material.
    Constant,
    /// Cubic polynomials.
    Cubic,
}

/// The logarithms of the probabilities of a win, a draw and a loss, without cancellation.
pub fn log_probabilities(chances: Chances, score: f64) -> [f64; 3] {
    let (u, q) = ((score - chances.a) / chances.b, (score + chances.a) / chances.b);
    [-softplus(-u), q + (-(u - q).exp()).ln_1p() - softplus(u) - softplus(q), -softplus(q)]
}

/// The mean of minus the logarithm of what the model gave to what happened.
pub fn log_loss(bins: &[Bin], model: &Model) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for bin in bins {
        let logs = log_probabilities(model.at(bin.material), bin.score);
        for (log, count) in logs.iter().zip(bin.results) {
            // Nothing times minus infinity is nothing.
            if count > 0 {
                sum -= count as f64 * log;
                total += count as f64;
            }
        }
    }
    sum / f64::max(total, 1.0)
}

/// The most likely model. The same bins give the same model.
pub fn fit(bins: &[Bin], degree: Degree) -> Result<Model> {
    for (result, name) in ["won", "drawn", "lost"].iter().enumerate() {
        if bins.iter().all(|bin| bin.results[result] == 0) {
            return Err(Failure::new(format!("nothing to fit: no game was {name} by the side that was ahead")));
        }
    }
    let mut point = [0.0; SIZE];
    (point[0], point[4]) = (100.0, 100.0);
    let mut loss = restrained_loss(bins, &point);
    let mut damping = 1e-3;
    for _ in 0..MAX_STEPS {
        let (gradient, curvature) = derivatives(bins, &point, degree);
        loop {
            let step = solve(&curvature, &gradient, damping);
            let next = step.map(|step| array::from_fn(|i| point[i] - step[i]));
            let next = next.filter(|next| model(next).is_sound());
            let lower = next.map(|next| (next, restrained_loss(bins, &next))).filter(|(_, new)| *new < loss);
            let promised = step.map(|step| step.iter().zip(gradient).map(|(step, slope)| step * slope).sum::<f64>());
            // A step that is damped much is small for that reason alone.
            if damping <= 1.0 && promised.is_some_and(|promised| promised.abs() < ENOUGH) {
                return Ok(model(&lower.map_or(point, |(next, _)| next)));
            }
            if let Some((next, new)) = lower {
                (point, loss) = (next, new);
                damping = f64::max(damping / 10.0, 1e-12);
                break;
            }
            damping *= 10.0;
            if damping > 1e12 {
                return Err(Failure::new("no model fits: these results do not become better with the score"));
            }
        }
    }
    Err(Failure::new(format!("the fit has not settled after {MAX_STEPS} steps")))
}

fn model(point: &Vector) -> Model {
    Model { a: array::from_fn(|i| point[i]), b: array::from_fn(|i| point[4 + i]) }
}

/// What is made as small as possible.
fn restrained_loss(bins: &[Bin], point: &Vector) -> f64 {
    let squares = (0..SIZE).filter(|i| i % 4 > 0).map(|i| point[i] * point[i]);
    log_loss(bins, &model(point)) + RESTRAINT * squares.sum::<f64>()
}

/// Its first and second derivatives in the coefficients.
fn derivatives(bins: &[Bin], point: &Vector, degree: Degree) -> (Vector, Matrix) {
    let (mut gradient, mut curvature) = ([0.0; SIZE], [[0.0; SIZE]; SIZE]);
    let model = model(point);
    let total: u64 = bins.iter().map(Bin::total).sum();
    for bin in bins {
        let x = scaled(bin.material);
        let powers = match degree {
            Degree::Constant => [1.0, 0.0, 0.0, 0.0],
            Degree::Cubic => [1.0, x, x * x, x * x * x],
        };
        let (first, second) = bin_derivatives(bin, model.at(bin.material));
        for i in 0..SIZE {
            gradient[i] -= first[i / 4] * powers[i % 4] / total as f64;
            for j in 0..SIZE {
                curvature[i][j] -= second[i / 4][j / 4] * powers[i % 4] * powers[j % 4] / total as f64;
            }
        }
    }
    for i in (0..SIZE).filter(|i| i % 4 > 0) {
        gradient[i] += 2.0 * RESTRAINT * point[i];
        curvature[i][i] += 2.0 * RESTRAINT;
    }
    (gradient, curvature)
}

/// The derivatives of the log likelihood of a bin in a and b.
fn bin_derivatives(bin: &Bin, Chances { a, b }: Chances) -> ([f64; 2], [[f64; 2]; 2]) {
    let (u, q) = ((bin.score - a) / b, (bin.score + a) / b);
    let (su, sq) = (logistic(u), logistic(q));
    let (slope_u, slope_q) = (su * (1.0 - su), sq * (1.0 - sq));
    let gap = 1.0 / (q - u).exp_m1();
    let bend = gap * (1.0 + gap);
    let [wins, draws, losses] = bin.results.map(|count| count as f64);
    // In u and q …
    let du = wins * (1.0 - su) - draws * (gap + su);
    let dq = draws * (1.0 + gap - sq) - losses * sq;
    let duu = -wins * slope_u - draws * (bend + slope_u);
    let dqq = -draws * (bend + slope_q) - losses * slope_q;
    let duq = draws * bend;
    // … and by the chain rule in a and b.
    let (ua, ub, qa, qb) = (-1.0 / b, -u / b, 1.0 / b, -q / b);
    let mixed = duu * ua * ub + duq * (ua * qb + ub * qa) + dqq * qa * qb + (du - dq) / (b * b);
    let second_a = duu * ua * ua + 2.0 * duq * ua * qa + dqq * qa * qa;
    let second_b = duu * ub * ub + 2.0 * duq * ub * qb + dqq * qb * qb + 2.0 * (du * u + dq * q) / (b * b);
    ([du * ua + dq * qa, du * ub + dq * qb], [[second_a, mixed], [mixed, second_b]])
}

/// Solves (curvature + damping) step = gradient by Cholesky's method; none if the matrix is not positive. The damping
/// is the same for all coefficients, so that those which the data hardly tell stay where they are.
fn solve(curvature: &Matrix, gradient: &Vector, damping: f64) -> Option<Vector> {
    let damping = damping * (0..SIZE).map(|i| curvature[i][i].abs()).fold(0.0, f64::max);
    let mut root = [[0.0; SIZE]; SIZE];
    for i in 0..SIZE {
        for j in 0..=i {
            let mut sum = curvature[i][j] - (0..j).map(|k| root[i][k] * root[j][k]).sum::<f64>();
            if i == j {
                sum += damping;
                if sum <= 0.0 || !sum.is_finite() {
                    return None;
                }
                root[i][i] = sum.sqrt();
            } else {
                root[i][j] = sum / root[j][j];
            }
        }
    }
    let mut step = *gradient;
    for i in 0..SIZE {
        step[i] = (step[i] - (0..i).map(|k| root[i][k] * step[k]).sum::<f64>()) / root[i][i];
    }
    for i in (0..SIZE).rev() {
        step[i] = (step[i] - (i + 1..SIZE).map(|k| root[k][i] * step[k]).sum::<f64>()) / root[i][i];
    }
    Some(step)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + exp(x)), whatever x is.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::wdl::MATERIAL;

    /// Games as a model wants them, so many a bin.
    fn ideal(model: &Model, games: f64) -> Vec<Bin> {
        let bins = MATERIAL.step_by(4).flat_map(|material| (0..60).map(move |i| (material, 20.0 * f64::from(i))));
        bins.map(|(material, score)| {
            let results = log_probabilities(model.at(material), score).map(|log| (games * log.exp()).round() as u64);
            Bin { material, score, results }
        })
        .collect()
    }

    const KNOWN: Model = Model { a: [140.0, 30.0, -20.0, 5.0], b: [90.0, -15.0, 8.0, 4.0] };

    #[test]
    fn probabilities_sum_up_even_far_out() {
        for score in [0.0, 3.0, 150.0, 900.0, 4000.0, -4000.0] {
            let chances = KNOWN.at(40);
            let [win, draw, loss] = log_probabilities(chances, score).map(f64::exp);
            assert!((win + draw + loss - 1.0).abs() < 1e-12, "{score}");
            assert!((win - chances.win(score)).abs() < 1e-12 && (loss - chances.win(-score)).abs() < 1e-12);
        }
        assert!(log_probabilities(KNOWN.at(40), 4000.0).iter().all(|log| log.is_finite()));
    }

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let bins: Vec<Bin> = ideal(&KNOWN, 1000.0).into_iter().step_by(7).collect();
        let at = [120.0, 10.0, 5.0, -5.0, 100.0, 5.0, -6.0, 3.0];
        let (gradient, curvature) = derivatives(&bins, &at, Degree::Cubic);
        let moved = |i: usize, by: f64| {
            let mut point = at;
            point[i] += by;
            point
        };
        for i in 0..SIZE {
            let slope = (restrained_loss(&bins, &moved(i, 1e-3)) - restrained_loss(&bins, &moved(i, -1e-3))) / 2e-3;
            assert!((slope - gradient[i]).abs() < 1e-8, "{i}: {slope} {}", gradient[i]);
            let [up, down] = [1e-3, -1e-3].map(|by| derivatives(&bins, &moved(i, by), Degree::Cubic).0);
            for j in 0..SIZE {
                let bend = (up[j] - down[j]) / 2e-3;
                assert!((bend - curvature[i][j]).abs() < 1e-8, "{i} {j}: {bend} {}", curvature[i][j]);
            }
        }
    }

    #[test]
    fn a_known_model_is_found_again() {
        let found = fit(&ideal(&KNOWN, 1e9), Degree::Cubic).expect("a fit");
        for (found, known) in found.a.iter().chain(&found.b).zip(KNOWN.a.iter().chain(&KNOWN.b)) {
            assert!((found - known).abs() < 1e-3, "{found} {known}");
        }
        let flat = Model { a: [70.0, 0.0, 0.0, 0.0], b: [150.0, 0.0, 0.0, 0.0] };
        let found = fit(&ideal(&flat, 1e9), Degree::Constant).expect("a fit");
        assert!((found.a[0] - 70.0).abs() < 1e-3 && (found.b[0] - 150.0).abs() < 1e-3, "{found:?}");
        assert_eq!((found.a[1..].to_vec(), found.b[1..].to_vec()), (vec![0.0; 3], vec![0.0; 3]));
        // More freedom is never worse.
        let bins = ideal(&KNOWN, 1000.0);
        let [constant, cubic] =
            [Degree::Constant, Degree::Cubic].map(|degree| log_loss(&bins, &fit(&bins, degree).expect("a fit")));
        assert!(cubic < constant);
    }

    #[test]
    fn what_cannot_be_fitted_is_said() {
        let bin = |score, results| Bin { material: 40, score, results };
        assert!(fit(&[], Degree::Cubic).is_err());
        assert!(
            fit(&[bin(10.0, [5, 0, 3])], Degree::Cubic).is_err_and(|failure| failure.to_string().contains("drawn"))
        );
        // Whoever is ahead loses.
        let upside_down: Vec<_> = (1..50).map(|i| bin(20.0 * f64::from(i), [1, 1, 3 * i as u64])).collect();
        let _ = fit(&upside_down, Degree::Cubic);
        // A single material leaves six coefficients open, which must do no harm.
        for material in [8, 44, 76] {
            let bins: Vec<_> = ideal(&KNOWN, 1e6).into_iter().filter(|bin| bin.material == material).collect();
            let found = fit(&bins, Degree::Cubic).expect("a fit").at(material);
            assert!((found.a - KNOWN.at(material).a).abs() < 0.1, "{material}: {found:?}");
        }
    }
}
