//! `gannet-lab sprt`: is A stronger than B? A sequential test that plays until the answer is clear.

mod live;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::arguments::{GameArguments, LimitArguments};
use crate::chart::Chart;
use crate::competitor::Competitor;
use crate::failure::{Failure, Result};
use crate::files;
use crate::pairs::{self, PairResult};
use crate::pool::{self, Jobs};
use crate::stats::{Model, Pentanomial, Sprt, Verdict};
use live::Live;

const EXAMPLES: &str = "\
Examples:
  gannet-lab sprt --a UseNullMove=false --nodes 5000
      is the engine without null moves better than the engine as it is?
  gannet-lab sprt --a ReverseFutility_margin_factor=90 --nodes 10000 --json rfp.json
      Ctrl-C saves; add --resume to go on
  gannet-lab sprt --engine-a ./new/gannet --engine-b ./old/gannet --tc 8+0.08
      any two UCI engines; --a and --b then set their options
  gannet-lab sprt --a UseProbCut=false --tc 8+0.08 --games 2000 --fixed
      exactly 2000 games and an estimate, no early end";

/// Test A against B until one of two hypotheses about their difference is accepted
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Settings of engine A: Name=value,Name=value
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    a: String,
    /// Settings of engine B
    #[arg(long, default_value = "", value_name = "SETTINGS")]
    b: String,
    /// A UCI engine to be A, with its arguments [default: this build]
    #[arg(long, value_name = "COMMAND")]
    engine_a: Option<String>,
    /// A UCI engine to be B, with its arguments [default: this build]
    #[arg(long, value_name = "COMMAND")]
    engine_b: Option<String>,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
    /// Play at most this many games
    #[arg(long = "games", default_value_t = 40_000, value_name = "N")]
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
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Go on with the test that --json has saved
    #[arg(long, requires = "json")]
    resume: bool,
}

/// Where a test is saved if it is interrupted and no file was named.
const EMERGENCY: &str = "gannet-lab-sprt.json";

/// A test as it is written to disk: enough to report it, and to go on with it.
#[derive(Serialize, Deserialize)]
struct Saved {
    a: String,
    b: String,
    conditions: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalised_elo: f64,
    normalised_elo_error: f64,
    superiority_percent: f64,
    sprt: Option<Sprt>,
    llr: Option<f64>,
    verdict: Option<Verdict>,
    seconds: f64,
    /// The results of all pairs in order, two letters each from A's side.
    pairs: String,
    /// Pairs that were finished before an earlier one, by number.
    ahead: BTreeMap<u64, PairResult>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let sprt = test_of(arguments)?;
    let competitors = [
        competitor(&arguments.engine_a, &arguments.a, arguments)?,
        competitor(&arguments.engine_b, &arguments.b, arguments)?,
    ];
    let book = arguments.play.openings()?;
    let conditions = arguments.play.conditions(arguments.limit.limit())?;
    let mut live = Live::new(arguments, sprt, competitors.each_ref().map(Competitor::name));
    let mut done = BTreeMap::new();
    if let Some(path) = &arguments.json {
        if arguments.resume {
            done = live.resume(files::read_json(path)?, path)?;
        } else {
            files::prepare(path)?;
        }
    }
    pool::catch_interrupts()?;
    let last = arguments.max_games.div_ceil(2);
    let first = live.pairs().min(last);
    done.retain(|&pair, _| pair >= first && pair < last);
    let jobs = Jobs { range: first..last, done, threads: arguments.play.threads() };
    let outcome = if live.is_decided() {
        Ok(BTreeMap::new())
    } else {
        pool::run(
            jobs,
            || Ok([competitors[0].start()?, competitors[1].start()?]),
            |[a, b], pair, stop| {
                let records = pairs::play(&book, pair, a.as_mut(), b.as_mut(), &conditions, stop);
                Ok(records.map(|records| (pairs::result(&records), faults(&records))))
            },
            |_, (result, faults)| live.add(result, faults),
        )
    };
    let (ahead, failure) = match outcome {
        Ok(ahead) => (ahead, None),
        Err(failure) if live.pairs() == 0 => return Err(failure),
        Err(failure) => (BTreeMap::new(), Some(failure)),
    };
    live.finish();
    save(arguments, &live, ahead.into_iter().map(|(pair, (result, _))| (pair, result)).collect())?;
    failure.map_or(Ok(()), Err)
}

