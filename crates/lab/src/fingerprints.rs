//! What tells games apart: a number made of the position a game began from and of its moves. Kept with the results, so that
//! a game that was played before is not taken for a new one, in this run or in another.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};

use chess::Game;

use crate::rng::Rng;

/// Hexadecimal digits of each number. Among a hundred thousand different games two are taken for one in 1 of 56 000 runs.
const DIGITS: usize = 12;
/// A game whose number is not known.
const UNKNOWN: &str = "------------";

/// The number of a game.
fn fingerprint(game: &Game) -> u64 {
    let mix = |hash: u64, next: u64| Rng::new(hash, next).next();
    let played = game.moves().iter().fold(game.start().key(), |hash, mv| mix(hash, u64::from(mv.bits())));
    played >> (64 - 4 * DIGITS)
}

/// The numbers of the games of a run, whatever the order in which they end.
#[derive(Default)]
pub struct Fingerprints(Mutex<BTreeMap<u64, u64>>);

impl Fingerprints {
    /// Takes note of a game of the run.
    pub fn note(&self, number: u64, game: &Game) {
        self.lock().insert(number, fingerprint(game));
    }

    /// How many of the first so many games are not one that was played before.
    pub fn distinct(&self, games: u64) -> u64 {
        let known = self.lock();
        let (mut seen, mut unknown) = (HashSet::new(), games);
        for (_, print) in known.range(..games) {
            unknown -= 1;
            seen.insert(*print);
        }
        seen.len() as u64 + unknown
    }

    /// What tells a pair apart, games 2k and 2k + 1; none unless both are known.
    pub fn pair(&self, pair: u64) -> Option<u32> {
        let known = self.lock();
        let (first, second) = (known.get(&(2 * pair))?, known.get(&(2 * pair + 1))?);
        Some((Rng::new(*first, *second).next() >> 32) as u32)
    }

    /// The game of another run takes this number.
    pub fn take(&self, number: u64, from: &Fingerprints, other: u64) {
        let print = from.lock().get(&other).copied();
        if let Some(print) = print {
            self.lock().insert(number, print);
        }
    }

    /// As it is written to disk: all in the order of the games.
    pub fn text(&self) -> String {
        let known = self.lock();
        let end = known.last_key_value().map_or(0, |(last, _)| last + 1);
        let one = |number| known.get(&number).map_or(UNKNOWN.to_string(), |print| format!("{print:0DIGITS$x}"));
        (0..end).map(one).collect()
    }

    /// Reads what was written; none if it is damaged.
    pub fn from_text(text: &str) -> Option<Fingerprints> {
        let mut known = BTreeMap::new();
        for (number, digits) in text.as_bytes().chunks(DIGITS).enumerate() {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == DIGITS)?;
            if digits != UNKNOWN {
                known.insert(number as u64, u64::from_str_radix(digits, 16).ok()?);
            }
        }
        Some(Fingerprints(Mutex::new(known)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            assert!(game.play(chess::parse_uci(game.board(), text).expect(text)));
        }
        game
    }

    #[test]
    fn games_are_told_apart_by_their_moves() {
        let prints = Fingerprints::default();
        // The second goes another way to the same position.
        for (number, moves) in ["g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3", "g1f3 g8f6 b1c3", ""].iter().enumerate() {
            prints.note(number as u64, &game(moves));
        }
        assert_eq!([0, 1, 2, 3, 4, 7].map(|games| prints.distinct(games)), [0, 1, 2, 2, 3, 6]);
        assert_eq!([0, 1, 2].map(|pair| prints.pair(pair).is_some()), [true, true, false]);
        assert_ne!(prints.pair(0), prints.pair(1));
        let other = Fingerprints::default();
        [(0, 2), (1, 3), (2, 9)].iter().for_each(|&(number, from)| other.take(number, &prints, from));
        assert_eq!((other.pair(0), other.pair(1)), (prints.pair(1), None));
        let read = Fingerprints::from_text(&prints.text()).expect("it is whole");
        assert_eq!((read.text(), read.distinct(4)), (prints.text(), 3));
    }

    #[test]
    fn games_that_are_not_known_keep_their_place() {
        let prints = Fingerprints::default();
        prints.note(2, &game("e2e4"));
        let text = prints.text();
        assert!(text.starts_with("------------------------") && text.len() == 36, "{text}");
        assert_eq!(Fingerprints::from_text(&text).map(|read| read.text()), Some(text));
        for bad in ["-", "00000000000g", "0000000000001"] {
            assert!(Fingerprints::from_text(bad).is_none(), "{bad}");
        }
    }
}
