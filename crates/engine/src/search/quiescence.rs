//! Quiescence (QS): at the horizon only captures, promotions and check evasions are followed, until the position is
//! quiet enough for the static evaluation. Without it every exchange that the horizon cuts in two is misjudged.

use chess::{Board, Score};

use super::carriers::{Kind, Node};
use super::ideas::quiescence_see;
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY, idea};
use crate::movepick::Ordinary;
use crate::tt::Entry;

idea! {
    /// Plays captures and evasions out at the horizon until the position is quiet.
    Quiescence "UseQuiescence" (QS, QS1) {
        /// Checks are evaded in full only this many plies into quiescence (published 8).
        check_ply_max as "MaxCheckPly" = 8 in 0..=64 step 1;
        /// Positions this many plies into quiescence are evaluated as they stand.
        ply_max = 100 in 1..=240 step 5;
        /// The most nodes below one entry into quiescence; 0 for no limit.
        node_limit as "QSearchNodeLimit" = 0 in 0..=1000000 step 1000;
        /// How many quiet answers to a check are tried once one of them holds; 64 for all.
        quiet_evasions_max = 6 in 1..=64 step 1;
    }
    counts QuiescenceCounts { nodes, cutoffs, first_move_cutoffs, stand_pat, evasions, limit_hits }
}

