//! The node: one story from the window to the score. Each idea is called by its name, in the order in which it is tried;
//! what it does stands in its own file in `ideas`.

use chess::{Board, Move, Score};

use super::carriers::{Candidate, Kind, Node, NonPv, Pv};
use super::ideas::{lone_king, singular_extensions};
use super::telemetry::Telemetry;
use super::worker::Worker;
use crate::history::{Threats, Tried};
use crate::movepick::Picker;

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
        self.telemetry.nodes.main.count();
        let mut node = Node::new::<K>(board, alpha, beta, depth, ply, cut);

        if !K::ROOT {
            // Draws, and the end of the line
            if let Some(score) = self.settle_by_rule(board, &node) {
                return score;
            }

            // Mate distance pruning (MDP)
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

        // Static evaluation
        self.begin_frame(board, &mut node);
        if !node.in_check {
            self.evaluate_node(board, &mut node);

            // Evaluation history
            if node.excluded.is_none() {
                self.eval_history(board, &node);
            }

            // Improving
            node.improving = self.improving(&node);
        }

        // Hindsight
        node.depth += self.hindsight(&node);

        // Whole nodes are pruned off the principal variation only, and not in check
        let prunable = !K::PV && !node.in_check && node.excluded.is_none();
        if prunable {
            self.endgame_guard(board, &mut node);

            // Razoring
            if let Some(score) = self.razoring(board, &node) {
                return score;
            }

            // Reverse futility pruning (RFP)
            if let Some(score) = self.reverse_futility(board, &node) {
                return score;
            }

            // Null move pruning (NMP)
            if let Some(score) = self.null_move(board, &node) {
                return score;
            }
        }

        // Internal iterative reduction (IIR)
        node.depth -= self.internal_reduction(&node);

        if prunable {
            // ProbCut
            if let Some(score) = self.probcut(board, &node) {
                return score;
            }

            // Multicut
            if let Some(score) = self.multicut(board, &node) {
                return score;
            }
        }

        // The moves, the most promising first
        self.look_at_threats(board, &mut node);
        node.late_limit = self.late_limit(&node);
        node.gated = self.has_gates(&node);
        node.best_score = node.floor;
        let mut tried = Tried::new(node.depth);
        let mut picker = Picker::new(&self.ordering(board, &node), node.table_move, !K::ROOT);
        let may_skip = !K::ROOT && board.has_non_pawns(board.side_to_move());
        let mut best_rank = None;
        let hunting = lone_king::is_hunted(&self.params.search.lone_king, board);
        while let Some(mv) = picker.next(&self.ordering(board, &node), &mut self.telemetry.picker) {
            if Some(mv) == node.excluded || (K::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            node.count += 1;
            self.prefetch_child(board, mv);
            let mut candidate = self.candidate(board, &node, mv);

            // Rank-aware gates
            if node.gated {
                self.rank_aware_gates(&node, &mut candidate);
            }

            // Pruning of single moves, once there is a line that does not lose by force
            if may_skip && node.best_score > -Score::WIN_BOUND {
                candidate.reduced_depth = self.reduced_depth(&node, &candidate);
                if candidate.quiet && !hunting {
                    // Late move pruning (LMP)
                    if self.late_move_pruning(&node, &candidate) {
                        picker.skip_quiets();
                        continue;
                    }

                    // Futility pruning (FP)
                    if let Some(score) = self.futility(&node, &candidate) {
                        if !node.best_score.is_decisive() {
                            node.best_score = node.best_score.max(score);
                        }
                        picker.skip_quiets();
                        continue;
                    }

                    // History pruning
                    if self.history_pruning(&candidate) {
                        continue;
                    }
                }

                // SEE pruning
                if self.see_pruning(board, &node, &candidate) {
                    continue;
                }
            }

            // Singular extensions (SE)
            if !K::ROOT {
                match self.singular_extensions(board, &node, &candidate) {
                    singular_extensions::Singularity::Extend(plies) => candidate.extension = plies,
                    singular_extensions::Singularity::Cut(score) => return score,
                }
            }

            // Recapture, passed-pawn and one-reply extensions
            if !K::ROOT && candidate.extension == 0 {
                candidate.extension = self.recapture_extension(&node, &candidate)
                    | self.passed_pawn_extension(board, &node, &candidate)
                    | self.one_reply_extension(board, &node);
            }
            self.frames.at_mut(ply).number = candidate.number;
            self.frames.at_mut(ply + 1).doubles = self.frames.at(ply).doubles + i32::from(candidate.extension >= 2);

            let nodes_before = self.nodes;
            let score =
                self.with_child(board, mv, ply, |worker, child| worker.search_child::<K>(child, &node, &candidate));
            if self.stopped {
                return Score::DRAW;
            }
            if K::ROOT {
                self.record_root_move(mv, score, (node.alpha, node.beta), node.count, self.nodes - nodes_before);
            }

            // A better move?
            if score > node.best_score {
                node.best_score = score;
                if score > node.alpha {
                    node.best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                        best_rank = Some(node.count);
                    }
                    if score >= node.beta {
                        self.telemetry.count_cutoff(node.count, node.countermove == Some(mv));
                        break;
                    }
                    node.alpha = score;

                    // Alpha reduction
                    node.depth -= self.alpha_reduction(&node, score);
                }
            }
            if node.best_move != Some(mv) {
                tried.push(mv);
            }
        }

        // Mate and stalemate
        if node.count == 0 {
            return match (node.excluded, node.in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }

        if K::PV {
            node.best_score = node.best_score.min(node.ceiling);
            self.telemetry.count_pv_rank(best_rank);
            self.telemetry.count_listed(node.best_move, &picker);
        }

        // Soft cutoffs
        if !K::ROOT {
            node.best_score = self.soft_cutoff(&node);
        }

        // Killers, countermove, histories; or refutation history
        if node.best_score >= node.beta {
            self.frames.at_mut(ply).cutoffs += 1;
            if let Some(best) = node.best_move {
                self.reward(board, &node, best, &mut tried);
                self.refuted_quiet(board, &node);
            }
        } else if node.best_move.is_none() && node.excluded.is_none() {
            self.refutation_history(board, &node);
        }

        // The table and correction history. Other lines than the first would say too little of the root.
        if node.excluded.is_none() && !(K::ROOT && self.pv_index > 0) {
            self.conclude(board, &node);
        }
        node.best_score
    }

    /// The score of a move, searched as deep as it deserves.
    #[inline(always)]
    fn search_child<K: Kind>(&mut self, child: &Board, node: &Node, candidate: &Candidate) -> Score {
        let Node { alpha, beta, ply, cut, .. } = *node;
        let first = candidate.number == 1;
        let mut new_depth = node.depth - 1 + candidate.extension;

        // Late move reductions (LMR)
        let reduced = self.late_move_reductions::<K>(child, node, candidate, &mut new_depth);
        let (mut score, look) = reduced.unwrap_or((-Score::INFINITE, !K::PV || !first));

        // Principal variation search (PVS): prove with a closed window that the move is no better
        if look {
            score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, new_depth, ply + 1, !cut);
        }
        // … and if it is, or is the first, find out by how much
        if K::PV && (first || score > alpha) {
            score = -self.search::<Pv>(child, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
    }

    /// What the opponent attacks, and what has answered his last move before.
    #[inline(always)]
    fn look_at_threats(&mut self, board: &Board, node: &mut Node) {
        node.threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
        self.frames.at_mut(node.ply).threats = node.threats;
        let p = &self.params.history.countermoves;
        node.countermove = self.histories.countermove(p, node.last_move, node.previous[0]);
        if Telemetry::ENABLED && p.enabled && node.last_move.is_some() {
            // Without a bonus it is counted as well, though nothing goes by it.
            let kept = self.histories.countermove_kept(p, node.last_move, node.previous[0]);
            self.telemetry.history.countermoves.probes.count();
            self.telemetry.history.countermoves.hits.count_if(kept.is_some());
        }
    }

    /// What is known of the node's next move.
    #[inline(always)]
    fn candidate(&self, board: &Board, node: &Node, mv: Move) -> Candidate {
        let quiet = mv.is_quiet();
        let history = if quiet {
            self.histories.quiet(&self.params.history, board, node.threats, &node.previous, mv)
        } else {
            self.histories.capture(board, mv)
        };
        Candidate {
            mv,
            number: node.count,
            quiet,
            is_table_move: Some(mv) == node.table_move,
            gives_check: board.gives_check(mv),
            refutation: self.frames.at(node.ply).killers.contains(mv) || node.countermove == Some(mv),
            history,
            reduced_depth: 0,
            extension: 0,
            late_limit: node.late_limit,
            futility_margin: 0,
            must_hold: false,
            reduction: Some(0),
        }
    }

    /// Rewards the move that cut and punishes those tried before it.
    fn reward(&mut self, board: &Board, node: &Node, best: Move, tried: &mut Tried) {
        let params = &self.params.history;
        let clear = node.best_score > node.beta + params.history_gravity.clear_margin;
        tried.set_depth(node.depth + i32::from(clear && params.history_gravity.clear_margin < 1000));
        if best.is_quiet() {
            self.frames.at_mut(node.ply).killers.push(best);
            if params.countermoves.enabled
                && let Some(last) = node.last_move
            {
                self.telemetry.history.countermoves.updates.count();
                self.histories.set_countermove(&params.countermoves, last, node.previous[0], best);
            }
        }
        self.histories.reward(params, board, node.threats, &node.previous, best, tried);
    }
}
