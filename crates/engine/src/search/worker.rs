//! One search thread: what it owns, what it shares with the others, and when it stops.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use chess::{Board, Game, KeyHistory, Move, Score};

use super::carriers::Node;
use super::ideas::late_move_reductions::{LateMoveReductions, Reductions};
use super::ideas::rank_aware_gates::ResearchRates;
use super::params::Params;
use super::root::RootMove;
use super::stack::{Frames, PvTable};
use super::telemetry::Telemetry;
use crate::base::{Clock, Control, Limits, MAX_PLY};
use crate::evaluation::{Evaluation, Evaluator, Source};
use crate::history::{Histories, PieceTo};
use crate::movepick::Context;
use crate::syzygy::Prober;
use crate::time::Budget;
use crate::tt::Table;

/// What a thread keeps from one search to the next.
pub struct Memory {
    pub(super) evaluation: Evaluation,
    pub(super) telemetry: Telemetry,
    frames: Frames,
    pv: PvTable,
    reductions: Reductions,
}

impl Memory {
    /// Nothing searched yet; evaluates from this source.
    pub fn new(source: &Source) -> Memory {
        Memory {
            evaluation: Evaluation::new(source),
            telemetry: Telemetry::default(),
            frames: Frames::new(),
            pv: PvTable::new(),
            reductions: Reductions::new(&LateMoveReductions::default()),
        }
    }
}

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub params: &'a Params,
    pub limits: &'a Limits,
    pub budget: Budget,
    pub control: &'a Control,
    pub clock: &'a dyn Clock,
    pub prober: Prober<'a>,
    /// Positions found in endgame tables.
    pub tbhits: AtomicU64,
    /// Set by the first thread when it is done, or by any when time is up; the others follow.
    pub done: AtomicBool,
    /// Nodes of each thread, brought up to date now and then.
    pub nodes: Vec<AtomicU64>,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// A thread at work on one search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub params: &'a Params,
    pub id: usize,
    pub root: Board,
    pub root_moves: Vec<RootMove>,
    /// Which of the lines asked for is being searched.
    pub pv_index: usize,
    pub keys: KeyHistory,
    pub histories: &'a Histories,
    pub evaluation: &'a mut Evaluation,
    pub telemetry: &'a mut Telemetry,
    pub frames: &'a mut Frames,
    pub pv: &'a mut PvTable,
    pub reductions: &'a Reductions,
    pub rates: ResearchRates,
    pub nodes: u64,
    pub seldepth: usize,
    pub root_depth: i32,
    /// The depth of the last line that there was to show.
    pub last_depth: i32,
    /// What the iteration that was broken off thought of the best move, if the line of it tells less: a bound, and its depth.
    pub opinion: Option<(Score, i32)>,
    pub stopped: bool,
    /// The search is over but for a last look, which nothing ends but its own limit of nodes.
    pub last_look: bool,
    /// Where this thread stops by its own count of nodes.
    pub node_limit: Option<u64>,
    /// No null move before this ply, while one is being verified.
    pub null_move_ply: usize,
    /// Nodes at the last entry into quiescence.
    pub quiescence_entry: u64,
}

