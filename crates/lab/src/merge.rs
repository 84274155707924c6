//! Adding up what several machines have played of one measurement, with seeds of their own: pairs of games, each of them
//! once. Two seeds draw openings from the same book, and at a fixed number of nodes the same opening is the same game.

use std::collections::HashSet;

use crate::failure::{Failure, Result};
use crate::fingerprints::Fingerprints;

/// Part of a measurement.
pub struct Piece {
    /// What it is called where something is wrong with it.
    pub name: String,
    /// How its games were played, as [`crate::arguments::GameArguments::describe`] says it.
    pub conditions: String,
    /// How many games there are.
    pub games: u64,
    /// What tells its pairs of games apart, as far as that is known.
    pub prints: Vec<Option<u32>>,
}

/// Several pieces.
#[derive(Debug, PartialEq)]
pub struct Whole {
    /// How all games were played.
    pub conditions: String,
    /// The pairs that count: numbers of pieces, and of pairs in them.
    pub pairs: Vec<(usize, usize)>,
    /// Pairs that were played before.
    pub repeated: u64,
    /// Pairs that count though nobody knows whether they were played before.
    pub unknown: u64,
}

/// Puts pieces together; none may differ in more than its seed.
pub fn whole(pieces: &[Piece]) -> Result<Whole> {
    let Some(first) = pieces.first() else { return Err(Failure::new("there is nothing to merge")) };
    let mut whole = Whole { conditions: String::new(), pairs: Vec::new(), repeated: 0, unknown: 0 };
    let (mut seeds, mut prints) = (Vec::new(), HashSet::new());
    // By their numbers, with whether their prints are known.
    let mut places: HashSet<(String, usize, bool)> = HashSet::new();
    for (number, piece) in pieces.iter().enumerate() {
        if kind(&piece.conditions) != kind(&first.conditions) {
            let (one, other) = (&first.name, &piece.name);
            return Err(Failure::new(format!(
                "cannot merge {other} with {one}: it was played with '{}', not with '{}'",
                piece.conditions, first.conditions
            )));
        }
        let seed = seeds_of(&piece.conditions);
        for pair in 0..(piece.games / 2) as usize {
            let print = piece.prints.get(pair).copied().flatten();
            let place = |known| (seed.clone(), pair, known);
            // Where one of two is not known by its moves, the same number of the same seed is the same game.
            let repeated = match print {
                Some(print) => !prints.insert(print) || places.contains(&place(false)),
                None => places.contains(&place(true)) || places.contains(&place(false)),
            };
            places.insert(place(print.is_some()));
            if repeated {
                whole.repeated += 1;
                continue;
            }
            whole.unknown += u64::from(print.is_none());
            whole.pairs.push((number, pair));
        }
        seeds.extend(seed.split(" + ").map(str::to_string).filter(|seed| !seed.is_empty()));
    }
    let mut once = HashSet::new();
    seeds.retain(|seed| once.insert(seed.clone()));
    whole.conditions = with_seeds(&first.conditions, &seeds);
    Ok(whole)
}

impl Whole {
    /// What a user should know of it; nothing if every pair counts.
    pub fn told(&self) -> Option<String> {
        let repeated = format!("pairs that were played before and are left out: {}", self.repeated);
        let unknown = format!("pairs that count although nothing tells them from others: {}", self.unknown);
        match (self.repeated > 0, self.unknown > 0) {
            (true, true) => Some(format!("{repeated}; {unknown}")),
            (true, false) => Some(repeated),
            (false, true) => Some(unknown),
            (false, false) => None,
        }
    }
}

/// Whether a part of conditions names the seed.
fn is_seed(part: &str) -> bool {
    part.starts_with("seed ") || part.starts_with("seeds ")
}

/// What has to be the same: everything but the seed, and but the folder that a book lies in.
pub fn kind(conditions: &str) -> Vec<&str> {
    let parts = conditions.split(", ").filter(|part| !is_seed(part));
    parts.map(|part| part.rsplit(['/', '\\']).next().unwrap_or(part)).collect()
}

/// What of conditions belongs into a commit message: the limit, the table and the seed.
pub fn in_short(conditions: &str) -> String {
    let parts: Vec<&str> = conditions.split(", ").collect();
    let hash = parts.iter().find_map(|part| part.strip_prefix("hash "));
    let seed = parts.iter().copied().find(|part| is_seed(part));
    parts.first().copied().into_iter().chain(hash).chain(seed).collect::<Vec<_>>().join(", ")
}

/// The seeds, with a plus between them.
fn seeds_of(conditions: &str) -> String {
    let part = conditions.split(", ").find(|part| is_seed(part)).unwrap_or_default();
    part.split_once(' ').map_or(String::new(), |(_, seeds)| seeds.to_string())
}

fn with_seeds(conditions: &str, seeds: &[String]) -> String {
    let word = if seeds.len() > 1 { "seeds" } else { "seed" };
    let named = |part: &str| if is_seed(part) { format!("{word} {}", seeds.join(" + ")) } else { part.to_string() };
    conditions.split(", ").map(named).collect::<Vec<_>>().join(", ")
}

