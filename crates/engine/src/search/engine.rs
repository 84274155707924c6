//! The engine: a table, parameters, and threads that search together.

use std::cmp::Reverse;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{Builder, Scope};

use chess::{Game, Move, Score};

use super::STACK_SIZE;
use super::ideas::lone_king;
use super::params::Params;
use super::priority::{Surplus, cores};
use super::report::{Reporter, Silent};
use super::root::RootMove;
use super::telemetry::Telemetry;
use super::worker::{Memory, Shared, Worker};
use crate::base::{Clock, Control, Limits, MAX_PLY};
use crate::evaluation::{Evaluation, Evaluator, Source};
use crate::history::Histories;
use crate::syzygy::{Prober, Syzygy};
use crate::time::Budget;
use crate::together;
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
    /// How deep the best move has been searched for that score and line.
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
    /// What threads learn: one set for each core, and from the first again where there are more threads.
    histories: Vec<OnceLock<Histories>>,
    /// What the first thread keeps.
    first: Memory,
    /// What the others keep. It is made by the thread itself when it first searches, and so is its set of histories: then
    /// a thousand threads are there at once.
    helpers: Vec<Option<Box<Memory>>>,
    /// Whether it was told already that not all of them can be had.
    told_of_missing: bool,
}

/// What was learned is wiped by so many threads at most.
const WIPERS: usize = 8;

/// What a helper needs besides its stack, rounded up.
const HELPER: usize = 16 << 20;

/// What has to be left after a helper has been made: without memory for a line or a move the program could not go on.
const SPARE: usize = 32 << 20;

/// Whether the system would give so much memory now. (More than 32 MiB: less than that, once given back, changes how the
/// C library hands out memory from then on.)
fn is_room_for(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_given = room.try_reserve_exact(bytes + SPARE).is_ok();
    black_box(&room);
    is_given
}

impl Engine {
    /// An engine with one thread and a table of this many MiB.
    pub fn new(mebibytes: usize) -> Result<Engine, OutOfMemory> {
        let source = Source::default();
        let (first, helpers) = (Memory::new(&source), Vec::new());
        let (table, params, syzygy) = (Table::new(mebibytes)?, Params::default(), Syzygy::default());
        let histories = vec![OnceLock::from(Histories::new())];
        Ok(Engine { table, params, source, syzygy, histories, first, helpers, told_of_missing: false })
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
        self.first.evaluation = Evaluation::new(&self.source);
        let threads = self.threads();
        self.set_threads(1);
        self.set_threads(threads);
        self.new_game();
    }

    /// The endgame tables, to change between searches.
    pub fn syzygy_mut(&mut self) -> &mut Syzygy {
        &mut self.syzygy
    }

