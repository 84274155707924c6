//! Quiescence: from the horizon on, only captures, promotions and answers to check.

use chess::{Board, Color, Score};

use super::MAX_PLY;
use super::heuristics::{delta_pruning, endgame_guard};
use super::moves::context;
use super::node::Kind;
use super::worker::Worker;
use crate::history::Threats;
use crate::movepick::{Context, Ordinary};
use crate::telemetry::Counter;
use crate::tt::{Bound, Entry};

impl Worker<'_> {
    /// Begins quiescence at a leaf of the main search.
    #[inline(always)]
    pub(super) fn enter_quiescence<K: Kind>(&mut self, board: &Board, alpha: Score, beta: Score, ply: usize) -> Score {
        self.quiescence_entry = self.nodes;
        self.quiescence::<K>(board, alpha, beta, ply, 0)
    }

    /// The score of a position once the captures are played out (fail-soft).
    fn quiescence<K: Kind>(&mut self, board: &Board, mut alpha: Score, beta: Score, ply: usize, depth: usize) -> Score {
        self.pv.clear(ply);
        if !self.enter_node(ply) {
            return Score::DRAW;
        }
        self.telemetry.count(Counter::QsNodes);
        let params = self.params;
        let p = &params.quiescence;
        let in_check = board.in_check();

        // Draws, limits and the end of the line
        if self.is_draw(board, ply) {
            return Score::DRAW;
        }
        if params.upcoming_repetition.enabled && alpha < Score::DRAW && self.keys.has_upcoming_repetition(board, ply) {
            alpha = Score::DRAW;
            if alpha >= beta {
                return alpha;
            }
        }
        let over_limit = p.node_limit > 0 && self.nodes - self.quiescence_entry > p.node_limit as u64;
        if !p.enabled || over_limit || ply >= MAX_PLY {
            self.telemetry.count_if(p.enabled, Counter::QsLimitHits);
            return self.evaluate(board);
        }
        // Beyond the cap a check no longer opens all evasions: the node is taken as if it were quiet.
        let evading = in_check && depth <= p.check_ply_max as usize;

        // Transposition table
        let key = board.key();
        let entry = self.shared.table.probe(&params.table, key, ply);
        self.telemetry.count(Counter::TableProbes);
        self.telemetry.count_if(entry.is_some(), Counter::TableHits);
        if !K::PV
            && let Some(e) = entry
            && e.bound.proves(e.score, beta)
        {
            self.telemetry.count(Counter::TableCutoffs);
            return e.score;
        }
        let was_pv = K::PV || entry.is_some_and(|e| e.pv);

        // Stand pat: nobody is forced to capture
        let mut raw_eval = None;
        let mut best_score = Score::mated_in(ply);
        let mut stand_pat = -Score::INFINITE;
        if evading {
            self.telemetry.count(Counter::QsEvasions);
        } else {
            let eval = match entry.and_then(|e| e.eval) {
                Some(eval) => eval,
                None => self.evaluate(board),
            };
            raw_eval = Some(eval);
            stand_pat = self.histories.corrected(params, board, eval);
            best_score = stand_pat;
            if let Some(e) = entry
                && e.bound.proves(e.score, best_score)
                && !e.score.is_decisive()
            {
                best_score = e.score;
            }
            if best_score >= beta {
                self.telemetry.count(Counter::QsStandPat);
                if entry.is_none() {
                    let stored = Entry {
                        mv: None,
                        score: best_score,
                        eval: raw_eval,
                        depth: 0,
                        bound: Bound::Lower,
                        pv: was_pv,
                    };
                    self.shared.table.store(&params.table, key, ply, stored);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }

        // The moves
        let previous = self.frames.previous(ply);
        let threats = Threats::default();
        let quiet_checks = params.quiet_checks.enabled && depth == 0;
        let mut picker = {
            let context = context!(self, board, ply, -(depth as i32), threats, &previous, None);
            let table_move = entry.and_then(|e| e.mv);
            if evading || !in_check {
                Ordinary::quiescence(&context, table_move, p.see_margin, quiet_checks)
            } else {
                Ordinary::captures_only(&context, table_move, p.see_margin)
            }
        };
        let delta_allowed = !evading && self.enough_material_for_delta(board);
        let mut best_move = None;
        let mut quiet_evasions = 0;
        loop {
            let next = {
                let context = context!(self, board, ply, -(depth as i32), threats, &previous, None);
                picker.next(&context, self.telemetry)
            };
            let Some(mv) = next else { break };

            // Delta pruning
            if delta_allowed
                && !mv.is_promotion()
                && let Some(victim) = board.captured(mv)
                && delta_pruning::prunes(&params.delta, stand_pat, victim, alpha)
            {
                self.telemetry.count(Counter::QsDelta);
                continue;
            }

            // Once there is an answer to a check, a few quiet ones more are enough.
            if evading && mv.is_quiet() {
                if quiet_evasions >= p.quiet_evasions_max && !best_score.is_decisive() {
                    picker.skip_quiets();
                    continue;
                }
                quiet_evasions += 1;
            }

            let mut child = board.clone();
            self.make(board, &mut child, mv, ply);
            let score = -self.quiescence::<K>(&child, -beta, -alpha, ply + 1, depth + 1);
            self.undo();
            if self.stopped {
                return Score::DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.telemetry.count(Counter::QsCutoffs);
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Without any legal answer to a check the score is still that of mate.
        let bound = if best_score >= beta { Bound::Lower } else { Bound::Upper };
        let stored = Entry { mv: best_move, score: best_score, eval: raw_eval, depth: 0, bound, pv: was_pv };
        self.shared.table.store(&params.table, key, ply, stored);
        best_score
    }

    fn enough_material_for_delta(&self, board: &Board) -> bool {
        let total: i32 = Color::ALL.into_iter().map(|color| endgame_guard::non_pawn_material(board, color)).sum();
        total >= self.params.delta.material_min
    }
}
