//! The node: one story from the window to the score. Each idea is called by its name, in the order in which it is tried;
//! what it does stands in its own file in `ideas`.

use chess::{Board, Move, Score};

use super::carriers::{Candidate, Kind, Node, NonPv, Pv};
use super::ideas::{expected_cutoffs, lone_king, rank_aware_gates::bucket, singular_extensions};
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY};
use crate::history::{Threats, Tried};
use crate::movepick::Picker;
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
        self.telemetry.nodes.main.count();
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

        // Hindsight
        node.depth += self.hindsight(&node);

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

        // The moves, the most promising first
        self.look_at_threats(board, &mut node);
        node.late_limit = self.late_limit(&node);
        node.gated = self.has_gates(&node);
        node.best_score = node.floor;
        let mut tried = Tried::new(node.depth);
        let mut picker = Picker::new(&self.ordering(board, &node), node.table_move, !K::ROOT);
        let may_skip = !K::ROOT && board.has_non_pawns(board.side_to_move());
        let hunting = lone_king::is_hunted(&self.params.search.lone_king, board);
        while let Some(mv) = picker.next(&self.ordering(board, &node), &mut self.telemetry.picker) {
            if Some(mv) == node.excluded || (K::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            node.count += 1;
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
                    singular_extensions::Verdict::Extend(plies) => candidate.extension = plies,
                    singular_extensions::Verdict::Cut(score) => return score,
                }
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
                    }
                    if score >= node.beta {
                        self.count_cutoff(node.count, node.countermove == Some(mv));
                        break;
                    }
                    node.alpha = score;
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
            self.count_listed(node.best_move, &picker);
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
            None => self.shared.table.probe(&self.params.tables.clustered_tt, board.key(), node.ply),
        };
        self.telemetry.tables.clustered_tt.probes.count();
        self.telemetry.tables.clustered_tt.hits.count_if(node.entry.is_some());
        node.table_move =
            if K::ROOT { self.root_moves[self.pv_index].table_move() } else { node.entry.and_then(|e| e.mv) };
        node.was_pv = K::PV || node.entry.is_some_and(|e| e.pv);
        if node.excluded.is_none() {
            self.frames.at_mut(node.ply).was_pv = node.was_pv;
        } else {
            let keeps = self.params.search.singular_extensions.keep_was_pv > 0;
            node.was_pv = keeps && self.frames.at(node.ply).was_pv;
        }
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
        if !expected_cutoffs::trusts(&self.params.search.expected_cutoffs, node, entry.score) {
            return None;
        }
        self.telemetry.tables.clustered_tt.cutoffs.count();
        if entry.score >= node.beta
            && let Some(mv) = entry.mv
        {
            let previous = self.frames.previous(node.ply);
            self.histories.reward_table_move(&self.params.history, board, &previous, mv, node.depth);
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
            self.telemetry.syzygy.cutoffs.count();
            let depth = (node.depth + KNOWN_EXTRA_DEPTH).min(MAX_PLY as i32);
            let stored = Entry { mv: None, score, eval: None, depth, bound, pv: node.was_pv };
            self.store(board, node.ply, stored);
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
        node.previous = self.frames.previous(ply);
        node.last_move = self.frames.before(ply, 1).mv;
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
            node.static_eval = self.histories.corrected(&self.params.history.correction_history, board, raw);
            self.frames.at_mut(ply).static_eval = Some(node.static_eval);
        } else {
            node.static_eval = self.frames.at(ply).static_eval.unwrap_or(node.static_eval);
        }
        let now = node.static_eval;
        node.eval = node.entry.filter(|e| e.bound.proves(e.score, now)).map_or(now, |e| e.score);

        // Evaluation history
        if complete {
            self.eval_history(board, node);
        }

        // Improving
        node.improving = self.improving(node);
    }

    /// What the opponent attacks, and what has answered his last move before.
    #[inline(always)]
    fn look_at_threats(&mut self, board: &Board, node: &mut Node) {
        node.threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
        self.frames.at_mut(node.ply).threats = node.threats;
        node.countermove = self.histories.countermove(&self.params.history.countermoves, node.last_move);
        self.telemetry.history.countermoves.probes.count();
        self.telemetry.history.countermoves.hits.count_if(node.countermove.is_some());
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

    /// Counts a beta cutoff for the statistics of move ordering.
    #[inline(always)]
    fn count_cutoff(&mut self, rank: usize, by_countermove: bool) {
        self.telemetry.nodes.cutoffs.count();
        self.telemetry.nodes.first_move_cutoffs.count_if(rank == 1);
        self.telemetry.history.countermoves.cutoffs.count_if(by_countermove);
        let nodes = &mut self.telemetry.nodes;
        match bucket(rank) {
            0 => nodes.best_rank_1.count(),
            1 => nodes.best_ranks_2_to_5.count(),
            2 => nodes.best_ranks_6_to_10.count(),
            _ => nodes.best_ranks_from_11.count(),
        }
    }

    /// Counts how often a shortlist held the quiet move that came out best.
    #[inline(always)]
    fn count_listed(&mut self, best: Option<Move>, picker: &Picker) {
        if let Some(mv) = best.filter(|mv| mv.is_quiet())
            && let Some(listed) = picker.lists(mv)
        {
            self.telemetry.ordering.ranked_move_picker.pv_quiets.count();
            self.telemetry.ordering.ranked_move_picker.pv_quiets_listed.count_if(listed);
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
                self.histories.set_countermove(last, best);
            }
        }
        self.histories.reward(params, board, node.threats, &node.previous, best, tried);
    }

    /// Tells the table what a finished node has come to, and learns how far its evaluation was off.
    #[inline(always)]
    fn conclude(&mut self, board: &Board, node: &Node) {
        let Node { depth, best_score: score, best_move: mv, .. } = *node;
        let bound = match mv {
            _ if score >= node.beta => Bound::Lower,
            Some(_) if node.pv => Bound::Exact,
            _ => Bound::Upper,
        };
        let found = Entry { mv, score, eval: node.raw_eval, depth, bound, pv: node.was_pv };
        self.store(board, node.ply, found);
        if !node.in_check {
            let p = &self.params.history.correction_history;
            self.histories.correct(p, board, node.static_eval, (score, bound), mv, depth);
        }
    }
}
