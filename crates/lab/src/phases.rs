//! `gannet-lab phases`: replays a plan. A plan is a file with an ordered list of option sets; each plays the one before it and
//! what the plan began with, and a page says what came out beside what the plan said.

mod page;
mod plan;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::crc32;

use self::page::{Game, Page, Row, Section};
use self::plan::{Phase, Plan};
use crate::arguments::{PAIRED, typed, with_costs};
use crate::bench;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::pool::{self, Jobs};
use crate::sprt;

const EXAMPLES: &str = "\
Examples:
  gannet-lab phases plans/countermoves.toml
  gannet-lab phases plans/*.toml --benches                      count benches, play nothing
  gannet-lab phases my-plan.toml --only CM3,CM4 --out my-plan.md
  gannet-lab phases my-plan.toml --nodes 2000 --games 20        to see that it works

A plan:
  title = \"My plan\"
  about = \"What it wants\"
  base = \"UseNullMove=false\"        what it begins with; \"\" for the engine as it is
  limit = \"nodes=25000\"             or depth=, movetime=, tc=8+0.08
  games = 3000                      for each match; with bounds = [0, 5] at most so many

  [[phase]]
  name = \"one\"
  what = \"null moves, carefully\"
  add = \"UseNullMove=true,NullMove_verify_depth=6\"
                                    to the phase before, or options = \"…\" for all of them
  figure = \"+20…40\"                 what the plan says of it
  same_bench = true                 where nothing may change

A phase that searches like its opponent, as their benches say, is not played. The same command goes on with what was interrupted.

Exit status: 0 all was played, 1 it could not be, 2 bad arguments or a bad plan, 130 interrupted before, with everything saved.";

/// Replay a plan: each phase against the one before it and against the base
#[derive(Args, Clone, Debug)]
#[command(after_help = with_costs(EXAMPLES))]
pub struct Arguments {
    /// Plans (.toml)
    #[arg(required = true, value_name = "PLAN")]
    plans: Vec<PathBuf>,
    /// Only these phases, by their names
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Play nothing: check the plans, count benches, write the page
    #[arg(long)]
    benches: bool,
    /// So many nodes a move, whatever the plan says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// So many games a match, whatever the plan says
    #[arg(long, value_name = "N", value_parser = PAIRED)]
    games: Option<u64>,
    /// Games at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    concurrency: Option<u64>,
    /// The same seed gives the same openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of the matches, which are gone on with
    #[arg(long, default_value = "data/phases", value_name = "FOLDER")]
    state: PathBuf,
    /// The page to write; its figures go into .json beside it
    #[arg(long, default_value = "docs/plans.md", value_name = "FILE")]
    out: PathBuf,
    /// Add lines about the matches to this register, or `none`
    #[arg(long, value_name = "FILE")]
    register: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    // Everything is understood before anything is played.
    let plans = arguments.plans.iter().map(|path| Plan::read(path)).collect::<Result<Vec<_>>>()?;
    for name in &arguments.only {
        if !plans.iter().any(|plan| plan.phases.iter().any(|phase| phase.name == *name)) {
            let known: Vec<&str> = plans.iter().flat_map(|plan| &plan.phases).map(|phase| &*phase.name).collect();
            return Err(Failure::arguments(format!("--only {name}: there are {}", known.join(", "))));
        }
    }
    let mut page = Page::read(&arguments.out)?;
    std::fs::create_dir_all(&arguments.state).map_err(|error| Failure::file("make", &arguments.state, error))?;
    pool::catch_interrupts()?;
    let mut outcome = Ok(());
    for plan in &plans {
        outcome = replay(arguments, plan, &mut page);
        if outcome.is_err() {
            break;
        }
    }
    println!("\nthe page is {}", arguments.out.display());
    outcome
}

/// Plays what is to be played of a plan. The page is written after every match.
fn replay(arguments: &Arguments, plan: &Plan, page: &mut Page) -> Result<()> {
    println!("\n{}: {} phases", plan.title, plan.phases.len());
    let benches = benches(plan)?;
    let mut section = Section::new(plan, benches[0]);
    for (index, phase) in plan.phases.iter().enumerate() {
        println!("{:<16} bench {:>9}  {}", phase.name, benches[index + 1], phase.options);
        if phase.same_bench && benches[index + 1] != benches[index] {
            println!("{:<16} the bench should be that of the phase before, {}", "", benches[index]);
        }
        section.rows.push(Row::new(phase, benches[index + 1]));
    }
    page.put(section);
    page.write()?;
    for (index, phase) in plan.phases.iter().enumerate() {
        if !arguments.only.is_empty() && !arguments.only.contains(&phase.name) {
            continue;
        }
        let before = index
            .checked_sub(1)
            .map_or((&plan.base, benches[0]), |before| (&plan.phases[before].options, benches[before + 1]));
        for (against, (options, bench)) in [before, (&plan.base, benches[0])].into_iter().enumerate() {
            let pairing = Pairing { plan, phase, bench: benches[index + 1], other: options, other_bench: bench };
            // The base may search like the phase before; then these games are those.
            let again = against == 1 && bench == before.1;
            let game = if again { None } else { pairing.play(arguments)? };
            let row = page.row(&plan.file, index)?;
            if again {
                row.base.clone_from(&row.before);
            } else if let Some(game) = game {
                *[&mut row.before, &mut row.base][against] = game;
                row.date = machine::now()[..10].to_string();
            }
            page.write()?;
        }
    }
    Ok(())
}

/// The benches of the base and of every phase.
fn benches(plan: &Plan) -> Result<Vec<u64>> {
    let all: Vec<&String> = std::iter::once(&plan.base).chain(plan.phases.iter().map(|phase| &phase.options)).collect();
    let jobs = Jobs { range: 0..all.len() as u64, done: Default::default(), threads: pool::default_threads() };
    let mut benches = Vec::new();
    pool::run(
        jobs,
        || Ok(()),
        |(), job, _| bench::nodes_with(all[job as usize]).map(Some),
        |_, bench| {
            benches.push(bench);
            std::ops::ControlFlow::Continue(())
        },
    )?;
    if benches.len() == all.len() { Ok(benches) } else { Err(Failure::Interrupted) }
}

/// A phase and its opponent.
struct Pairing<'a> {
    plan: &'a Plan,
    phase: &'a Phase,
    bench: u64,
    other: &'a str,
    other_bench: u64,
}

impl Pairing<'_> {
    /// Plays the match, or what is left of it. None if it is not to be played now.
    fn play(&self, arguments: &Arguments) -> Result<Option<Game>> {
        if self.bench == self.other_bench {
            return Ok(Some(Game::Alike));
        }
        let words = self.words(arguments);
        let path = self.file(arguments, &words);
        let games = arguments.games.unwrap_or(self.phase.games);
        let known = || sprt::found(&path).ok().filter(|found| found.games > 0);
        if arguments.benches || known().is_some_and(|found| found.verdict.is_some() || found.games >= games) {
            return Ok(known().map(|found| Game::played(found, &self.limit(arguments))));
        }
        println!("\n{}, {} against {}", self.plan.title, self.phase.name, named(self.other));
        let mut line = words;
        line.extend([OsString::from("--json"), path.clone().into()]);
        line.extend(path.exists().then(|| OsString::from("--resume")));
        let more = [("--concurrency", arguments.concurrency.map(|number| number.to_string().into()))];
        let register = [("--register", arguments.register.as_ref().map(|path| path.clone().into_os_string()))];
        for (name, value) in more.into_iter().chain(register) {
            line.extend(value.into_iter().flat_map(|value| [OsString::from(name), value]));
        }
        sprt::test(&typed("sprt", &line)?)?;
        if pool::interrupted() {
            return Err(Failure::Interrupted);
        }
        Ok(known().map(|found| Game::played(found, &self.limit(arguments))))
    }

    /// How long each side may think.
    fn limit(&self, arguments: &Arguments) -> String {
        arguments.nodes.map_or_else(|| self.phase.limit.clone(), |nodes| format!("nodes={nodes}"))
    }

    /// What makes the match the one it is, as words for `sprt`.
    fn words(&self, arguments: &Arguments) -> Vec<OsString> {
        let limit = self.limit(arguments);
        let (kind, value) = limit.split_once('=').unwrap_or(("nodes", &limit));
        let games = arguments.games.unwrap_or(self.phase.games).to_string();
        let seed = arguments.seed.to_string();
        let kind = format!("--{kind}");
        let mut words =
            vec!["--a", &self.phase.options, "--b", self.other, &kind, value, "--games", &games, "--seed", &seed];
        let bounds = self.phase.bounds.map(|bounds| bounds.map(|bound| format!("{bound}")));
        match &bounds {
            Some([elo0, elo1]) => words.extend(["--elo0", elo0, "--elo1", elo1]),
            None => words.push("--fixed"),
        }
        let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        words.extend(self.plan.book.iter().flat_map(|book| [OsString::from("--book"), book.clone().into()]));
        words
    }

    /// Where the match is kept. Other settings, other benches or another limit are another match; more games are not.
    fn file(&self, arguments: &Arguments, words: &[OsString]) -> PathBuf {
        let same: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let games = same.iter().position(|word| word == "--games").map_or(0, |at| at + 1);
        let kept = same.iter().enumerate().filter(|&(at, _)| at != games).map(|(_, word)| word.as_str());
        let identity = format!("{} {} {}", self.bench, self.other_bench, kept.collect::<Vec<_>>().join("\n"));
        let plain = |text: &str| text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let plan = self.plan.file.trim_end_matches(".toml");
        let name = format!("{}-{}-{:08x}.json", plain(plan), plain(&self.phase.name), crc32(identity.as_bytes()));
        arguments.state.join(name)
    }
}

/// What to call an opponent.
fn named(options: &str) -> &str {
    if options.is_empty() { "the engine as it is" } else { options }
}

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
