//! The mathematics of SPSA: what to try next, and where to go from what came of it. Counted in pairs of games.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::LAG;
use crate::pairs::{self, Ahead, Outcome};
use crate::rng::Rng;

/// The step of a parameter shrinks with the pair's number to this power, and the perturbation to the other.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The first steps are damped as if so large a part of the run were over already.
const STABILITY: f64 = 0.1;
/// How many points of the path are kept.
const POINTS: u64 = 1000;

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tunable {
    /// The name of the option.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// The least it may be.
    pub min: f64,
    /// The most it may be.
    pub max: f64,
    /// How far it is nudged at the end of the run.
    pub c_end: f64,
    /// How far it moves at the end of the run, in squares of the nudge for each point.
    pub r_end: f64,
}

impl Tunable {
    /// Reads `name, int, start, min, max, C_end, R_end`.
    pub fn parse(line: &str) -> Result<Tunable, String> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, numbers @ ..] = fields.as_slice() else { return Err(expected(line)) };
        if !matches!(*kind, "int" | "float") || name.is_empty() {
            return Err(expected(line));
        }
        let numbers: Result<Vec<f64>, _> = numbers.iter().map(|text| text.parse::<f64>()).collect();
        let Ok([start, min, max, c_end, r_end]) = numbers.as_deref() else { return Err(expected(line)) };
        let tunable =
            Tunable { name: name.to_string(), start: *start, min: *min, max: *max, c_end: *c_end, r_end: *r_end };
        let sound =
            (min..=max).contains(&start) && *c_end > 0.0 && *r_end > 0.0 && c_end.is_finite() && r_end.is_finite();
        if sound {
            Ok(tunable)
        } else {
            Err(format!("{name}: min ≤ start ≤ max and positive C_end, R_end are needed"))
        }
    }

    /// As it is read.
    pub fn line(&self) -> String {
        let Tunable { name, start, min, max, c_end, r_end } = self;
        format!("{name}, int, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

fn expected(line: &str) -> String {
    format!("'{line}' is not of the form: name, int, start, min, max, C_end, R_end")
}

/// A tuning in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Descent {
    tunables: Vec<Tunable>,
    pairs: u64,
    seed: u64,
    conditions: String,
    done: u64,
    /// The values after each of the last pairs, the latest last. Pair number k is based on the values after k − LAG pairs.
    recent: VecDeque<Vec<f64>>,
    path: Vec<(u64, Vec<f64>)>,
    /// Games, by number, of pairs that could not be taken into account yet.
    #[serde(default)]
    ahead: Ahead,
}

impl Descent {
    /// A tuning that begins.
    pub fn new(tunables: Vec<Tunable>, pairs: u64, seed: u64, conditions: String) -> Descent {
        let values: Vec<f64> = tunables.iter().map(|tunable| tunable.start).collect();
        let path = vec![(0, values.clone())];
        let (recent, ahead) = (VecDeque::from([values]), Ahead::new());
        Descent { tunables, pairs, seed, conditions, done: 0, recent, path, ahead }
    }

    /// Whether it is the same tuning; if not, what differs.
    pub fn check(&self, tunables: &[Tunable], pairs: u64, conditions: &str) -> Result<(), String> {
        if self.tunables != tunables {
            Err("it tunes other numbers".to_string())
        } else if self.pairs != pairs {
            Err(format!("it is for {} pairs, not for {pairs}", self.pairs))
        } else if self.conditions != conditions {
            Err(format!("it was played with {}, not with {conditions}", self.conditions))
        } else if self.recent.is_empty() || self.recent.iter().any(|values| values.len() != tunables.len()) {
            Err("it is damaged".to_string())
        } else if pairs::ahead_from(&self.ahead).is_none() {
            Err("its list of games is damaged".to_string())
        } else {
            Ok(())
        }
    }

    /// Takes out the games that could not be taken into account yet; none if they are damaged.
    pub fn take_ahead(&mut self) -> Option<BTreeMap<u64, Outcome>> {
        let mut games = pairs::ahead_from(&std::mem::take(&mut self.ahead))?;
        games.retain(|game, _| (2 * self.done..2 * self.pairs).contains(game));
        Some(games)
    }

    /// Whether anything has been played.
    pub fn has_games(&self) -> bool {
        self.done > 0 || !self.ahead.is_empty()
    }

    /// Keeps games that cannot be taken into account yet.
    pub fn put_ahead(&mut self, games: &BTreeMap<u64, Outcome>) {
        self.ahead = pairs::ahead_to(games);
    }

    /// What is tuned.
    pub fn tunables(&self) -> &[Tunable] {
        &self.tunables
    }

    /// How many pairs there are to be in all.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// How many pairs have been taken into account.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Where the parameters are now.
    pub fn values(&self) -> &[f64] {
        self.recent.back().map_or(&[], Vec::as_slice)
    }

    /// Where they have been, by the number of pairs.
    pub fn path(&self) -> &[(u64, Vec<f64>)] {
        &self.path
    }

    /// The nudge of a parameter in a pair.
    fn nudge(&self, tunable: &Tunable, pair: u64) -> f64 {
        tunable.c_end * (self.pairs as f64 / (pair + 1) as f64).powf(GAMMA)
    }

    /// How far a parameter moves for each half point in a pair, in squares of its nudge.
    fn rate(&self, tunable: &Tunable, pair: u64) -> f64 {
        let stability = STABILITY * self.pairs as f64;
        let step = tunable.r_end
            * tunable.c_end.powi(2)
            * ((stability + self.pairs as f64) / (stability + (pair + 1) as f64)).powf(ALPHA);
        step / self.nudge(tunable, pair).powi(2)
    }

    /// Which way each parameter is nudged in a pair, and the fractions by which both sides round.
    fn draw(&self, pair: u64) -> Vec<(f64, f64)> {
        let mut rng = Rng::new(self.seed ^ 0x5BD1_E995, pair);
        self.tunables.iter().map(|_| (if rng.below(2) == 0 { 1.0 } else { -1.0 }, rng.unit())).collect()
    }

    /// The values of both sides in a pair; none if the pairs it is based on are not there yet.
    pub fn sides(&self, pair: u64) -> Option<[Vec<i32>; 2]> {
        let basis = pair.saturating_sub(LAG);
        let back = usize::try_from(self.done.checked_sub(basis)?).ok()?;
        let values = self.recent.get(self.recent.len().checked_sub(back + 1)?)?;
        let draws = self.draw(pair);
        let side = |sign: f64| {
            let one = |((tunable, value), (flip, fraction)): ((&Tunable, &f64), &(f64, f64))| {
                let wanted = (value + sign * flip * self.nudge(tunable, pair)).clamp(tunable.min, tunable.max);
                // Rounding up or down at random, so that a small nudge is felt now and then.
                (wanted + fraction).floor().clamp(tunable.min, tunable.max) as i32
            };
            self.tunables.iter().zip(values).zip(&draws).map(one).collect()
        };
        Some([side(1.0), side(-1.0)])
    }

    /// Takes the next pair into account: the half points, of four, of the side that was nudged forward.
    pub fn step(&mut self, half_points: usize) {
        let pair = self.done;
        let result = half_points as f64 - 2.0;
        let draws = self.draw(pair);
        let next: Vec<f64> = self
            .tunables
            .iter()
            .zip(self.values())
            .zip(&draws)
            .map(|((tunable, value), (flip, _))| {
                let step = self.rate(tunable, pair) * self.nudge(tunable, pair) * result * flip;
                (value + step).clamp(tunable.min, tunable.max)
            })
            .collect();
        self.done += 1;
        if self.done.is_multiple_of(self.pairs.div_ceil(POINTS)) || self.done == self.pairs {
            self.path.push((self.done, next.clone()));
        }
        self.recent.push_back(next);
        while self.recent.len() as u64 > LAG + 1 {
            self.recent.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunables() -> Vec<Tunable> {
        ["a, int, 20, 0, 200, 10, 0.02", "b, int, 180, 0, 200, 10, 0.02"]
            .map(|line| Tunable::parse(line).expect(line))
            .to_vec()
    }

    #[test]
    fn lines_go_both_ways() {
        for tunable in tunables() {
            assert_eq!(Tunable::parse(&tunable.line()), Ok(tunable));
        }
        for line in [
            "",
            "a",
            "a, int, 1, 2, 3, 1, 1",
            "a, int, 1, 0, 3, 0, 1",
            "a, int, 1, 0, 3, x, 1",
            "a, bool, 1, 0, 3, 1, 1",
        ] {
            assert!(Tunable::parse(line).is_err(), "{line}");
        }
    }

    /// The game is won more often the nearer the values are to 100 each; the tuner must find that out.
    fn descend(mut descent: Descent, until: u64) -> Descent {
        while descent.done() < until {
            let pair = descent.done();
            let [up, down] = descent.sides(pair).expect("nothing is missing");
            let loss = |values: &[i32]| values.iter().map(|&value| f64::from(value - 100).powi(2)).sum::<f64>();
            let chance = 1.0 / (1.0 + ((loss(&up) - loss(&down)) / 4000.0).exp());
            let mut rng = Rng::new(99, pair);
            let points = (0..4).filter(|_| rng.unit() < chance).count();
            descent.step(points);
        }
        descent
    }

    #[test]
    fn a_known_summit_is_found() {
        let end = descend(Descent::new(tunables(), 4000, 1, String::new()), 4000);
        assert!(end.values().iter().all(|value| (value - 100.0).abs() < 15.0), "{:?}", end.values());
        assert!(end.path().len() <= 1001 && end.recent.len() as u64 == LAG + 1);
    }

    #[test]
    fn saving_changes_nothing() {
        let straight = descend(Descent::new(tunables(), 500, 1, String::new()), 500);
        let mut half = descend(Descent::new(tunables(), 500, 1, String::new()), 250);
        let ahead = BTreeMap::from([
            (499, Outcome { half_points: 1, mishap: None }),
            (501, Outcome { half_points: 2, mishap: None }),
        ]);
        half.put_ahead(&ahead);
        let text = serde_json::to_string(&half).expect("it can be written");
        let mut read: Descent = serde_json::from_str(&text).expect("it can be read");
        assert!(read.check(&tunables(), 500, "").is_ok() && read.check(&tunables(), 501, "").is_err());
        // The pair of game 499 is over.
        assert_eq!(read.take_ahead(), Some(ahead.into_iter().filter(|(game, _)| *game == 501).collect()));
        assert_eq!(descend(read, 500).values(), straight.values());
    }

    #[test]
    fn pairs_wait_for_what_they_are_based_on() {
        let descent = Descent::new(tunables(), 500, 1, String::new());
        assert!(descent.sides(LAG).is_some());
        assert!(descent.sides(LAG + 1).is_none());
    }
}
