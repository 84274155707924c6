//! Quiescence (QS): at the horizon only captures, promotions and check evasions are followed, until the position is
//! quiet enough for the static evaluation. Without it every exchange that the horizon cuts in two is misjudged.

use chess::{Board, Color, Move, Score};

use super::carriers::{Kind, Node};
use super::ideas::{delta_pruning, endgame_guard};
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY, idea};
use crate::movepick::Ordinary;
use crate::tt::Entry;

idea! {
    /// Quiescence search.
    Quiescence "UseQuiescence" {
        /// Checks are evaded in full only this many plies into quiescence (published 8).
        check_ply_max as "MaxCheckPly" = 8 in 0..=64 step 1;
        /// The most nodes below one entry into quiescence; 0 for no limit.
        node_limit as "QSearchNodeLimit" = 0 in 0..=1000000 step 1000;
        /// How many quiet answers to a check are tried once one of them holds; 64 for all.
        quiet_evasions_max = 6 in 1..=64 step 1;
        /// Captures that lose more than this in the exchange are skipped.
        see_margin = -59 in -200..=300 step 20;
    }
    counts QuiescenceCounts { nodes, cutoffs, first_move_cutoffs, stand_pat, evasions, limit_hits }
}

/// What is known of a leaf.
struct Leaf {
    /// What the table holds.
    entry: Option<Entry>,
    /// Whether the position is on a principal variation, or was when the entry was made.
    was_pv: bool,
    /// Whether all answers to a check are tried.
    evading: bool,
    /// The static evaluation as it was made; nothing when evading.
    raw_eval: Option<Score>,
    /// The static evaluation, corrected; of no use when evading.
    stand_pat: Score,
    /// The best score so far.
    score: Score,
}

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
        self.telemetry.search.quiescence.nodes.count();
        let params = self.params;

        // Draws, limits and the end of the line
        if let Some(score) = self.settle_leaf(board, &mut alpha, beta, ply) {
            return score;
        }

        // Transposition table
        let entry = self.shared.table.probe(&params.tables.clustered_tt, board.key(), ply);
        self.telemetry.tables.clustered_tt.probes.count();
        self.telemetry.tables.clustered_tt.hits.count_if(entry.is_some());
        if !K::PV
            && let Some(e) = entry
            && e.bound.proves(e.score, beta)
        {
            self.telemetry.tables.clustered_tt.cutoffs.count();
            return e.score;
        }
        let was_pv = K::PV || entry.is_some_and(|e| e.pv);
        // Beyond the cap a check no longer opens all evasions: the node is taken as if it were quiet.
        let evading = board.in_check() && depth <= params.search.quiescence.check_ply_max as usize;
        let (stand_pat, score) = (-Score::INFINITE, Score::mated_in(ply));
        let mut leaf = Leaf { entry, was_pv, evading, raw_eval: None, stand_pat, score };

        // Stand pat: nobody is forced to capture
        if evading {
            self.telemetry.search.quiescence.evasions.count();
        } else {
            self.stand_pat(board, &mut leaf);
            if leaf.score >= beta {
                self.telemetry.search.quiescence.stand_pat.count();
                if entry.is_none() {
                    self.store_leaf(board, ply, &leaf, None, Bound::Lower);
                }
                return leaf.score;
            }
            alpha = alpha.max(leaf.score);
        }

        // The moves
        self.search_captures::<K>(board, alpha, beta, ply, depth, leaf)
    }

    /// The score of a leaf that the rules or the limits of quiescence decide.
    #[inline(always)]
    fn settle_leaf(&mut self, board: &Board, alpha: &mut Score, beta: Score, ply: usize) -> Option<Score> {
        let p = &self.params.search.quiescence;
        if self.is_draw(board, ply) {
            return Some(Score::DRAW);
        }
        if self.params.search.upcoming_repetition.enabled
            && *alpha < Score::DRAW
            && self.keys.has_upcoming_repetition(board, ply)
        {
            *alpha = Score::DRAW;
            if *alpha >= beta {
                return Some(*alpha);
            }
        }
        let over_limit = p.node_limit > 0 && self.nodes - self.quiescence_entry > p.node_limit as u64;
        if !p.enabled || over_limit || ply >= MAX_PLY {
            self.telemetry.search.quiescence.limit_hits.count_if(p.enabled);
            return Some(self.evaluate(board));
        }
        None
    }

    /// What a leaf is worth if nothing is captured: its evaluation, or the table's score where that says more.
    #[inline(always)]
    fn stand_pat(&mut self, board: &Board, leaf: &mut Leaf) {
        let eval = match leaf.entry.and_then(|e| e.eval) {
            Some(eval) => eval,
            None => self.evaluate(board),
        };
        leaf.raw_eval = Some(eval);
        leaf.stand_pat = self.histories.corrected(&self.params.history.correction_history, board, eval);
        leaf.score = leaf.stand_pat;
        if let Some(e) = leaf.entry
            && e.bound.proves(e.score, leaf.score)
            && !e.score.is_decisive()
        {
            leaf.score = e.score;
        }
    }

    /// Tells the table what a leaf has come to.
    #[inline(always)]
    fn store_leaf(&mut self, board: &Board, ply: usize, leaf: &Leaf, mv: Option<Move>, bound: Bound) {
        let stored = Entry { mv, score: leaf.score, eval: leaf.raw_eval, depth: 0, bound, pv: leaf.was_pv };
        self.store(board, ply, stored);
    }

    /// The score of a leaf after its captures, or its evasions.
    #[inline(always)]
    fn search_captures<K: Kind>(
        &mut self,
        board: &Board,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        depth: usize,
        mut leaf: Leaf,
    ) -> Score {
        let params = self.params;
        let p = &params.search.quiescence;
        let evading = leaf.evading;
        let mut node = Node::new::<K>(board, alpha, beta, -(depth as i32), ply, false);
        node.previous = self.frames.previous(ply);
        let quiet_checks = self.qsearch_checks(depth);
        let mut picker = {
            let context = self.ordering(board, &node);
            let table_move = leaf.entry.and_then(|e| e.mv);
            if evading || !board.in_check() {
                Ordinary::quiescence(&context, table_move, p.see_margin, quiet_checks)
            } else {
                Ordinary::captures_only(&context, table_move, p.see_margin)
            }
        };
        let delta_allowed = !evading && self.enough_material_for_delta(board);
        let mut best_move = None;
        let mut quiet_evasions = 0;
        let mut searched = 0;
        while let Some(mv) = picker.next(&self.ordering(board, &node), &mut self.telemetry.picker) {
            // Delta pruning
            if delta_allowed
                && !mv.is_promotion()
                && let Some(victim) = board.captured(mv)
                && delta_pruning::prunes(&params.search.delta_pruning, leaf.stand_pat, victim, alpha)
            {
                self.telemetry.search.delta_pruning.fired.count();
                continue;
            }

            // Quiescence futility
            if !evading
                && leaf.score > -Score::WIN_BOUND
                && let Some(score) = self.quiescence_futility(board, mv, ply, leaf.stand_pat, alpha)
            {
                leaf.score = leaf.score.max(score);
                continue;
            }

            // Once there is an answer to a check, a few quiet ones more are enough.
            if evading && mv.is_quiet() {
                if quiet_evasions >= p.quiet_evasions_max && !leaf.score.is_decisive() {
                    picker.skip_quiets();
                    continue;
                }
                quiet_evasions += 1;
            }

            searched += 1;
            let score = self.with_child(board, mv, ply, |worker, child| {
                -worker.quiescence::<K>(child, -beta, -alpha, ply + 1, depth + 1)
            });
            if self.stopped {
                return Score::DRAW;
            }
            if score > leaf.score {
                leaf.score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.telemetry.search.quiescence.cutoffs.count();
                        self.telemetry.search.quiescence.first_move_cutoffs.count_if(searched == 1);
                        break;
                    }
                    alpha = score;
                }
            }
        }

        // Without any legal answer to a check the score is still that of mate.
        let bound = if leaf.score >= beta { Bound::Lower } else { Bound::Upper };
        self.store_leaf(board, ply, &leaf, best_move, bound);
        leaf.score
    }

    fn enough_material_for_delta(&self, board: &Board) -> bool {
        let total: i32 = Color::ALL.into_iter().map(|color| endgame_guard::non_pawn_material(board, color)).sum();
        total >= self.params.search.delta_pruning.material_min
    }
}
