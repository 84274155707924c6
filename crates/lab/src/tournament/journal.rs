//! What a match leaves on disk while it runs: its games as PGN, and its state as JSON, from which it can go on. The
//! state knows how much of the file of games it counts, so the two always fit together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::table::{Standings, Table};
use crate::book::Book;
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::fingerprints::Fingerprints;
use crate::pairs::{self, Outcome, Played};
use crate::sheet::{Games, Mark};

/// How often the state is saved.
const SAVE: Duration = Duration::from_secs(5);

/// What makes a match the same match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The engines' names, and everything that decides how they play.
    pub engines: Vec<(String, String)>,
    /// Whether only the first plays the others.
    pub gauntlet: bool,
    /// How games are played.
    pub conditions: String,
}

/// A match as it is written to disk.
#[derive(Serialize, Deserialize)]
struct Saved {
    #[serde(flatten)]
    identity: Identity,
    games: u64,
    /// How many different openings and different games these are.
    #[serde(default)]
    openings: u64,
    #[serde(default)]
    distinct_games: u64,
    seconds: f64,
    #[serde(flatten)]
    standings: Standings,
    /// All games in order from the side of the first player of the pairing, a letter each; see [`Outcome::letter`].
    results: String,
    /// Where the games are written.
    pgn: Option<Mark>,
    /// Games that were finished before an earlier one, by number: letter and PGN.
    ahead: BTreeMap<u64, (char, String)>,
    /// What tells the games apart, twelve digits each.
    #[serde(default)]
    fingerprints: String,
}

/// What an earlier run left.
#[derive(Default)]
pub struct Earlier {
    /// Its games in order.
    pub results: Vec<Outcome>,
    /// Games that were finished before an earlier one.
    pub ahead: BTreeMap<u64, Played>,
    /// Where it wrote the games.
    pub pgn: Option<Mark>,
    /// What tells its games apart.
    pub fingerprints: Arc<Fingerprints>,
    seconds: f64,
}

impl Earlier {
    /// Reads the state of a match, if it is the same one.
    pub fn read(path: &Path, identity: &Identity) -> Result<Earlier> {
        let saved: Saved = files::read_json(path)?;
        let fail = |message: String| Failure::file("go on with", path, message);
        if let Some(difference) = difference(&saved.identity, identity) {
            return Err(fail(difference));
        }
        let bad = || fail("its list of games is damaged".to_string());
        let results = pairs::from_text(&saved.results).ok_or_else(bad)?;
        let played = |(game, (letter, pgn)): (u64, (char, String))| {
            Outcome::from_letter(letter).map(|outcome| (game, Played { outcome, pgn }))
        };
        let ahead = saved.ahead.into_iter().map(played).collect::<Option<_>>().ok_or_else(bad)?;
        let fingerprints = Arc::new(Fingerprints::from_text(&saved.fingerprints).ok_or_else(bad)?);
        Ok(Earlier { results, ahead, pgn: saved.pgn, fingerprints, seconds: saved.seconds })
    }
}

/// Why one match is not the other.
fn difference(theirs: &Identity, ours: &Identity) -> Option<String> {
    let list = |identity: &Identity| {
        identity.engines.iter().map(|(name, text)| format!("{name} ({text})")).collect::<Vec<_>>().join(", ")
    };
    if theirs.engines != ours.engines {
        Some(format!("its engines are {}; here they are {}", list(theirs), list(ours)))
    } else if theirs.gauntlet != ours.gauntlet {
        Some("one is a gauntlet, the other a round robin".to_string())
    } else if theirs.conditions != ours.conditions {
        Some(format!("it was played with '{}', this is '{}'", theirs.conditions, ours.conditions))
    } else {
        None
    }
}

/// The files of a running match.
pub struct Journal<'a> {
    identity: Identity,
    target: Target,
    games: Option<Games>,
    results: Vec<Outcome>,
    book: &'a Book,
    fingerprints: Arc<Fingerprints>,
    /// Seconds of earlier runs.
    before: f64,
    began: Instant,
    saved: Instant,
}

impl<'a> Journal<'a> {
    /// The journal of a match that goes on after what an earlier run left.
    pub fn new(
        identity: Identity,
        target: Target,
        games: Option<Games>,
        earlier: &Earlier,
        book: &'a Book,
    ) -> Journal<'a> {
        let now = Instant::now();
        Journal {
            identity,
            target,
            games,
            results: earlier.results.clone(),
            book,
            fingerprints: Arc::clone(&earlier.fingerprints),
            before: earlier.seconds,
            began: now,
            saved: now,
        }
    }

    /// Where the state is written.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Takes the next game, and saves now and then.
    pub fn add(&mut self, played: &Played, table: &Table) {
        self.results.push(played.outcome);
        if let Some(games) = &mut self.games {
            games.append(&played.pgn);
        }
        if self.saved.elapsed() >= SAVE {
            self.saved = Instant::now();
            // What the state counts must be on the disk before it.
            let synced = self.games.as_ref().map_or(Ok(()), Games::sync);
            let text = synced.and_then(|()| self.text(table, &BTreeMap::new()));
            let written = text.and_then(|text| self.target.write(&text));
            if let Err(failure) = written {
                eprintln!("gannet-lab: {failure}; the match goes on, and saving is tried again");
            }
        }
    }

    /// How long the match has taken so far.
    pub fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    fn text(&self, table: &Table, ahead: &BTreeMap<u64, Played>) -> Result<String> {
        let ahead = ahead.iter().map(|(&game, played)| (game, (played.outcome.letter(), played.pgn.clone())));
        let games = self.results.len() as u64;
        files::json(&Saved {
            identity: self.identity.clone(),
            games,
            // All pairings of a round have the same one.
            openings: self.book.openings(games.div_ceil(2 * table.pairings())),
            distinct_games: self.fingerprints.distinct(games),
            seconds: self.seconds(),
            standings: table.standings(),
            results: pairs::to_text(&self.results),
            pgn: self.games.as_ref().map(Games::mark),
            ahead: ahead.collect(),
            fingerprints: self.fingerprints.text(),
        })
    }

    /// Writes everything that is left to write.
    pub fn close(mut self, table: &Table, ahead: &BTreeMap<u64, Played>) -> Result<()> {
        let games = self.games.as_mut().map_or(Ok(()), Games::write);
        // What could not be written of the games is in the state.
        let text = self.text(table, ahead)?;
        self.target.write_or_rescue(&text)?;
        let path = self.target.path().display();
        println!("saved to {path}");
        games.map_err(|failure| Failure::new(format!("{failure}; the missing games are in {path}")))
    }
}
