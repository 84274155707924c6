//! `gannet-lab sprt`: is A stronger than B? A sequential test that plays until the answer is clear.

mod live;
mod merged;
mod report;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::arguments::{GameArguments, LimitArguments, PAIRED, with_costs};
use crate::chart::Chart;
use crate::competitor::{self, Competitor, Own};
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::pairs::{self, Ahead, Faults, Outcome, Played, Score};
use crate::player::Limit;
use crate::pool::{self, Jobs, Rest};
use crate::register::{self, Counts, Found, Run};
use crate::runner::Record;
use crate::sheet::{self, Mark};
use crate::side::Side;
use crate::stats::{Known, MOST_ELO, Model, Sprt, Verdict};
use live::Live;

const EXAMPLES: &str = "\
Examples:
  gannet-lab sprt --a UseNullMove=false
      is the engine without null moves better than the engine as it is?
  gannet-lab sprt --a ReverseFutility_margin_factor=90 --nodes 100000 --json rfp.json
      verifies what 25000 nodes, the default, have shown; Ctrl-C saves, add --resume to go on
  gannet-lab sprt --a worktree --b HEAD --tc 8+0.08
      the sources as they stand against the last commit; both are built, and kept for the next test
  gannet-lab sprt --a HEAD --b HEAD~20:NullMove_min_depth=3 --nodes 25000
      any git revision, folder with sources or worktree, with settings behind a colon
  gannet-lab sprt --engine-a ./new/gannet --engine-b ./old/gannet --tc 8+0.08
      any two UCI engines; --a and --b then set their options
  gannet-lab sprt --a UseProbCut=false --tc 8+0.08 --games 2000 --fixed
      exactly 2000 games and an estimate, no early end
  gannet-lab sprt --a UseProbCut=false --fixed --games 20000 --seed 2 --json two.json
  gannet-lab sprt --merge one.json two.json --json sum.json
      the games of two machines, or of two times, as one test; every pair of games counts once
  gannet-lab sprt --a \"\" --b \"\" --fixed --games 1000 --node-jitter 20
      the engine against itself, to see that nobody is favoured; without the jitter both games of
      a pair would be the same game

Exit status: 0 whichever hypothesis is accepted, or none of them after all the games (the output and
\"verdict\" in the JSON say which), 1 the test could not be played, or too many games were lost on
time or by crashes to be trusted, 2 bad arguments, 130 interrupted before either, with everything
saved and shown.";

/// Test A against B until one of two hypotheses about their difference is accepted
#[derive(Args, Clone, Debug)]
#[command(after_help = with_costs(EXAMPLES))]
pub struct Arguments {
    /// Engine A: settings of this build (Name=value,Name=value), or a version that is built for the test: a git
    /// revision, a folder with sources, or worktree; also VERSION:Name=value,… [default: this build]
    #[arg(long, value_name = "SETTINGS|VERSION")]
    a: Option<String>,
    /// Engine B, likewise [default: this build]
    #[arg(long, value_name = "SETTINGS|VERSION")]
    b: Option<String>,
    /// A UCI engine to be A, with its arguments [default: this build]
    #[arg(long, value_name = "COMMAND")]
    engine_a: Option<String>,
    /// A UCI engine to be B, with its arguments [default: this build]
    #[arg(long, value_name = "COMMAND")]
    engine_b: Option<String>,
    /// A limit for A alone: nodes=N, depth=N, movetime=MS or tc=TIME [default: that of the test]
    #[arg(long, value_name = "LIMIT", value_parser = LIMIT)]
    limit_a: Option<Limit>,
    /// A limit for B alone, likewise
    #[arg(long, value_name = "LIMIT", value_parser = LIMIT)]
    limit_b: Option<Limit>,
    /// The table of A alone, in MiB [default: --hash]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash_a: Option<u64>,
    /// The table of B alone, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash_b: Option<u64>,
    /// Play at most this many games; they come in pairs, an odd number is taken as one more
    #[arg(long = "games", default_value_t = 40_000, value_name = "N", value_parser = PAIRED)]
    max_games: u64,
    /// Play all the games and estimate; no early end
    #[arg(long)]
    fixed: bool,
    /// The first hypothesis: A is so much better
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The second hypothesis: A is so much better
    #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often the second may be accepted wrongly
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often the first may be accepted wrongly
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// What --elo0 and --elo1 are counted in
    #[arg(long, value_enum, default_value_t = Model::Normalised)]
    model: Model,
    /// Write the result to this file, and a plot beside it
    #[arg(long, value_name = "FILE", default_value = "gannet-lab-sprt.json")]
    json: PathBuf,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go on with the test that --json has saved
    #[arg(long)]
    resume: bool,
    /// Play nothing; add up what these tests have found, of the same engines with other seeds, and judge the sum
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["resume", "a", "b", "engine_a", "engine_b"])]
    merge: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
}

