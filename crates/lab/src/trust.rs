//! When games say nothing about the engines: where too many of them were lost otherwise than on the board.

use crate::failure::Failure;
use crate::pairs::{Faults, Score};

/// A few games go wrong on any machine once; fewer than this are no reason to end a run.
const FEW: u64 = 3;

/// How much may go wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trust {
    /// At most so many percent of the games between two engines.
    pub percent: f64,
}

impl Trust {
    /// Why the games between two engines are not to be trusted, if they are not.
    pub fn doubt(&self, names: [&str; 2], score: &Score) -> Option<Failure> {
        let games = score.total();
        let lost: u64 = score.faults.iter().map(Faults::total).sum();
        if lost < FEW || lost as f64 * 100.0 <= self.percent * games as f64 {
            return None;
        }
        let one = |(name, faults): (&str, &Faults)| faults.text().map(|text| format!("{name} lost {text}"));
        let told: Vec<String> = names.into_iter().zip(&score.faults).filter_map(one).collect();
        Some(Failure::new(format!(
            "not to be trusted: {lost} of {games} games were lost otherwise than on the board, more than {} % (--faults): {}",
            self.percent,
            told.join("; ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs;

    fn doubt(text: &str, percent: f64) -> Option<String> {
        let mut score = Score::default();
        pairs::from_text(text).expect("letters").into_iter().for_each(|outcome| score.add(outcome));
        Trust { percent }.doubt(["A", "B"], &score).map(|failure| failure.to_string())
    }

    #[test]
    fn many_games_that_went_wrong_are_told() {
        assert_eq!(doubt("", 2.0), None);
        assert_eq!(doubt("WtDS", 2.0), None);
        let told = doubt("WtDSc", 2.0).expect("three of five");
        assert!(told.contains("3 of 5 games") && told.contains("more than 2 % (--faults)"), "{told}");
        assert!(told.ends_with("A lost 1 by time, 1 by crashes; B lost 1 by stalls"), "{told}");
        assert_eq!(doubt("WtDSc", 60.0), None);
        assert_eq!(doubt(&("tTi".to_string() + &"D".repeat(147)), 2.0), None);
        assert!(doubt(&("tTi".to_string() + &"D".repeat(146)), 2.0).is_some());
        assert_eq!(doubt("ss", 2.0), None);
        assert_eq!(doubt("ssss", 100.0), None);
    }
}
