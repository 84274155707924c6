//! What a network is to learn: the score of a search and the result of the game, and how far it is from that.

use engine::nnue::SCALE;

use crate::math::{pow, sigmoid};
use crate::position::{Position, half_points_of, score_of};

/// The loss of a value is |σ(value / scale) − target| to a power, and the target is w · result + (1 − w) · σ(score / scale);
/// σ(score / scale) alone where there is no result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Centipawns that σ takes for 1.
    pub scale: f64,
    /// The power, at least 1.
    pub power: f64,
}

impl Loss {
    /// The loss of an output, which is in units of `SCALE` centipawns, and its slope there; `weight` is the result's.
    pub fn of(&self, output: f32, position: &Position, weight: f64) -> (f64, f32) {
        let stretch = f64::from(SCALE) / self.scale;
        let score = sigmoid(f64::from(score_of(position)) / self.scale);
        let target = match half_points_of(position) {
            Some(points) => weight * f64::from(points) / 2.0 + (1.0 - weight) * score,
            None => score,
        };
        let value = sigmoid(f64::from(output) * stretch);
        let error = value - target;
        let inner = pow(error.abs(), self.power - 1.0);
        let slope = self.power * inner * value * (1.0 - value) * stretch;
        (inner * error.abs(), slope.copysign(error) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Labels, pack};
    use chess::Board;

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let position = pack(&Board::start(), Labels { score: 130, half_points: 2, ply: 0, game: 0 });
        for loss in [Loss { scale: 400.0, power: 2.0 }, Loss { scale: 280.0, power: 2.5 }] {
            for output in [-4.0f32, -0.5, 0.0, 0.7, 3.0] {
                let at = |output| loss.of(output, &position, 0.25).0;
                let expected = (at(output + 0.0009765625) - at(output - 0.0009765625)) / 0.001953125;
                let slope = f64::from(loss.of(output, &position, 0.25).1);
                assert!((slope - expected).abs() < 1e-4 * expected.abs().max(0.01), "{slope} but {expected}");
            }
        }
        // By hand: the target is 0.25 + 0.75 · σ(0.325) = 0.685406, the value σ(0.5) = 0.622459.
        let (value, _) = Loss { scale: 400.0, power: 2.0 }.of(0.5, &position, 0.25);
        assert!((value - 0.003962).abs() < 1e-6, "{value}");
    }
}