/// Writes what there is to write; a test that was interrupted is always saved.
fn save(arguments: &Arguments, live: &Live<'_>, ahead: BTreeMap<u64, PairResult>) -> Result<()> {
    let path = match &arguments.json {
        Some(path) => path.as_path(),
        None if pool::interrupted() => Path::new(EMERGENCY),
        None => return Ok(()),
    };
    files::write_json(path, &live.saved(ahead))?;
    println!("\nsaved to {}", path.display());
    if pool::interrupted() {
        println!("to go on: the same command with --json {} --resume", path.display());
    }
    if !live.path().is_empty() {
        let plot = path.with_extension("svg");
        files::write(&plot, &plot_of(live).svg())?;
        println!("plot in {}", plot.display());
    }
    Ok(())
}

fn competitor(command: &Option<String>, settings: &str, arguments: &Arguments) -> Result<Competitor> {
    let common = arguments.play.common();
    match command {
        Some(command) => Competitor::process(command, settings, &common),
        None => Competitor::inside(settings, &common),
    }
}

fn test_of(arguments: &Arguments) -> Result<Option<Sprt>> {
    if arguments.fixed {
        return Ok(None);
    }
    let Arguments { elo0, elo1, alpha, beta, model, .. } = *arguments;
    if !elo0.is_finite() || !elo1.is_finite() || elo0 >= elo1 {
        return Err(Failure::new(format!("--elo0 {elo0} must be less than --elo1 {elo1}")));
    }
    for (name, value) in [("--alpha", alpha), ("--beta", beta)] {
        if !(value > 0.0 && value < 0.5) {
            return Err(Failure::new(format!("{name} {value} must be between 0 and 0.5")));
        }
    }
    Ok(Some(Sprt { elo0, elo1, alpha, beta, model }))
}

/// What engines did wrong in a pair: time losses, and other faults.
fn faults(records: &[crate::runner::Record; 2]) -> [u64; 2] {
    use crate::runner::Reason;
    let count = |test: fn(&Reason) -> bool| records.iter().filter(|record| test(&record.reason)).count() as u64;
    [count(|reason| *reason == Reason::TimeLoss), count(|reason| matches!(reason, Reason::Fault(_)))]
}

/// The path of the likelihood ratio, or of Elo where there is no test.
fn plot_of(live: &Live<'_>) -> Chart {
    let mut results = Pentanomial::default();
    let (mut points, mut levels) = (Vec::new(), Vec::new());
    let sprt = live.sprt();
    let every = live.path().len().div_ceil(2000).max(1);
    for (index, pair) in live.path().iter().enumerate() {
        results.0[pair[0] + pair[1]] += 1;
        if index % every == 0 || index + 1 == live.path().len() {
            let value = sprt.map_or_else(|| results.elo().value, |sprt| sprt.llr(&results));
            points.push((2.0 * (index + 1) as f64, value));
        }
    }
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        levels = vec![(format!("H0 {lower:.2}"), lower), (format!("H1 {upper:.2}"), upper)];
    }
    let name = if sprt.is_some() { "LLR" } else { "Elo" };
    Chart { title: live.title(), x_label: "games".to_string(), lines: vec![(name.to_string(), points)], levels }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Limit;
    use std::ops::ControlFlow;

    #[test]
    fn games_do_not_depend_on_the_threads() {
        let common = crate::competitor::Common { hash: 1, chess960: false, patience: Default::default() };
        let [a, b] = ["UseNullMove=false", ""].map(|text| Competitor::inside(text, &common).expect("good settings"));
        let book = crate::book::Book::Random { seed: 3, plies: 8, chess960: false };
        let conditions = crate::runner::Conditions {
            limit: Limit::Nodes(200),
            margin: Default::default(),
            adjudication: Some(Default::default()),
            max_plies: 120,
            tables: None,
        };
        let play = |threads| {
            let mut all = Vec::new();
            let jobs = Jobs { range: 0..6, done: BTreeMap::new(), threads };
            let rest = pool::run(
                jobs,
                || Ok([a.start()?, b.start()?]),
                |[a, b], pair, stop| {
                    let records = pairs::play(&book, pair, a.as_mut(), b.as_mut(), &conditions, stop);
                    Ok(records.map(|records| records.map(|record| record.game.moves().to_vec())))
                },
                |_, games| {
                    all.push(games);
                    ControlFlow::Continue(())
                },
            );
            assert!(rest.is_ok_and(|rest| rest.is_empty()));
            all
        };
        let alone = play(1);
        assert_eq!(alone.len(), 6);
        assert_eq!(alone, play(3));
    }
}
