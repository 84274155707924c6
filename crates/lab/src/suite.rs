//! `gannet-lab suite`: positions with a known answer. How many are solved, how fast, and which are not.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use chess::{Board, Game, Move, Score, parse_san, parse_uci, san};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use crate::arguments::PATIENCE;
use crate::book::board_of;
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};
use crate::files;
use crate::player::{Fault, Go, Limit, Player};
use crate::pool::{self, Jobs};

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

/// A position and what is wanted in it.
#[derive(Clone, Debug)]
struct Problem {
    name: String,
    board: Board,
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<i32>,
}

impl Problem {
    /// Reads a line of an EPD file. The error says what is wrong with it.
    fn parse(line: &str, number: usize) -> std::result::Result<Problem, String> {
        let board = board_of(line).map_err(|error| error.to_string())?;
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        // The operations begin after the fourth field, wherever that ends.
        let rest = fields.iter().fold(line, |rest, field| {
            let start = rest.find(field).map_or(rest.len(), |at| at + field.len());
            &rest[start..]
        });
        let mut problem =
            Problem { name: format!("line {number}"), board, best: Vec::new(), avoid: Vec::new(), mate: None };
        // A semicolon between quotes ends no operation, if every quote has its other end.
        let paired = rest.matches('"').count() % 2 == 0;
        let mut quoted = false;
        let ends = |letter: char| {
            quoted ^= letter == '"';
            letter == ';' && !(quoted && paired)
        };
        for operation in rest.split(ends).map(str::trim) {
            let Some((code, operand)) = operation.split_once(char::is_whitespace) else { continue };
            // Halfmove clock and move number may stand before the first operation.
            let (code, operand) = skip_counters(code, operand);
            match code {
                "bm" => problem.best = moves(&problem.board, operand)?,
                "am" => problem.avoid = moves(&problem.board, operand)?,
                "dm" => {
                    let mate: i32 = operand.trim().parse().map_err(|_| format!("dm '{operand}' is not a number"))?;
                    problem.mate = Some(mate.abs());
                }
                "id" => problem.name = operand.trim_matches('"').to_string(),
                _ => {}
            }
        }
        if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
            return Err("no bm, am or dm says what is wanted".to_string());
        }
        if !problem.board.has_legal_moves() {
            return Err("the side to move has no move".to_string());
        }
        Ok(problem)
    }

    fn accepts(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    fn solved(&self, mv: Move, score: Option<Score>) -> bool {
        let mated = |mate: i32| score.and_then(Score::mate_moves).is_some_and(|moves| moves.abs() <= mate);
        self.accepts(mv) && self.mate.is_none_or(mated)
    }

    /// What is wanted, in words.
    fn wanted(&self) -> String {
        let list = |moves: &[Move]| moves.iter().map(|&mv| san(&self.board, mv)).collect::<Vec<_>>().join(" ");
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(format!("bm {}", list(&self.best)));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("am {}", list(&self.avoid)));
        }
        if let Some(mate) = self.mate {
            parts.push(format!("dm {mate}"));
        }
        parts.join(", ")
    }
}

fn skip_counters<'a>(code: &'a str, operand: &'a str) -> (&'a str, &'a str) {
    let mut pair = (code, operand);
    while pair.0.parse::<u32>().is_ok() {
        pair = pair.1.trim_start().split_once(char::is_whitespace).unwrap_or(("", ""));
    }
    pair
}

fn moves(board: &Board, text: &str) -> std::result::Result<Vec<Move>, String> {
    let read = |word: &str| parse_san(board, word).or_else(|error| parse_uci(board, word).map_err(|_| error));
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| read(word).map_err(|error| format!("move '{word}': {error}")))
        .collect()
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
    let mut engines = vec![Competitor::parse(&arguments.engine, &common)?];
    if let Some(line) = &arguments.compare {
        engines.push(Competitor::parse(line, &common)?);
    }
    if let Some(path) = &arguments.json {
        files::prepare(path)?;
    }
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
    if let Some(path) = &arguments.json {
        let json: Vec<_> = results
            .into_iter()
            .map(|(engine, answers)| EngineResult {
                engine,
                solved: answers.iter().filter(|answer| answer.solved).count(),
                positions: answers.len(),
                answers: problems.iter().map(|problem| problem.name.clone()).zip(answers).collect(),
            })
            .collect();
        files::write_or_rescue(path, &files::json(&json)?)?;
        println!("saved to {}", path.display());
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
    use super::*;
    use crate::player::Inside;

    const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8+; dm 1; id \"back rank\";";

    #[test]
    fn lines_are_read() {
        let problem = Problem::parse(MATE, 7).expect("a good line");
        assert_eq!((problem.name.as_str(), problem.wanted().as_str()), ("back rank", "bm Rd8#, dm 1"));
        let quoted = Problem::parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id \"a; b\"; bm Rd8;", 7).expect("a good line");
        assert_eq!((quoted.name.as_str(), quoted.best.len()), ("a; b", 1));
        let counters = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm d1d8; am Kf1 Kh1;";
        let problem = Problem::parse(counters, 7).expect("a good line");
        assert_eq!((problem.best.len(), problem.avoid.len(), problem.name.as_str()), (1, 2, "line 7"));
        for line in ["", "x", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;"] {
            assert!(Problem::parse(line, 1).is_err(), "{line}");
        }
    }

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
