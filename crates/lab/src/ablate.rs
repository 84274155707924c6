//! `gannet-lab ablate`: what is each heuristic worth? Each is switched the other way in turn and plays the engine as
//! it is; the ledger of all results is a page of the documentation.

mod ledger;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use engine::{ParamValue, Params};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{GameArguments, LimitArguments};
use crate::book::Book;
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};
use crate::files;
use crate::pairs::{self, Score};
use crate::pgn;
use crate::player::Limit;
use crate::pool::{self, Jobs};
use crate::runner::Conditions;
use ledger::{Ledger, Row};

const EXAMPLES: &str = "\
Examples:
  gannet-lab ablate --nodes 10000 --games 2000
      every heuristic, 2000 games each; the ledger is docs/heuristics.md
  gannet-lab ablate --nodes 10000 --games 20000 --error 4 --only UseNullMove,UseRazoring
      these two until the error is at most 4 Elo; the other rows of the ledger stay as they are

The measurements are kept as JSON beside the page. A heuristic that has been measured under the same conditions and
bench is not measured again unless --again is given, so that an interrupted run goes on where it was.";

/// Measure each heuristic by switching it off
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
    /// Games for each heuristic, at most
    #[arg(long, default_value_t = 1000, value_name = "N")]
    games: u64,
    /// Stop earlier when the 95 % error is at most so many Elo
    #[arg(long, value_name = "ELO")]
    error: Option<f64>,
    /// Only these switches, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Measure again what has been measured already
    #[arg(long)]
    again: bool,
    /// The bench of this build, to go with the results (`gannet bench` prints it)
    #[arg(long, value_name = "NODES")]
    bench: Option<u64>,
    /// The page to write
    #[arg(long, default_value = "docs/heuristics.md", value_name = "FILE")]
    out: PathBuf,
    /// The measurements [default: the page's name with .json]
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A heuristic that can be switched.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Switch {
    heuristic: &'static str,
    option: String,
    default: bool,
}

fn switches() -> Vec<Switch> {
    let mut list = Vec::new();
    Params::default().visit(&mut |param| {
        if let ParamValue::Switch { default, .. } = param.value {
            list.push(Switch { heuristic: param.heuristic, option: param.name, default });
        }
    });
    list
}

/// Everything that stays the same from one heuristic to the next.
struct Bench {
    book: Book,
    conditions: Conditions,
    common: Common,
    threads: usize,
    games: u64,
    error: Option<f64>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let chosen = chosen(arguments)?;
    let json = arguments.json.clone().unwrap_or_else(|| arguments.out.with_extension("json"));
    let mut ledger: Ledger = if json.exists() { files::read_json(&json)? } else { Ledger::default() };
    // Whether the files can be written is better known before than after the games.
    files::write_json(&json, &ledger)?;
    files::write(&arguments.out, &ledger.page())?;
    let bench = Bench {
        book: arguments.play.openings()?,
        conditions: arguments.play.conditions(arguments.limit.limit())?,
        common: arguments.play.common(),
        threads: arguments.play.threads(),
        games: arguments.games,
        error: arguments.error,
    };
    let conditions = arguments.play.describe(arguments.limit.limit());
    let target = arguments.error.unwrap_or(0.0);
    pool::catch_interrupts()?;
    for (index, switch) in chosen.iter().enumerate() {
        if pool::interrupted() {
            break;
        }
        if switch.option == "UseTimeManagement" && !matches!(bench.conditions.limit, Limit::Clock(_)) {
            println!("{:<28} needs a clock (--tc)", switch.option);
            continue;
        }
        if !arguments.again && ledger.has(&switch.option, &conditions, arguments.bench, arguments.games, target) {
            println!("{:<28} measured before", switch.option);
            continue;
        }
        let title = format!("{}/{} {}", index + 1, chosen.len(), switch.option);
        let score = measure(&bench, switch, &title)?;
        if score.total() == 0 {
            continue;
        }
        let row = row(switch, &score, &conditions, arguments.bench);
        println!("{}", row.line());
        ledger.put(row);
        files::write_json(&json, &ledger)?;
        files::write(&arguments.out, &ledger.page())?;
    }
    println!("\nthe ledger is in {}", arguments.out.display());
    Ok(())
}

/// The switches that were asked for.
fn chosen(arguments: &Arguments) -> Result<Vec<Switch>> {
    let all = switches();
    if arguments.only.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let found = all.iter().find(|switch| switch.option.eq_ignore_ascii_case(name.trim()));
        let known = || all.iter().map(|switch| switch.option.as_str()).collect::<Vec<_>>().join(", ");
        found.cloned().ok_or_else(|| Failure::new(format!("--only {name}: no such switch; there are {}", known())))
    };
    arguments.only.iter().map(find).collect()
}

/// Plays the engine with the heuristic (A) against the engine without it (B).
fn measure(bench: &Bench, switch: &Switch, title: &str) -> Result<Score> {
    let setting = |on: bool| if on == switch.default { String::new() } else { format!("{}={on}", switch.option) };
    let with = Competitor::inside(&setting(true), &bench.common)?;
    let without = Competitor::inside(&setting(false), &bench.common)?;
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{prefix:36} {bar:20} {pos}/{len} {eta} left {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(bench.games).with_style(style).with_prefix(title.to_string())
    });
    let mut score = Score::default();
    let mut spoken = Instant::now();
    let jobs = Jobs { range: 0..bench.games.div_ceil(2), done: BTreeMap::new(), threads: bench.threads };
    pool::run(
        jobs,
        || Ok([with.start()?, without.start()?]),
        |[a, b], pair, stop| {
            let records = pairs::play(&bench.book, pair, a.as_mut(), b.as_mut(), &bench.conditions, stop);
            Ok(records.map(|records| pairs::result(&records)))
        },
        |_, result| {
            score.add(result);
            let elo = score.pairs.elo();
            if let Some(bar) = &bar {
                bar.set_position(score.total());
                bar.set_message(elo.to_string());
            } else if spoken.elapsed() >= Duration::from_secs(10) {
                spoken = Instant::now();
                eprintln!("{title}: {} games, Elo {elo}", score.total());
            }
            let enough = bench.error.is_some_and(|error| score.pairs.pairs() >= 50 && elo.error <= error);
            if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    Ok(score)
}

fn row(switch: &Switch, score: &Score, conditions: &str, bench: Option<u64>) -> Row {
    let elo = score.pairs.elo();
    Row {
        heuristic: switch.heuristic.to_string(),
        option: switch.option.clone(),
        default: switch.default,
        elo: elo.value,
        error: elo.error,
        games: score.total(),
        pentanomial: score.pairs.0,
        conditions: conditions.to_string(),
        bench,
        date: pgn::today().replace('.', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_is_of_a_switch_that_exists() {
        let all = switches();
        assert!(all.len() > 20);
        for (option, _) in ledger::CLAIMS {
            assert!(all.iter().any(|switch| switch.option == option), "{option}");
        }
    }

    #[test]
    fn a_heuristic_is_measured() {
        let bench = Bench {
            book: Book::Random { seed: 1, plies: 8, chess960: false },
            conditions: Conditions {
                limit: Limit::Nodes(100),
                margin: Duration::ZERO,
                adjudication: Some(Default::default()),
                max_plies: 60,
                tables: None,
            },
            common: Common { hash: 1, chess960: false, patience: Duration::ZERO },
            threads: 2,
            games: 8,
            error: None,
        };
        let switch = switches().into_iter().find(|switch| switch.option == "UseQuiescence").expect("it exists");
        let score = measure(&bench, &switch, "").expect("games");
        assert_eq!(score.total(), 8);
    }
}
