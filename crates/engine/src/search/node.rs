//! The node: one story from the window to the score. Here stands what may settle a node before its moves are looked
//! at, in the order in which it is tried; `moves` goes on from there.

use chess::{Board, Score};

use super::carriers::{Kind, Node};
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY};
use crate::telemetry::Counter;
use crate::tt::Entry;

/// What tables know is kept longer than what a search of this depth has found.
const KNOWN_EXTRA_DEPTH: i32 = 6;

impl Worker<'_> {
    /// Searches a position to a depth within a window, and returns its score (fail-soft).
    pub(super) fn search<K: Kind>(
        &mut self,
        board: &Board,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (K::PV || beta - alpha == 1));

        // Quiescence
        if depth <= 0 {
            return self.enter_quiescence::<K>(board, alpha, beta, ply);
        }

        self.pv.clear(ply);
        if !self.enter_node(ply) {
            return Score::DRAW;
        }
        self.telemetry.count(Counter::MainNodes);
        let mut node = Node::new::<K>(board, alpha, beta, depth, ply, cut);

        if !K::ROOT {
            // Draws, and the end of the line
            if let Some(score) = self.settle_by_rule(board, &node) {
                return score;
            }

            // Mate distance pruning
            if let Some(score) = self.mate_distance(&mut node) {
                return score;
            }

            // Upcoming repetition
            if let Some(score) = self.upcoming_repetition(board, &mut node) {
                return score;
            }
        }

        // Transposition table (TT)
        self.recall::<K>(board, &mut node);
        if !K::PV
            && let Some(score) = self.cut_by_table(board, &node)
        {
            return score;
        }

        // Endgame tables
        if !K::ROOT
            && self.shared.prober.applies(board)
            && node.excluded.is_none()
            && let Some(score) = self.consult_endgame_tables(board, &mut node)
        {
            return score;
        }

        // Static evaluation, evaluation history, improving
        self.assess(board, &mut node);

        // Razoring, reverse futility pruning (RFP), null move pruning (NMP)
        let prunable = !K::PV && !node.in_check && node.excluded.is_none();
        if prunable {
            self.endgame_guard(board, &mut node);
            if let Some(score) = self.razoring(board, &node) {
                return score;
            }
            if let Some(score) = self.reverse_futility(board, &node) {
                return score;
            }
            if let Some(score) = self.null_move(board, &node) {
                return score;
            }
        }

        // Internal iterative reduction (IIR)
        node.depth -= self.internal_reduction(&node);

        // ProbCut, multicut
        if prunable {
            if let Some(score) = self.probcut(board, &node) {
                return score;
            }
            if let Some(score) = self.multicut(board, &node) {
                return score;
            }
        }

        // The moves
        self.search_moves::<K>(board, node)
    }

    /// The score of a node that the rules decide, or that is too far away to go on.
    #[inline(always)]
    fn settle_by_rule(&mut self, board: &Board, node: &Node) -> Option<Score> {
        if self.is_draw(board, node.ply) {
            return Some(Score::DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(if node.in_check { Score::DRAW } else { self.evaluate(board) });
        }
        None
    }

    /// What the table holds of a position.
    #[inline(always)]
    fn recall<K: Kind>(&mut self, board: &Board, node: &mut Node) {
        node.excluded = self.frames.at(node.ply).excluded;
        node.entry = match node.excluded {
            Some(_) => None,
            None => self.shared.table.probe(&self.params.table, board.key(), node.ply),
        };
        self.telemetry.count(Counter::TableProbes);
        self.telemetry.count_if(node.entry.is_some(), Counter::TableHits);
        node.table_move =
            if K::ROOT { self.root_moves[self.pv_index].table_move() } else { node.entry.and_then(|e| e.mv) };
        node.was_pv = K::PV || node.entry.is_some_and(|e| e.pv);
    }

    /// The score of the table, if it is deep enough and on the right side of the window. A move that cuts in this way is
    /// rewarded, if it is quiet.
    #[inline(always)]
    fn cut_by_table(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let entry = node.entry?;
        // An entry knows nothing of the clock, which matters near the fifty-move rule.
        if entry.depth < node.depth || !entry.bound.proves(entry.score, node.beta) || board.halfmove_clock() >= 90 {
            return None;
        }
        self.telemetry.count(Counter::TableCutoffs);
        if entry.score >= node.beta
            && let Some(mv) = entry.mv
        {
            self.reward_table_move(board, mv, node.depth, node.ply);
        }
        Some(entry.score)
    }

    /// The score of the endgame tables, where they cut. Elsewhere they still bound what the principal variation may be
    /// worth.
    #[inline(always)]
    fn consult_endgame_tables(&mut self, board: &Board, node: &mut Node) -> Option<Score> {
        let (score, bound) = self.probe_tables(board, node.depth, node.ply)?;
        let cuts = match bound {
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
            _ => true,
        };
        if cuts {
            self.telemetry.count(Counter::SyzygyCutoffs);
            let depth = (node.depth + KNOWN_EXTRA_DEPTH).min(MAX_PLY as i32);
            let stored = Entry { mv: None, score, eval: None, depth, bound, pv: node.was_pv };
            self.shared.table.store(&self.params.table, board.key(), node.ply, stored);
            return Some(score);
        }
        if node.pv && bound == Bound::Lower {
            node.floor = score;
            node.alpha = node.alpha.max(score);
        } else if node.pv {
            node.ceiling = score;
        }
        None
    }

    /// Evaluates the position, unless the table has the evaluation, and corrects that by experience.
    #[inline(always)]
    fn assess(&mut self, board: &Board, node: &mut Node) {
        let ply = node.ply;
        let complete = node.excluded.is_none();
        self.frames.at_mut(ply + 1).killers = Default::default();
        self.frames.at_mut(ply + 2).cutoffs = 0;
        if node.in_check {
            self.frames.at_mut(ply).static_eval = None;
            return;
        }

        // Static evaluation; while a move is left out it is known from before
        if complete {
            let raw = node.entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate(board));
            node.raw_eval = Some(raw);
            node.static_eval = self.histories.corrected(self.params, board, raw);
            self.frames.at_mut(ply).static_eval = Some(node.static_eval);
        } else {
            node.static_eval = self.frames.at(ply).static_eval.unwrap_or(node.static_eval);
        }
        let now = node.static_eval;
        node.eval = node.entry.filter(|e| e.bound.proves(e.score, now)).map_or(now, |e| e.score);

        // Evaluation history
        if complete {
            self.learn_from_evaluation(board, now, ply);
        }

        // Improving
        node.improving = self.improving(node);
    }
}
