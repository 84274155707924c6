//! The ledger of heuristics: what was claimed, what was measured, and how. Kept as JSON, shown as a page and a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::Params;
use serde::{Deserialize, Serialize};

use super::claims::{CLAIMS, Claim};
use super::reach::Reach;
use super::subjects::{PUBLISHED, Subject};
use crate::failure::{Failure, Result};
use crate::fingerprints::Fingerprints;
use crate::merge::{self, Piece};
use crate::pairs::{self, Ahead, Outcome, Score};
use crate::stats::{Known, Pentanomial};

/// What is measured against what, and how: two rows with the same key can be added up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// What the subject is called.
    pub option: String,
    /// How the games are played.
    pub conditions: String,
    /// The bench of the build.
    pub bench: u64,
}

impl Key {
    /// Whether what both measure is the same thing, with whatever seeds.
    fn is_like(&self, other: &Key) -> bool {
        self.option == other.option
            && self.bench == other.bench
            && merge::kind(&self.conditions) == merge::kind(&other.conditions)
    }
}

/// One measurement, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The heuristic's name.
    pub heuristic: String,
    /// What is measured, and how.
    #[serde(flatten)]
    pub key: Key,
    /// Whether it is on by default.
    pub default: bool,
    /// The settings of the published form, if ours is measured against that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// What the engine with it is better than the engine without it, or ours than the published form.
    /// That of a score just short of the end where it has won or lost everything.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Pairs by the points of the engine with it.
    pub pentanomial: [u64; 5],
    /// When.
    pub date: String,
    /// Whether as many games were played as were asked for.
    pub complete: bool,
    /// The games in order from the side of the engine with it, a letter each; see [`Outcome::letter`].
    pub results: String,
    /// Games that were finished before an earlier one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ahead: Ahead,
    /// What tells its pairs of games apart; see [`merge`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prints: String,
    /// What it does to searches of this limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Reach>,
}

/// All measurements.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ledger {
    rows: Vec<Row>,
}

impl Row {
    /// A measurement of which nothing has been played.
    pub fn new(subject: &Subject, key: Key, date: String) -> Row {
        Row {
            heuristic: subject.heuristic.clone(),
            key,
            default: subject.default,
            published: subject.published.clone(),
            elo: 0.0,
            error: 0.0,
            games: 0,
            pentanomial: [0; 5],
            date,
            complete: false,
            results: String::new(),
            ahead: Ahead::new(),
            prints: String::new(),
            reach: None,
        }
    }

    /// The games so far, in order, and those that were finished before an earlier one.
    pub fn games(&self) -> Result<(Vec<Outcome>, BTreeMap<u64, Outcome>)> {
        let damaged = || Failure::new(format!("the games of {} in the ledger are damaged", self.key.option));
        let results = pairs::from_text(&self.results).ok_or_else(damaged)?;
        let mut ahead = pairs::ahead_from(&self.ahead).ok_or_else(damaged)?;
        ahead.retain(|&game, _| game >= results.len() as u64);
        Ok((results, ahead))
    }

    /// Takes over what has been played.
    pub fn update(&mut self, results: &[Outcome], ahead: &BTreeMap<u64, Outcome>) {
        let mut score = Score::default();
        results.iter().for_each(|&outcome| score.add(outcome));
        let elo = score.pairs.elo();
        (self.elo, self.error) = (elo.value, elo.error);
        (self.games, self.pentanomial) = (score.total(), score.pairs.0);
        (self.results, self.ahead) = (pairs::to_text(results), pairs::ahead_to(ahead));
    }

    /// Takes note of what tells its pairs apart, after those it knew before.
    pub fn note(&mut self, played: &Fingerprints) {
        let earlier = merge::from_text(&self.prints);
        let fresh = merge::prints(played, self.games / 2);
        let known = fresh.iter().enumerate().map(|(pair, print)| print.or_else(|| *earlier.get(pair)?));
        self.prints = merge::to_text(&known.collect::<Vec<_>>());
    }

    /// This measurement and another one of the same kind, and what a user should know of them.
    fn with(&self, other: &Row, name: &str) -> Result<(Row, Option<String>)> {
        let rows = [self, other];
        let games = [self.games()?.0, other.games()?.0];
        let piece = |(row, name): (&&Row, &str)| Piece {
            name: name.to_string(),
            conditions: row.key.conditions.clone(),
            games: row.games,
            prints: merge::from_text(&row.prints),
        };
        let pieces: Vec<Piece> = rows.iter().zip(["the ledger", name]).map(piece).collect();
        let whole = merge::whole(&pieces)?;
        let pair = |&(piece, pair): &(usize, usize)| games[piece][2 * pair..2 * pair + 2].iter().copied();
        let results: Vec<Outcome> = whole.pairs.iter().flat_map(pair).collect();
        let prints: Vec<_> =
            whole.pairs.iter().map(|&(piece, pair)| pieces[piece].prints.get(pair).copied().flatten()).collect();
        let mut sum = Row { complete: self.complete || other.complete, ..self.clone() };
        sum.update(&results, &BTreeMap::new());
        sum.key.conditions = whole.conditions.clone();
        sum.prints = merge::to_text(&prints);
        sum.date = self.date.clone().max(other.date.clone());
        sum.reach = self.reach.or(other.reach);
        Ok((sum, whole.told()))
    }

