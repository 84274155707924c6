//! The node: one linear story from the window to the score, a block for each idea.

use chess::{Board, Move, Score};

use super::heuristics::late_move_reductions::{self, LateMove, PLY};
use super::heuristics::{
    Node, endgame_guard, futility, history_pruning, improving, internal_reduction, late_move_pruning, mate_distance,
    multicut, null_move, probcut, rank_gates, razoring, reverse_futility, see_pruning, singular,
};
use super::worker::Worker;
use super::{MAX_PLY, updates::Tried};
use crate::history::Threats;
use crate::movepick::{Context, Ordinary, Picker};
use crate::telemetry::Counter;
use crate::tt::{Bound, Entry};

/// What sort of node it is, known when the code is compiled.
pub(super) trait Kind {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// On the principal variation.
pub(super) struct Pv;
/// Off the principal variation: the window is closed.
pub(super) struct NonPv;

impl Kind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Kind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Kind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node's moves are scored by; a macro because it borrows only some fields of the worker.
macro_rules! context {
    ($worker:ident, $board:ident, $ply:expr, $depth:expr, $threats:expr, $previous:expr, $countermove:expr) => {
        Context {
            board: $board,
            params: $worker.params,
            histories: &*$worker.histories,
            threats: $threats,
            previous: $previous,
            killers: $worker.frames.at($ply).killers,
            countermove: $countermove,
            depth: $depth,
        }
    };
}
pub(super) use context;

impl Worker<'_> {
    /// Searches a position to a depth within a window, and returns its score (fail-soft).
    pub(super) fn search<K: Kind>(
        &mut self,
        board: &Board,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
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

        let params = self.params;
        let in_check = board.in_check();
        let excluded = self.frames.at(ply).excluded;

        if !K::ROOT {
            // Draws and the end of the line
            if self.is_draw(board, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY {
                return if in_check { Score::DRAW } else { self.evaluate(board) };
            }

            // Mate distance
            (alpha, beta) = mate_distance::narrow(&params.mate_distance, alpha, beta, ply);
            if alpha >= beta {
                self.telemetry.count(Counter::MateDistance);
                return alpha;
            }

            // Upcoming repetition
            if params.upcoming_repetition.enabled
                && alpha < Score::DRAW
                && self.keys.has_upcoming_repetition(board, ply)
            {
                alpha = Score::DRAW;
                if alpha >= beta {
                    self.telemetry.count(Counter::UpcomingRepetition);
                    return alpha;
                }
            }
        }

        // Transposition table
        let key = board.key();
        let entry = if excluded.is_some() { None } else { self.shared.table.probe(&params.table, key, ply) };
        self.telemetry.count(Counter::TableProbes);
        self.telemetry.count_if(entry.is_some(), Counter::TableHits);
        let table_move = if K::ROOT { self.root_moves[self.pv_index].table_move() } else { entry.and_then(|e| e.mv) };
        let was_pv = K::PV || entry.is_some_and(|e| e.pv);
        if !K::PV
            && let Some(e) = entry
            && e.depth >= depth
            && e.bound.proves(e.score, beta)
            && board.halfmove_clock() < 90
        {
            self.telemetry.count(Counter::TableCutoffs);
            if e.score >= beta
                && let Some(mv) = e.mv
            {
                self.reward_table_move(board, mv, depth, ply);
            }
            return e.score;
        }

        // Static evaluation, corrected by experience
        let raw_eval = match entry.and_then(|e| e.eval) {
            _ if in_check || excluded.is_some() => None,
            Some(eval) => Some(eval),
            None => Some(self.evaluate(board)),
        };
        let static_eval = if excluded.is_some() {
            self.frames.at(ply).static_eval
        } else {
            raw_eval.map(|eval| self.histories.corrected(params, board, eval))
        };
        self.frames.at_mut(ply).static_eval = static_eval;
        self.frames.at_mut(ply + 1).killers = Default::default();
        self.frames.at_mut(ply + 2).cutoffs = 0;

        // Improving
        let improving = static_eval.is_some_and(|now| {
            let before = |plies| self.frames.before(ply, plies).static_eval;
            improving::is_improving(&params.improving, now, before(2), before(4))
        });
        let mut node = Node {
            depth,
            ply,
            alpha,
            beta,
            static_eval: static_eval.unwrap_or(Score::DRAW),
            eval: static_eval.unwrap_or(Score::DRAW),
            improving,
            cut,
            endgame: false,
        };
        if let (Some(e), Some(eval)) = (entry, static_eval)
            && e.bound.proves(e.score, eval)
        {
            node.eval = e.score;
        }

        let us = board.side_to_move();
        if !K::PV && !in_check && excluded.is_none() {
            node.endgame = endgame_guard::is_up(&params.endgame_guard, board);

            // Razoring
            if razoring::applies(&params.razoring, &node) {
                self.telemetry.count(Counter::RazoringTried);
                let score = self.enter_quiescence::<NonPv>(board, alpha, alpha + 1, ply);
                if score <= alpha {
                    self.telemetry.count(Counter::RazoringFired);
                    return score;
                }
            }

            // Reverse futility
            self.telemetry.count(Counter::ReverseFutilityTried);
            if let Some(score) = reverse_futility::prune(&params.reverse_futility, &node) {
                self.telemetry.count(Counter::ReverseFutilityFired);
                if entry.is_none() && depth >= params.reverse_futility.store_min_depth {
                    let stored =
                        Entry { mv: None, score: beta, eval: raw_eval, depth: 0, bound: Bound::Lower, pv: was_pv };
                    self.shared.table.store(&params.table, key, ply, stored);
                }
                return score;
            }

            // Null move
            if let Some(score) = self.try_null_move(board, &node) {
                return score;
            }
        }

        // Internal iterative reduction
        let reduced = internal_reduction::reduction(
            &params.internal_reduction,
            depth,
            table_move.is_some(),
            (K::PV || cut) && excluded.is_none(),
        );
        self.telemetry.count_if(reduced > 0, Counter::InternalReductionFired);
        depth -= reduced;
        node.depth = depth;

        if !K::PV && !in_check && excluded.is_none() {
            // ProbCut
            if let Some(score) = self.try_probcut(board, &node, entry, raw_eval) {
                return score;
            }

            // Multicut, published form
            if multicut::applies(&params.multicut, &node)
                && let Some(score) = self.try_multicut(board, &node, table_move)
            {
                return score;
            }
        }

        // The moves
        let threats = Threats(board.attacks_by(!us, board.occupied()));
        let previous = self.frames.previous(ply);
        let last_move = if ply == 0 { None } else { self.frames.before(ply, 1).mv };
        let countermove = match params.countermoves.ordering_bonus() {
            0 => None,
            _ => self.histories.countermove(last_move),
        };
        self.telemetry.count(Counter::CountermoveProbes);
        self.telemetry.count_if(countermove.is_some(), Counter::CountermoveHits);
        let mut picker = {
            let context = context!(self, board, ply, depth, threats, &previous, countermove);
            Picker::new(&context, table_move, !K::ROOT)
        };
        let late_limit = late_move_pruning::limit(&params.late_move_pruning, &node);
        let gated = params.rank_gates.enabled && !K::PV && !in_check && depth >= params.rank_gates.min_depth;
        let noisy_table_move = table_move.is_some_and(|mv| !mv.is_quiet());
        let prunable = !K::ROOT && board.has_non_pawns(us);

        let mut best_score = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried = Tried::new();
        loop {
            let next = {
                let context = context!(self, board, ply, depth, threats, &previous, countermove);
                picker.next(&context, self.telemetry)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded || (K::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            count += 1;
            let quiet = mv.is_quiet();
            let is_table_move = Some(mv) == table_move;
            let gives_check = board.gives_check(mv);
            let refutation = self.frames.at(ply).killers.contains(mv) || countermove == Some(mv);
            let history = if quiet {
                self.histories.quiet(params, board, threats, &previous, mv)
            } else {
                self.histories.capture(board, mv)
            };
            // Rank-aware gates leave the best and the forcing moves alone.
            let recapture = last_move.is_some_and(|last| last.is_capture() && last.to() == mv.to());
            let gate = gated && !is_table_move && !gives_check && !mv.is_promotion() && !recapture && !refutation;

            // Pruning of single moves
            if prunable && best_score > -Score::WIN_BOUND {
                let r = self.reductions.base(depth, count, quiet)
                    - history * PLY / params.late_move_reductions.history_divisor.max(1);
                let reduced_depth = depth - 1 - r / PLY;

                // Late move pruning
                let mut limit = late_limit;
                if gate && quiet {
                    limit = rank_gates::late_move_limit(&params.rank_gates, depth, count, late_limit, &self.rates);
                    self.telemetry.count_if(limit != late_limit, Counter::GateLateMoves);
                }
                if quiet && !in_check && count > limit {
                    self.telemetry.count(Counter::LateMovePruned);
                    picker.skip_quiets();
                    continue;
                }

                if quiet {
                    // Futility
                    let extra =
                        if gate && depth >= 3 { rank_gates::futility_extra(&params.rank_gates, count) } else { 0 };
                    self.telemetry.count_if(extra != 0, Counter::GateFutility);
                    if !in_check && !gives_check && futility::prunes(&params.futility, &node, reduced_depth, extra) {
                        self.telemetry.count(Counter::FutilityPruned);
                        let score = futility::score(&params.futility, &node, reduced_depth);
                        if !best_score.is_decisive() {
                            best_score = best_score.max(score);
                        }
                        picker.skip_quiets();
                        continue;
                    }

                    // History pruning
                    if history_pruning::prunes(&params.history_pruning, reduced_depth, history) {
                        self.telemetry.count(Counter::HistoryPruned);
                        continue;
                    }
                }

                // SEE pruning
                let mut threshold = if quiet {
                    see_pruning::quiet_threshold(&params.see_pruning, reduced_depth)
                } else {
                    see_pruning::capture_threshold(&params.see_pruning, depth)
                };
                if gate && !quiet && count >= params.rank_gates.capture_rank_base as usize {
                    threshold = Some(0);
                    self.telemetry.count(Counter::GateCaptures);
                }
                if !is_table_move && threshold.is_some_and(|bar| !board.see_at_least(mv, bar)) {
                    self.telemetry.count(if quiet { Counter::SeePrunedQuiet } else { Counter::SeePrunedCapture });
                    continue;
                }
            }

            // Singular extensions
            let mut extension = 0;
            if !K::ROOT
                && is_table_move
                && excluded.is_none()
                && let Some(e) = entry
            {
                match self.judge_table_move(board, &node, mv, &e, K::PV) {
                    singular::Verdict::Extend(plies) => extension = plies,
                    singular::Verdict::Cut(score) => return score,
                }
            }

            // Make the move
            let nodes_before = self.nodes;
            let mut child = board.clone();
            self.make(board, &mut child, mv, ply);
            self.frames.at_mut(ply + 1).doubles = self.frames.at(ply).doubles + i32::from(extension == 2);
            let mut new_depth = depth - 1 + extension;
            let mut score = -Score::INFINITE;

            // Late move reductions
            let p = &params.late_move_reductions;
            let mut full_search = !K::PV || count > 1;
            if p.enabled && depth >= p.min_depth && count > 1 + usize::from(K::ROOT) {
                let late = LateMove {
                    number: count,
                    quiet,
                    pv: K::PV,
                    was_pv,
                    gives_check,
                    refutation,
                    noisy_table_move,
                    many_cutoffs: self.frames.at(ply + 1).cutoffs > 3,
                    history,
                };
                let mut r = late_move_reductions::reduction(p, &self.reductions, &node, &late);
                if gate {
                    match rank_gates::reduction(&params.rank_gates, depth, count, &self.rates) {
                        Some(change) => r += change,
                        None => r = 0,
                    }
                    self.telemetry.count(Counter::GateReductions);
                }
                let reduced = (new_depth - r / PLY).clamp(1.min(new_depth), new_depth.max(1));
                if reduced < new_depth {
                    self.telemetry.count(Counter::Reduced);
                    score = -self.search::<NonPv>(&child, -(alpha + 1), -alpha, reduced, ply + 1, true);
                    full_search = score > alpha;
                    // How clearly it surprised decides how deep the second look is.
                    if full_search {
                        new_depth += i32::from(score > best_score + p.deeper_margin);
                        new_depth -= i32::from(score < best_score + p.shallower_margin);
                        full_search = new_depth > reduced;
                    }
                    self.telemetry.count_if(full_search, Counter::ReducedResearched);
                    if params.rank_gates.enabled {
                        self.rates.record(depth, count, full_search);
                    }
                }
            }

            // Principal variation search: prove with a closed window that the move is no better
            if full_search {
                score = -self.search::<NonPv>(&child, -(alpha + 1), -alpha, new_depth, ply + 1, !cut);
            }
            // … and if it is, or is the first, find out by how much
            if K::PV && (count == 1 || score > alpha) {
                score = -self.search::<Pv>(&child, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.undo();
            if self.stopped {
                return Score::DRAW;
            }
            if K::ROOT {
                self.record_root_move(mv, score, alpha, count, self.nodes - nodes_before);
            }

            // A better move?
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= beta {
                        self.count_cutoff(count, countermove == Some(mv));
                        break;
                    }
                    alpha = score;
                    node.alpha = alpha;
                }
            }
            if best_move != Some(mv) {
                tried.push(mv);
            }
        }

        // Mate and stalemate
        if count == 0 {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }

        // What was learned
        if best_score >= beta {
            self.frames.at_mut(ply).cutoffs += 1;
            if let Some(mv) = best_move {
                self.reward(board, mv, &tried, depth, ply, threats, &previous, last_move);
            }
        }
        if excluded.is_none() && !(K::ROOT && self.pv_index > 0) {
            let bound = match best_move {
                _ if best_score >= beta => Bound::Lower,
                Some(_) if K::PV => Bound::Exact,
                _ => Bound::Upper,
            };
            let stored = Entry { mv: best_move, score: best_score, eval: raw_eval, depth, bound, pv: was_pv };
            self.shared.table.store(&params.table, key, ply, stored);
            self.learn_correction(board, static_eval, best_score, best_move, bound, depth);
        }
        best_score
    }

    /// Gives the opponent a free move; a score that still beats beta cuts the node.
    fn try_null_move(&mut self, board: &Board, node: &Node) -> Option<Score> {
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
    fn try_probcut(
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
    fn try_multicut(&mut self, board: &Board, node: &Node, table_move: Option<Move>) -> Option<Score> {
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
    fn judge_table_move(&mut self, board: &Board, node: &Node, mv: Move, entry: &Entry, pv: bool) -> singular::Verdict {
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