/// Reads the limit of one side.
const LIMIT: fn(&str) -> std::result::Result<Limit, String> = |text| {
    let (kind, value) = text.split_once('=').unwrap_or((text, ""));
    Limit::parse(kind, value).map_err(|failure| failure.to_string())
};

/// A test as it is written to disk: enough to report it, and to go on with it.
#[derive(Serialize, Deserialize)]
struct Saved {
    a: String,
    b: String,
    /// Everything that decides how A and B play.
    engines: [String; 2],
    /// The benches of A and B, as far as they are known.
    #[serde(default)]
    benches: [Option<u64>; 2],
    conditions: String,
    games: u64,
    /// How many different openings, if that is known, and different games these are.
    #[serde(default)]
    openings: u64,
    #[serde(default)]
    distinct_games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalised_elo: f64,
    normalised_elo_error: f64,
    superiority_percent: f64,
    /// How A and B have lost otherwise than on the board.
    faults: [Faults; 2],
    sprt: Option<Sprt>,
    llr: Option<f64>,
    verdict: Option<Verdict>,
    /// Why the games are not to be trusted; then there is no verdict.
    #[serde(default)]
    doubt: Option<String>,
    seconds: f64,
    /// All games in order from A's side, a letter each; see [`Outcome::letter`].
    results: String,
    /// Games that were finished before an earlier one, by number.
    ahead: Ahead,
    /// The same games as PGN, if games are written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ahead_pgn: BTreeMap<u64, String>,
    /// How far the file of games has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pgn: Option<Mark>,
    /// What tells the games apart, twelve digits each.
    #[serde(default)]
    fingerprints: String,
}

/// What a saved test has found.
#[derive(Clone, Debug)]
pub struct FoundTest {
    /// Games.
    pub games: u64,
    /// Pairs by the points of A.
    pub pentanomial: [u64; 5],
    /// The test, if it was a sequential one.
    pub sprt: Option<Sprt>,
    /// Its log-likelihood ratio.
    pub llr: Option<f64>,
    /// What was accepted, if anything was.
    pub verdict: Option<Verdict>,
}

/// Reads what a test has found so far.
pub fn found(path: &Path) -> Result<FoundTest> {
    let Saved { games, pentanomial, sprt, llr, verdict, .. } = files::read_json(path)?;
    let verdict = verdict.filter(|verdict| *verdict != Verdict::Undecided);
    Ok(FoundTest { games, pentanomial, sprt, llr, verdict })
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.merge.is_empty() {
        return merged::run(arguments);
    }
    pool::catch_interrupts()?;
    test(arguments)
}

