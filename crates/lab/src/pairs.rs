//! Games in pairs: the same opening twice with colours reversed. Games 2k and 2k + 1 of a match are pair k; in the first
//! A has White.

use std::collections::BTreeMap;

use chess::{Color, Game};
use serde::{Deserialize, Serialize};

use crate::book::Book;
use crate::failure::{self, Failure};
use crate::player::{Fault, Go, Heard, Limit, Player, Thought};
use crate::pool::Stop;
use crate::rng::Rng;
use crate::runner::{self, Conditions, Reason, Record};
use crate::standstill::Span;
use crate::stats::Pentanomial;

/// How a game can be lost otherwise than on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mishap {
    /// The flag fell.
    TimeLoss,
    /// An illegal move, or something that is none.
    Illegal,
    /// The engine ended or closed its pipes.
    Disconnect,
    /// The engine did not answer.
    Stall,
}

impl Mishap {
    const ALL: [Mishap; 4] = [Mishap::TimeLoss, Mishap::Illegal, Mishap::Disconnect, Mishap::Stall];

    fn of(reason: &Reason) -> Option<Mishap> {
        match reason {
            Reason::TimeLoss => Some(Mishap::TimeLoss),
            Reason::Fault(Fault::Illegal(_)) => Some(Mishap::Illegal),
            Reason::Fault(Fault::Disconnected) => Some(Mishap::Disconnect),
            Reason::Fault(Fault::Stalled) => Some(Mishap::Stall),
            _ => None,
        }
    }
}

/// How many games a player has lost otherwise than on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// By the clock.
    pub time_losses: u64,
    /// By illegal moves.
    pub illegal_moves: u64,
    /// By crashes.
    pub disconnects: u64,
    /// By not answering.
    pub stalls: u64,
}

impl Faults {
    fn count(&mut self, mishap: Mishap) {
        match mishap {
            Mishap::TimeLoss => self.time_losses += 1,
            Mishap::Illegal => self.illegal_moves += 1,
            Mishap::Disconnect => self.disconnects += 1,
            Mishap::Stall => self.stalls += 1,
        }
    }

    /// Adds those of other games.
    pub fn add(&mut self, other: &Faults) {
        self.time_losses += other.time_losses;
        self.illegal_moves += other.illegal_moves;
        self.disconnects += other.disconnects;
        self.stalls += other.stalls;
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.time_losses + self.illegal_moves + self.disconnects + self.stalls
    }

    /// In words; nothing if there are none.
    pub fn text(&self) -> Option<String> {
        let all = [
            (self.time_losses, "by time"),
            (self.illegal_moves, "by illegal moves"),
            (self.disconnects, "by crashes"),
            (self.stalls, "by stalls"),
        ];
        let some: Vec<String> = all.iter().filter(|(n, _)| *n > 0).map(|(n, how)| format!("{n} {how}")).collect();
        (!some.is_empty()).then(|| some.join(", "))
    }
}

/// What a game brought A, and what went wrong for the loser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Twice A's points. One byte: a long match keeps all its outcomes.
    pub half_points: u8,
    /// What lost the game, if it was not the moves.
    pub mishap: Option<Mishap>,
}

impl Outcome {
    /// The outcome of a game of the match.
    pub fn of(game: u64, record: &Record) -> Outcome {
        let colour = if game.is_multiple_of(2) { Color::White } else { Color::Black };
        Outcome { half_points: record.winner.half_points(colour), mishap: Mishap::of(&record.reason) }
    }

    /// One letter: L, D or W, or t, i, c, s where A lost by time, illegal move, crash or stall, and T, I, C, S where B did.
    pub fn letter(self) -> char {
        match (self.half_points, self.mishap) {
            (0, Some(mishap)) => ['t', 'i', 'c', 's'][mishap as usize],
            (2, Some(mishap)) => ['T', 'I', 'C', 'S'][mishap as usize],
            (0, None) => 'L',
            (2, None) => 'W',
            _ => 'D',
        }
    }

