//! What a position is to be learned as: its own score, or also what the game went on to show.
//!
//! The score of a short search is noisy, and the scores of the plies after it speak of nearly the same position. TD(λ) mixes
//! them: the score k plies later weighs λ times as much as the one before it, up to a horizon, which takes what is left.
//! The mean is one of expected points, because in centipawns a lost queen would outweigh everything.

use chess::Score;
use clap::Args;

/// Centipawns to expected points, as the loss of the trainer has it.
const SCALE: f64 = 400.0;
/// Mates and everything beyond count as so much.
const LIMIT: f64 = 3000.0;

/// How scores of later plies are mixed in.
#[derive(Args, Clone, Copy, Debug)]
pub struct Targets {
    /// How much less each later ply weighs, from 0 (the position's own score alone) to 1
    #[arg(long, default_value_t = 0.7, value_name = "LAMBDA", value_parser = share)]
    pub lambda: f64,
    /// How many later plies are looked at
    #[arg(long, default_value_t = 8, value_name = "PLIES")]
    pub horizon: usize,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or("expected a number from 0 to 1".to_string())
}

impl Targets {
    /// Every position is its own score.
    pub const OWN: Targets = Targets { lambda: 0.0, horizon: 0 };

    /// The target of the first of these scores; those after it are of the plies that followed. All for the same side.
    pub fn of(self, scores: &[i16]) -> i16 {
        let last = scores.len().saturating_sub(1).min(self.horizon);
        if last == 0 || self.lambda == 0.0 {
            return scores.first().copied().unwrap_or(0);
        }
        let (mut weight, mut points) = (1.0, 0.0);
        for &score in &scores[..last] {
            points += weight * (1.0 - self.lambda) * expected_points(score);
            weight *= self.lambda;
        }
        points += weight * expected_points(scores[last]);
        centipawns(points)
    }
}

/// Expected points of a score.
pub fn expected_points(score: i16) -> f64 {
    let limit = if Score(score.into()).is_mate() { LIMIT.copysign(score.into()) } else { score.into() };
    1.0 / (1.0 + (-limit.clamp(-LIMIT, LIMIT) / SCALE).exp())
}

/// The score that stands for expected points between 0 and 1.
fn centipawns(points: f64) -> i16 {
    (SCALE * (points / (1.0 - points)).ln()).round().clamp(-LIMIT, LIMIT) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    const TD: Targets = Targets { lambda: 0.7, horizon: 8 };

    #[test]
    fn constant_scores_stay_and_own_scores_are_exact() {
        for score in [-2999, -400, -1, 0, 1, 37, 800, 2999] {
            assert_eq!(TD.of(&[score; 20]), score);
            assert_eq!(Targets::OWN.of(&[score, 5, 900]), score);
            assert_eq!(TD.of(&[score]), score, "the last ply of a game");
        }
        assert_eq!(Targets::OWN.of(&[31_990, 0]), 31_990);
    }

    #[test]
    fn weights_are_those_of_the_formula() {
        // One ply at the end of the horizon differs: its weight is λ⁸.
        let mut scores = [0i16; 12];
        scores[8] = 400;
        let points = 0.5 + 0.7f64.powi(8) * (expected_points(400) - 0.5);
        assert_eq!(TD.of(&scores), centipawns(points));
        // Beyond it nothing counts.
        scores[8] = 0;
        scores[9] = 3000;
        assert_eq!(TD.of(&scores), 0);
        // The side does not matter.
        let noise = [120, -300, 45, 700, -31_995, 8];
        assert_eq!(TD.of(&noise.map(|score: i16| -score)), -TD.of(&noise));
    }
}