/// Hexadecimal digits of what tells pairs apart. Of ten thousand pairs one is taken for another in 1 of 86 measurements, and
/// then one pair of ten thousand is missing.
const DIGITS: usize = 8;

/// What tells the first pairs of a run apart.
pub fn prints(known: &Fingerprints, pairs: u64) -> Vec<Option<u32>> {
    (0..pairs).map(|pair| known.pair(pair)).collect()
}

/// As it is written to disk; nothing if nothing is known.
pub fn to_text(prints: &[Option<u32>]) -> String {
    if prints.iter().all(Option::is_none) {
        return String::new();
    }
    let one = |print: &Option<u32>| print.map_or("-".repeat(DIGITS), |print| format!("{print:0DIGITS$x}"));
    prints.iter().map(one).collect()
}

/// Reads what was written; what is damaged is not known.
pub fn from_text(text: &str) -> Vec<Option<u32>> {
    let one = |digits: &[u8]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    text.as_bytes().chunks(DIGITS).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(seed: u32, prints: &[u32]) -> Piece {
        let conditions = format!("100 nodes, /books/a.epd, seed {seed}, hash 1 MiB");
        let prints: Vec<_> = prints.iter().map(|&print| (print > 0).then_some(print)).collect();
        Piece { name: format!("piece{seed}.json"), conditions, games: 2 * prints.len() as u64, prints }
    }

    #[test]
    fn pairs_count_once() {
        let merged = whole(&[piece(1, &[11, 12, 13]), piece(2, &[21, 12, 22, 11]), piece(3, &[31])]).expect("one kind");
        assert_eq!(merged.pairs, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0)]);
        assert_eq!((merged.repeated, merged.unknown), (2, 0));
        assert_eq!(merged.conditions, "100 nodes, /books/a.epd, seeds 1 + 2 + 3, hash 1 MiB");
        assert_eq!(merged.told().as_deref(), Some("pairs that were played before and are left out: 2"));
        let alone = whole(&[piece(1, &[11, 12])]).expect("a piece");
        assert_eq!((alone.conditions.as_str(), alone.told()), ("100 nodes, /books/a.epd, seed 1, hash 1 MiB", None));
    }

    #[test]
    fn merging_again_adds_nothing() {
        let (one, other) = (piece(1, &[11, 12, 13]), piece(2, &[21, 12]));
        let merged = whole(&[one, other]).expect("one kind");
        let sum = Piece { conditions: merged.conditions.clone(), ..piece(9, &[11, 12, 13, 21]) };
        let again = whole(&[sum, piece(2, &[21, 12]), piece(1, &[11, 12, 13])]).expect("one kind");
        assert_eq!((again.pairs.len(), again.repeated, again.conditions), (4, 5, merged.conditions));
    }

    #[test]
    fn games_without_prints_count_once_for_each_seed() {
        let merged = whole(&[piece(1, &[0, 0]), piece(1, &[0, 0, 0]), piece(2, &[0, 0])]).expect("one kind");
        assert_eq!(merged.pairs, [(0, 0), (0, 1), (1, 2), (2, 0), (2, 1)]);
        assert_eq!((merged.repeated, merged.unknown), (2, 5));
        let mixed = whole(&[piece(1, &[11, 12]), piece(1, &[0, 0, 0])]).expect("one kind");
        assert_eq!(mixed.pairs, [(0, 0), (0, 1), (1, 2)]);
        let mixed = whole(&[piece(1, &[0, 0]), piece(1, &[11, 12, 13])]).expect("one kind");
        assert_eq!(mixed.pairs, [(0, 0), (0, 1), (1, 2)]);
    }

    #[test]
    fn other_conditions_are_refused() {
        let other = |conditions: &str| Piece { conditions: conditions.to_string(), ..piece(2, &[21]) };
        let merged = |conditions| whole(&[piece(1, &[11]), other(conditions)]);
        assert!(merged("100 nodes, D:\\my books\\a.epd, seed 7, hash 1 MiB").is_ok());
        for conditions in [
            "200 nodes, /books/a.epd, seed 2, hash 1 MiB",
            "100 nodes, /books/b.epd, seed 2, hash 1 MiB",
            "100 nodes, /books/a.epd, seed 2, hash 2 MiB",
        ] {
            let told = merged(conditions).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(told.contains("piece2.json") && told.contains(conditions), "{told}");
        }
        assert!(whole(&[]).is_err());
    }

    #[test]
    fn conditions_are_shortened() {
        let long = "25000 nodes ± 20 %, built-in book, Chess960, seeds 1 + 2, hash 8 MiB, no adjudication";
        assert_eq!(in_short(long), "25000 nodes ± 20 %, 8 MiB, seeds 1 + 2");
    }

    #[test]
    fn prints_come_back() {
        let prints = [Some(0), None, Some(u32::MAX), Some(0x1234)];
        assert_eq!(from_text(&to_text(&prints)), prints);
        assert_eq!(to_text(&[None, None]), "");
        assert_eq!(from_text("0000000g"), [None]);
    }
}