impl Worker<'_> {
    /// Begins quiescence at a leaf of the main search.
    #[inline(always)]
    pub(super) fn enter_quiescence<K: Kind>(&mut self, board: &Board, alpha: Score, beta: Score, ply: usize) -> Score {
        self.quiescence_entry = self.nodes;
        self.quiescence::<K>(board, alpha, beta, ply, 0)
    }

    /// The score of a position once the captures are played out (fail-soft).
    fn quiescence<K: Kind>(&mut self, board: &Board, alpha: Score, beta: Score, ply: usize, depth: usize) -> Score {
        self.pv.clear(ply);
        if !self.enter_node(ply) {
            return Score::DRAW;
        }
        self.telemetry.search.quiescence.nodes.count();
        let mut node = Node::new::<K>(board, alpha, beta, -(depth as i32), ply, false);

        // Draws
        if self.is_draw(board, ply) {
            return Score::DRAW;
        }

        // Upcoming repetition
        if let Some(score) = self.upcoming_repetition(board, &mut node) {
            return score;
        }

        // The limits of quiescence
        let p = &self.params.search.quiescence;
        let over_limit = p.node_limit > 0 && self.nodes - self.quiescence_entry > p.node_limit as u64;
        if !p.enabled || over_limit || depth >= p.ply_max as usize || ply >= MAX_PLY {
            self.telemetry.search.quiescence.limit_hits.count_if(p.enabled);
            return self.evaluate(board);
        }

        // Transposition table (TT)
        node.entry = self.probe(board, ply);
        if let Some(entry) = node.entry {
            if !K::PV && entry.bound.proves(entry.score, beta) {
                self.telemetry.tables.clustered_tt.cutoffs.count();
                return entry.score;
            }
            node.was_pv |= entry.pv;
        }

        // Beyond the cap a check no longer opens all evasions: unless it is mate, the node is taken as if it were quiet. What
        // comes of that is a guess, on either side of the truth, and not kept.
        let evading = node.in_check && depth <= p.check_ply_max as usize;
        let guessing = node.in_check && !evading;
        node.best_score = Score::mated_in(ply);
        if guessing && !board.has_legal_moves() {
            return node.best_score;
        }

        // Stand pat: nobody is forced to capture
        if evading {
            self.telemetry.search.quiescence.evasions.count();
        } else {
            self.stand_pat(board, &mut node);
            if node.best_score >= beta {
                self.telemetry.search.quiescence.stand_pat.count();
                if node.entry.is_none() && !guessing {
                    self.store_leaf(board, &node, Bound::Lower);
                }
                return node.best_score;
            }
            node.alpha = node.alpha.max(node.best_score);
        }

        // The moves
        self.search_captures::<K>(board, node, depth, evading)
    }

    /// What a leaf is worth if nothing is captured: its evaluation, or the table's score where that says more.
    #[inline(always)]
    fn stand_pat(&mut self, board: &Board, node: &mut Node) {
        let raw = node.entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate(board));
        node.raw_eval = Some(raw);
        node.static_eval = self.histories.corrected(&self.params.history.correction_history, board, raw);
        node.best_score = node.static_eval;
        if let Some(e) = node.entry
            && e.bound.proves(e.score, node.static_eval)
            && !e.score.is_decisive()
        {
            node.best_score = e.score;
        }
    }

    /// Tells the table what a leaf has come to.
    #[inline(always)]
    fn store_leaf(&mut self, board: &Board, node: &Node, bound: Bound) {
        let Node { best_move: mv, best_score: score, raw_eval: eval, was_pv: pv, .. } = *node;
        self.store(board, node.ply, Entry { mv, score, eval, depth: 0, bound, pv });
    }

    /// The score of a leaf after its captures, or its evasions.
    #[inline(always)]
    fn search_captures<K: Kind>(&mut self, board: &Board, mut node: Node, depth: usize, evading: bool) -> Score {
        let p = &self.params.search.quiescence;
        let see_margin = quiescence_see::margin(&self.params.search.quiescence_see);
        let Node { ply, beta, .. } = node;
        node.previous = self.frames.previous(ply);
        let mut picker = {
            let context = self.ordering(board, &node);
            let table_move = node.entry.and_then(|e| e.mv);
            if evading || !node.in_check {
                Ordinary::quiescence(&context, table_move, see_margin, self.qsearch_checks(depth))
            } else {
                Ordinary::captures_only(&context, table_move, see_margin)
            }
        };
        let delta_allowed = !evading && self.may_delta_prune(board);
        let mut quiet_evasions = 0;
        while let Some(mv) = picker.next(&self.ordering(board, &node), &mut self.telemetry.picker) {
            self.prefetch_child(board, mv);
            // Delta pruning
            if delta_allowed && self.delta_pruning(board, &node, mv) {
                continue;
            }

            // Quiescence futility
            if !evading
                && node.best_score > -Score::WIN_BOUND
                && let Some(score) = self.quiescence_futility(board, &node, mv)
            {
                node.best_score = node.best_score.max(score);
                continue;
            }

            // Once there is an answer to a check, a few quiet ones more are enough.
            if evading && mv.is_quiet() {
                if quiet_evasions >= p.quiet_evasions_max && !node.best_score.is_decisive() {
                    picker.skip_quiets();
                    continue;
                }
                quiet_evasions += 1;
            }

            node.count += 1;
            let alpha = node.alpha;
            let score = self.with_child(board, mv, ply, |worker, child| {
                -worker.quiescence::<K>(child, -beta, -alpha, ply + 1, depth + 1)
            });
            if self.stopped {
                return Score::DRAW;
            }
            if score > node.best_score {
                node.best_score = score;
                if score > node.alpha {
                    node.best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.telemetry.search.quiescence.cutoffs.count();
                        self.telemetry.search.quiescence.first_move_cutoffs.count_if(node.count == 1);
                        break;
                    }
                    node.alpha = score;
                }
            }
        }

        // Without any legal answer to a check the score is still that of mate.
        let bound = if node.best_score >= beta { Bound::Lower } else { Bound::Upper };
        if evading || !node.in_check {
            self.store_leaf(board, &node, bound);
        }
        node.best_score
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use chess::Game;

    use super::*;
    use crate::base::{Control, Limits, NoClock};
    use crate::evaluation::Source;
    use crate::history::Histories;
    use crate::search::carriers::NonPv;
    use crate::search::params::Params;
    use crate::search::worker::{Memory, Shared};
    use crate::syzygy::Syzygy;
    use crate::time::Budget;
    use crate::tt::Table;

    /// The score of a position so many plies into quiescence, and what is in the table afterwards.
    fn settle(fen: &str, params: &Params, depth: usize, beta: i32) -> (Score, Option<Entry>) {
        let game = Game::new(Board::from_fen(fen).expect(fen));
        let (table, syzygy) = (Table::new(1).expect("a mebibyte"), Syzygy::default());
        let (limits, control) = (Limits::default(), Control::default());
        let shared = Shared {
            table: &table,
            params,
            limits: &limits,
            budget: Budget::default(),
            control: &control,
            clock: &NoClock,
            prober: syzygy.prober(),
            tbhits: AtomicU64::new(0),
            done: AtomicBool::new(false),
            nodes: vec![AtomicU64::new(0)],
        };
        let mut memory = Memory::new(&Source::Bootstrap);
        let histories = Histories::new();
        let mut worker = Worker::new(&shared, &mut memory, &histories, 0, &game, Vec::new());
        let score = worker.quiescence::<NonPv>(game.board(), Score(beta - 1), Score(beta), 3, depth);
        (score, table.probe(&params.tables.clustered_tt, game.board().key(), 3))
    }

    #[test]
    fn beyond_the_cap_a_check_is_a_guess_that_is_not_kept() {
        let mut params = Params::default();
        params.search.quiescence.check_ply_max = 1;
        // Mated, though far ahead in material.
        let mated = "6rk/8/7Q/p7/8/1PqP4/P1P3B1/4q1RK b - - 0 1";
        for depth in [1, 2, 5] {
            let (score, entry) = settle(mated, &params, depth, 0);
            assert_eq!(score, Score::mated_in(3), "{depth} plies into quiescence");
            assert!(entry.is_none_or(|entry| !entry.bound.proves(Score(1), Score(0)) || entry.score == score));
        }
        // In check, and every answer is found only within the cap.
        let check = "4k3/8/8/8/8/8/4q3/R3K3 w - - 0 1";
        let (within, kept) = settle(check, &params, 1, 0);
        assert!(kept.is_some() && !within.is_mate());
        let (_, kept) = settle(check, &params, 2, -3000);
        assert_eq!(kept.map(|entry| entry.bound), None);
    }
}
