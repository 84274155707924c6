//! `gannet-lab suite`: positions with a known answer. How many are solved, how fast, and which are not.

pub mod problem;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use chess::{Game, san};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use crate::arguments::PATIENCE;
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::player::{Fault, Go, Limit, Player};
use crate::pool::{self, Jobs};
use problem::Problem;

const EXAMPLES: &str = "\
Examples:
  gannet-lab suite suites/mates.epd --nodes 100000
  gannet-lab suite suites/mates.epd --movetime 200 --engine \"cmd=stockfish opt=Threads=1\"
  gannet-lab suite suites/mates.epd --nodes 100000 --compare opt=UseNullMove=false
      this build as it is beside this build without null moves
  gannet-lab suite mates.epd --depth 12 --verbose

The operations bm (best moves), am (moves to avoid) and dm (mate in so many) are checked.

Exit status: 0 when all positions are tried, solved or not, 1 they could not be, 2 bad arguments, 130
interrupted before that, with the answers so far saved and shown.";

/// The table in MiB where the user does not say.
const TABLE: u64 = 16;

/// Solve positions with a known answer
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The positions, an EPD file
    file: PathBuf,
    #[command(flatten)]
    limit: SuiteLimit,
    /// The engine: parts of name=… cmd=… opt=Name=value,… [default: this build]
    #[arg(long, value_name = "ENGINE", default_value = "")]
    engine: String,
    /// A second engine to stand beside the first
    #[arg(long, value_name = "ENGINE")]
    compare: Option<String>,
    /// Transposition table in MiB [default: 16; if an engine does not take that, the nearest it takes]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: Option<u64>,
    /// Positions at a time [default: one a core]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// How many seconds an engine may think about a position when there is no --movetime
    #[arg(long, default_value_t = 600, value_name = "S", value_parser = PATIENCE)]
    patience: u64,
    /// How many seconds an engine may take to start, and to be ready for a position
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = PATIENCE)]
    startup: u64,
    /// List every position, not only those that were not solved
    #[arg(long)]
    verbose: bool,
    /// Write the results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How long to think about each position: one of these.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
struct SuiteLimit {
    /// Search so many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search to this depth
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=200))]
    depth: Option<i32>,
}

impl SuiteLimit {
    fn limit(&self) -> Limit {
        let movetime = || self.movetime.map(|ms| Limit::MoveTime(Duration::from_millis(ms)));
        let nodes = self.nodes.map(Limit::Nodes);
        nodes.or_else(movetime).or(self.depth.map(Limit::Depth)).unwrap_or(Limit::Nodes(100_000))
    }
}

/// What an engine made of a position.
#[derive(Clone, Debug, Serialize)]
struct Answer {
    solved: bool,
    played: String,
    depth: i32,
    /// Nodes and seconds at which the answer was found and then kept; all of them if it was not.
    nodes: u64,
    seconds: f64,
}

/// What a player makes of a position; None if the user has asked to end.
fn solve(player: &mut dyn Player, problem: &Problem, limit: Limit) -> Option<Answer> {
    let game = Game::new(problem.board.clone());
    let mut found: Option<(u64, f64)> = None;
    let mut ear = |heard: crate::player::Heard| {
        if problem.solved(heard.mv, heard.score) {
            found.get_or_insert((heard.nodes, heard.time.as_secs_f64()));
        } else {
            found = None;
        }
    };
    let thought = player.new_game().and_then(|()| player.search(&game, &Go { limit, clocks: None }, &mut ear));
    Some(match thought {
        Ok(thought) => {
            let solved = problem.solved(thought.mv, thought.score);
            let all = (thought.nodes, thought.time.as_secs_f64());
            let (nodes, seconds) = if solved { found.unwrap_or(all) } else { all };
            Answer { solved, played: san(&problem.board, thought.mv), depth: thought.depth, nodes, seconds }
        }
        Err(fault) => {
            let played = match fault {
                Fault::Disconnected => "(crashed)".to_string(),
                Fault::Stalled => "(stalled)".to_string(),
                Fault::Gone(_) => "(gone)".to_string(),
                Fault::Illegal(text) => format!("(illegal '{text}')"),
                Fault::Interrupted => return None,
            };
            Answer { solved: false, played, depth: 0, nodes: 0, seconds: 0.0 }
        }
    })
}

/// One engine's answers to all positions.
#[derive(Serialize)]
struct EngineResult {
    engine: String,
    solved: usize,
    positions: usize,
    answers: Vec<(String, Answer)>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let problems = read(arguments)?;
    let [patience, startup] = [arguments.patience, arguments.startup].map(Duration::from_secs);
    let hash = arguments.hash.unwrap_or(TABLE) as usize;
    let common = Common { hash, hash_chosen: arguments.hash.is_some(), chess960: false, patience, startup };
    let mut engines = vec![Competitor::parse(&arguments.engine, |_| common)?];
    if let Some(line) = &arguments.compare {
        engines.push(Competitor::parse(line, |_| common)?);
    }
    let mut target = arguments.json.as_deref().map(Target::new).transpose()?;
    pool::catch_interrupts()?;
    // One that cannot be started is to say so before the other has worked for an hour.
    for (_, engine) in engines.iter().skip(1) {
        engine.start()?;
    }
    let (mut results, mut failure) = (Vec::new(), None);
    for (name, engine) in &engines {
        // Whoever has not begun when the user or a failure ends it has no answers; those of the others are shown and saved.
        let begins = !pool::interrupted() && failure.is_none();
        let (answers, failed) = if begins { solve_all(arguments, name, engine, &problems) } else { Default::default() };
        results.push((name.clone(), answers));
        failure = failure.or(failed);
    }
    print_table(&problems, &results, arguments.verbose);
    for (name, answers) in &results {
        println!("{}", summary(name, answers, problems.len()));
    }
    let finished = results.iter().all(|(_, answers)| answers.len() == problems.len());
    if let Some(target) = &mut target {
        let json: Vec<_> = results
            .into_iter()
            .map(|(engine, answers)| EngineResult {
                engine,
                solved: answers.iter().filter(|answer| answer.solved).count(),
                positions: answers.len(),
                answers: problems.iter().map(|problem| problem.name.clone()).zip(answers).collect(),
            })
            .collect();
        target.write_or_rescue(&files::json(&json)?)?;
        println!("saved to {}", target.path().display());
    }
    match failure {
        Some(failure) => Err(failure),
        None => pool::end(finished),
    }
}

