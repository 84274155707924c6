//! A run that is going to be registered: what is known of it before its games, and its line once they are played.

use std::path::PathBuf;

use super::{Entry, Found, Point, Side, Status, add, place};
use crate::arguments::GameArguments;
use crate::builds::git::Git;
use crate::competitor::Competitor;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::merge;
use crate::pairs::{Outcome, Score};
use crate::player::Limit;
use crate::pool;
use crate::process::EngineCommand;
use crate::stats::{Known, Sprt};
use engine::crc32;

/// A run before its end.
#[derive(Clone, Default)]
pub struct Run {
    register: Option<PathBuf>,
    entry: Entry,
}

/// What was counted in a run.
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Those that are not one played before, where that is known.
    pub distinct: Option<u64>,
    /// Seconds, with those of what it went on with.
    pub seconds: f64,
}

impl Run {
    /// A run that begins. `rules` is what, besides the engines and the conditions, makes it the run it is.
    pub fn begin(
        command: &str,
        play: &GameArguments,
        limit: Limit,
        engines: &[(&str, &Competitor)],
        rules: &str,
    ) -> Result<Run> {
        let mut entry = Entry { command: command.to_string(), ..Entry::default() };
        let Some(register) = place(play.register.as_deref()) else { return Ok(Run { register: None, entry }) };
        let conditions = play.describe(limit);
        let mut identity = format!("{command} {conditions} {rules}");
        for (name, engine) in engines {
            identity += &format!(" {name} {}", engine.fingerprint()?);
            entry.engines.push(side(name, engine)?);
        }
        entry.key = format!("{:08x}", crc32(identity.as_bytes()));
        (entry.limit, entry.book, entry.seed) = (limit.to_string(), play.book_name(), play.seed);
        (entry.machine, entry.threads) = (machine::cpu(), play.threads());
        // A book has the same name on every machine, and its folder is nobody's business.
        entry.conditions = match &play.book {
            Some(book) => conditions.replacen(&book.display().to_string(), &play.book_name(), 1),
            None => conditions,
        };
        Ok(Run { register: Some(register), entry })
    }

    /// What several runs on several machines have found together, under conditions that name all their seeds.
    pub fn of_sum(command: &str, play: &GameArguments, engines: [&str; 2], conditions: &str) -> Run {
        let kind = merge::kind(conditions);
        let part = |number: usize| kind.get(number).map_or(String::new(), |part| part.to_string());
        let entry = Entry {
            command: command.to_string(),
            key: format!("{:08x}", crc32(format!("{command} {conditions} {engines:?}").as_bytes())),
            engines: engines.map(|name| Side { name: name.to_string(), ..Side::default() }).into(),
            limit: part(0),
            book: part(1),
            conditions: format!("{}, {}", merge::in_short(conditions), kind.join(", ")),
            machine: "several runs".to_string(),
            ..Entry::default()
        };
        Run { register: place(play.register.as_deref()), entry }
    }

    /// The same run of this build's engine, which plays with itself.
    pub fn of_this_build(command: &str, play: &GameArguments, limit: Limit, rules: &str) -> Result<Run> {
        let engine = Competitor::inside("", &play.common(limit))?;
        Run::begin(command, play, limit, &[("this build", &engine)], rules)
    }

    /// Says that it goes on with an earlier run.
    pub fn resumed(mut self, resumed: bool) -> Run {
        self.entry.resumed = resumed;
        self
    }

    /// Adds its line to the register. What cannot be registered is told; the run has its own files.
    pub fn end(self, failed: Option<&Failure>, complete: bool, counts: Counts, found: Found) {
        let Run { register: Some(register), mut entry } = self else { return };
        if counts.games == 0 {
            return;
        }
        entry.status = match failed {
            Some(_) => Status::Failed,
            None if pool::interrupted() && !complete => Status::Interrupted,
            None => Status::Done,
        };
        entry.date = machine::now();
        (entry.games, entry.distinct_games) = (counts.games, counts.distinct);
        entry.seconds = (counts.seconds * 10.0).round() / 10.0;
        entry.found = found;
        match add(&register, &[entry]) {
            Ok(()) => println!("registered in {}", register.display()),
            Err(failure) => eprintln!("gannet-lab: {failure}"),
        }
    }
}

/// What is known of an engine.
fn side(name: &str, engine: &Competitor) -> Result<Side> {
    let side = Side { name: name.to_string(), ..Side::default() };
    Ok(match engine.bare() {
        Competitor::Inside { text, .. } => {
            let bench = engine.bench()?;
            Side { commit: bench.and_then(commit_with), bench, options: text.clone(), ..side }
        }
        Competitor::Process(command) => Side { options: options_of(command), ..side },
        Competitor::Version(built, command) => {
            Side { commit: built.commit.clone(), bench: built.bench, options: options_of(command), ..side }
        }
        Competitor::Own(..) => side,
    })
}

/// What is set in an engine, as it is written on the command line.
fn options_of(command: &EngineCommand) -> String {
    let options: Vec<String> = command.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    options.join(",")
}

/// The commit that is checked out here, if it is one of an engine with this bench.
fn commit_with(bench: u64) -> Option<String> {
    let told = Git::here().run(&["log", "-1", "--format=%H%n%B"]).ok()?;
    let (commit, message) = told.split_once('\n')?;
    message.lines().any(|line| line.trim() == format!("Bench: {bench}")).then(|| commit.to_string())
}

/// The way of a test is kept as so many points at most.
const POINTS: usize = 60;

/// The way of a test through its games.
pub fn path(outcomes: &[Outcome], sprt: Option<Sprt>) -> Vec<Point> {
    let (mut score, mut points) = (Score::default(), Vec::new());
    let every = (outcomes.len() / 2).div_ceil(POINTS).max(1) * 2;
    for (index, &outcome) in outcomes.iter().enumerate() {
        score.add(outcome);
        let games = index + 1;
        if games % every != 0 && games != outcomes.len() {
            continue;
        }
        let elo = score.pairs.elo();
        if elo.known == Known::All {
            let llr = sprt.map_or(0.0, |sprt| sprt.llr(&score.pairs));
            let [elo, error, llr] = [elo.value, elo.error, llr].map(rounded);
            points.push((games as u64, elo, error, llr));
        }
    }
    points
}

/// How many values the path of a tuning is kept as, about.
const VALUES: usize = 2000;

/// The path of a tuning with fewer points, the first and the last among them.
pub fn thinned(path: &[(u64, Vec<f64>)]) -> Vec<(u64, Vec<f64>)> {
    let numbers = path.last().map_or(1, |(_, values)| values.len().max(1));
    let every = path.len().div_ceil((VALUES / numbers).clamp(10, POINTS)).max(1);
    let kept = path.iter().enumerate().filter(|(index, _)| index % every == 0 || index + 1 == path.len());
    kept.map(|(_, (pair, values))| (*pair, values.iter().copied().map(rounded).collect())).collect()
}

/// A number as exactly as anybody wants to read it.
pub fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