/// How often time and signals are looked at, in nodes.
const CHECK_INTERVAL: u64 = 1024;

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        histories: &'a Histories,
        id: usize,
        game: &Game,
        root_moves: Vec<RootMove>,
    ) -> Worker<'a> {
        let mut keys = game.history().clone();
        keys.reserve(MAX_PLY + 8);
        memory.evaluation.reset(game.board());
        memory.frames.clear();
        memory.reductions.keep_up(&shared.params.search.late_move_reductions);
        Worker {
            shared,
            params: shared.params,
            id,
            root: game.board().clone(),
            root_moves,
            pv_index: 0,
            keys,
            histories,
            evaluation: &mut memory.evaluation,
            telemetry: &mut memory.telemetry,
            frames: &mut memory.frames,
            pv: &mut memory.pv,
            reductions: &memory.reductions,
            rates: ResearchRates::default(),
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            last_depth: 0,
            opinion: None,
            stopped: false,
            last_look: false,
            node_limit: shared.limits.nodes.filter(|_| id == 0),
            null_move_ply: 0,
            quiescence_entry: 0,
        }
    }

    /// Whether this thread plans the time and speaks for all.
    pub fn is_first(&self) -> bool {
        self.id == 0
    }

    /// How long the search has been running, by the clock or by what nodes count as.
    pub fn elapsed(&self) -> Duration {
        match self.shared.limits.nodes_per_ms {
            Some(rate) => Duration::from_nanos(self.nodes * 1_000_000 / rate.max(1)),
            None => self.shared.clock.elapsed(),
        }
    }

    /// Counts a node and looks, now and then, at whether to go on. False: the search is over, and no score that
    /// comes back counts any more.
    #[inline(always)]
    pub fn enter_node(&mut self, ply: usize) -> bool {
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.look_up();
        }
        if self.node_limit.is_some_and(|limit| self.nodes >= limit) {
            self.stopped = true;
        }
        !self.stopped
    }

    /// Looks at the signals and the clock.
    #[cold]
    fn look_up(&mut self) {
        let shared = self.shared;
        shared.nodes[self.id].store(self.nodes, Relaxed);
        if self.last_look {
            return;
        }
        let interval = self.params.history.history_gravity.decay_interval as u64;
        if interval > 0 && self.nodes.is_multiple_of(interval.next_multiple_of(CHECK_INTERVAL)) {
            self.histories.decay();
        }
        // Any thread may see that time is up, so that it is seen in time even with many more threads than cores.
        // The first waits for the end of the first iteration: there must be a move.
        let out_of_time = shared.budget.hard.is_some_and(|hard| self.elapsed() >= hard);
        if out_of_time && !shared.control.is_pondering() && self.root_depth > 1 {
            shared.done.store(true, Relaxed);
        }
        if shared.control.is_stopped() || (shared.done.load(Relaxed) && self.root_depth > 1) {
            self.stopped = true;
        }
        if self.is_first() && shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
            self.stopped = true;
        }
    }

    /// What the moves of a node are ordered by.
    #[inline(always)]
    pub fn ordering<'n>(&self, board: &'n Board, node: &'n Node) -> Context<'n>
    where
        'a: 'n,
    {
        Context {
            board,
            params: &self.params.ordering,
            history: &self.params.history,
            histories: self.histories,
            threats: node.threats,
            previous: &node.previous,
            killers: self.frames.at(node.ply).killers,
            countermove: node.countermove,
            depth: node.depth,
        }
    }

    /// Lets the table's answer for the position after a move be on its way, while it is decided whether and how to search it.
    #[inline(always)]
    pub fn prefetch_child(&self, board: &Board, mv: Move) {
        self.shared.table.prefetch(board.key_after(mv));
    }

    /// Makes a move, hands the position after it on, and takes the move back.
    #[inline(always)]
    pub fn with_child<T>(
        &mut self,
        board: &Board,
        mv: Move,
        ply: usize,
        look: impl FnOnce(&mut Self, &Board) -> T,
    ) -> T {
        let mut child = board.clone();
        self.make(board, &mut child, mv, ply);
        let seen = look(self, &child);
        self.undo();
        seen
    }

    /// The same with a pass for a move.
    #[inline(always)]
    pub fn with_null<T>(&mut self, board: &Board, ply: usize, look: impl FnOnce(&mut Self, &Board) -> T) -> T {
        let child = self.make_null(board, ply);
        let seen = look(self, &child);
        self.undo();
        seen
    }

    /// Turns `child`, a fresh copy of `board`, into the position after a move, and brings everything along that
    /// follows moves.
    #[inline(always)]
    fn make(&mut self, board: &Board, child: &mut Board, mv: Move, ply: usize) {
        let frame = self.frames.at_mut(ply);
        frame.mv = Some(mv);
        frame.piece_to = PieceTo::of(board, mv);
        self.keys.push(board.key());
        self.evaluation.begin();
        child.make_from(board, mv, self.evaluation);
    }

    /// The position after passing.
    #[inline(always)]
    fn make_null(&mut self, board: &Board, ply: usize) -> Board {
        let frame = self.frames.at_mut(ply);
        frame.mv = None;
        frame.piece_to = PieceTo::NONE;
        self.keys.push(board.key());
        self.evaluation.begin();
        let next = board.after_null();
        self.shared.table.prefetch(next.key());
        next
    }

    /// Back to the position before.
    #[inline(always)]
    fn undo(&mut self) {
        self.evaluation.undo();
        self.keys.pop();
    }

    /// Whether the position is drawn by rule: repetition, fifty moves, or nothing left to mate with.
    #[inline(always)]
    pub fn is_draw(&self, board: &Board, ply: usize) -> bool {
        if board.halfmove_clock() >= 100 && (!board.in_check() || board.has_legal_moves()) {
            return true;
        }
        self.keys.is_draw_by_repetition(board, ply) || board.is_insufficient_material()
    }

    /// The score of a node that the rules decide, or that is too far away to go on.
    #[inline(always)]
    pub fn settle_by_rule(&mut self, board: &Board, node: &Node) -> Option<Score> {
        if self.is_draw(board, node.ply) {
            return Some(Score::DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(if node.in_check { Score::DRAW } else { self.evaluate(board) });
        }
        None
    }
}