/// Plays a test.
pub fn test(arguments: &Arguments) -> Result<()> {
    let sprt = test_of(arguments)?;
    arguments.limit.settle(arguments.play.threads())?;
    let competitors = competitors(arguments)?;
    refuse_twins(arguments, &competitors)?;
    let book = arguments.play.openings()?;
    let conditions = arguments.play.conditions(arguments.limit.limit())?;
    let path = &arguments.json;
    let plot = path.with_extension("svg");
    let mut results = vec![("the result", path.as_path()), ("its plot", &plot)];
    results.extend(arguments.pgn.as_deref().map(|pgn| ("the games", pgn)));
    files::distinct(&results)?;
    let target = if arguments.resume { Target::of_resumed(path)? } else { Target::new(path)? };
    let mut live = Live::new(arguments, sprt, &competitors, &book, target)?;
    let mut done = BTreeMap::new();
    if arguments.resume {
        done = live.resume(files::read_json(path)?, path)?;
    }
    let with_pgn = live.write_games()?;
    let rules = sprt.map_or("fixed".to_string(), |sprt| sprt.to_string());
    let names = Competitor::names(&competitors);
    let sides: Vec<_> = names.iter().map(String::as_str).zip(&competitors).collect();
    let run = Run::begin("sprt", &arguments.play, arguments.limit.limit(), &sides, &rules)?.resumed(arguments.resume);
    competitor::tell_twins(&competitors[0], &competitors[1], arguments.limit.limit(), arguments.play.node_jitter);
    let prints = live.fingerprints();
    let last = arguments.max_games;
    let first = live.games().min(last);
    done.retain(|&game, _| game >= first && game < last);
    let Rest { waiting, failure } = if live.is_over() {
        Rest { waiting: done, failure: None }
    } else {
        pool::run_and_keep(
            Jobs { range: first..last, done, threads: arguments.play.threads() },
            || Ok([competitors[0].start()?, competitors[1].start()?]),
            |[a, b], game, stop| {
                let record = pairs::play(&book, game, a.as_mut(), b.as_mut(), &conditions, stop)?;
                Ok(record.map(|record| {
                    prints.note(game, &record.game);
                    let pgn = if with_pgn { game_text(arguments, &names, game, &record) } else { String::new() };
                    Played { outcome: Outcome::of(game, &record), pgn }
                }))
            },
            |_, played| live.add(&played),
        )
    };
    if live.games() == 0 && waiting.is_empty() && (failure.is_some() || live.target().holds_another()) {
        // There is nothing to take the place of an earlier result.
        return failure.map_or_else(|| pool::end(false), Err);
    }
    live.finish();
    save(arguments, &mut live, &waiting, failure.is_some())?;
    let failure = live.doubt().or(failure);
    register(run, &live, failure.as_ref(), live.is_decided() || live.games() >= last);
    failure.map_or_else(|| pool::end(live.is_decided() || live.games() >= last), Err)
}

/// Writes the test and its plot.
fn save(arguments: &Arguments, live: &mut Live<'_>, ahead: &BTreeMap<u64, Played>, failed: bool) -> Result<()> {
    let early = pool::interrupted() || failed;
    let path = &arguments.json;
    live.save(ahead)?;
    println!("\nsaved to {}", path.display());
    if early && !live.is_over() {
        println!("to go on: the same command with --json {} --resume", path.display());
    }
    if !live.path().is_empty() {
        let plot = path.with_extension("svg");
        files::write(&plot, &plot_of(live).svg())?;
        println!("plot in {}", plot.display());
    }
    Ok(())
}

/// A game of the test as PGN.
fn game_text(arguments: &Arguments, [a, b]: &[String; 2], game: u64, record: &Record) -> String {
    let [white, black] = if game.is_multiple_of(2) { [a, b] } else { [b, a] };
    let round = format!("{}.{}", game / 2 + 1, game % 2 + 1);
    let (limit, chess960) = (arguments.limit.limit(), arguments.play.chess960);
    sheet::write(record, &sheet::Header { white, black, round, limit, chess960 })
}

/// Adds the test to the register.
fn register(run: Run, live: &Live<'_>, failure: Option<&Failure>, complete: bool) {
    let saved = live.saved(&BTreeMap::new());
    let counts = Counts { games: saved.games, distinct: Some(saved.distinct_games), seconds: saved.seconds };
    let Saved { pentanomial, wins, draws, losses, sprt, llr, verdict, .. } = saved;
    let path = register::path(live.path(), sprt);
    let games = [wins, draws, losses];
    run.end(failure, complete, counts, Found::Test(register::Test { pentanomial, games, sprt, llr, verdict, path }));
}

/// An engine plays itself only where both sides are named: there is nothing to find out, and nobody waits for that.
fn refuse_twins(arguments: &Arguments, [a, b]: &[Competitor; 2]) -> Result<()> {
    let Arguments { a: settings_a, b: settings_b, engine_a, engine_b, .. } = arguments;
    let named = (settings_a.is_some() || engine_a.is_some()) && (settings_b.is_some() || engine_b.is_some());
    if named || !a.is_same(b) {
        return Ok(());
    }
    Err(Failure::arguments(
        "A and B are the same engine: give one of them other settings (--a, --b), another program (--engine-a, --engine-b) \
         or another limit (--limit-a, --limit-b); to let it play itself all the same, name both: --a \"\" --b \"\"",
    ))
}