/// The positions of the file. Lines that cannot be used are named and passed over.
fn read(arguments: &Arguments) -> Result<Vec<Problem>> {
    let path = &arguments.file;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Problem::parse(line, index + 1) {
            Ok(problem) => problems.push(problem),
            Err(error) => eprintln!("{}, line {}: {error}; passed over", path.display(), index + 1),
        }
    }
    if problems.is_empty() { Err(Failure::file("use", path, "it has no position in it")) } else { Ok(problems) }
}

/// One engine's answers, in the order of the positions; as many as there are when the user interrupts, or when it fails.
fn solve_all(
    arguments: &Arguments,
    name: &str,
    engine: &Competitor,
    problems: &[Problem],
) -> (Vec<Answer>, Option<Failure>) {
    let limit = arguments.limit.limit();
    let jobs = Jobs {
        range: 0..problems.len() as u64,
        done: BTreeMap::new(),
        threads: arguments.concurrency.unwrap_or_else(pool::default_threads),
    };
    let bar = ProgressBar::new(problems.len() as u64).with_message(name.to_string());
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let mut answers = Vec::new();
    let rest = pool::run_and_keep(
        jobs,
        || engine.start(),
        |player, index, _| Ok(solve(player.as_mut(), &problems[index as usize], limit)),
        |_, answer| {
            answers.push(answer);
            bar.inc(1);
            ControlFlow::Continue(())
        },
    );
    bar.finish_and_clear();
    // An engine that was just starting when the user ended it has not failed.
    (answers, rest.failure.filter(|failure| !matches!(failure, Failure::Interrupted)))
}

/// The positions that some engine has not solved, or all of them.
fn print_table(problems: &[Problem], results: &[(String, Vec<Answer>)], verbose: bool) {
    let answers = |index: usize| results.iter().filter_map(move |(_, answers)| answers.get(index));
    let chosen = |index: usize| verbose || answers(index).any(|answer| !answer.solved);
    let rows: Vec<(String, String, String)> = (0..problems.len())
        .filter(|&index| chosen(index))
        .map(|index| (problems[index].name.clone(), problems[index].wanted(), answers(index).map(cell).collect()))
        .collect();
    let width = |column: fn(&(String, String, String)) -> &String| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0).max(8)
    };
    let (first, second) = (width(|row| &row.0), width(|row| &row.1));
    let names: String = results.iter().map(|(name, _)| format!("  {name:<37}")).collect();
    println!("{:<first$}  {:<second$}{names}", "position", "wanted");
    for (name, wanted, cells) in &rows {
        println!("{name:<first$}  {wanted:<second$}{cells}");
    }
}

/// One engine's answer to one position.
fn cell(answer: &Answer) -> String {
    let Answer { played, depth, nodes, seconds, .. } = answer;
    let mark = if answer.solved { "+" } else { "-" };
    format!("  {mark} {played:<9} d{depth:<3} {nodes:>10}n {seconds:>7.3}s")
}

fn summary(name: &str, answers: &[Answer], positions: usize) -> String {
    let solved: Vec<&Answer> = answers.iter().filter(|answer| answer.solved).collect();
    let count = solved.len().max(1) as f64;
    let nodes: u64 = solved.iter().map(|answer| answer.nodes).sum();
    let seconds = solved.iter().fold(0.0, |sum, answer| sum + answer.seconds);
    let mut text = format!(
        "{name}: solved {} of {} ({:.1} %)",
        solved.len(),
        answers.len(),
        100.0 * solved.len() as f64 / answers.len().max(1) as f64
    );
    if !solved.is_empty() {
        text += &format!(", to a solution {:.0} nodes and {:.3} s on average", nodes as f64 / count, seconds / count);
    }
    if answers.len() < positions {
        text += &format!("; interrupted, {} positions were not tried", positions - answers.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::problem::tests::MATE;
    use super::*;
    use crate::player::Inside;

    #[test]
    fn a_mate_is_found() {
        let worker = || {
            let mut engine = Inside::new(&engine::Params::default(), &engine::Source::default(), 1).expect("memory");
            let problem = Problem::parse(MATE, 1).expect("a good line");
            let right = solve(&mut engine, &problem, Limit::Nodes(2000)).expect("an answer");
            let wrong = Problem { best: Vec::new(), avoid: problem.best.clone(), ..problem };
            (right, solve(&mut engine, &wrong, Limit::Nodes(2000)).expect("an answer"))
        };
        let thread = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn(worker);
        let (right, wrong) = thread.expect("a thread").join().expect("no panic");
        assert!(right.solved && right.played == "Rd8#" && right.nodes < 2000, "{right:?}");
        assert!(!wrong.solved);
    }
}
