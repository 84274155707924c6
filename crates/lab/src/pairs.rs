//! Pairs of games: the same opening twice with colours reversed, and the score they add up to.

use chess::Color;

use crate::book::Book;
use crate::player::Player;
use crate::pool::Stop;
use crate::runner::{self, Conditions, Record};
use crate::stats::Pentanomial;

/// Twice A's points in the two games of a pair, A having White in the first.
pub type PairResult = [usize; 2];

/// Plays the two games of a pair; None if it was stopped.
pub fn play(
    book: &Book,
    pair: u64,
    a: &mut dyn Player,
    b: &mut dyn Player,
    conditions: &Conditions,
    stop: &Stop,
) -> Option<[Record; 2]> {
    let first = runner::play(book.opening(pair), [&mut *a, &mut *b], conditions, stop)?;
    let second = runner::play(book.opening(pair), [b, a], conditions, stop)?;
    Some([first, second])
}

/// What A made of a pair.
pub fn result(records: &[Record; 2]) -> PairResult {
    [records[0].winner.half_points(Color::White), records[1].winner.half_points(Color::Black)]
}

/// What has been played so far.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Games that A lost, drew and won.
    pub games: [u64; 3],
    /// Pairs by A's points.
    pub pairs: Pentanomial,
}

impl Score {
    /// Adds a pair.
    pub fn add(&mut self, pair: PairResult) {
        for half_points in pair {
            self.games[half_points] += 1;
        }
        self.pairs.0[pair[0] + pair[1]] += 1;
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }
}

/// Pairs as text, two letters each.
pub fn to_text(pairs: &[PairResult]) -> String {
    pairs.iter().flatten().map(|&half_points| ['L', 'D', 'W'][half_points]).collect()
}

/// Pairs from text; None if it is not one.
pub fn from_text(text: &str) -> Option<Vec<PairResult>> {
    let games: Option<Vec<usize>> = text.chars().map(|letter| "LDW".find(letter)).collect();
    let games = games?;
    let pairs = games.chunks_exact(2);
    pairs.remainder().is_empty().then(|| pairs.map(|pair| [pair[0], pair[1]]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        let pairs = vec![[2, 0], [1, 1], [2, 2], [0, 1]];
        assert_eq!(to_text(&pairs), "WLDDWWLD");
        assert_eq!(from_text("WLDDWWLD"), Some(pairs));
        assert_eq!(from_text(""), Some(Vec::new()));
        assert_eq!(from_text("WLD"), None);
        assert_eq!(from_text("WX"), None);
    }

    #[test]
    fn pairs_add_up() {
        let mut score = Score::default();
        for pair in [[2, 0], [1, 1], [2, 2], [0, 1]] {
            score.add(pair);
        }
        assert_eq!((score.games, score.pairs.0), ([2, 3, 3], [0, 1, 2, 0, 1]));
        assert_eq!(score.total(), 8);
    }
}
