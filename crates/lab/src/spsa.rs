//! `gannet-lab spsa`: tunes many numbers at once by simultaneous perturbation stochastic approximation. Every pair of
//! games nudges all of them up or down at random, and moves them a little towards the side that won.

mod apply;
mod descent;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use engine::{ParamValue, Params, Source};

use crate::arguments::{GameArguments, LimitArguments, MANY, with_costs};
use crate::bench;
use crate::chart::Chart;
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::pairs::{self, Outcome, Score};
use crate::player::Inside;
use crate::pool::{self, Jobs, Rest, Stop};
use crate::progress::{Every, Progress};
use crate::register::{self, Counts, Found, Number, Run, Tuning};
use crate::settings;
use descent::{Descent, Tunable};

const EXAMPLES: &str = "\
Examples:
  gannet-lab spsa --tune NullMove,ReverseFutility --pairs 20000 --state spsa.json
      all numbers of these heuristics, with the ranges and steps they declare
  gannet-lab spsa --tune all --print > inputs.txt
      the inputs to choose from and edit: name, int, start, min, max, C_end, R_end
  gannet-lab spsa --inputs inputs.txt --pairs 20000 --state chosen.json
      tunes those; interrupted, it goes on with the same command and --resume
  gannet-lab spsa --tune Razoring --with UseRazoring=true --state razoring.json
      an idea that is off decides nothing, and is not tuned before it is turned on
  gannet-lab spsa --state spsa.json --apply crates/engine/src
      makes the new values the defaults; look at them with git diff

Ctrl-C saves to the state file; --resume goes on. Beside it stand a plot of every parameter's
path (.svg) and the new values in the form of the inputs (.txt).

Exit status: 0 when all pairs are played, 1 they could not be, 2 bad arguments, 130 interrupted
before that, with everything saved and shown.";

/// Tune parameters by simultaneous perturbation
#[derive(Args, Clone, Debug)]
#[command(after_help = with_costs(EXAMPLES))]
#[command(group(ArgGroup::new("what").args(["tune", "inputs", "apply"]).required(true)))]
pub struct Arguments {
    /// Parameters or whole heuristics by name, separated by commas, or all
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    tune: Vec<String>,
    /// A file of inputs: name, int, start, min, max, C_end, R_end
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Write the values of the state file into the sources in this folder, as the new defaults, and do nothing else
    #[arg(long, value_name = "FOLDER", conflicts_with = "resume")]
    apply: Option<PathBuf>,
    /// What the engine that is tuned has set besides, such as UseRazoring=true
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true)]
    with: String,
    /// Print the inputs and do nothing else
    #[arg(long)]
    print: bool,
    /// How many pairs of games in all; the steps shrink towards the end
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = MANY)]
    pairs: u64,
    /// The state of the tuning, saved as it goes
    #[arg(long, default_value = "spsa.json", value_name = "FILE")]
    state: PathBuf,
    /// Go on with the tuning that the state file holds
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
}

/// How many pairs a pair may be ahead of the values it is based on. That keeps all cores busy, and still what each pair
/// is based on does not depend on how many there are.
const LAG: u64 = 64;

/// The descent, and who waits for it to go on.
struct Shared {
    descent: Mutex<Descent>,
    moved: Condvar,
}

