//! The root: deepening step by step, windows around the last score, several lines, and when to stop.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use chess::{Move, Score};

use super::carriers::Pv;
use super::report::{Line, Reporter};
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY};
use crate::time::{self, Signs};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its rank by endgame tables. Moves of lower rank are searched only where more lines are wanted.
    pub rank: i32,
    /// Its score by endgame tables.
    pub known: Option<Score>,
    /// The score in this iteration; the worst there is until it has been searched.
    pub score: Score,
    /// Whether it is just that, or a bound, or there is none yet.
    pub bound: Bound,
    /// The score in the last finished iteration.
    pub previous: Score,
    /// The best line that begins with it.
    pub pv: Vec<Move>,
    /// Nodes spent on it, over the whole search.
    pub nodes: u64,
    /// The longest line looked at below it.
    pub seldepth: usize,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        // Room for the longest line, so that no new best line allocates.
        let mut pv = Vec::with_capacity(MAX_PLY + 2);
        pv.push(mv);
        let unknown = -Score::INFINITE;
        RootMove {
            mv,
            rank: 0,
            known: None,
            score: unknown,
            bound: Bound::None,
            previous: unknown,
            pv,
            nodes: 0,
            seldepth: 0,
        }
    }

    /// The score to show: what the tables know, unless the search has found the mate that they promise.
    pub fn shown(&self) -> Score {
        match self.known {
            Some(known) => {
                let mated = self.score.is_mate() && self.score.0.abs() <= Score::MATE.0;
                let promised = known.is_decisive() && known.0.signum() == self.score.0.signum();
                if mated && promised { self.score } else { known }
            }
            None => self.score,
        }
    }

    /// Whether there is a score to show.
    fn is_scored(&self) -> bool {
        self.shown() > -Score::INFINITE
    }

    /// Best first: by rank, then by score.
    pub fn order(&self) -> Reverse<(i32, Score)> {
        Reverse((self.rank, self.score))
    }

    /// The move to try first, once there is reason to.
    pub fn table_move(&self) -> Option<Move> {
        (self.previous > -Score::INFINITE).then_some(self.mv)
    }
}

/// The most depth and nodes for a last look at a move after the search is over.
const LAST_LOOK: i32 = 5;
const LAST_LOOK_NODES: u64 = 2000;