    /// Elo and its error.
    fn estimate(&self) -> String {
        format!("{:.1}", Pentanomial(self.pentanomial).elo())
    }

    /// Elo alone, for the picture.
    pub fn value(&self) -> String {
        let known = Pentanomial(self.pentanomial).elo().known != Known::Nothing;
        if known { format!("{:+.0}", self.elo) } else { "no estimate".to_string() }
    }

    /// The row for the terminal.
    pub fn line(&self) -> String {
        let Row { games, pentanomial, .. } = self;
        format!("{:<28} {:>16} {games:>7} games {pentanomial:?}", self.key.option, self.estimate())
    }

    /// What is known of it beforehand.
    fn known(&self) -> (&'static str, Option<Claim>) {
        if self.published.is_some() {
            let found = PUBLISHED.iter().find(|(heuristic, ..)| *heuristic == self.heuristic);
            return found.map_or(("—", None), |&(_, id, _)| (id, None));
        }
        let about = Params::index().into_iter().find(|about| about.option == self.key.option);
        let claim = CLAIMS.iter().find(|(option, _)| *option == self.key.option).map(|&(_, claim)| claim);
        (about.and_then(|about| about.id).unwrap_or("—"), claim)
    }

    /// What has been published about it.
    pub fn claim(&self) -> Option<Claim> {
        self.known().1
    }

    /// Whether zero is outside the 95 % interval, and on which side.
    pub fn verdict(&self) -> &'static str {
        match Pentanomial(self.pentanomial).superiority() {
            percent if percent > 97.5 => "helps",
            percent if percent < 2.5 => "hurts",
            _ => "unclear",
        }
    }

    /// Whether the 95 % interval and the claim have something in common.
    fn holds(&self) -> &'static str {
        match self.claim().map(Claim::range) {
            None => "",
            Some((least, _)) if self.elo + self.error < least => " (less)",
            Some((_, most)) if self.elo - self.error > most => " (more)",
            Some(_) => " (holds)",
        }
    }
}

impl Ledger {
    /// The measurement with this key.
    pub fn get(&self, key: &Key) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == *key)
    }

    /// Adds a measurement in place of the one with the same key and, once it is complete, of all of the same switch.
    pub fn put(&mut self, row: Row) {
        self.rows.retain(|old| old.key != row.key && !(row.complete && old.key.option == row.key.option));
        self.rows.push(row);
    }

    /// Takes over the measurements of another ledger, and adds them to those of the same kind, whatever their seeds. Returned
    /// is what a user should know of that.
    pub fn merge(&mut self, other: Ledger, name: &str) -> Result<Vec<String>> {
        let mut told = Vec::new();
        for row in other.rows {
            let Some(ours) = self.rows.iter().position(|ours| ours.key.is_like(&row.key)) else {
                self.put(row);
                continue;
            };
            let (sum, note) = self.rows[ours].with(&row, name)?;
            told.extend(note.map(|note| format!("{}: {note}", row.key.option)));
            self.rows.remove(ours);
            self.put(sum);
        }
        Ok(told)
    }

    /// What is shown of the switches, or of the published forms: one measurement each, the latest complete one if there
    /// is any. The best first.
    pub fn shown(&self, published: bool) -> Vec<&Row> {
        let mut shown: Vec<&Row> = Vec::new();
        for row in self.rows.iter().filter(|row| row.games > 0 && row.published.is_some() == published) {
            match shown.iter_mut().find(|other| other.key.option == row.key.option) {
                Some(other) if row.complete || !other.complete => *other = row,
                Some(_) => {}
                None => shown.push(row),
            }
        }
        shown.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.key.option.cmp(&b.key.option)));
        shown
    }

    /// What the heuristics do to single searches, for the page; nothing where it was not counted.
    fn reaches(&self) -> String {
        let mut text = String::new();
        for row in self.shown(false).into_iter().chain(self.shown(true)) {
            if let Some(reach) = &row.reach {
                let begin = if text.is_empty() { REACH_INTRODUCTION } else { "" };
                let _ = writeln!(text, "{begin}- `{}` {reach}", row.key.option);
            }
        }
        text
    }

    /// The ledger as a page of the documentation, beside which the picture stands.
    pub fn page(&self, picture: &str) -> String {
        let mut page = INTRODUCTION.replace("PICTURE", picture);
        let mut conditions: Vec<&str> = Vec::new();
        for row in self.shown(false) {
            let (id, claim) = row.known();
            let claim = claim.map_or("—".to_string(), |claim| claim.to_string() + row.holds());
            let default = if row.default { "on" } else { "off" };
            let subject = format!("| {id} | {} | `{}` | {default} | {claim}", row.heuristic, row.key.option);
            write_row(&mut page, &subject, row, &mut conditions);
        }
        page += PUBLISHED_INTRODUCTION;
        for row in self.shown(true) {
            let settings = row.published.as_deref().unwrap_or_default().replace(',', ", ");
            let subject = format!("| {} | {} | {settings}", row.known().0, row.heuristic);
            write_row(&mut page, &subject, row, &mut conditions);
        }
        page += &self.reaches();
        if !conditions.is_empty() {
            page += "\n## Conditions\n";
        }
        for (number, text) in conditions.iter().enumerate() {
            let _ = write!(page, "\n[{}] {text}.\n", number + 1);
        }
        page
    }
}