    /// Replaces the table by one of another size; on failure the old one stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        std::mem::replace(&mut self.table, Table::new(mebibytes)?).discard();
        Ok(())
    }

    /// The size of the table in MiB.
    pub fn hash(&self) -> usize {
        self.table.mebibytes()
    }

    /// Searches with this many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = threads.max(1) - 1;
        let sets = threads.clamp(1, cores());
        let surplus = self.helpers.split_off(helpers.min(self.helpers.len()));
        let surplus_sets = self.histories.split_off(sets.min(self.histories.len()));
        if surplus.iter().any(Option::is_some) {
            // To give back the memory of a thousand threads takes more than a second, and nobody need wait for it. Where
            // there is no thread to be had, it goes with the closure.
            let _ = Builder::new().spawn(move || drop((surplus, surplus_sets)));
        }
        self.told_of_missing = false;
        self.helpers.resize_with(helpers, || None);
        self.histories.resize_with(sets, OnceLock::new);
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Forgets everything learned: table and histories.
    pub fn new_game(&mut self) {
        self.table.clear(self.threads().min(WIPERS));
        let threads = self.histories.len().min(WIPERS);
        together::for_each(self.histories.iter_mut().filter_map(OnceLock::get_mut), threads, Histories::clear);
    }

    /// The static evaluation of a position, for the side to move.
    pub fn evaluate(&self, game: &Game) -> Score {
        if let Some(score) = lone_king::score(&self.params.search.lone_king, game.board()) {
            return score;
        }
        let mut evaluation: Evaluation = self.first.evaluation.clone();
        evaluation.reset(game.board());
        evaluation.score(game.board())
    }

    /// What the threads have counted, added up; all zero in a build without telemetry.
    pub fn telemetry(&self) -> Telemetry {
        let mut sum = Telemetry::default();
        let helpers = self.helpers.iter().filter_map(Option::as_deref);
        for memory in std::iter::once(&self.first).chain(helpers) {
            sum.merge(&memory.telemetry);
        }
        sum
    }

    /// Searches a position until a limit is reached or the control says stop, on threads made for the search.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        clock: &dyn Clock,
        reporter: &mut (dyn Reporter + Send),
    ) -> Outcome {
        let outcome = std::thread::scope(|scope| {
            let first = || self.search_here(game, limits, control, clock, reporter);
            let thread = Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, first).ok()?;
            Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        // Where there is no thread to be had, the stack of the caller has to do.
        outcome.unwrap_or_else(|| self.search_here(game, limits, control, clock, reporter))
    }

    /// The same with the calling thread for the first, which needs a stack of [`STACK_SIZE`]; the others are made for the
    /// search. For programs that search again and again: to start a thread takes as long as some dozens of nodes.
    pub fn search_here(
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
            budget: Budget::new(&self.params.time.time_management, limits, game.board()),
            control,
            clock,
            prober,
            tbhits: AtomicU64::new(tbhits),
            done: AtomicBool::new(false),
            nodes: (0..self.threads()).map(|_| AtomicU64::new(0)).collect(),
        };
        let helping = if limits.alone { 0 } else { self.helpers.len() };
        let results = Mutex::new(Vec::with_capacity(helping + 1));
        let (starting, asking, missing) = (Mutex::default(), Mutex::default(), AtomicUsize::new(0));
        let (source, histories) = (&self.source, &self.histories[..]);
        let surplus = Surplus::behind_this_thread();
        let crew = Crew {
            shared: &shared,
            source,
            histories,
            game,
            moves: &moves,
            results: &results,
            starting: &starting,
            asking: &asking,
            missing: &missing,
            surplus,
        };
        std::thread::scope(|scope| {
            crew.start(scope, 1, &mut self.helpers[..helping]);
            let result = search_with(&shared, &mut self.first, crew.histories(0), 0, game, moves.clone(), reporter);
            crew.hand_in(0, result);
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(id, _)| *id);
        let results = results.into_iter().map(|(_, result)| result).collect();
        prober.take_faults().iter().for_each(|fault| reporter.notice(fault));
        let missing = missing.into_inner();
        if missing > 0 && !std::mem::replace(&mut self.told_of_missing, true) {
            reporter.missing_threads(missing, helping + 1);
        }
        let outcome = outcome(game, results, shared.total_nodes(), limits);
        Outcome { ponder: outcome.ponder.or_else(|| self.reply(game, &outcome)), ..outcome }
    }
}

impl Engine {
    /// The best reply that the table knows, for lines that end with their first move.
    fn reply(&self, game: &Game, outcome: &Outcome) -> Option<Move> {
        let after = game.board().after(outcome.best?);
        let reply = self.table.probe(&self.params.tables.clustered_tt, after.key(), 1)?.mv?;
        after.is_legal(reply).then_some(reply)
    }
}

/// What the helpers of a search work with.
#[derive(Clone, Copy)]
struct Crew<'a> {
    shared: &'a Shared<'a>,
    source: &'a Source,
    histories: &'a [OnceLock<Histories>],
    game: &'a Game,
    moves: &'a [RootMove],
    /// What each thread has found, by its number.
    results: &'a Mutex<Vec<(usize, ThreadResult)>>,
    /// Held by the one who is starting a thread: what one has found room for, another would take.
    starting: &'a Mutex<()>,
    /// Held by the one who is asking the system for memory: a thousand at once would keep everybody else from it.
    asking: &'a Mutex<()>,
    /// How many could not be had.
    missing: &'a AtomicUsize,
    /// How far those step back that no core is left for.
    surplus: Surplus,
}

