//! A sequential test while it runs: the score so far, how it is shown, and how it is kept.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{Arguments, Saved};
use crate::book::Book;
use crate::competitor::Competitor;
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::fingerprints::Fingerprints;
use crate::pairs::{self, Outcome, Played, Score};
use crate::sheet::{Games, Mark};
use crate::stats::{Sprt, Verdict};

/// With fewer pairs than this, what is added to them for the likelihood ratio is worth a word.
const FEW_PAIRS: u64 = 100;
/// How often a line is printed where there is no terminal.
const SPEAK: Duration = Duration::from_secs(10);
/// How often the test is saved.
const SAVE: Duration = Duration::from_secs(5);

/// A test while it runs.
pub struct Live<'a> {
    arguments: &'a Arguments,
    sprt: Option<Sprt>,
    names: [String; 2],
    engines: [String; 2],
    benches: [Option<u64>; 2],
    conditions: String,
    book: &'a Book,
    score: Score,
    path: Vec<Outcome>,
    fingerprints: Arc<Fingerprints>,
    /// What was played before this run, and how long that took.
    before: (u64, f64),
    began: Instant,
    spoken: Instant,
    saved: Instant,
    bar: Option<ProgressBar>,
    target: Target,
    games: Option<Games>,
    /// How far the file of games had come before this run.
    mark: Option<Mark>,
}