/// Ends a row of the page, which begins with what was measured, by what was found.
fn write_row<'a>(page: &mut String, subject: &str, row: &'a Row, conditions: &mut Vec<&'a str>) {
    let number = conditions.iter().position(|&known| known == row.key.conditions).unwrap_or_else(|| {
        conditions.push(&row.key.conditions);
        conditions.len() - 1
    });
    let Row { games, pentanomial, date, .. } = row;
    let unfinished = if row.complete { "" } else { ", not finished" };
    let _ = writeln!(
        page,
        "{subject} | {} | {} | {games}{unfinished} | {pentanomial:?} | {date} [{}] | {} |",
        row.estimate(),
        row.verdict(),
        number + 1,
        row.key.bench,
    );
}

const INTRODUCTION: &str = "\
# The ledger of heuristics

What each idea of the search is worth in this engine: the engine with it against the engine without it, everything else
as by default. Written by `gannet-lab ablate`; do not edit.

- **Elo** is what the engine with the idea gains, with its 95 % interval. It *helps* or *hurts* if zero is outside.
- **Claim** is what has been published. It *holds* if the interval reaches it; otherwise there is *less* or *more* in it here.
- An idea can be worth little because another one does the same work, and more at longer limits than at shorter ones, or
  less.

![Elo of each heuristic](PICTURE)

| id | heuristic | option | default | claim | Elo | verdict | games | pairs | measured | bench |
|---|---|---|---|---|---|---|---|---|---|---|
";

const PUBLISHED_INTRODUCTION: &str = "
## Published forms

Where the engine has an idea in a form of its own: what it gains over the engine with the published form.

| id | heuristic | published form | Elo | verdict | games | pairs | measured | bench |
|---|---|---|---|---|---|---|---|---|
";

const REACH_INTRODUCTION: &str = "
## What they do to single searches

The positions of the bench, searched with each and without it. Nodes are those to the greatest depth that both searches
finish; what saves none of them can still choose better moves.