/// Both sides are understood before either is built, which may take a while.
fn competitors(arguments: &Arguments) -> Result<[Competitor; 2]> {
    let side = |text: &Option<String>| Side::parse(text.as_deref().unwrap_or_default());
    let [a, b] = [side(&arguments.a)?, side(&arguments.b)?];
    let common = |own: Option<Limit>| arguments.play.common(own.unwrap_or(arguments.limit.limit()));
    let make = |side: &Side, command: &Option<String>, own: Own| {
        side.competitor(command.as_deref(), &own.common(common)).map(|competitor| own.of(competitor))
    };
    let pair = [
        make(&a, &arguments.engine_a, Own { limit: arguments.limit_a, hash: arguments.hash_a })?,
        make(&b, &arguments.engine_b, Own { limit: arguments.limit_b, hash: arguments.hash_b })?,
    ];
    if let [Competitor::Version(a, _), Competitor::Version(b, _)] = pair.each_ref().map(Competitor::bare)
        && a.tree != b.tree
        && a.bench.is_some_and(|bench| b.bench == Some(bench))
    {
        eprintln!("both versions have the same bench: they differ in speed at most, which only a clock shows");
    }
    Ok(pair)
}

fn test_of(arguments: &Arguments) -> Result<Option<Sprt>> {
    if arguments.fixed {
        return Ok(None);
    }
    let Arguments { elo0, elo1, alpha, beta, model, .. } = *arguments;
    for (name, value) in [("--elo0", elo0), ("--elo1", elo1)] {
        if !(-MOST_ELO..=MOST_ELO).contains(&value) {
            return Err(Failure::arguments(format!("{name} {value} must be between {} and {MOST_ELO}", -MOST_ELO)));
        }
    }
    if elo0 >= elo1 {
        return Err(Failure::arguments(format!("--elo0 {elo0} must be less than --elo1 {elo1}")));
    }
    for (name, value) in [("--alpha", alpha), ("--beta", beta)] {
        if !(value > 0.0 && value < 0.5) {
            return Err(Failure::arguments(format!("{name} {value} must be between 0 and 0.5")));
        }
    }
    Ok(Some(Sprt { elo0, elo1, alpha, beta, model }))
}

/// The path of the likelihood ratio, or of Elo where there is no test.
fn plot_of(live: &Live<'_>) -> Chart {
    let mut score = Score::default();
    let (mut points, mut levels) = (Vec::new(), Vec::new());
    let sprt = live.sprt();
    let every = live.path().len().div_ceil(2000).max(1);
    for (index, &outcome) in live.path().iter().enumerate() {
        score.add(outcome);
        if index % every == 0 || index + 1 == live.path().len() {
            let elo = score.pairs.elo();
            let value = match sprt {
                Some(sprt) => Some(sprt.llr(&score.pairs)),
                None => (elo.known != Known::Nothing).then_some(elo.value),
            };
            points.extend(value.map(|value| ((index + 1) as f64, value)));
        }
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        levels = vec![(format!("H0 {lower:.2}"), lower), (format!("H1 {upper:.2}"), upper)];
    }
    let name = if sprt.is_some() { "LLR" } else { "Elo" };
    let lines = vec![(name.to_string(), points)];
    Chart { title: live.title(), x_label: "games".to_string(), lines, levels, ..Chart::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    #[test]
    fn games_do_not_depend_on_the_threads() {
        let zero = std::time::Duration::ZERO;
        let common =
            crate::competitor::Common { hash: 1, hash_chosen: true, chess960: false, patience: zero, startup: zero };
        let [a, b] = ["UseNullMove=false", ""].map(|text| Competitor::inside(text, &common).expect("good settings"));
        let book = crate::book::Book::random(3, 8, false);
        let conditions = crate::runner::Conditions {
            limit: Limit::Nodes(200),
            jitter: None,
            margin: Default::default(),
            adjudication: Some(Default::default()),
            max_plies: 120,
            tables: None,
        };
        let play = |threads| {
            let mut all = Vec::new();
            let jobs = Jobs { range: 0..12, done: BTreeMap::new(), threads };
            let rest = pool::run(
                jobs,
                || Ok([a.start()?, b.start()?]),
                |[a, b], game, stop| {
                    let record = pairs::play(&book, game, a.as_mut(), b.as_mut(), &conditions, stop)?;
                    Ok(record.map(|record| record.game.moves().to_vec()))
                },
                |_, moves| {
                    all.push(moves);
                    ControlFlow::Continue(())
                },
            );
            assert!(rest.is_ok_and(|rest| rest.is_empty()));
            all
        };
        let alone = play(1);
        assert_eq!(alone.len(), 12);
        for threads in [2, 3, 8] {
            assert_eq!(alone, play(threads), "{threads} threads");
        }
    }
}
