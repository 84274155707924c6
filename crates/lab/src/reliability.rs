//! `gannet-lab reliability`: everything that has ever broken an engine, tried on purpose and counted.
//!
//! A check is a file of its own that runs a number of trials; a trial ends well or in words that say what was wrong.
//! With `--results` each check leaves a file behind, also one that was interrupted. A later run goes on from there, and
//! the report is made from all that are there.

mod determinism;
mod endings;
mod exits;
mod extremes;
mod fens;
mod games;
mod lines;
mod material;
mod memory;
mod networks;
mod probes;
mod report;
mod sessions;
mod states;
mod tables;
mod talk;
mod trials;
mod variations;
mod wrong_positions;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use crate::failure::{Failure, Result};
use crate::files;
use crate::machine;
use crate::pool;
use engine::crc32;
use report::Row;
use talk::Talk;
use trials::Tally;

const EXAMPLES: &str = "\
Examples:
  gannet-lab reliability --short --engine ./gannet            a minute or so: what make test does
  gannet-lab reliability --engine ./gannet --results data/reliability --report docs/reliability.md
      hours; can be interrupted, and the same command goes on; so it does with --minutes 30, for half an hour
  gannet-lab reliability --engine ./gannet --only exits --only sessions

Exit status: 0 when no trial found a fault, also where --minutes has ended it, 1 some did or could not
be made, 2 bad arguments, 130 interrupted before that, with the trials so far shown and, with
--results, saved.";

/// Try to make the engine crash, hang, lose on time or search the wrong position
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The engine
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Few trials of everything, and patience with a busy machine
    #[arg(long)]
    short: bool,
    /// Only so much of the full number of trials
    #[arg(long, default_value_t = 100, conflicts_with = "short", value_parser = clap::value_parser!(u64).range(1..=1000))]
    percent: u64,
    /// End after so many minutes; the same command goes on from there
    #[arg(long, value_name = "N", requires = "results", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    minutes: Option<u64>,
    /// Only the check of this name (may be given more than once)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Keep the result of each check in this folder, and do not repeat what is there for this build
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
    /// Write a report of all results to this file
    #[arg(long, value_name = "FILE", requires = "results")]
    report: Option<PathBuf>,
    /// Add to the report what fuzzing, sanitizers and Miri found, a line each as `make fuzz` and `make sanitize` leave them
    #[arg(long, value_name = "FILE", requires = "report")]
    tools: Option<PathBuf>,
    /// Add to the report what was found and fixed, a line each: date, what, how it was found, title of the commit
    #[arg(long, value_name = "FILE", requires = "report")]
    fixed: Option<PathBuf>,
    /// Syzygy tables for the checks that need some; without them these checks are left out
    #[arg(long, value_name = "FOLDER")]
    syzygy: Option<PathBuf>,
    /// The same seed tries the same things
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What every check needs to know.
pub struct Context {
    /// The engine.
    engine: PathBuf,
    /// Whether this is the short form.
    short: bool,
    /// How much of the full form is wanted.
    percent: u64,
    /// Where random numbers begin.
    seed: u64,
    /// Endgame tables, if there are some.
    syzygy: Option<PathBuf>,
}

impl Context {
    /// How many trials of a check are wanted.
    fn trials(&self, check: &Check) -> u64 {
        let [short, full] = check.trials;
        if self.short { short } else { (full * self.percent / 100).max(1) }
    }

    /// How long something may take: the limit itself, or, in the short form, what even a busy machine keeps.
    fn patience(&self, limit: Duration) -> Duration {
        if self.short { limit.max(Duration::from_secs(10)) } else { limit }
    }

    /// Starts the engine.
    fn start(&self) -> std::result::Result<Talk, String> {
        Talk::start(&self.engine)
    }
}

/// Something to try many times.
pub struct Check {
    /// What `--only` calls it.
    name: &'static str,
    /// What is tried, and what counts as a fault.
    what: &'static str,
    /// Trials in the short form, and in the full one.
    trials: [u64; 2],
    /// Does so many trials.
    run: fn(&Context, u64, &Tally),
    /// Whether it needs endgame tables.
    tables: bool,
}

impl Check {
    /// Any check: name, what is tried, trials in the short and in the full form, and who makes them.
    const fn new(name: &'static str, what: &'static str, trials: [u64; 2], run: fn(&Context, u64, &Tally)) -> Check {
        Check { name, what, trials, run, tables: false }
    }