impl Worker<'_> {
    /// Deepens until a limit is reached. The first thread reports; the result is in `root_moves`, best first.
    pub(super) fn deepen(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let max_depth = limits.depth.unwrap_or(MAX_PLY as i32 - 1).clamp(1, MAX_PLY as i32 - 1);
        let lines = limits.multi_pv.clamp(1, self.root_moves.len());
        let mut signs = Signs::default();
        let mut last_best = None;
        let mut settled: Vec<RootMove> = Vec::with_capacity(lines);

        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -Score::INFINITE;
                root_move.bound = Bound::None;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspiration(depth, reporter);
                if self.stopped {
                    break;
                }
            }
            let depth = if self.stopped { self.fall_back(&settled, depth) } else { depth };
            if self.stopped && settled.is_empty() && (lines > 1 || !self.root_moves[0].is_scored()) {
                self.guess_the_rest();
            }
            // A broken-off iteration may have found nothing new; its line still tells how many nodes and how much time it took.
            self.last_depth = depth;
            if self.is_first() {
                self.report(depth, lines, Bound::Exact, reporter);
            }
            if self.stopped {
                break;
            }
            settled.clear();
            settled.extend_from_slice(&self.root_moves[..lines]);
            let best = &self.root_moves[0];
            signs.stability = if last_best == Some(best.mv) { signs.stability + 1 } else { 0 };
            last_best = Some(best.mv);
            signs.previous_score = signs.score;
            signs.score = best.score;
            signs.mates = if best.score.mate_moves().is_some_and(|moves| moves > 0) { signs.mates + 1 } else { 0 };
            signs.effort_permille = (best.nodes * 1000 / self.nodes.max(1)) as i32;
            if self.is_first() && self.should_not_deepen(&signs) {
                break;
            }
        }
        self.shared.nodes[self.id].store(self.nodes, Relaxed);
        if self.is_first() {
            self.shared.done.store(true, Relaxed);
        }
    }

    /// Whether a move of the root is to be searched for the current line.
    #[inline(always)]
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        let rest = &self.root_moves[self.pv_index..];
        rest.iter().any(|root_move| root_move.mv == mv && root_move.rank == rest[0].rank)
    }

    /// Writes down what the search of a root move has shown.
    pub(super) fn record_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: (Score, Score),
        count: usize,
        nodes: u64,
    ) {
        let (alpha, beta) = window;
        let index = self.pv_index;
        let seldepth = self.seldepth;
        let Some(position) = self.root_moves[index..].iter().position(|root_move| root_move.mv == mv) else { return };
        let root_move = &mut self.root_moves[index + position];
        root_move.nodes += nodes;
        root_move.bound = match score {
            _ if score <= alpha => Bound::Upper,
            _ if score >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        if score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend(self.pv.line(1));
        } else if count == 1 {
            root_move.score = score;
        } else {
            root_move.score = -Score::INFINITE;
        }
    }

    /// After a stop in mid-iteration: the best move is the best of those whose score this iteration knows exactly. If it
    /// knows none, and where there are several lines, which are to be of one depth, those of the last iteration hold. A new
    /// move of which this iteration only knows that it is better than all others is the best all the same, if a last look at
    /// it comes to an end. Returned is how deep what is known has been searched.
    fn fall_back(&mut self, settled: &[RootMove], depth: i32) -> i32 {
        let leader = &self.root_moves[0];
        let leads = leader.bound == Bound::Lower && settled.len() == 1;
        let is_new = leads && leader.mv != settled[0].mv;
        self.opinion = leads.then_some((leader.score, depth));
        let looked = if is_new { self.look_again(LAST_LOOK.min(depth / 2).max(1)) } else { None };
        let exact = self.root_moves.iter().filter(|root_move| root_move.bound == Bound::Exact);
        let (lines, depth) = match (looked, exact.min_by_key(|root_move| root_move.order())) {
            (Some((best, depth)), _) => (vec![best], depth),
            (None, Some(best)) if settled.len() == 1 && (!leads || is_new) => (vec![best.clone()], depth),
            _ => (settled.to_vec(), if settled.is_empty() { depth } else { depth - 1 }),
        };
        for (index, line) in lines.into_iter().enumerate() {
            let rest = &mut self.root_moves[index..];
            if let Some(position) = rest.iter().position(|root_move| root_move.mv == line.mv) {
                rest[..=position].rotate_right(1);
                rest[0] = line;
            }
        }
        depth
    }

    /// An exact score and a line of the first move of the root, which the iteration has left without. It is not as deep, but
    /// then the search is over, and this takes few nodes, which are not counted: the limit was reached before.
    fn look_again(&mut self, depth: i32) -> Option<(RootMove, i32)> {
        let (root, mut best) = (self.root.clone(), self.root_moves[0].clone());
        (self.stopped, self.last_look, self.seldepth) = (false, true, 0);
        let nodes = self.nodes;
        self.node_limit = Some(nodes + LAST_LOOK_NODES);
        let score = self.with_child(&root, best.mv, 0, |worker, child| {
            -worker.search::<Pv>(child, -Score::INFINITE, Score::INFINITE, depth - 1, 1, false)
        });
        let done = !self.stopped;
        (self.stopped, self.nodes) = (true, nodes);
        best.pv.truncate(1);
        best.pv.extend(self.pv.line(1));
        (best.score, best.bound, best.seldepth) = (score, Bound::Exact, self.seldepth);
        done.then_some((best, depth))
    }

    /// Where the first iteration was broken off, and has searched no move or several lines are wanted, the moves that it has
    /// not come to get the score that they have at first sight, but none that is better than what was searched.
    fn guess_the_rest(&mut self) {
        let known = self.root_moves.iter().take_while(|root_move| root_move.is_scored()).count();
        let root = self.root.clone();
        for index in known..self.root_moves.len() {
            let score =
                self.with_child(&root, self.root_moves[index].mv, 0, |worker, child| match child.has_legal_moves() {
                    false if child.in_check() => Score::mate_in(1),
                    true if !worker.is_draw(child, 1) => -worker.evaluate(child),
                    _ => Score::DRAW,
                });
            let root_move = &mut self.root_moves[index];
            (root_move.score, root_move.bound) = (score, Bound::Exact);
            root_move.pv.truncate(1);
        }
        let (searched, rest) = self.root_moves.split_at_mut(known);
        rest.sort_by_key(RootMove::order);
        if let Some(last) = searched.last() {
            rest.iter_mut().for_each(|root_move| root_move.score = root_move.score.min(last.shown()));
        }
    }

    /// Whether another iteration is not worth beginning.
    fn should_not_deepen(&self, signs: &Signs) -> bool {
        let shared = self.shared;
        let limits = shared.limits;
        if shared.control.is_stopped() {
            return true;
        }
        if let Some(mate) = limits.mate
            && self.root_moves[0].score.mate_moves().is_some_and(|moves| moves > 0 && moves <= mate)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.nodes >= soft) {
            return true;
        }
        let Some(soft) = shared.budget.soft else { return false };
        let percent = if shared.budget.elastic { time::factor(&self.params.time.time_management, signs) } else { 100 };
        // With a single move to choose from there is nothing to think about.
        let single = self.root_moves.get(1).is_none_or(|second| second.rank < self.root_moves[0].rank);
        let decided =
            shared.budget.elastic && (single || signs.mates >= self.params.time.time_management.mate_iterations);
        let enough = decided || self.elapsed().as_micros() as i64 * 100 >= soft.as_micros() as i64 * percent;
        if enough && shared.control.is_pondering() {
            shared.control.note_thought_enough();
        }
        enough && !shared.control.is_pondering()
    }

    /// Sends the lines of an iteration.
    pub(super) fn report(&self, depth: i32, lines: usize, bound: Bound, reporter: &mut dyn Reporter) {
        self.shared.nodes[self.id].store(self.nodes, Relaxed);
        if !reporter.is_listening() {
            return;
        }
        self.shared.prober.take_faults().iter().for_each(|fault| reporter.notice(fault));
        let best = &self.root_moves[..lines];
        // A mate that was found further down, where the tables say that it takes longer, must not stand above the first.
        let in_order = best.is_sorted_by(|a, b| a.shown() >= b.shown());
        // A move that a broken-off first iteration did not reach has no score to show.
        for (index, root_move) in best.iter().take_while(|root_move| root_move.is_scored()).enumerate() {
            let score = root_move.known.filter(|_| !in_order).unwrap_or(root_move.shown());
            reporter.line(&Line {
                depth,
                seldepth: root_move.seldepth.max(1),
                multipv: index + 1,
                score,
                known: root_move.known.is_some(),
                bound: if score == root_move.score { bound } else { Bound::Exact },
                nodes: self.shared.total_nodes(),
                time: self.elapsed(),
                hashfull: self.shared.table.fill_permille(),
                tbhits: self.shared.tbhits.load(Relaxed),
                pv: &root_move.pv,
            });
        }
    }
}
