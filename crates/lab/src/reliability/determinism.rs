//! The same search twice, in two processes, must say the same word for word, times aside; and so must the search with
//! each vector arithmetic that the machine has.

use chess::Game;

use super::Context;
use super::talk::{Talk, position};
use super::trials::{self, Tally};
use crate::book::random_opening;
use crate::rng::Rng;

pub const WHAT: &str = "a node budget from 100 to 200 000, a third of them with several lines, a third in Chess960, in two \
    processes, and again after `ucinewgame`: the same lines, times aside, and the same best move";
pub const ARITHMETIC: &str = "the bench, then such node budgets, with every vector arithmetic that the engine has on this \
    machine (`GANNET_SIMD`): the same count, the same lines and the same best move. (`make check-bench` compares the bench \
    with the one of the history)";

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let start = || Ok([context.start()?, context.start()?]);
    trials::run(tally, trials, 1, start, |pair, index| {
        let search = Search::random(context.seed, index);
        let mut said = Vec::new();
        for talk in pair {
            said.push(search.ask(talk)?);
            said.push(search.ask(talk)?);
        }
        match said.iter().position(|other| *other != said[0]) {
            None => Ok(()),
            Some(at) => Err(format!("{search}: {at} differs")),
        }
    });
}

pub fn arithmetic(context: &Context, trials: u64, tally: &Tally) {
    let names = match arithmetics(context) {
        Ok(names) => names,
        Err(fault) => return tally.add(Err(fault)),
    };
    let depth = if context.short { 6 } else { engine::bench::DEPTH };
    let start = || names.iter().map(|name| start_on(context, name)).collect::<Result<Vec<_>, String>>();
    trials::run(tally, trials, 1, start, |talks, index| {
        let search = Search::random(context.seed, index);
        let mut said = Vec::new();
        for talk in talks {
            said.push(if index == 0 { bench(talk, depth)? } else { search.ask(talk)? });
        }
        if index == 0 {
            tally.note(format!("bench {depth}: {} with {}", said[0].join(" "), names.join(", ")));
        }
        let what = if index == 0 { format!("bench {depth}") } else { search.to_string() };
        match said.iter().zip(&names).find(|(other, _)| **other != said[0]) {
            None => Ok(()),
            Some((other, name)) => Err(format!("{what}: {name} says {other:?}, {} says {:?}", names[0], said[0])),
        }
    });
}

/// The names of all that the engine has on this machine, the one that it takes itself first.
fn arithmetics(context: &Context) -> Result<Vec<String>, String> {
    let line = in_use(&mut Talk::start_on(&context.engine, "")?)?;
    let (_, names) = line.split_once(" of ").ok_or(format!("names no vector arithmetic: {line}"))?;
    Ok(names.split(", ").map(str::to_string).collect())
}

/// Starts the engine with this one, and sees to it that it is in use.
fn start_on(context: &Context, name: &str) -> Result<Talk, String> {
    let mut talk = Talk::start_on(&context.engine, name)?;
    let line = in_use(&mut talk)?;
    if line.starts_with(&format!("{name} of ")) { Ok(talk) } else { Err(format!("{name} was asked for: {line}")) }
}

/// What the engine says of its vector arithmetic: the one in use, and all that there are.
fn in_use(talk: &mut Talk) -> Result<String, String> {
    let lines = talk.tell(&["compiler"])?;
    let line = lines.iter().find_map(|line| line.strip_prefix("vector arithmetic: "));
    line.map(str::to_string).ok_or(format!("does not tell its vector arithmetic: {lines:?}"))
}

/// The count of the bench.
pub fn bench(talk: &mut Talk, depth: i32) -> Result<Vec<String>, String> {
    talk.send(&format!("bench {depth}"))?;
    let lines = talk.until(|line| line.ends_with(" nps"))?;
    Ok(lines.iter().filter_map(|line| line.split_once(" nodes ")).map(|(count, _)| count.to_string()).collect())
}

/// A search of so many nodes.
struct Search {
    game: Game,
    chess960: bool,
    lines: usize,
    nodes: u64,
}

impl Search {
    /// One that seed and index decide.
    fn random(seed: u64, index: u64) -> Search {
        let mut rng = Rng::new(seed, index);
        let chess960 = index % 3 == 1;
        let lines = if index % 3 == 2 { 2 + rng.below(3) } else { 1 };
        // Even on a scale of factors.
        let nodes = (100.0 * 2000f64.powf(rng.unit())) as u64;
        Search { game: random_opening(&mut rng, 10, chess960), chess960, lines, nodes }
    }

    /// Everything the engine says in answer, the best move last, knowing nothing from before.
    fn ask(&self, talk: &mut Talk) -> Result<Vec<String>, String> {
        talk.tell(&[
            &format!("setoption name UCI_Chess960 value {}", self.chess960),
            &format!("setoption name MultiPV value {}", self.lines),
            "ucinewgame",
            &position(&self.game),
        ])?;
        let answer = talk.go(&format!("go nodes {}", self.nodes))?;
        let lines = answer.lines.iter().map(|line| timeless(line));
        Ok(lines.chain([answer.best]).collect())
    }
}

impl std::fmt::Display for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} nodes, {} lines, {}", self.nodes, self.lines, self.game.board().fen())
    }
}

/// A line of analysis without what depends on the clock.
fn timeless(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "time" || word == "nps" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_left_out() {
        assert_eq!(timeless("info depth 1 nps 33 nodes 4 time 0 pv e2e4"), "info depth 1 nodes 4 pv e2e4");
    }
}