    /// The same check, which needs endgame tables.
    const fn with_tables(self) -> Check {
        Check { tables: true, ..self }
    }
}

/// Every check, the quick ones first.
const CHECKS: [Check; 26] = [
    Check::new("networks", networks::WHAT, [150, 1100], networks::run),
    Check::new("tables", tables::WHAT, [44, 1100], tables::run).with_tables(),
    Check::new("probes", probes::WHAT, [5000, 100_000], probes::run).with_tables(),
    Check::new("terminal-roots", extremes::ROOTS, [60, 600], extremes::roots),
    Check::new("hash-sizes", extremes::HASH, [8, 80], extremes::hash),
    Check::new("many-threads", extremes::THREADS, [2, 100], extremes::threads),
    Check::new("determinism", determinism::WHAT, [12, 60], determinism::run),
    Check::new("arithmetic", determinism::ARITHMETIC, [7, 61], determinism::arithmetic),
    Check::new("variations", variations::WHAT, [200, 2000], variations::run),
    Check::new("fens", fens::WHAT, [200_000, 10_000_000], fens::run),
    Check::new("sessions", sessions::WHAT, [200, 50_000], sessions::run),
    Check::new("go-stop", states::GO_STOP, [300, 10_000], states::go_stop),
    Check::new("infinite-quit", states::INFINITE_QUIT, [30, 10_000], states::infinite_quit),
    Check::new("ponder-hit", states::PONDER_HIT, [300, 15_000], states::ponder_hit),
    Check::new("go-go", states::GO_GO, [300, 10_000], states::go_go),
    Check::new("setoption", states::SET_OPTION, [60, 15_000], states::set_option),
    Check::new("isready", states::IS_READY, [100, 15_000], states::is_ready),
    Check::new("exits", exits::WHAT, [32, 8000], exits::run),
    Check::new("endings", endings::WHAT, [29, 1160], endings::run),
    Check::new("memory", memory::WHAT, [8, 2000], memory::run),
    Check::new("games-0.2+0.02", games::WHAT, [4, 500], games::blitz),
    Check::new("games-1+0.01", games::WHAT, [4, 2000], games::bullet),
    Check::new("games-1+0", games::WHAT, [4, 500], games::sudden_death),
    Check::new("games-chess960", games::WHAT, [4, 500], games::chess960),
    // No short form: a game takes most of a minute, however fast the machine.
    Check::new("games-40-in-10", games::SESSIONS, [0, 500], games::sessions),
    Check::new("games-movetime-10", games::MOVE_TIME, [4, 500], games::move_time),
];

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    for name in &arguments.only {
        if !CHECKS.iter().any(|check| check.name == name) {
            let names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
            return Err(Failure::arguments(format!("--only {name}: expected one of {}", names.join(", "))));
        }
    }
    let engine = std::fs::canonicalize(&arguments.engine)
        .map_err(|error| Failure::file("find the engine", &arguments.engine, error))?;
    let syzygy = arguments.syzygy.as_deref().map(tables_in).transpose()?;
    let &Arguments { short, percent, seed, .. } = arguments;
    let context = Context { engine, short, percent, seed, syzygy };
    let version = version(&context, arguments.results.is_some())?;
    if let Some(folder) = &arguments.results {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, error))?;
    }
    pool::catch_interrupts()?;
    if let Some(minutes) = arguments.minutes {
        pool::interrupt_after(Duration::from_secs(60 * minutes));
    }
    println!("{version}, {} form", if context.short { "short" } else { "full" });
    println!("{}", report::HEADING);
    let faults = run_checks(arguments, &context, &version)?;
    if let (Some(path), Some(folder)) = (&arguments.report, &arguments.results) {
        write_report(arguments, path, folder)?;
    }
    let finished = !pool::interrupted();
    if !finished && arguments.results.is_some() {
        println!("not finished: the same command goes on from here");
    }
    pool::end(finished)?;
    if faults > 0 { Err(Failure::new(format!("{faults} faults found"))) } else { Ok(()) }
}

