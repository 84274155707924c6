//! What a heuristic does at a limit, before any game is played: the positions of the bench are searched with it and without
//! it, and nodes are counted. Where both searches are the same throughout, games at that limit can say next to nothing.

use std::collections::BTreeMap;
use std::fmt;

use chess::Game;
use engine::{Control, Engine, Limits, Line, NoClock, Params, Reporter, Source};
use serde::{Deserialize, Serialize};

use super::Subject;
use crate::failure::{Failure, Result};
use crate::settings;

/// Searches with so many times the nodes are tried one after another where those of the limit do not differ, …
const DEEPER: [u64; 2] = [4, 16];
/// … of one position in so many.
const SPARSE: usize = 5;
/// The table of the engines that are compared, in MiB.
const HASH: usize = 8;

/// What a heuristic does to searches of so many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// The nodes of each search.
    pub nodes: u64,
    /// How many searches there were.
    pub searches: u64,
    /// In how many of them it changed anything.
    pub changed: u64,
    /// How many of the nodes it saves to the greatest depth that both searches finish, in percent.
    pub saves: f64,
    /// If it changed nothing: the fewest nodes tried with which it does.
    pub first_nodes: Option<u64>,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reach { nodes, searches, changed, saves, first_nodes } = self;
        match (changed, first_nodes) {
            (0, Some(more)) => write!(
                f,
                "changes none of {searches} searches of {nodes} nodes: it acts deeper than that, from about {more} nodes on"
            ),
            (0, None) => write!(
                f,
                "changes none of {searches} searches of {nodes} nodes, nor any of some with {} times as many: it acts deeper, \
                 or in other positions than these",
                DEEPER[DEEPER.len() - 1]
            ),
            _ => {
                write!(f, "changes {changed} of {searches} searches of {nodes} nodes, saves {saves:+.1} % of the nodes")
            }
        }
    }
}

/// How far a search came: the nodes after each depth that it finished, and what it found.
#[derive(Default, PartialEq)]
struct Trace {
    nodes: BTreeMap<i32, u64>,
    end: Option<(Option<chess::Move>, chess::Score, u64)>,
}

impl Reporter for Trace {
    fn line(&mut self, line: &Line<'_>) {
        if line.is_exact_best() {
            self.nodes.insert(line.depth, line.nodes);
        }
    }
}

impl Trace {
    fn of(engine: &mut Engine, game: &Game, nodes: u64) -> Trace {
        let mut trace = Trace::default();
        engine.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = engine.search_here(game, &limits, &Control::default(), &NoClock, &mut trace);
        trace.end = Some((outcome.best, outcome.score, outcome.nodes));
        trace
    }

    /// The logarithm of how many times the nodes of the other search this one takes.
    fn times(&self, other: &Trace) -> Option<f64> {
        let (_, ours, theirs) = self.nodes.iter().rev().find_map(|(depth, ours)| {
            let theirs = other.nodes.get(depth)?;
            Some((depth, *ours, *theirs))
        })?;
        (ours > 0 && theirs > 0).then(|| (ours as f64 / theirs as f64).ln())
    }
}

/// Compares searches of so many nodes with a heuristic and without it, and deeper ones where it changes nothing.
pub fn of(subject: &Subject, nodes: u64) -> Result<Reach> {
    let work = || -> Result<Reach> {
        let games = engine::bench::games().map_err(Failure::new)?;
        let [mut with, mut without] = [engine_of(&subject.sides()[0])?, engine_of(&subject.sides()[1])?];
        let mut reach = compare(&games, &mut with, &mut without, nodes);
        let games: Vec<Game> = games.into_iter().step_by(SPARSE).collect();
        for times in DEEPER.into_iter().filter(|_| reach.changed == 0) {
            let more = nodes.saturating_mul(times);
            if compare(&games, &mut with, &mut without, more).changed > 0 {
                reach.first_nodes = Some(more);
                break;
            }
        }
        Ok(reach)
    };
    let fail = || Failure::new("the search panicked; the message is above");
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(engine::STACK_SIZE).spawn_scoped(scope, work);
        thread
            .map_err(|error| Failure::new(format!("cannot start a thread: {error}")))
            .and_then(|thread| thread.join().unwrap_or_else(|_| Err(fail())))
    })
}

fn engine_of(text: &str) -> Result<Engine> {
    let (params, source): (Params, Source) = settings::read(text)?;
    let mut engine = Engine::new(HASH).map_err(|error| Failure::new(format!("cannot make an engine: {error}")))?;
    *engine.params_mut() = params;
    engine.set_evaluation(source);
    Ok(engine)
}

fn compare(games: &[Game], with: &mut Engine, without: &mut Engine, nodes: u64) -> Reach {
    let (mut changed, mut logarithms) = (0, Vec::new());
    for game in games {
        let [with, without] = [Trace::of(with, game, nodes), Trace::of(without, game, nodes)];
        changed += u64::from(with != without);
        logarithms.extend(with.times(&without));
    }
    let mean = logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64;
    Reach { nodes, searches: games.len() as u64, changed, saves: 100.0 * (1.0 - mean.exp()), first_nodes: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(name: &str, nodes: u64) -> Reach {
        let subject = Subject::chosen(&[name.to_string()]).expect("it exists").remove(0);
        of(&subject, nodes).expect("searches")
    }

    #[test]
    fn what_acts_only_deeper_is_told() {
        // Null moves are tried from some depth on, quiescence everywhere.
        let short = reach("UseNullMove", 15);
        assert_eq!(short.changed, 0, "{short}");
        let text = short.to_string();
        assert!(text.contains("acts deeper than that") || text.contains("in other positions"), "{text}");
        let quiescence = reach("UseQuiescence", 1000);
        assert!(quiescence.changed > quiescence.searches / 2, "{quiescence}");
        let text = serde_json::to_string(&quiescence).expect("it can be written");
        assert_eq!(serde_json::from_str::<Reach>(&text).ok().map(|read| read.changed), Some(quiescence.changed));
    }

    #[test]
    fn nodes_that_are_saved_are_counted() {
        let trace = |nodes: &[u64]| Trace { nodes: (1..).zip(nodes.iter().copied()).collect(), end: None };
        let times = |a: &[u64], b: &[u64]| trace(a).times(&trace(b)).map(f64::exp);
        assert!(times(&[10, 50], &[20, 100, 900]).is_some_and(|times| (times - 0.5).abs() < 1e-9));
        assert_eq!(times(&[], &[20]), None);
    }
}
