//! `gannet-lab ablate`: what is each heuristic worth? Each is switched the other way in turn and plays the engine as
//! it is; published forms play the engine's own. The ledger of all results is a page of the documentation.

mod claims;
mod factorial;
mod ledger;
mod picture;
mod reach;
mod subjects;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use crate::arguments::{GameArguments, LimitArguments, PAIRED, with_costs};
use crate::bench;
use crate::book::Book;
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::fingerprints::Fingerprints;
use crate::machine;
use crate::pairs::{self, Outcome, Score};
use crate::player::Limit;
use crate::pool::{self, Jobs, Rest};
use crate::progress::{Every, Progress};
use crate::register::{self, Counts, Found, Run, Test};
use crate::runner::Conditions;
use crate::trust::Trust;
use factorial::{Experiment, Factor, Plan};
use ledger::{Key, Ledger, Row};
use subjects::Subject;

const EXAMPLES: &str = "\
Examples:
  gannet-lab ablate --games 2000
      every switch and every published form, 2000 games each; the ledger is docs/heuristics.md of the
      repository, or another page: --out ledger.md
  gannet-lab ablate --games 2000 --resume
      goes on where it was interrupted; what this build has measured is not measured again
  gannet-lab ablate --games 20000 --error 4 --only UseNullMove,UseRazoring
      these two until the error is at most 4 Elo; the other rows of the ledger stay
  gannet-lab ablate --merge piece1.json piece2.json
      puts together what was measured on several machines; no games
  gannet-lab ablate --factorial --nodes 25000 --games 20000
      one experiment for all switches: in every game each side has each of them turned with probability
      0.1, and a regression tells what each is worth, and which do each other's work
  gannet-lab ablate --factorial screen.md --candidates screen.txt --share 0.5 --games 3000
      the same for proposals of new values, one on each line: a name, a colon, settings

The measurements are kept as JSON beside the page and saved every few seconds. The bench of the
build is counted first and goes with them. Before its games each heuristic is tried on the positions of
the bench: how many searches of so many nodes it changes, and how many nodes it saves. What only acts
deeper than the limit reaches is told there.

Exit status: 0 when everything is measured, 1 it could not be or is not to be trusted, 2 bad arguments, 130 interrupted
before that, with everything saved and shown.";

/// Measure each heuristic by switching it off, or against its published form
#[derive(Args, Clone, Debug)]
#[command(after_help = with_costs(EXAMPLES))]
pub struct Arguments {
    /// Games for each heuristic, at most; they come in pairs, an odd number is taken as one more
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = PAIRED)]
    games: u64,
    /// Stop earlier when the 95 % error is at most so many Elo
    #[arg(long, value_name = "ELO")]
    error: Option<f64>,
    /// Only these switches or published forms, separated by commas; all `switches`, or all `published`
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Go on: add to what this build has measured under the same conditions, rather than measure it again
    #[arg(long)]
    resume: bool,
    /// Only take over the measurements of these files and write the page
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["only", "resume"])]
    merge: Vec<PathBuf>,
    /// One experiment for all ideas at once; the page to write, docs/factorial.md unless named
    #[arg(long, value_name = "PAGE", num_args = 0..=1, default_missing_value = "docs/factorial.md",
        conflicts_with_all = ["error", "merge", "json"])]
    factorial: Option<PathBuf>,
    /// With what probability a side has an idea turned in the factorial experiment
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = SHARE, requires = "factorial")]
    share: f64,
    /// Turn the proposals in this file rather than switches, a name, a colon and settings on each line
    #[arg(long, value_name = "FILE", requires = "factorial", conflicts_with = "only")]
    candidates: Option<PathBuf>,
    /// The page to write; the picture stands beside it
    #[arg(long, default_value = "docs/heuristics.md", value_name = "FILE")]
    out: PathBuf,
    /// The measurements [default: the page's name with .json]
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
}

/// Reads with what probability something is done.
const SHARE: fn(&str) -> std::result::Result<f64, String> = |text| match text.parse() {
    Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
    _ => Err("expected a number between 0 and 1".to_string()),
};