/// Runs the checks that are wanted, as far as time allows; how many faults there are.
fn run_checks(arguments: &Arguments, context: &Context, version: &str) -> Result<u64> {
    let mut faults = 0;
    for check in &CHECKS {
        let wanted = arguments.only.is_empty() || arguments.only.iter().any(|name| name == check.name);
        let trials = context.trials(check);
        if !wanted || trials == 0 || pool::interrupted() {
            continue;
        }
        if check.tables && context.syzygy.is_none() {
            println!("{:<20} {}", check.name, report::LEFT_OUT);
            continue;
        }
        let path = arguments.results.as_ref().map(|folder| file_of(folder, check));
        let kept = path.as_ref().and_then(|path| files::read_json::<Row>(path).ok());
        let kept = kept.filter(|row| row.version == version && row.short == context.short);
        let row = match kept {
            Some(row) if row.tried >= trials => row,
            kept => {
                let row = measure(check, context, version, kept);
                if let Some(path) = path.filter(|_| row.tried > 0) {
                    files::write_json(&path, &row)?;
                }
                row
            }
        };
        println!("{}", row.line());
        row.examples.iter().for_each(|example| println!("    {example}"));
        faults += row.faults;
    }
    Ok(faults)
}

/// Where the result of a check is kept.
fn file_of(folder: &Path, check: &Check) -> PathBuf {
    folder.join(format!("{}.json", check.name))
}

/// Makes the report from all results that are there.
fn write_report(arguments: &Arguments, path: &Path, folder: &Path) -> Result<()> {
    let rows: Vec<Option<Row>> = CHECKS.iter().map(|check| files::read_json(&file_of(folder, check)).ok()).collect();
    let tools = arguments.tools.as_deref().map(report::read_table).transpose()?.unwrap_or_default();
    let fixed = arguments.fixed.as_deref().map(report::read_table).transpose()?.unwrap_or_default();
    files::write(path, &report::markdown(&CHECKS, &rows, &tools, &fixed))?;
    println!("report: {}", path.display());
    Ok(())
}

/// A folder that has endgame tables.
fn tables_in(folder: &Path) -> Result<PathBuf> {
    let folder = std::fs::canonicalize(folder).map_err(|error| Failure::file("find the tables in", folder, error))?;
    // Says what is wrong with it, if anything is.
    crate::syzygy::Tables::open(&folder)?;
    Ok(folder)
}

/// Runs one check, from where an earlier run has left it, and to where the user interrupts it.
fn measure(check: &Check, context: &Context, version: &str, kept: Option<Row>) -> Row {
    let trials = context.trials(check);
    let began = Instant::now();
    let tally = Tally::new(check.name, trials);
    let tally = if let Some(row) = &kept { tally.resume(row) } else { tally };
    (check.run)(context, trials, &tally);
    tally.finish();
    load().into_iter().for_each(|text| tally.note(text));
    let (today, before) = (machine::today(), kept.as_ref().map_or(0, |row| row.seconds));
    let first = kept.and_then(|row| row.date.split(' ').next().map(str::to_string)).unwrap_or(today.clone());
    Row {
        name: check.name.to_string(),
        version: version.to_string(),
        short: context.short,
        date: if first == today { today } else { format!("{first} to {today}") },
        seconds: before + began.elapsed().as_secs(),
        tried: tally.tried(),
        faults: tally.faults(),
        examples: tally.examples(),
        notes: tally.notes(),
        figures: tally.figures(),
    }
}

/// How busy the machine was in the last minute, where the system tells it: times mean little without.
fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    Some(format!("load {} on {} cores", text.split(' ').next()?, pool::default_threads()))
}

/// What the engine calls itself, and a sum over the program that tells builds apart. What is kept also has its bench, which
/// is the same for every build of one version of the search.
fn version(context: &Context, kept: bool) -> Result<String> {
    let fail = |error: String| Failure::new(format!("engine {}: {error}", context.engine.display()));
    let bytes = std::fs::read(&context.engine).map_err(|error| fail(error.to_string()))?;
    let mut talk = context.start().map_err(fail)?;
    let lines = talk.send("uci").and_then(|()| talk.until(|line| line == "uciok")).map_err(fail)?;
    let mut name = lines.iter().find_map(|line| line.strip_prefix("id name ")).unwrap_or("unknown").to_string();
    if kept {
        let count = determinism::bench(&mut talk, engine::bench::DEPTH).map_err(fail)?;
        name += &format!(", bench {}", count.join(" "));
    }
    Ok(format!("{name}, build {:08x}", crc32(&bytes)))
}
