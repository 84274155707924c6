//! Ratings from the results of many pairings: the Elo numbers whose expected scores are the scores that were made.

use crate::stats::score_of_elo;

/// What happened between two players.
pub struct Pairing {
    /// The one whose score is counted.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// How many pairs of games.
    pub pairs: f64,
    /// Mean of a pair's score, from 0 to 1.
    pub mean: f64,
    /// Variance of a pair's score.
    pub variance: f64,
}

/// A rating, with the half width of its 95 % interval; the mean of all ratings is zero.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Its error.
    pub error: f64,
}

/// The ratings of so many players. They solve Σ pairs · (mean − expected) = 0 for every player, by Newton's method.
/// The errors follow from those of the means (the "sandwich": inverse slope, variance of the scores, inverse slope).
pub fn ratings(players: usize, pairings: &[Pairing]) -> Vec<Rating> {
    let played: Vec<&Pairing> = pairings.iter().filter(|pairing| pairing.pairs > 0.0).collect();
    let mut elo = vec![0.0; players];
    for _ in 0..100 {
        let mut excess = vec![0.0; players];
        for pairing in &played {
            // Whoever won or lost everything would be infinitely far away; half a drawn game brings him back.
            let least = 0.25 / pairing.pairs;
            let mean = pairing.mean.clamp(least.min(0.5), (1.0 - least).max(0.5));
            let surplus = pairing.pairs * (mean - score_of_elo(elo[pairing.first] - elo[pairing.second]));
            excess[pairing.first] += surplus;
            excess[pairing.second] -= surplus;
        }
        let inverse = inverse_slope(&elo, &played);
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&excess).map(|(a, b)| a * b).sum::<f64>().clamp(-200.0, 200.0))
            .collect();
        elo.iter_mut().zip(&step).for_each(|(elo, step)| *elo += step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
    }
    let inverse = inverse_slope(&elo, &played);
    (0..players)
        .map(|player| {
            let variance: f64 = played
                .iter()
                .map(|pairing| {
                    let weight = inverse[player][pairing.first] - inverse[player][pairing.second];
                    weight * weight * pairing.pairs * pairing.variance
                })
                .sum();
            Rating { elo: elo[player], error: 1.959_963_984_540_054 * variance.sqrt() }
        })
        .collect()
}

/// The inverse of the slope of the excess, on ratings that add up to zero. The slope is the Laplacian of a graph,
/// which is singular; adding 1/n everywhere makes it regular and changes nothing else. Players who have not met, even
/// through others, are kept apart by a trace on the diagonal.
fn inverse_slope(elo: &[f64], played: &[&Pairing]) -> Vec<Vec<f64>> {
    let n = elo.len();
    let mut matrix = vec![vec![0.0; 2 * n]; n];
    for pairing in played {
        let (i, j) = (pairing.first, pairing.second);
        let expected = score_of_elo(elo[i] - elo[j]);
        let slope = pairing.pairs * expected * (1.0 - expected) * std::f64::consts::LN_10 / 400.0;
        matrix[i][i] += slope;
        matrix[j][j] += slope;
        matrix[i][j] -= slope;
        matrix[j][i] -= slope;
    }
    for (index, row) in matrix.iter_mut().enumerate() {
        for entry in &mut row[..n] {
            *entry += 1.0 / n as f64;
        }
        row[index] += 1e-12;
        row[n + index] = 1.0;
    }
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        matrix.swap(column, best.unwrap_or(column));
        let pivot = matrix[column].clone();
        for (row, entries) in matrix.iter_mut().enumerate() {
            if row != column {
                let factor = entries[column] / pivot[column];
                entries.iter_mut().zip(&pivot).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
    }
    (0..n)
        .map(|row| (0..n).map(|column| matrix[row][n + column] / matrix[row][row] - 1.0 / n as f64).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    fn pairing(first: usize, second: usize, counts: [u64; 5]) -> Pairing {
        let results = Pentanomial(counts);
        let (mean, variance) = results.mean_and_variance();
        Pairing { first, second, pairs: results.pairs() as f64, mean, variance }
    }

    #[test]
    fn two_players_differ_by_their_elo() {
        let counts = [89, 1250, 2430, 1340, 101];
        let ratings = ratings(2, &[pairing(0, 1, counts)]);
        let elo = Pentanomial(counts).elo();
        assert!((ratings[0].elo - ratings[1].elo - elo.value).abs() < 1e-6, "{ratings:?}");
        assert!((2.0 * ratings[0].error - elo.error).abs() < 0.01, "{ratings:?} and {elo:?}");
    }

    #[test]
    fn a_known_order_is_found() {
        let truth = [100.0, 0.0, -40.0, -60.0];
        let mut pairings = Vec::new();
        for i in 0..4 {
            for j in 0..i {
                let mean = score_of_elo(truth[i] - truth[j]);
                pairings.push(Pairing { first: i, second: j, pairs: 100.0, mean, variance: 0.05 });
            }
        }
        for (rating, truth) in ratings(4, &pairings).iter().zip(truth) {
            assert!((rating.elo - truth).abs() < 1e-6 && rating.error > 1.0, "{rating:?} and {truth}");
        }
    }

    #[test]
    fn clean_scores_and_missing_games_stay_finite() {
        let ratings = ratings(4, &[pairing(0, 1, [0, 0, 0, 0, 20]), pairing(2, 3, [0; 5])]);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()), "{ratings:?}");
        assert!(ratings[0].elo > 200.0);
    }
}
