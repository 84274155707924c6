//! Judging a single move of a node: whether to search it at all, and how much shallower.

use chess::{Board, Move, Score};

use super::carriers::{Kind, Node};
use super::ideas::late_move_reductions::{self, LateMove, PLY};
use super::ideas::{futility, history_pruning, lone_king, rank_gates, see_pruning};
use super::moves::Setting;
use super::worker::Worker;
use crate::telemetry::Counter;

/// What is known about a move before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The move.
    pub mv: Move,
    /// How many moves came before it, itself included.
    pub number: usize,
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// The table's.
    pub is_table_move: bool,
    /// Whether it gives check.
    pub gives_check: bool,
    /// A killer or the countermove.
    pub refutation: bool,
    /// Whether the rank-aware gates may touch it.
    pub gated: bool,
    /// What histories say of it.
    pub history: i32,
    /// By how many plies it is searched deeper.
    pub extension: i32,
}

/// What to do with a move.
pub(super) enum Judgement {
    Search,
    Skip,
    /// Skip it and all other quiets; the score is what they are taken to be worth.
    SkipQuiets(Score),
}

impl Worker<'_> {
    /// What is known about a move, the so-many-th of its node.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        board: &Board,
        node: &Node,
        setting: &Setting,
        mv: Move,
        number: usize,
    ) -> Candidate {
        let quiet = mv.is_quiet();
        let is_table_move = Some(mv) == node.table_move;
        let refutation = self.frames.at(node.ply).killers.contains(mv) || setting.countermove == Some(mv);
        let gives_check = board.gives_check(mv);
        let recapture = setting.last_move.is_some_and(|last| last.is_capture() && last.to() == mv.to());
        let forcing = gives_check || mv.is_promotion() || recapture;
        let history = if quiet {
            self.histories.quiet(self.params, board, setting.threats, &setting.previous, mv)
        } else {
            self.histories.capture(board, mv)
        };
        // Rank-aware gates leave the best and the forcing moves alone.
        let gated = setting.gated && !is_table_move && !forcing && !refutation;
        Candidate { mv, number, quiet, is_table_move, gives_check, refutation, gated, history, extension: 0 }
    }

    /// Whether a move is worth searching. Not for the root, nor before a line is found that does not lose by force.
    #[inline(always)]
    pub(super) fn judge(&mut self, board: &Board, node: &Node, candidate: &Candidate, late_limit: usize) -> Judgement {
        let params = self.params;
        let Candidate { mv, number, quiet, gated, history, .. } = *candidate;
        let in_check = node.in_check;
        let history_plies = history * PLY / params.late_move_reductions.history_divisor;
        let reduced_depth = node.depth - 1 - (self.reductions.base(node.depth, number, quiet) - history_plies) / PLY;

        if quiet && !lone_king::is_hunted(&params.lone_king, board) {
            // Late move pruning
            let mut limit = late_limit;
            if gated {
                limit = rank_gates::late_move_limit(&params.rank_gates, node.depth, number, late_limit, &self.rates);
                self.telemetry.count_if(limit != late_limit, Counter::GateLateMoves);
            }
            if !in_check && number > limit {
                self.telemetry.count(Counter::LateMovePruned);
                return Judgement::SkipQuiets(-Score::INFINITE);
            }

            // Futility
            let deep_gate = gated && node.depth >= 3;
            let extra = if deep_gate { rank_gates::futility_extra(&params.rank_gates, number) } else { 0 };
            self.telemetry.count_if(extra != 0, Counter::GateFutility);
            let forcing = in_check || candidate.gives_check;
            if !forcing && futility::prunes(&params.futility, node, reduced_depth, extra) {
                self.telemetry.count(Counter::FutilityPruned);
                return Judgement::SkipQuiets(futility::score(&params.futility, node, reduced_depth));
            }

            // History pruning
            if history_pruning::prunes(&params.history_pruning, reduced_depth, history) {
                self.telemetry.count(Counter::HistoryPruned);
                return Judgement::Skip;
            }
        }

        // SEE pruning
        let mut threshold = if quiet {
            see_pruning::quiet_threshold(&params.see_pruning, reduced_depth)
        } else {
            see_pruning::capture_threshold(&params.see_pruning, node.depth)
        };
        if gated && !quiet && number >= params.rank_gates.capture_rank_base as usize {
            threshold = Some(0);
            self.telemetry.count(Counter::GateCaptures);
        }
        if !candidate.is_table_move && threshold.is_some_and(|bar| !board.see_at_least(mv, bar)) {
            self.telemetry.count(if quiet { Counter::SeePrunedQuiet } else { Counter::SeePrunedCapture });
            return Judgement::Skip;
        }
        Judgement::Search
    }

    /// How much shallower to search a move at first, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn reduction<K: Kind>(&mut self, node: &Node, setting: &Setting, candidate: &Candidate) -> i32 {
        let late = LateMove {
            number: candidate.number,
            quiet: candidate.quiet,
            pv: K::PV,
            was_pv: node.was_pv,
            gives_check: candidate.gives_check,
            refutation: candidate.refutation,
            noisy_table_move: setting.noisy_table_move,
            many_cutoffs: self.frames.at(node.ply + 1).cutoffs > 3,
            history: candidate.history,
        };
        let params = self.params;
        let r = late_move_reductions::reduction(&params.late_move_reductions, self.reductions, node, &late);
        if !candidate.gated {
            return r;
        }
        self.telemetry.count(Counter::GateReductions);
        let smoothed = self.rates.too_many(&params.rank_gates, node.depth, candidate.number);
        self.telemetry.count_if(smoothed, Counter::GateSmoothed);
        rank_gates::reduction(&params.rank_gates, node.depth, candidate.number, &self.rates)
            .map_or(0, |change| r + change)
    }
}