impl Shared {
    /// Both sides' values for a pair, once the pairs it is based on are there. None if stopped before.
    fn sides(&self, pair: u64, stop: &Stop) -> Option<[Vec<i32>; 2]> {
        let mut descent = self.descent.lock().ok()?;
        loop {
            if stop.is_set() {
                return None;
            }
            if let Some(sides) = descent.sides(pair) {
                return Some(sides);
            }
            descent = self.moved.wait_timeout(descent, Duration::from_millis(100)).ok()?.0;
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(folder) = &arguments.apply {
        let descent: Descent = files::read_json(&arguments.state)?;
        return apply::run(folder, &descent);
    }
    let (base, source) = settings::read(&arguments.with)?;
    let tunables = tunables(arguments, &base)?;
    if arguments.print {
        tunables.iter().for_each(|tunable| println!("{}", tunable.line()));
        return Ok(());
    }
    arguments.limit.settle(arguments.play.threads())?;
    let (state, [list, plot]) = (&arguments.state, beside(&arguments.state));
    files::distinct(&[("the state", state), ("the new values", &list), ("the plot", &plot)])?;
    let conditions = arguments.play.describe(arguments.limit.limit());
    let with = if arguments.with.is_empty() { String::new() } else { format!(" with {}", arguments.with) };
    let conditions = format!("{conditions}, this build [{:08x}]{with}", bench::own_sum()?);
    let mut target = if arguments.resume { Target::of_resumed(state)? } else { Target::new(state)? };
    let descent = if arguments.resume {
        let descent: Descent = files::read_json(&arguments.state)?;
        descent
            .check(&tunables, arguments.pairs, &conditions)
            .map_err(|error| Failure::file("go on with", &arguments.state, error))?;
        descent
    } else {
        Descent::new(tunables, arguments.pairs, arguments.play.seed, conditions)
    };
    let rules: String = descent.tunables().iter().map(Tunable::line).collect();
    let run = Run::of_this_build("spsa", &arguments.play, arguments.limit.limit(), &rules)?.resumed(arguments.resume);
    let began = Instant::now();
    pool::catch_interrupts()?;
    let descent = tune(arguments, (&base, &source), descent, &mut target)?;
    if !descent.has_games() && target.holds_another() {
        // There is nothing to take the place of an earlier result.
        return pool::end(false);
    }
    report(arguments, &descent, &mut target)?;
    let counts = Counts { games: 2 * descent.done(), distinct: None, seconds: began.elapsed().as_secs_f64() };
    run.end(None, descent.done() >= descent.pairs(), counts, found(&descent));
    pool::end(descent.done() >= descent.pairs())
}

/// The tuning as the register keeps it.
fn found(descent: &Descent) -> Found {
    let number = |(tunable, &value): (&Tunable, &f64)| Number {
        name: tunable.name.clone(),
        start: tunable.start,
        value: register::rounded(value),
        step: tunable.c_end,
    };
    let numbers = descent.tunables().iter().zip(descent.values()).map(number).collect();
    Found::Tuning(Tuning { pairs: descent.pairs(), numbers, path: register::thinned(descent.path()) })
}

/// Where the new values and the plot stand.
fn beside(state: &Path) -> [PathBuf; 2] {
    ["txt", "svg"].map(|extension| state.with_extension(extension))
}

/// The inputs: from a file, or from what the heuristics declare.
fn tunables(arguments: &Arguments, base: &Params) -> Result<Vec<Tunable>> {
    let list = match &arguments.inputs {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
            lines
                .map(|(index, line)| {
                    let place = format!("line {}", index + 1);
                    Tunable::parse(line).map_err(|error| Failure::file("use", path, format!("{place}: {error}")))
                })
                .collect::<Result<Vec<_>>>()?
        }
        None => declared(&arguments.tune, base)?,
    };
    refuse_idle(&list, base)?;
    for (index, tunable) in list.iter().enumerate() {
        for value in [tunable.start, tunable.min, tunable.max] {
            base.clone()
                .set(&tunable.name, &value.round().to_string())
                .map_err(|error| Failure::new(format!("cannot tune {}: {error}", tunable.name)))?;
        }
        if list[..index].iter().any(|earlier| earlier.name == tunable.name) {
            return Err(Failure::new(format!("cannot tune {} twice at once", tunable.name)));
        }
    }
    if list.is_empty() { Err(Failure::new("there is nothing to tune")) } else { Ok(list) }
}

/// Whether each number decides anything, and what switches it: those of an idea that is off do not.
fn switches(base: &Params) -> BTreeMap<String, (String, bool)> {
    let (mut numbers, mut switches) = (Vec::new(), BTreeMap::new());
    base.clone().visit(&mut |param| match param.value {
        ParamValue::Switch { value, .. } => _ = switches.insert(param.heuristic, (param.name, *value)),
        ParamValue::Number { .. } => numbers.push((param.name, param.heuristic)),
    });
    let of = |(name, heuristic)| Some((name, switches.get(heuristic).cloned()?));
    numbers.into_iter().filter_map(of).collect()
}

/// Games cannot tell numbers apart that decide nothing: the tuning would end where it began, and nobody would know why.
fn refuse_idle(list: &[Tunable], base: &Params) -> Result<()> {
    let switches = switches(base);
    let idle = list.iter().find_map(|tunable| match switches.get(&tunable.name) {
        Some((switch, false)) => Some((&tunable.name, switch)),
        _ => None,
    });
    idle.map_or(Ok(()), |(name, switch)| {
        Err(Failure::arguments(format!(
            "cannot tune {name}: {switch} is false, so it decides nothing; turn it on with --with {switch}=true, or leave it out"
        )))
    })
}

fn declared(names: &[String], base: &Params) -> Result<Vec<Tunable>> {
    let switches = switches(base);
    let all: Vec<Tunable> = base
        .clone()
        .tuner_lines()
        .iter()
        .map(|line| Tunable::parse(line).map_err(|error| Failure::new(format!("'{line}': {error}"))))
        .collect::<Result<_>>()?;
    let mut heuristic_of = BTreeMap::new();
    Params::default().visit(&mut |param| {
        heuristic_of.insert(param.name, param.heuristic);
    });
    let wanted = |tunable: &Tunable, name: &str| {
        let name = &*engine::params::present_name(name);
        name.eq_ignore_ascii_case("all") && switches.get(&tunable.name).is_none_or(|(_, on)| *on)
            || tunable.name.eq_ignore_ascii_case(name)
            || heuristic_of.get(&tunable.name).is_some_and(|heuristic| heuristic.eq_ignore_ascii_case(name))
    };
    for name in names {
        if !all.iter().any(|tunable| wanted(tunable, name.trim())) {
            return Err(Failure::arguments(format!(
                "--tune {name}: no number or heuristic with numbers has this name"
            )));
        }
    }
    Ok(all.into_iter().filter(|tunable| names.iter().any(|name| wanted(tunable, name.trim()))).collect())
}

/// The engine that is tuned with these values.
fn params(base: &Params, tunables: &[Tunable], values: &[i32]) -> Result<Params> {
    let mut params = base.clone();
    for (tunable, value) in tunables.iter().zip(values) {
        params
            .set(&tunable.name, &value.to_string())
            .map_err(|error| Failure::new(format!("cannot set {} to {value}: {error}", tunable.name)))?;
    }
    Ok(params)
}

fn tune(
    arguments: &Arguments,
    (base, source): (&Params, &Source),
    mut descent: Descent,
    target: &mut Target,
) -> Result<Descent> {
    let (book, limit) = (arguments.play.openings()?, arguments.limit.limit());
    let conditions = arguments.play.conditions(limit)?;
    let tunables = descent.tunables().to_vec();
    let range = 2 * descent.done()..2 * descent.pairs();
    let (mut progress, mut save) = (Progress::new(BAR, "", descent.pairs(), descent.done()), Every::new(SAVE));
    let done = descent.take_ahead().unwrap_or_default();
    let shared = Shared { descent: Mutex::new(descent), moved: Condvar::new() };
    let hash = arguments.play.hash(limit) as usize;
    // The first game of a pair, until the second is there.
    let mut first: Option<(u64, Outcome)> = None;
    let (trust, mut score) = (arguments.play.trust(), Score::default());
    let doubt = |score: &Score| trust.doubt(["up", "down"], score);
    let Rest { mut waiting, failure } = pool::run_and_keep(
        Jobs { range, done, threads: arguments.play.threads() },
        || {
            let fresh = || Inside::new(base, source, hash);
            Ok([fresh()?, fresh()?])
        },
        |[up, down], game, stop| {
            let Some([above, below]) = shared.sides(game / 2, stop) else { return Ok(None) };
            up.set_params(&params(base, &tunables, &above)?);
            down.set_params(&params(base, &tunables, &below)?);
            let record = pairs::play(&book, game, up, down, &conditions, stop)?;
            Ok(record.map(|record| Outcome::of(game, &record)))
        },
        |game, outcome| {
            score.add(outcome);
            match (first.take(), shared.descent.lock()) {
                (Some((_, before)), Ok(mut descent)) => {
                    descent.step(usize::from(before.half_points + outcome.half_points));
                    progress.show(descent.done(), &format!("of {} pairs", descent.pairs()), String::new);
                    if save.is_due() {
                        keep(&descent, target);
                    }
                }
                _ => first = Some((game, outcome)),
            }
            shared.moved.notify_all();
            if doubt(&score).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.clear();
    let mut descent = shared.descent.into_inner().map_err(|_| Failure::new("a thread ended in a panic"))?;
    waiting.extend(first);
    descent.put_ahead(&waiting);
    if let Some(failure) = doubt(&score).or(failure) {
        // What was played is kept, whatever went wrong.
        if descent.has_games() {
            target.write_or_rescue(&files::json(&descent)?)?;
        }
        return Err(failure);
    }
    Ok(descent)
}

/// Saves a tuning that goes on whatever comes of that.
fn keep(descent: &Descent, target: &mut Target) {
    if let Err(failure) = target.write_json(descent) {
        eprintln!("gannet-lab: {failure}; the tuning goes on");
    }
}

/// Prints and writes the new values.
fn report(arguments: &Arguments, descent: &Descent, target: &mut Target) -> Result<()> {
    target.write_or_rescue(&files::json(descent)?)?;
    println!("{:<44} {:>8} {:>10} {:>8}", "parameter", "start", "now", "steps");
    for (tunable, &value) in descent.tunables().iter().zip(descent.values()) {
        let steps = (value - tunable.start) / tunable.c_end;
        println!("{:<44} {:>8} {value:>10.2} {steps:>+8.2}", tunable.name, tunable.start);
    }
    let settings: Vec<String> = descent
        .tunables()
        .iter()
        .zip(descent.values())
        .map(|(tunable, value)| format!("{}={}", tunable.name, value.round()))
        .collect();
    println!("\n{} of {} pairs. To test the new values:", descent.done(), descent.pairs());
    println!("  gannet-lab sprt --a {} {}", settings.join(","), arguments.limit.verification());
    println!("To make them the defaults:");
    println!("  gannet-lab spsa --state {} --apply crates/engine/src", arguments.state.display());
    if descent.done() < descent.pairs() {
        println!("To go on: the same command with --resume");
    }
    let lines: String = descent
        .tunables()
        .iter()
        .zip(descent.values())
        .map(|(tunable, value)| Tunable { start: value.round(), ..tunable.clone() }.line() + "\n")
        .collect();
    let [list, plot] = beside(&arguments.state);
    files::write(&list, &lines)?;
    files::write(&plot, &chart(descent).svg())?;
    println!("state in {}, new values in {}, plot in {}", arguments.state.display(), list.display(), plot.display());
    Ok(())
}

/// Each parameter's path, in steps from where it began.
fn chart(descent: &Descent) -> Chart {
    let line = |(index, tunable): (usize, &Tunable)| {
        let points = descent.path().iter().map(|(pair, values)| {
            let value = values.get(index).copied().unwrap_or(tunable.start);
            (*pair as f64, (value - tunable.start) / tunable.c_end)
        });
        (tunable.name.clone(), points.collect())
    };
    Chart {
        title: "parameters, in C_end from their start".to_string(),
        x_label: "pairs of games".to_string(),
        lines: descent.tunables().iter().enumerate().map(line).collect(),
        ..Chart::default()
    }
}

/// How the bar of a tuning looks.
const BAR: &str = "{bar:30} {pos}/{len} pairs {elapsed_precise}, {eta} left {wide_msg}";
/// How often a tuning is saved.
const SAVE: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_numbers_are_found_by_either_name() {
        let base = Params::default();
        let find = |names: &[&str]| declared(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), &base);
        let all = find(&["all"]).expect("numbers").len();
        let null_move = find(&["nullmove"]).expect("a heuristic");
        assert!(null_move.len() > 1 && null_move.len() < all);
        assert_eq!(find(&["CountermoveBonus"]).expect("a number").len(), 1);
        assert!(find(&["Nonsense"]).is_err());
        for tunable in find(&["all"]).expect("numbers") {
            assert!(params(&base, std::slice::from_ref(&tunable), &[tunable.min as i32]).is_ok());
            assert!(params(&base, std::slice::from_ref(&tunable), &[tunable.max as i32]).is_ok());
        }
    }

    #[test]
    fn numbers_that_decide_nothing_are_refused() {
        let (off, _) = settings::read("UseNullMove=false").expect("good settings");
        let null_move = declared(&["NullMove".to_string()], &off).expect("numbers");
        let told = refuse_idle(&null_move, &off).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(told.contains("UseNullMove is false") && told.contains("--with UseNullMove=true"), "{told}");
        assert_eq!(refuse_idle(&null_move, &Params::default()), Ok(()));
        let all = declared(&["all".to_string()], &off).expect("numbers");
        assert!(!all.iter().any(|tunable| tunable.name.starts_with("NullMove_")) && refuse_idle(&all, &off).is_ok());
    }
}
