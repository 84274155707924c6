//! The engine: a table, parameters, and threads that search together.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use chess::{Game, Move, Score};

use super::heuristics::lone_king;
use super::limits::{Control, Limits};
use super::report::{Reporter, Silent};
use super::root::RootMove;
use super::worker::{Memory, Shared, Worker};
use super::{MAX_PLY, STACK_SIZE};
use crate::evaluation::{Evaluation, Evaluator, Source};
use crate::params::Params;
use crate::syzygy::{Prober, Syzygy};
use crate::telemetry::Telemetry;
use crate::time::{Budget, Clock};
use crate::tt::{OutOfMemory, Table};

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; none if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The score of the best move.
    pub score: Score,
    /// The depth of the last iteration that had something to say.
    pub depth: i32,
    /// Nodes searched, all threads.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<Move>,
}

/// A chess engine: everything that lasts from one search to the next.
pub struct Engine {
    table: Table,
    params: Params,
    source: Source,
    syzygy: Syzygy,
    threads: Vec<Memory>,
}

impl Engine {
    /// An engine with one thread and a table of this many MiB.
    pub fn new(mebibytes: usize) -> Result<Engine, OutOfMemory> {
        let source = Source::default();
        let threads = vec![Memory::new(&source)];
        let (table, params, syzygy) = (Table::new(mebibytes)?, Params::default(), Syzygy::default());
        Ok(Engine { table, params, source, syzygy, threads })
    }

    /// The heuristics' parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The heuristics' parameters, to change between searches.
    pub fn params_mut(&mut self) -> &mut Params {
        &mut self.params
    }

    /// What positions are evaluated with.
    pub fn evaluation(&self) -> &Source {
        &self.source
    }

    /// Evaluates from another source from now on. What was learned with the old one is forgotten.
    pub fn set_evaluation(&mut self, source: Source) {
        self.source = source;
        for memory in &mut self.threads {
            memory.evaluation = Evaluation::new(&self.source);
        }
        self.new_game();
    }

    /// The endgame tables, to change between searches.
    pub fn syzygy_mut(&mut self) -> &mut Syzygy {
        &mut self.syzygy
    }

    /// Replaces the table by one of another size; on failure the old one stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.table = Table::new(mebibytes)?;
        Ok(())
    }

    /// The size of the table in MiB.
    pub fn hash(&self) -> usize {
        self.table.mebibytes()
    }

    /// Searches with this many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.max(1), || Memory::new(&self.source));
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Forgets everything learned: table and histories.
    pub fn new_game(&mut self) {
        self.clear_hash();
        for memory in &mut self.threads {
            memory.histories.clear();
        }
    }

    /// Forgets what is in the table.
    pub fn clear_hash(&mut self) {
        self.table.clear(self.threads.len());
    }

    /// The static evaluation of a position, for the side to move.
    pub fn evaluate(&self, game: &Game) -> Score {
        if let Some(score) = lone_king::score(&self.params.lone_king, game.board()) {
            return score;
        }
        let mut evaluation: Evaluation = self.threads[0].evaluation.clone();
        evaluation.reset(game.board());
        evaluation.score(game.board())
    }

    /// What the threads have counted, added up; all zero in a build without telemetry.
    pub fn telemetry(&self) -> Telemetry {
        let mut sum = Telemetry::default();
        for memory in &self.threads {
            sum.merge(&memory.telemetry);
        }
        sum
    }

    /// Searches a position until a limit is reached or the control says stop. The first search thread is the
    /// calling one, which needs a stack of [`STACK_SIZE`]; the others are made for the search.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        clock: &dyn Clock,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let mut moves = root_moves(game, limits);
        if moves.is_empty() {
            let score = if game.board().in_check() { Score::mated_in(0) } else { Score::DRAW };
            return Outcome { best: None, ponder: None, score, depth: 0, nodes: 0, pv: Vec::new() };
        }
        self.table.new_search();
        let (prober, tbhits) = rank(&self.syzygy, game, &mut moves, limits.multi_pv > 1);
        let shared = Shared {
            table: &self.table,
            params: &self.params,
            limits,
            budget: Budget::new(&self.params.time, limits.time, limits.overhead),
            control,
            clock,
            prober,
            tbhits: AtomicU64::new(tbhits),
            done: AtomicBool::new(false),
            nodes: self.threads.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let mut results = Vec::with_capacity(self.threads.len());
        std::thread::scope(|scope| {
            let mut memories = self.threads.iter_mut();
            let first = memories.next();
            let mut helpers = Vec::new();
            let helping = if limits.alone { 0 } else { usize::MAX };
            for (index, memory) in memories.take(helping).enumerate() {
                let (shared, moves) = (&shared, moves.clone());
                let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
                let run = move || search_with(shared, memory, index + 1, game, moves, &mut Silent);
                // A thread that cannot be had is done without.
                helpers.extend(builder.spawn_scoped(scope, run));
            }
            if let Some(memory) = first {
                results.push(search_with(&shared, memory, 0, game, moves, reporter));
            }
            results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        });
        prober.take_faults().iter().for_each(|fault| reporter.notice(fault));
        outcome(game, results, shared.total_nodes(), limits)
    }
}