";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(option: &str, results: &str, bench: u64, complete: bool) -> Row {
        let key = Key { option: option.to_string(), conditions: "5000 nodes".to_string(), bench };
        let heuristic = option.trim_start_matches("Use").to_string();
        let subject = Subject { heuristic, name: option.to_string(), default: true, published: None };
        let mut row = Row::new(&subject, key, "2026-01-01".to_string());
        row.update(&pairs::from_text(results).expect("letters"), &BTreeMap::new());
        Row { complete, ..row }
    }

    #[test]
    fn the_page_lists_the_best_first_and_each_once() {
        let mut ledger = Ledger::default();
        let (good, bad) = ("WWWDDDWWWDDDWWWD".repeat(40), "LLLDDDLLLDDDLLLD".repeat(40));
        for row in [
            row("UseRazoring", &good, 1, true),
            row("UseNullMove", &good, 1, true),
            row("UseRazoring", &bad, 2, true),
            row("UseNullMove", "LL", 2, false),
            row("UseKillers", "DDDD", 2, false),
            Row { published: Some("a=1,b=2".to_string()), ..row("PublishedRazoring", &good, 2, true) },
        ] {
            ledger.put(row);
        }
        let page = ledger.page("x.svg");
        let rows: Vec<&str> = page.lines().filter(|line| line.contains("`Use")).collect();
        assert_eq!(rows.len(), 3, "{page}");
        assert!(rows[0].contains("| NM1 | NullMove |") && rows[0].contains("helps") && rows[0].contains("| — |"));
        assert!(rows[1].contains("UseKillers") && rows[1].contains("4, not finished") && rows[1].contains("unclear"));
        assert!(rows[2].contains("hurts") && rows[2].contains("+30…50 (less)"), "{}", rows[2]);
        assert!(page.contains("| PublishedRazoring | a=1, b=2 | +"), "{page}");
    }

    /// A measurement with a seed, whose pairs are told apart.
    fn seeded(option: &str, results: &str, seed: u64, prints: &[u32]) -> Row {
        let prints: Vec<_> = prints.iter().map(|&print| Some(print)).collect();
        let base = row(option, results, 1, true);
        let conditions = format!("5000 nodes, built-in book, seed {seed}, hash 8 MiB");
        Row { key: Key { conditions, ..base.key.clone() }, prints: merge::to_text(&prints), ..base }
    }

    fn merged(pieces: &[Row]) -> (Ledger, Vec<String>) {
        let (mut ledger, mut told) = (Ledger::default(), Vec::new());
        for piece in pieces {
            let other = Ledger { rows: vec![piece.clone()] };
            told.extend(ledger.merge(other, "piece.json").expect("one kind"));
        }
        (ledger, told)
    }

    #[test]
    fn games_of_several_seeds_are_added_up() {
        let pieces = [seeded("UseRazoring", "WWDDLW", 1, &[1, 2, 3]), seeded("UseRazoring", "LLWW", 2, &[4, 5])];
        let (ledger, told) = merged(&pieces);
        let [row] = &ledger.rows[..] else { panic!("{:?}", ledger.rows) };
        assert_eq!((row.games, row.pentanomial, row.results.as_str()), (10, [1, 0, 2, 0, 2], "WWDDLWLLWW"));
        assert_eq!(row.key.conditions, "5000 nodes, built-in book, seeds 1 + 2, hash 8 MiB");
        assert!(told.is_empty(), "{told:?}");
        let (again, told) = merged(&[row.clone(), pieces[1].clone(), pieces[0].clone()]);
        assert_eq!(again.rows, ledger.rows);
        assert!(told.iter().any(|told| told.contains("left out: 2")), "{told:?}");
    }

    #[test]
    fn games_that_another_seed_has_played_are_left_out() {
        let (ledger, told) = merged(&[
            seeded("UseRazoring", "WWDD", 1, &[1, 2]),
            seeded("UseRazoring", "DDLL", 2, &[2, 3]),
            seeded("UseNullMove", "WW", 2, &[1]),
        ]);
        let games: Vec<_> = ledger.rows.iter().map(|row| (row.key.option.as_str(), row.results.as_str())).collect();
        assert_eq!(games, [("UseRazoring", "WWDDLL"), ("UseNullMove", "WW")]);
        assert_eq!(told, ["UseRazoring: pairs that were played before and are left out: 1"]);
    }

    #[test]
    fn pieces_of_other_builds_stay_apart() {
        let old = Row { complete: false, ..seeded("UseRazoring", "WW", 1, &[1]) };
        let mut new = Row { complete: false, ..seeded("UseRazoring", "LL", 2, &[2]) };
        new.key.bench = 2;
        assert_eq!(merged(&[old, new]).0.rows.len(), 2);
    }

    #[test]
    fn the_longer_of_two_pieces_without_prints_counts() {
        let short = row("UseRazoring", "WWWW", 1, false);
        let long = row("UseRazoring", "WWWWLD", 1, true);
        for pieces in [[short.clone(), long.clone()], [long, short]] {
            let (ledger, _) = merged(&pieces);
            assert_eq!((ledger.rows.len(), ledger.rows[0].results.as_str()), (1, "WWWWLD"));
        }
    }

    #[test]
    fn saving_changes_nothing() {
        let mut before = row("UseRazoring", "WLDDt", 7, false);
        let ahead = BTreeMap::from([(6, Outcome { half_points: 2, mishap: None })]);
        before.update(&before.games().expect("letters").0, &ahead);
        let text = serde_json::to_string(&before).expect("it can be written");
        let after: Row = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(after, before);
        assert_eq!(after.games().map(|(results, ahead)| (results.len(), ahead)), Ok((5, ahead)));
        assert!(Row { results: "WX".to_string(), ..after }.games().is_err());
    }

    #[test]
    fn claims_are_compared_with_intervals() {
        let judged = |option: &str, elo, error| Row { elo, error, ..row(option, "", 1, true) }.holds();
        assert_eq!(judged("UseRazoring", 10.0, 5.0), " (less)");
        assert_eq!(judged("UseRazoring", 28.0, 5.0), " (holds)");
        assert_eq!(judged("UseRazoring", 80.0, 5.0), " (more)");
        assert_eq!(judged("UseRankedMovePicker", -9.0, 3.0), " (less)");
        assert_eq!(judged("UseRankAwareGates", 900.0, 3.0), " (holds)");
        assert_eq!(judged("UseKillers", 900.0, 3.0), "");
    }
}