impl<'a> Crew<'a> {
    /// Starts helpers, numbered from `id`. Each starts half of those after it before it searches: to start a thousand
    /// takes a while, and the first thread has a clock to look at.
    fn start<'scope>(self, scope: &'scope Scope<'scope, '_>, id: usize, helpers: &'scope mut [Option<Box<Memory>>])
    where
        'a: 'scope,
    {
        let half = helpers.len().div_ceil(2);
        let (left, right) = helpers.split_at_mut(half);
        for (id, group) in [(id, left), (id + half, right)] {
            let size = group.len();
            let Some((helper, others)) = group.split_first_mut() else { continue };
            let run = move || {
                // Moved, not borrowed: they outlive this closure.
                let (helper, others) = (helper, others);
                if !self.is_over() {
                    self.surplus.step_back(id);
                    self.start(scope, id + 1, others);
                    self.help(id, helper);
                }
            };
            // Threads that cannot be had are done without.
            let _starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
            let builder = Builder::new().stack_size(STACK_SIZE);
            if !is_room_for(STACK_SIZE) || builder.spawn_scoped(scope, run).is_err() {
                self.missing.fetch_add(size, Relaxed);
            }
        }
    }

    /// Searches as a helper. One that breaks down is done without.
    fn help(self, id: usize, memory: &mut Option<Box<Memory>>) {
        if memory.is_none() {
            let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            if self.is_over() {
                return;
            }
            if !is_room_for(HELPER) {
                self.missing.fetch_add(1, Relaxed);
                return;
            }
            self.histories(id);
            *memory = Some(Box::new(Memory::new(self.source)));
        }
        let Some(memory) = memory.as_deref_mut() else { return };
        let work = AssertUnwindSafe(|| {
            let histories = self.histories(id);
            search_with(self.shared, memory, histories, id, self.game, self.moves.to_vec(), &mut Silent)
        });
        if let Ok(result) = catch_unwind(work) {
            self.hand_in(id, result);
        }
    }

    /// The set of a thread, which it may share with others.
    fn histories(self, id: usize) -> &'a Histories {
        self.histories[id % self.histories.len()].get_or_init(Histories::new)
    }

    /// Whether there is nothing left to help with.
    fn is_over(self) -> bool {
        self.shared.done.load(Relaxed) || self.shared.control.is_stopped()
    }

    fn hand_in(self, id: usize, result: ThreadResult) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).push((id, result));
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
        root_move.known = verdict.score;
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
    /// What it votes with: how well it likes the move, and how deep it has searched it.
    opinion: (Score, i32),
}

fn search_with(
    shared: &Shared<'_>,
    memory: &mut Memory,
    histories: &Histories,
    id: usize,
    game: &Game,
    moves: Vec<RootMove>,
    reporter: &mut dyn Reporter,
) -> ThreadResult {
    let mut worker = Worker::new(shared, memory, histories, id, game, moves);
    worker.deepen(reporter);
    let depth = worker.last_depth;
    shared.nodes[id].store(worker.nodes, Relaxed);
    let best = worker.root_moves.swap_remove(0);
    let opinion = worker.opinion.unwrap_or((best.score, depth));
    ThreadResult { best, depth, opinion }
}

/// Lets the threads vote for the best move: each with the depth it reached and how well it likes its move. The
/// first thread's move wins ties. With one thread or several lines there is nothing to vote on.
fn outcome(game: &Game, results: Vec<ThreadResult>, nodes: u64, limits: &Limits) -> Outcome {
    let worst = results.iter().map(|result| result.opinion.0).min().unwrap_or(Score::DRAW);
    let weight = |result: &ThreadResult| {
        let (score, depth) = result.opinion;
        i64::from(score - worst + 10) * i64::from(depth.max(1))
    };
    let votes = |mv: Move| -> i64 { results.iter().filter(|r| r.best.mv == mv).map(weight).sum() };
    let mut chosen = &results[0];
    if limits.multi_pv <= 1 {
        for result in &results[1..] {
            let (score, others) = (chosen.opinion.0, result.opinion.0);
            let better = if score.is_decisive() || others.is_decisive() {
                others > score
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
