//! How well a player played, on the scale that people know from web sites: centipawns lost a move, and accuracy in per cent,
//! by the formulas that lichess has published. They start from evaluations in which +1.00 wins every second game.

use super::judge::Judgement;
use super::searcher::Finding;

/// No evaluation counts for more centipawns than this, a mate for as many.
const CAP: f64 = 1000.0;
/// How fast the winning share grows with centipawns.
const SLOPE: f64 = 0.003_682_08;
/// Accuracy of a move whose share drops by d per cent: A·exp(−B·d) − C.
const A: f64 = 103.1668;
const B: f64 = 0.043_54;
const C: f64 = 3.1669;
/// How much a move weighs lies between these: little where nothing changes any more, much where much does.
const WEIGHTS: (f64, f64) = (0.5, 12.0);
/// What changes is looked at over a tenth of the game, but no fewer and no more positions than these.
const WINDOW: (usize, usize) = (2, 8);
/// Who can expect less had lost already; a move there proves nothing.
const NOTHING_LEFT: f64 = 0.02;

/// What one player's moves add up to.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Measure {
    /// Moves that count: those with a choice, in positions that were not lost.
    pub moves: usize,
    /// Centipawns lost a move.
    pub centipawns: f64,
    /// In per cent.
    pub accuracy: f64,
}

/// Whether a move says something about who made it.
pub fn counts(found: &Judgement) -> bool {
    !found.forced && found.best.expected() >= NOTHING_LEFT
}

/// A finding in centipawns for its side to move.
fn centipawns(found: &Finding) -> f64 {
    match found.shown.mate_moves() {
        Some(moves) => {
            if moves > 0 {
                CAP
            } else {
                -CAP
            }
        }
        None => f64::from(found.shown.centipawns()).clamp(-CAP, CAP),
    }
}

/// The winning share of so many centipawns, in per cent.
fn share(centipawns: f64) -> f64 {
    100.0 / (1.0 + (-SLOPE * centipawns).exp())
}

/// How accurate a move is that makes the share drop so far.
fn accuracy(drop: f64) -> f64 {
    (A * (-B * drop.max(0.0)).exp() - C).clamp(0.0, 100.0)
}

/// Both players' measures: of whoever moved first, and of the other.
pub fn measure(judgements: &[Judgement]) -> [Measure; 2] {
    // For whoever moves first.
    let own = |index: usize, centipawns: f64| if index.is_multiple_of(2) { centipawns } else { -centipawns };
    let mut shares: Vec<f64> =
        judgements.iter().enumerate().map(|(index, found)| share(own(index, centipawns(&found.best)))).collect();
    shares.extend(judgements.last().map(|found| share(own(judgements.len(), centipawns(&found.left)))));
    let window = (judgements.len() / 10).clamp(WINDOW.0, WINDOW.1);
    let mut moves: [Vec<(f64, f64, f64)>; 2] = Default::default();
    for (index, found) in judgements.iter().enumerate().filter(|(_, found)| counts(found)) {
        let lost = if found.loss > 0.0 { centipawns(&found.best) + centipawns(&found.left) } else { 0.0 };
        let drop = share(centipawns(&found.best)) - share(centipawns(&found.best) - lost);
        let recent = &shares[(index + 2).saturating_sub(window)..index + 2];
        let weight = deviation(recent).clamp(WEIGHTS.0, WEIGHTS.1);
        moves[index % 2].push((lost.max(0.0), accuracy(drop), weight));
    }
    moves.map(|moves| {
        let count = moves.len().max(1) as f64;
        let weights: f64 = moves.iter().map(|(_, _, weight)| weight).sum();
        let weighted =
            moves.iter().map(|(_, accuracy, weight)| accuracy * weight).sum::<f64>() / weights.max(WEIGHTS.0);
        let harmonic = count / moves.iter().map(|(_, accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>().max(0.01);
        Measure {
            moves: moves.len(),
            centipawns: moves.iter().map(|(lost, _, _)| lost).sum::<f64>() / count,
            accuracy: if moves.is_empty() { 0.0 } else { (weighted + harmonic) / 2.0 },
        }
    })
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::verdict::Verdict;
    use chess::Score;

    /// A game in which whoever moves first has these centipawns before each move, and the last of them at the end. Only the
    /// moves of the first player cost anything.
    fn game(centipawns: &[i32]) -> [Measure; 2] {
        let finding = |score: i32| {
            let win = (10.0 * share(f64::from(score))) as u16;
            Finding { score: Score(score), wdl: [win, 0, 1000 - win], shown: Score(score), known: false, line: vec![] }
        };
        let judgements = centipawns.windows(2).enumerate().map(|(index, pair)| {
            let sign = if index % 2 == 0 { 1 } else { -1 };
            let (best, left) = (finding(sign * pair[0]), finding(-sign * pair[1]));
            let loss = if sign * (pair[0] - pair[1]) > 0 { 0.1 } else { 0.0 };
            let verdict = Verdict::Fine;
            Judgement { best, left, loss, verdict, forced: false, known: false, second: None }
        });
        measure(&judgements.collect::<Vec<_>>())
    }

    #[test]
    fn perfect_games_are_perfect_and_blunders_weigh() {
        let [first, second] = game(&[20; 21]);
        assert!(first.accuracy > 99.9 && second.accuracy > 99.9 && first.centipawns == 0.0);
        assert_eq!((first.moves, second.moves), (10, 10));
        // A knight, a bishop and a queen are left hanging in twenty moves.
        let mut line = vec![20; 41];
        line[11..].fill(-300);
        line[21..].fill(-600);
        line[31..].fill(-1500);
        let [first, second] = game(&line);
        assert!(first.accuracy < 80.0 && second.accuracy > 99.0, "{first:?}");
        assert!((first.centipawns - 63.75).abs() < 1.0, "{first:?}");
    }

    #[test]
    fn what_is_lost_already_proves_nothing() {
        let [first, _] = game(&[-1500; 21]);
        assert_eq!(first.moves, 0);
        let early: Vec<i32> = [&[0, -1500][..], &[-1500; 40]].concat();
        let [first, _] = game(&early);
        assert!(first.moves == 1 && first.accuracy < 20.0, "{first:?}");
    }

    #[test]
    fn the_published_curve() {
        assert!((accuracy(0.0) - 100.0).abs() < 0.01 && (share(0.0) - 50.0).abs() < 1e-9);
        assert!((share(100.0) - 59.1).abs() < 0.1 && (accuracy(10.0) - 63.6).abs() < 0.1);
    }
}