    /// The outcome that a letter stands for.
    pub fn from_letter(letter: char) -> Option<Outcome> {
        let mishap = |letters: &str| letters.find(letter).map(|index| Mishap::ALL[index]);
        if let Some(half_points) = "LDW".find(letter) {
            return Some(Outcome { half_points: half_points as u8, mishap: None });
        }
        let lost = mishap("tics").map(|mishap| Outcome { half_points: 0, mishap: Some(mishap) });
        lost.or_else(|| mishap("TICS").map(|mishap| Outcome { half_points: 2, mishap: Some(mishap) }))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// What it brought the first player of its pairing.
    pub outcome: Outcome,
    /// The game as PGN, if games are written.
    pub pgn: String,
}

/// Plays a game of the match; None if it was stopped, a failure if it cannot be played.
pub fn play(
    book: &Book,
    game: u64,
    a: &mut dyn Player,
    b: &mut dyn Player,
    conditions: &Conditions,
    stop: &Stop,
) -> failure::Result<Option<Record>> {
    let opening = book.opening(game / 2);
    let players: [&mut dyn Player; 2] = if game.is_multiple_of(2) { [a, b] } else { [b, a] };
    let is_timed =
        |player: &&mut dyn Player| player.limit().unwrap_or(conditions.limit).is_time() || player.may_be_late();
    let timed = players.iter().any(is_timed);
    let span = timed.then(Span::begin);
    let record = match conditions.jitter {
        None => runner::play(opening, players, conditions, stop)?,
        Some(jitter) => {
            let mut rng = Rng::new(!jitter.seed, game);
            let limit = conditions.limit;
            let [mut white, mut black] = players.map(|inner| Unsteady::new(inner, limit, jitter.percent, &mut rng));
            runner::play(opening, [&mut white, &mut black], conditions, stop)?
        }
    };
    match span.filter(|_| record.is_some()).and_then(|span| span.stood()) {
        None => Ok(record),
        Some(time) => Err(Failure::new(format!(
            "everything here stood still for {} seconds, so that the games in progress cannot be trusted; those before are kept",
            time.as_secs()
        ))),
    }
}

/// A player whose number of nodes is that of one game.
struct Unsteady<'a> {
    inner: &'a mut dyn Player,
    limit: Limit,
}

impl<'a> Unsteady<'a> {
    fn new(inner: &'a mut dyn Player, limit: Limit, percent: u32, rng: &mut Rng) -> Unsteady<'a> {
        let factor = 1.0 + f64::from(percent) / 100.0 * (2.0 * rng.unit() - 1.0);
        let limit = match inner.limit().unwrap_or(limit) {
            Limit::Nodes(nodes) => Limit::Nodes(((nodes as f64 * factor).round() as u64).max(1)),
            other => other,
        };
        Unsteady { inner, limit }
    }
}

impl Player for Unsteady<'_> {
    fn limit(&self) -> Option<Limit> {
        Some(self.limit)
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.inner.new_game()
    }

    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> Result<Thought, Fault> {
        self.inner.search(game, go, ear)
    }

    fn think(&mut self, game: &Game, go: &Go) -> Result<Thought, Fault> {
        self.inner.think(game, go)
    }
}

/// What has been played so far.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Games that A lost, drew and won.
    pub games: [u64; 3],
    /// Finished pairs by A's points.
    pub pairs: Pentanomial,
    /// How A and B have lost otherwise than on the board.
    pub faults: [Faults; 2],
    /// The first game of a pair whose second is missing.
    first: Option<usize>,
}

impl Score {
    /// Adds the next game.
    pub fn add(&mut self, outcome: Outcome) {
        let (half_points, mishap) = (usize::from(outcome.half_points), outcome.mishap);
        self.games[half_points] += 1;
        if let Some(mishap) = mishap {
            self.faults[usize::from(half_points != 0)].count(mishap);
        }
        match self.first.take() {
            Some(first) => self.pairs.0[first + half_points] += 1,
            None => self.first = Some(half_points),
        }
    }

    /// The number of games.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }
}

/// Games as text, a letter each.
pub fn to_text(games: &[Outcome]) -> String {
    games.iter().map(|game| game.letter()).collect()
}

/// Games from text; None if it is not one.
pub fn from_text(text: &str) -> Option<Vec<Outcome>> {
    text.chars().map(Outcome::from_letter).collect()
}

/// Games that were finished before an earlier one, as they are kept on disk.
pub type Ahead = BTreeMap<u64, char>;

/// Such games from disk; None if they are damaged.
pub fn ahead_from(ahead: &Ahead) -> Option<BTreeMap<u64, Outcome>> {
    ahead.iter().map(|(&game, &letter)| Some((game, Outcome::from_letter(letter)?))).collect()
}

/// Such games for the disk.
pub fn ahead_to(ahead: &BTreeMap<u64, Outcome>) -> Ahead {
    ahead.iter().map(|(&game, outcome)| (game, outcome.letter())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        let text = "WLDDWWLDtTiIcCsSW";
        let games = from_text(text).expect("every letter is known");
        assert_eq!(to_text(&games), text);
        assert_eq!(games[8], Outcome { half_points: 0, mishap: Some(Mishap::TimeLoss) });
        assert_eq!(games[15], Outcome { half_points: 2, mishap: Some(Mishap::Stall) });
        assert_eq!(from_text(""), Some(Vec::new()));
        assert_eq!(from_text("WX"), None);
        let ahead = BTreeMap::from([(7, games[9]), (9, games[0])]);
        assert_eq!(ahead_from(&ahead_to(&ahead)), Some(ahead));
    }

    #[test]
    fn pairs_add_up() {
        let mut score = Score::default();
        for outcome in from_text("WLDDWWLDTtc").expect("every letter is known") {
            score.add(outcome);
        }
        assert_eq!((score.games, score.pairs.0), ([4, 3, 4], [0, 1, 3, 0, 1]));
        let text = score.faults.map(|faults| faults.text());
        assert_eq!(text, [Some("1 by time, 1 by crashes".to_string()), Some("1 by time".to_string())]);
        assert_eq!(score.total(), 11);
    }
}