/// Everything that stays the same from one heuristic to the next.
struct Bench {
    play: GameArguments,
    book: Book,
    conditions: Conditions,
    common: Common,
    threads: usize,
    games: u64,
    error: Option<f64>,
    trust: Trust,
}

/// The ledger and the files it is kept in.
struct Archive {
    ledger: Ledger,
    target: Target,
    page: PathBuf,
}

impl Archive {
    /// Opens a ledger, and finds out before the games whether it can be written.
    fn open(arguments: &Arguments) -> Result<Archive> {
        let json = arguments.json.clone().unwrap_or_else(|| arguments.out.with_extension("json"));
        let target = Target::of_resumed(&json)?;
        let ledger = if json.exists() { files::read_json(&json)? } else { Ledger::default() };
        if json.is_file() && !arguments.resume {
            // Rows may be measured again; the old ones are not lost.
            let old = files::beside(&json, ".old");
            std::fs::copy(&json, &old).map_err(|error| Failure::file("write", &old, error))?;
        }
        let mut archive = Archive { ledger, target, page: arguments.out.clone() };
        archive.target.write_json(&archive.ledger)?;
        archive.show()?;
        Ok(archive)
    }

    /// Writes the measurements, the page and the picture.
    fn write(&mut self) -> Result<()> {
        self.target.write_or_rescue(&files::json(&self.ledger)?)?;
        self.show()
    }

    /// Writes the page and the picture.
    fn show(&self) -> Result<()> {
        let picture = self.page.with_extension("svg");
        files::write(&picture, &picture::svg(&self.ledger.shown(false)))?;
        let name = picture.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        files::write(&self.page, &self.ledger.page(&name))
    }

    /// Writes a measurement that has only begun.
    fn save(&mut self, row: Row) {
        self.ledger.put(row);
        tell(self.target.write_json(&self.ledger));
    }

    /// Writes a measurement that has ended, and everything made from it.
    fn add(&mut self, row: Row) {
        self.save(row);
        tell(self.show());
    }
}

