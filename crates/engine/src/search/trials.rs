//! Small searches at a node, before or among its moves, that may cut it or change its depth: null move, ProbCut,
//! multicut and the test for singularity. When and how far is decided in their heuristics' own files.

use chess::{Board, Move, Score};

use super::ideas::{Node, endgame_guard, multicut, null_move, probcut, singular};
use super::moves::context;
use super::node::NonPv;
use super::worker::Worker;
use crate::base::Bound;
use crate::history::Threats;
use crate::movepick::{Context, Ordinary};
use crate::telemetry::Counter;
use crate::tt::Entry;

impl Worker<'_> {
    /// Gives the opponent a free move; a score that still beats beta cuts the node.
    pub(super) fn try_null_move(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let p = &self.params.null_move;
        let ply = node.ply;
        let us = board.side_to_move();
        let last_was_null = self.frames.before(ply, 1).mv.is_none();
        if last_was_null || ply < self.null_move_ply || endgame_guard::non_pawn_material(board, us) <= p.material_min {
            return None;
        }
        let reduction = null_move::reduction(p, node)?;
        self.telemetry.count(Counter::NullMoveTried);
        let child = self.make_null(board, ply);
        let depth = node.depth - reduction;
        let score = -self.search::<NonPv>(&child, -node.beta, -node.beta + 1, depth, ply + 1, !node.cut);
        self.undo();
        if self.stopped || score < node.beta {
            return None;
        }
        // A mate found after a free move is no mate.
        let score = if score.is_decisive() { node.beta } else { score };
        if node.depth < p.verify_depth || self.null_move_ply > 0 {
            self.telemetry.count(Counter::NullMoveFired);
            return Some(score);
        }
        // Verification: the same node, shallower, with null moves forbidden for the next plies.
        self.telemetry.count(Counter::NullMoveVerified);
        self.null_move_ply = ply + (3 * depth.max(1) / 4) as usize + 1;
        let verified = self.search::<NonPv>(board, node.beta - 1, node.beta, depth.max(1), ply, false);
        self.null_move_ply = 0;
        (!self.stopped && verified >= node.beta).then_some(score)
    }

    /// Looks for a capture that beats a raised beta in a shallower search.
    pub(super) fn try_probcut(
        &mut self,
        board: &Board,
        node: &Node,
        entry: Option<Entry>,
        raw_eval: Option<Score>,
    ) -> Option<Score> {
        let p = &self.params.probcut;
        let bar = probcut::raised_beta(p, node)?;
        // The table may already know that it cannot be done.
        if entry.is_some_and(|e| e.depth > node.depth - p.reduction_base && e.score < bar && e.bound != Bound::None) {
            return None;
        }
        self.telemetry.count(Counter::ProbCutTried);
        let ply = node.ply;
        let previous = self.frames.previous(ply);
        let threshold = bar - node.static_eval;
        let threats = Threats::default();
        let mut picker = {
            let context = context!(self, board, ply, node.depth, threats, &previous, None);
            Ordinary::probcut(&context, entry.and_then(|e| e.mv), threshold)
        };
        loop {
            let next = {
                let context = context!(self, board, ply, node.depth, threats, &previous, None);
                picker.next(&context, self.telemetry)
            };
            let mv = next?;
            let mut child = board.clone();
            self.make(board, &mut child, mv, ply);
            let mut score = -self.enter_quiescence::<NonPv>(&child, -bar, -bar + 1, ply + 1);
            let depth = node.depth - p.reduction_base;
            if score >= bar && depth > 0 {
                score = -self.search::<NonPv>(&child, -bar, -bar + 1, depth, ply + 1, !node.cut);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if score >= bar {
                self.telemetry.count(Counter::ProbCutFired);
                let stored =
                    Entry { mv: Some(mv), score, eval: raw_eval, depth: depth + 1, bound: Bound::Lower, pv: false };
                self.shared.table.store(&self.params.table, board.key(), ply, stored);
                return Some(score);
            }
        }
    }

    /// Tries the first moves at reduced depth; several fail-highs cut the node.
    pub(super) fn try_multicut(&mut self, board: &Board, node: &Node, table_move: Option<Move>) -> Option<Score> {
        self.telemetry.count(Counter::MulticutTried);
        let p = &self.params.multicut;
        let ply = node.ply;
        let previous = self.frames.previous(ply);
        let threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
        let mut picker = {
            let context = context!(self, board, ply, node.depth, threats, &previous, None);
            Ordinary::all(&context, table_move)
        };
        let mut cuts = 0;
        for _ in 0..p.tries_max {
            let next = {
                let context = context!(self, board, ply, node.depth, threats, &previous, None);
                picker.next(&context, self.telemetry)
            };
            let mv = next?;
            let mut child = board.clone();
            self.make(board, &mut child, mv, ply);
            let depth = node.depth - 1 - p.reduction_base;
            let score = -self.search::<NonPv>(&child, -node.beta, -node.beta + 1, depth, ply + 1, !node.cut);
            self.undo();
            if self.stopped {
                return None;
            }
            if score >= node.beta {
                cuts += 1;
                if cuts >= multicut::needed(node.depth) {
                    self.telemetry.count(Counter::MulticutFired);
                    return Some(node.beta);
                }
            }
        }
        None
    }

    /// Searches the other moves, without the table move, to see whether it is singular.
    pub(super) fn judge_table_move(
        &mut self,
        board: &Board,
        node: &Node,
        mv: Move,
        entry: &Entry,
        pv: bool,
    ) -> singular::Verdict {
        let p = &self.params.singular;
        let applies = p.enabled
            && node.depth >= p.min_depth
            && entry.depth >= node.depth - p.entry_slack_depth
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && !entry.score.is_decisive()
            && node.ply < 2 * self.root_depth as usize;
        if !applies {
            return singular::Verdict::Extend(0);
        }
        self.telemetry.count(Counter::SingularTried);
        let ply = node.ply;
        let bar = singular::bar(p, entry.score, node.depth);
        self.frames.at_mut(ply).excluded = Some(mv);
        let others = self.search::<NonPv>(board, bar - 1, bar, (node.depth - 1) / 2, ply, node.cut);
        self.frames.at_mut(ply).excluded = None;
        if self.stopped {
            return singular::Verdict::Extend(0);
        }
        let may_double = !pv && self.frames.at(ply).doubles < p.double_max;
        let verdict = singular::verdict(p, others, bar, entry.score, node.beta, may_double, node.cut);
        self.telemetry.count(match verdict {
            singular::Verdict::Extend(2..) => Counter::SingularDouble,
            singular::Verdict::Extend(1) => Counter::SingularExtended,
            singular::Verdict::Cut(_) => Counter::SingularMulticut,
            singular::Verdict::Extend(_) => Counter::SingularNegative,
        });
        verdict
    }
}
