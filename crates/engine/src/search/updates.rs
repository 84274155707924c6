//! What a node teaches: histories, killers, countermoves and corrections after a cutoff or a finished node.

use chess::{Board, Move, Score};

use super::carriers::{Kind, Node};
use super::ideas::rank_gates::bucket;
use super::ideas::{correction, eval_history};
use super::worker::Worker;
use crate::base::Bound;
use crate::history::Threats;
use crate::movepick::Picker;
use crate::telemetry::Counter;
use crate::tt::Entry;

/// The moves that were tried before the one that cut. More than this many are not worth remembering.
pub(super) struct Tried {
    moves: [Option<Move>; 64],
    len: usize,
}

impl Tried {
    #[inline(always)]
    pub fn new() -> Tried {
        Tried { moves: [None; 64], len: 0 }
    }

    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if self.len < self.moves.len() {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl Worker<'_> {
    /// Counts a beta cutoff for the statistics of move ordering.
    #[inline(always)]
    pub(super) fn count_cutoff(&mut self, rank: usize, by_countermove: bool) {
        self.telemetry.count(Counter::BetaCutoffs);
        self.telemetry.count_if(rank == 1, Counter::FirstMoveCutoffs);
        self.telemetry.count_if(by_countermove, Counter::CountermoveCutoffs);
        self.telemetry.count(match bucket(rank) {
            0 => Counter::BestRank1,
            1 => Counter::BestRank2To5,
            2 => Counter::BestRank6To10,
            _ => Counter::BestRank11Up,
        });
    }

    /// Counts how often a shortlist held the quiet move that came out best.
    #[inline(always)]
    pub(super) fn count_listed(&mut self, best: Option<Move>, picker: &Picker) {
        if let Some(mv) = best.filter(|mv| mv.is_quiet())
            && let Some(listed) = picker.lists(mv)
        {
            self.telemetry.count(Counter::RankedPvQuiets);
            self.telemetry.count_if(listed, Counter::RankedPvQuietsListed);
        }
    }

    /// What a node teaches once its moves are searched.
    #[inline(always)]
    pub(super) fn learn<K: Kind>(&mut self, board: &Board, node: &Node, tried: &Tried) {
        let Node { depth, ply, beta, best_score: score, best_move: mv, .. } = *node;
        let complete = node.excluded.is_none();

        // Histories, killers, countermove
        if score >= beta {
            self.frames.at_mut(ply).cutoffs += 1;
            if let Some(best) = mv {
                self.reward(board, node, best, tried);
            }
        } else if mv.is_none() && complete {
            self.reward_refutation(board, depth, ply);
        }

        // The table and the corrections. Other lines than the first would say too little of the root.
        if complete && !(K::ROOT && self.pv_index > 0) {
            let bound = match mv {
                _ if score >= beta => Bound::Lower,
                Some(_) if K::PV => Bound::Exact,
                _ => Bound::Upper,
            };
            let stored = Entry { mv, score, eval: node.raw_eval, depth, bound, pv: node.was_pv };
            self.shared.table.store(&self.params.table, board.key(), ply, stored);
            let static_eval = (!node.in_check).then_some(node.static_eval);
            self.learn_correction(board, static_eval, score, mv, bound, depth);
        }
    }

    /// Rewards the move that cut and punishes those tried before it.
    fn reward(&mut self, board: &Board, node: &Node, best: Move, tried: &Tried) {
        let Node { depth, ply, threats, ref previous, last_move, .. } = *node;
        let params = self.params;
        let (bonus, malus) = (params.history.bonus(depth), params.history.malus(depth));
        if best.is_quiet() {
            self.frames.at_mut(ply).killers.push(best);
            if params.countermoves.enabled
                && let Some(last) = last_move
            {
                self.telemetry.count(Counter::CountermoveUpdates);
                self.histories.set_countermove(last, best);
            }
            self.histories.update_quiet(params, board, threats, previous, best, bonus);
            for mv in tried.iter().filter(|mv| mv.is_quiet()) {
                self.histories.update_quiet(params, board, threats, previous, mv, malus);
            }
        } else {
            self.histories.update_capture(params, board, best, bonus);
        }
        for mv in tried.iter().filter(|mv| !mv.is_quiet()) {
            self.histories.update_capture(params, board, mv, malus);
        }
    }

    /// The quiet move that led to this node, and what the opponent attacked when it was made.
    #[inline(always)]
    fn quiet_move_before(&self, ply: usize) -> Option<(Move, Threats)> {
        let frame = self.frames.before(ply, 1);
        let mv = frame.mv.filter(|mv| ply > 0 && mv.is_quiet())?;
        Some((mv, frame.threats))
    }

    /// Rewards or punishes the quiet move before by how the static evaluation has changed.
    #[inline(always)]
    pub(super) fn learn_from_evaluation(&mut self, board: &Board, now: Score, ply: usize) {
        let p = &self.params.eval_history;
        if p.enabled
            && let Some((mv, threats)) = self.quiet_move_before(ply)
            && let Some(before) = self.frames.before(ply, 1).static_eval
        {
            let bonus = eval_history::bonus(p, before, now);
            self.histories.update_made(self.params, !board.side_to_move(), threats, mv, bonus);
        }
    }

    /// Rewards the quiet move before, to which nothing was found.
    fn reward_refutation(&mut self, board: &Board, depth: i32, ply: usize) {
        let params = self.params;
        if params.refutation_history.enabled
            && let Some((mv, threats)) = self.quiet_move_before(ply)
        {
            let bonus = params.history.bonus(depth) * params.refutation_history.share_factor / 100;
            let previous = self.frames.previous(ply - 1);
            let piece_to = self.frames.before(ply, 1).piece_to;
            self.histories.update_made(params, !board.side_to_move(), threats, mv, bonus);
            if params.continuation.enabled {
                self.histories.update_continuation(params, piece_to, &previous, bonus);
            }
        }
    }

    /// Rewards a quiet table move that cuts without being searched again.
    pub(super) fn reward_table_move(&mut self, board: &Board, mv: Move, depth: i32, ply: usize) {
        let params = self.params;
        let bonus = params.history.bonus(depth) * params.history.table_factor / 100;
        if bonus > 0 && mv.is_quiet() && board.is_legal(mv) {
            let threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
            let previous = self.frames.previous(ply);
            self.histories.update_quiet(params, board, threats, &previous, mv, bonus);
        }
    }

    /// Learns how far the static evaluation was off, where the score says so.
    fn learn_correction(
        &mut self,
        board: &Board,
        static_eval: Option<Score>,
        score: Score,
        best: Option<Move>,
        bound: Bound,
        depth: i32,
    ) {
        let Some(eval) = static_eval else { return };
        let quiet = best.is_none_or(Move::is_quiet);
        let says_so = match bound {
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
            _ => true,
        };
        if self.params.correction.enabled && quiet && says_so && !score.is_decisive() {
            self.histories.update_correction(board, correction::bonus(score, eval, depth));
        }
    }
}