/// A disk that is full now may have room when the next measurement is there, and at the end everything is written anyway.
fn tell(written: Result<()>) {
    if let Err(failure) = written {
        eprintln!("gannet-lab: {failure}; the measurements go on, and saving is tried again");
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(page) = &arguments.factorial {
        return run_factorial(arguments, page);
    }
    let chosen = Subject::chosen(&arguments.only)?;
    let mut archive = Archive::open(arguments)?;
    if !arguments.merge.is_empty() {
        return merge(arguments, &mut archive);
    }
    arguments.limit.settle(arguments.play.threads())?;
    let limit = arguments.limit.limit();
    let bench = Bench {
        play: arguments.play.clone(),
        book: arguments.play.openings()?,
        conditions: arguments.play.conditions(limit)?,
        common: arguments.play.common(limit),
        threads: arguments.play.threads(),
        games: arguments.games,
        error: arguments.error,
        trust: arguments.play.trust(),
    };
    let nodes = bench::nodes()?;
    println!("bench {nodes}");
    pool::catch_interrupts()?;
    let (mut finished, mut failure) = (true, None);
    for (index, subject) in chosen.iter().enumerate() {
        if pool::interrupted() || failure.is_some() {
            finished = false;
            break;
        }
        if subject.name == "UseTimeManagement" && !matches!(limit, Limit::Clock(_)) {
            println!("{:<28} needs a clock (--tc)", subject.name);
            continue;
        }
        let key = Key { option: subject.name.clone(), conditions: arguments.play.describe(limit), bench: nodes };
        let earlier = archive.ledger.get(&key).filter(|_| arguments.resume).cloned();
        let mut row = earlier.unwrap_or_else(|| Row::new(subject, key, machine::today().replace('.', "-")));
        if let (None, Some(nodes)) = (&row.reach, limit.nodes()) {
            row.reach = Some(reach::of(subject, nodes)?);
        }
        if let Some(reach) = &row.reach {
            println!("{:<28} {reach}", subject.name);
        }
        let title = format!("{}/{} {}", index + 1, chosen.len(), subject.name);
        match measure(&bench, subject, row, &title, &mut archive) {
            Ok(complete) => finished &= complete,
            Err(error) => (finished, failure) = (false, Some(error)),
        }
    }
    if !finished {
        println!("to go on: the same command with --resume");
    }
    archive.write().map_err(|error| failure.clone().unwrap_or(error))?;
    println!("\nthe ledger is in {}", arguments.out.display());
    failure.map_or_else(|| pool::end(finished), Err)
}

/// Takes over what other files have measured.
fn merge(arguments: &Arguments, archive: &mut Archive) -> Result<()> {
    for path in &arguments.merge {
        let name = path.display().to_string();
        let told = archive.ledger.merge(files::read_json(path)?, &name)?;
        told.iter().for_each(|told| eprintln!("gannet-lab: {name}: {told}"));
    }
    archive.write()?;
    println!("the ledger is in {}", arguments.out.display());
    Ok(())
}

/// Runs the experiment for all ideas at once.
fn run_factorial(arguments: &Arguments, page: &Path) -> Result<()> {
    arguments.limit.settle(arguments.play.threads())?;
    let limit = arguments.limit.limit();
    let factors = match &arguments.candidates {
        Some(path) => Factor::read(path)?,
        None => {
            // Published forms set options that switches and other forms set too; they come one at a time.
            let names = if arguments.only.is_empty() { &["switches".to_string()][..] } else { &arguments.only };
            let mut subjects = Subject::chosen(names)?;
            subjects.retain(|subject| subject.name != "UseTimeManagement" || matches!(limit, Limit::Clock(_)));
            subjects.iter().map(Factor::of).collect()
        }
    };
    let nodes = bench::nodes()?;
    println!("bench {nodes}");
    let rules: String = factors.iter().map(|factor| format!("{}:{} ", factor.name, factor.settings)).collect();
    let run = Run::of_this_build("ablate", &arguments.play, limit, &rules)?.resumed(arguments.resume);
    factorial::run(Plan {
        run,
        fresh: Experiment {
            bench: nodes,
            conditions: arguments.play.describe(limit),
            share: arguments.share,
            seed: arguments.play.seed,
            factors,
            results: String::new(),
            ahead: BTreeMap::new(),
        },
        resume: arguments.resume,
        games: arguments.games,
        page: page.to_path_buf(),
        book: arguments.play.openings()?,
        conditions: arguments.play.conditions(limit)?,
        hash: arguments.play.hash(limit) as usize,
        threads: arguments.play.threads(),
        trust: arguments.play.trust(),
    })
}

/// How often a measurement is saved while it runs.
const SAVE: Duration = Duration::from_secs(5);

/// Plays the engine with the heuristic (A) against the engine without it (B), after the games that the row has already.
/// Returned is whether it is complete.
fn measure(bench: &Bench, subject: &Subject, mut row: Row, title: &str, archive: &mut Archive) -> Result<bool> {
    let [with, without] = subject.sides();
    let with = Competitor::inside(&with, &bench.common)?;
    let without = Competitor::inside(&without, &bench.common)?;
    let (mut results, done) = row.games()?;
    let mut score = Score::default();
    results.iter().for_each(|&outcome| score.add(outcome));
    let first = score.total().min(bench.games);
    let enough = |score: &Score| {
        let error = score.pairs.elo().error;
        score.total() >= bench.games || bench.error.is_some_and(|most| score.pairs.pairs() >= 50 && error <= most)
    };
    let doubt = |score: &Score| bench.trust.doubt(["with it", "without it"], score);
    if let Some(doubt) = doubt(&score) {
        return Err(doubt);
    }
    if first > 0 && enough(&score) {
        println!("{} (measured before)", row.line());
        archive.add(Row { complete: true, ..row });
        return Ok(true);
    }
    let sides = [(subject.name.as_str(), &with), ("without", &without)];
    let run = Run::begin("ablate", &bench.play, bench.conditions.limit, &sides, "")?.resumed(first > 0);
    let (began, prints) = (Instant::now(), Fingerprints::default());
    let (mut progress, mut save) = (Progress::new(BAR, title, bench.games, first), Every::new(SAVE));
    let Rest { waiting, failure } = pool::run_and_keep(
        Jobs { range: first..bench.games, done, threads: bench.threads },
        || Ok([with.start()?, without.start()?]),
        |[a, b], game, stop| {
            let record = pairs::play(&bench.book, game, a.as_mut(), b.as_mut(), &bench.conditions, stop)?;
            Ok(record.map(|record| {
                prints.note(game, &record.game);
                Outcome::of(game, &record)
            }))
        },
        |_, outcome| {
            score.add(outcome);
            results.push(outcome);
            progress.show(score.total(), "games, Elo ", || score.pairs.elo().to_string());
            if save.is_due() {
                row.update(&results, &BTreeMap::new());
                row.note(&prints);
                archive.save(row.clone());
            }
            if enough(&score) || doubt(&score).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.clear();
    row.update(&results, &waiting);
    row.note(&prints);
    let failure = doubt(&score).or(failure);
    row.complete = enough(&score) && failure.is_none();
    println!("{}{}", row.line(), if row.complete { "" } else { " so far" });
    let (complete, test) = (row.complete, registered(&row, &results, &score));
    archive.add(row);
    let counts = Counts { games: score.total(), distinct: None, seconds: began.elapsed().as_secs_f64() };
    run.end(failure.as_ref(), complete, counts, Found::Test(test));
    failure.map_or(Ok(complete), Err)
}

/// A measurement as the register keeps it.
fn registered(row: &Row, results: &[Outcome], score: &Score) -> Test {
    Test {
        pentanomial: row.pentanomial,
        games: [score.games[2], score.games[1], score.games[0]],
        path: register::path(results, None),
        ..Test::default()
    }
}

/// How an experiment's bar looks.
const BAR: &str = "{prefix:36} {bar:20} {pos}/{len} {eta} left {wide_msg}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_of_switches_that_exist() {
        let all = Subject::all();
        assert!(all.len() > 20);
        for (option, _) in claims::CLAIMS {
            assert!(all.iter().any(|subject| subject.name == option), "{option}");
        }
    }

    #[test]
    fn a_measurement_in_pieces_is_the_measurement() {
        let mut bench = Bench {
            play: GameArguments { register: Some("none".into()), ..GameArguments::usual() },
            book: Book::random(1, 8, false),
            conditions: Conditions {
                limit: Limit::Nodes(100),
                jitter: None,
                margin: Duration::ZERO,
                adjudication: Some(Default::default()),
                max_plies: 60,
                tables: None,
            },
            common: Common {
                hash: 1,
                hash_chosen: true,
                chess960: false,
                patience: Duration::ZERO,
                startup: Duration::ZERO,
            },
            threads: 2,
            games: 8,
            error: None,
            trust: Trust { percent: 2.0 },
        };
        let folder = std::env::temp_dir();
        let name = |suffix: &str| folder.join(format!("gannet-lab-ablate-{}{suffix}", std::process::id()));
        let (json, page) = (name(".json"), name(".md"));
        let mut archive =
            Archive { ledger: Ledger::default(), target: Target::new(&json).expect("room"), page: page.clone() };
        let subject = Subject::chosen(&["UseQuiescence".to_string()]).expect("it exists").remove(0);
        let key = Key { option: subject.name.clone(), conditions: String::new(), bench: 1 };
        let fresh = || Row::new(&subject, key.clone(), String::new());
        measure(&bench, &subject, fresh(), "", &mut archive).expect("games");
        let straight = archive.ledger.get(&key).cloned().expect("a row");
        assert!(straight.complete && straight.games == 8);
        archive.ledger = Ledger::default();
        for games in [4, 8] {
            bench.games = games;
            let row = archive.ledger.get(&key).cloned().unwrap_or_else(fresh);
            measure(&bench, &subject, row, "", &mut archive).expect("games");
        }
        assert_eq!(archive.ledger.get(&key), Some(&straight));
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(text.contains("`UseQuiescence`") && text.contains(".svg"), "{text}");
        for path in [json, page, name(".svg")] {
            let _ = std::fs::remove_file(path);
        }
    }
}