impl<'a> Live<'a> {
    /// A test that begins.
    pub fn new(
        arguments: &'a Arguments,
        sprt: Option<Sprt>,
        competitors: &[Competitor; 2],
        book: &'a Book,
        target: Target,
    ) -> Result<Live<'a>> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise}\n{wide_msg}\n{prefix}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(arguments.max_games).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        let [a, b] = competitors;
        Ok(Live {
            arguments,
            sprt,
            names: Competitor::names(competitors),
            engines: [a.fingerprint()?, b.fingerprint()?],
            benches: [a.bench()?, b.bench()?],
            conditions: arguments.play.describe(arguments.limit.limit()),
            book,
            score: Score::default(),
            path: Vec::new(),
            fingerprints: Arc::default(),
            before: (0, 0.0),
            began: now,
            spoken: now,
            saved: now,
            bar,
            target,
            games: None,
            mark: None,
        })
    }

    /// Takes over what was saved, if it was the same test. Returns the games that were finished out of order.
    pub fn resume(&mut self, saved: Saved, path: &Path) -> Result<BTreeMap<u64, Played>> {
        let ours = [&self.engines[0], &self.engines[1], &self.conditions];
        for (ours, theirs) in ours.into_iter().zip([&saved.engines[0], &saved.engines[1], &saved.conditions]) {
            if ours != theirs {
                let message = format!("it holds a test of '{theirs}', this one is of '{ours}'");
                return Err(Failure::file("go on with", path, message));
            }
        }
        if saved.sprt != self.sprt {
            let name =
                |sprt: &Option<Sprt>| sprt.map_or("a fixed number of games".to_string(), |sprt| sprt.to_string());
            let message = format!("it is a test with {}, this one has {}", name(&saved.sprt), name(&self.sprt));
            return Err(Failure::file("go on with", path, message));
        }
        let bad = || Failure::file("go on with", path, "its list of games is damaged");
        self.path = pairs::from_text(&saved.results).ok_or_else(bad)?;
        for &outcome in &self.path {
            self.score.add(outcome);
        }
        self.fingerprints = Arc::new(Fingerprints::from_text(&saved.fingerprints).ok_or_else(bad)?);
        self.before = (self.score.total(), saved.seconds);
        self.mark = saved.pgn;
        let mut texts = saved.ahead_pgn;
        let ahead = pairs::ahead_from(&saved.ahead).ok_or_else(bad)?;
        let played = |(game, outcome)| (game, Played { outcome, pgn: texts.remove(&game).unwrap_or_default() });
        Ok(ahead.into_iter().map(played).collect())
    }

    /// Adds the next game and says whether to go on.
    pub fn add(&mut self, played: &Played) -> ControlFlow<()> {
        let outcome = played.outcome;
        self.score.add(outcome);
        self.path.push(outcome);
        if let Some(games) = &mut self.games {
            games.append(&played.pgn);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.score.total());
            bar.set_message(self.figures());
            bar.set_prefix(self.pace());
        } else if self.spoken.elapsed() >= SPEAK {
            self.spoken = Instant::now();
            eprintln!("{}", self.line());
        }
        if self.saved.elapsed() >= SAVE {
            self.saved = Instant::now();
            let saved = self.saved(&BTreeMap::new());
            // What the state counts must be on the disk before it.
            let synced = self.games.as_ref().map_or(Ok(()), Games::sync);
            if let Err(failure) = synced.and_then(|()| self.target.write_json(&saved)) {
                eprintln!("gannet-lab: {failure}; the test goes on");
            }
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Why the games so far are not to be trusted, if they are not.
    pub fn doubt(&self) -> Option<Failure> {
        self.arguments.play.trust().doubt(["A", "B"], &self.score)
    }

    /// Whether there is nothing more to find out.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.doubt().is_some()
    }

    /// Whether a hypothesis has been accepted.
    pub fn is_decided(&self) -> bool {
        matches!(self.verdict(), Some(Verdict::H0 | Verdict::H1))
    }

    /// How many games there are so far.
    pub fn games(&self) -> u64 {
        self.path.len() as u64
    }

    /// What tells the games apart, to which whoever plays one adds it.
    pub fn fingerprints(&self) -> Arc<Fingerprints> {
        Arc::clone(&self.fingerprints)
    }

    /// How many different openings and different games there are so far.
    fn different(&self) -> (u64, u64) {
        let games = self.games();
        (self.book.openings(games.div_ceil(2)), self.fingerprints.distinct(games))
    }

    /// The games so far.
    pub fn path(&self) -> &[Outcome] {
        &self.path
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// Who plays whom.
    pub fn title(&self) -> String {
        format!("A: {} against B: {}, {}", self.names[0], self.names[1], self.arguments.limit.limit())
    }

    fn verdict(&self) -> Option<Verdict> {
        let sprt = self.sprt.filter(|_| self.doubt().is_none())?;
        Some(sprt.verdict(&self.score.pairs))
    }

    /// Everything in one line.
    fn line(&self) -> String {
        format!("{} {}", self.figures(), self.pace())
    }

    /// What the games say.
    fn figures(&self) -> String {
        let [losses, draws, wins] = self.score.games;
        let pairs = &self.score.pairs;
        let (total, elo) = (self.score.total(), pairs.elo());
        format!("{total} games W {wins} D {draws} L {losses} {:?} Elo {elo}", pairs.0)
    }

    /// How far the test is, and how fast it goes.
    fn pace(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64().max(1e-3);
        let per_minute = (self.score.total() - self.before.0) as f64 / seconds * 60.0;
        let mut line = format!("nElo {} ", self.score.pairs.normalised_elo());
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            line += &format!("LLR {:.2} [{lower:.2}, {upper:.2}] ", sprt.llr(&self.score.pairs));
            if self.score.pairs.pairs() < FEW_PAIRS {
                line += "(few pairs: half a pair more of each outcome is counted) ";
            }
        }
        line += &format!("{per_minute:.0} games/min");
        if let Some(minutes) = self.minutes_left(per_minute) {
            line += &format!(", about {minutes:.0} min left");
        }
        for (side, faults) in ["A", "B"].iter().zip(&self.score.faults) {
            if let Some(text) = faults.text() {
                line += &format!(", {side} lost {text}");
            }
        }
        line
    }

    /// If the likelihood ratio goes on as it went so far, and no longer than there are games.
    fn minutes_left(&self, per_minute: f64) -> Option<f64> {
        if self.is_decided() {
            return None;
        }
        let total = self.score.total() as f64;
        let mut games = self.arguments.max_games as f64 - total;
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let llr = sprt.llr(&self.score.pairs);
            let bound = if llr > 0.0 { upper } else { lower };
            if llr.abs() > 0.2 {
                games = games.min(total * (bound / llr - 1.0));
            }
        }
        (per_minute > 0.0 && games > 0.0).then(|| games / per_minute)
    }

    /// Prints what was found.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        println!("{}", self.line());
        println!("{}", self.saved(&BTreeMap::new()).report());
    }

    /// Where the test is written.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Writes the games to a file, too, if that is asked for now or was when the test began; returns whether.
    pub fn write_games(&mut self) -> Result<bool> {
        self.games = Games::open(self.arguments.pgn.as_deref(), self.mark.as_ref())?;
        Ok(self.games.is_some())
    }

    /// Writes the test.
    pub fn save(&mut self, ahead: &BTreeMap<u64, Played>) -> Result<()> {
        let games = self.games.as_mut().map_or(Ok(()), Games::write);
        // What could not be written of the games is in the state.
        let saved = self.saved(ahead);
        self.target.write_or_rescue(&files::json(&saved)?)?;
        let path = self.target.path().display();
        games.map_err(|failure| Failure::new(format!("{failure}; the missing games are in {path}")))
    }

    /// The test as it is written to disk.
    pub fn saved(&self, ahead: &BTreeMap<u64, Played>) -> Saved {
        let outcomes = ahead.iter().map(|(&game, played)| (game, played.outcome)).collect();
        let texts = ahead.iter().filter(|(_, played)| !played.pgn.is_empty());
        let pairs = &self.score.pairs;
        let [losses, draws, wins] = self.score.games;
        let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
        let (openings, distinct_games) = self.different();
        Saved {
            a: self.names[0].clone(),
            b: self.names[1].clone(),
            engines: self.engines.clone(),
            benches: self.benches,
            conditions: self.conditions.clone(),
            games: self.score.total(),
            openings,
            distinct_games,
            wins,
            draws,
            losses,
            pentanomial: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            normalised_elo: normalised.value,
            normalised_elo_error: normalised.error,
            superiority_percent: pairs.superiority(),
            faults: self.score.faults,
            sprt: self.sprt,
            llr: self.sprt.map(|sprt| sprt.llr(pairs)),
            verdict: self.verdict(),
            doubt: self.doubt().map(|doubt| doubt.to_string()),
            seconds: self.before.1 + self.began.elapsed().as_secs_f64(),
            results: pairs::to_text(&self.path),
            ahead: pairs::ahead_to(&outcomes),
            ahead_pgn: texts.map(|(&game, played)| (game, played.pgn.clone())).collect(),
            pgn: self.games.as_ref().map(Games::mark),
            fingerprints: self.fingerprints.text(),
        }
    }
}