/// The moves of the root that are to be searched.
fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    game.board()
        .legal_moves()
        .iter()
        .filter(|mv| limits.moves.is_empty() || limits.moves.contains(mv))
        .map(|&mv| RootMove::new(mv))
        .collect()
}

/// Puts the moves of the root in the order of the endgame tables, if they know them. What the search may ask the tables
/// further, and how many positions were found.
fn rank<'a>(syzygy: &'a Syzygy, game: &Game, moves: &mut [RootMove], several: bool) -> (Prober<'a>, u64) {
    let prober = syzygy.prober();
    let all: Vec<Move> = moves.iter().map(|root_move| root_move.mv).collect();
    let Some(ranking) = syzygy.rank(game, &all, several) else { return (prober, 0) };
    for (root_move, verdict) in moves.iter_mut().zip(&ranking.verdicts) {
        root_move.rank = verdict.rank;
        root_move.known = Some(verdict.score);
    }
    moves.sort_by_key(|root_move| Reverse(root_move.rank));
    // Once every move is known the tables have nothing to add, unless there is a win to which they show no way.
    let winning = moves.first().and_then(|best| best.known).is_some_and(|known| known > Score::WIN_BOUND);
    let asks_on = winning && !ranking.by_distance;
    (if asks_on { prober } else { prober.resting() }, all.len() as u64)
}

/// What one thread has found.
struct ThreadResult {
    best: RootMove,
    depth: i32,
}

fn search_with(
    shared: &Shared<'_>,
    memory: &mut Memory,
    id: usize,
    game: &Game,
    moves: Vec<RootMove>,
    reporter: &mut dyn Reporter,
) -> ThreadResult {
    let mut worker = Worker::new(shared, memory, id, game, moves);
    worker.deepen(reporter);
    let depth = worker.last_depth;
    shared.nodes[id].store(worker.nodes, Relaxed);
    ThreadResult { best: worker.root_moves.swap_remove(0), depth }
}

/// Lets the threads vote for the best move: each with the depth it reached and how well it likes its move. The
/// first thread's move wins ties. With one thread or several lines there is nothing to vote on.
fn outcome(game: &Game, results: Vec<ThreadResult>, nodes: u64, limits: &Limits) -> Outcome {
    let worst = results.iter().map(|result| result.best.score).min().unwrap_or(Score::DRAW);
    let weight = |result: &ThreadResult| i64::from(result.best.score - worst + 10) * i64::from(result.depth.max(1));
    let votes = |mv: Move| -> i64 { results.iter().filter(|r| r.best.mv == mv).map(weight).sum() };
    let mut chosen = &results[0];
    if limits.multi_pv <= 1 {
        for result in &results[1..] {
            let better = if chosen.best.score.is_decisive() || result.best.score.is_decisive() {
                result.best.score > chosen.best.score
            } else {
                votes(result.best.mv) > votes(chosen.best.mv)
            };
            if better {
                chosen = result;
            }
        }
    }
    debug_assert!(chosen.best.pv.len() <= MAX_PLY);
    let best = chosen.best.mv;
    let ponder = chosen.best.pv.get(1).copied().filter(|&reply| game.board().after(best).is_legal(reply));
    Outcome {
        best: Some(best),
        ponder,
        score: chosen.best.shown(),
        depth: chosen.depth,
        nodes,
        pv: chosen.best.pv.clone(),
    }
}
