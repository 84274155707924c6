//! The node: one linear story from the window to the score, a block for each idea.

use chess::{Board, Score};

use super::heuristics::late_move_reductions::PLY;
use super::heuristics::{
    Node, endgame_guard, improving, internal_reduction, late_move_pruning, mate_distance, multicut, razoring,
    reverse_futility, singular,
};
use super::judge::{Candidate, Judgement};
use super::worker::Worker;
use super::{MAX_PLY, updates::Tried};
use crate::history::Threats;
use crate::movepick::{Context, Picker};
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

/// What tables know is kept longer than what a search of this depth has found.
const KNOWN_EXTRA_DEPTH: i32 = 6;

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

        // Endgame tables: where they do not cut, they still bound what the principal variation may be worth
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !K::ROOT
            && self.shared.prober.applies(board)
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tables(board, depth, ply)
        {
            let cuts = match bound {
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
                _ => true,
            };
            if cuts {
                self.telemetry.count(Counter::SyzygyCutoffs);
                let depth = (depth + KNOWN_EXTRA_DEPTH).min(MAX_PLY as i32);
                let stored = Entry { mv: None, score, eval: None, depth, bound, pv: was_pv };
                self.shared.table.store(&params.table, key, ply, stored);
                return score;
            }
            if K::PV && bound == Bound::Lower {
                floor = score;
                alpha = alpha.max(score);
            } else if K::PV {
                ceiling = score;
            }
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

        // Evaluation history
        if let Some(now) = static_eval
            && excluded.is_none()
        {
            self.learn_from_evaluation(board, now, ply);
        }

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
        self.frames.at_mut(ply).threats = threats;
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

        let mut best_score = floor;
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
            let refutation = self.frames.at(ply).killers.contains(mv) || countermove == Some(mv);
            let gives_check = board.gives_check(mv);
            let recapture = last_move.is_some_and(|last| last.is_capture() && last.to() == mv.to());
            let forcing = gives_check || mv.is_promotion() || recapture;
            let is_table_move = Some(mv) == table_move;
            let candidate = Candidate {
                mv,
                number: count,
                quiet,
                is_table_move,
                gives_check,
                refutation,
                // Rank-aware gates leave the best and the forcing moves alone.
                gated: gated && !is_table_move && !forcing && !refutation,
                history: if quiet {
                    self.histories.quiet(params, board, threats, &previous, mv)
                } else {
                    self.histories.capture(board, mv)
                },
            };

            // Pruning of single moves
            if prunable && best_score > -Score::WIN_BOUND {
                match self.judge(board, &node, &candidate, late_limit) {
                    Judgement::Search => {}
                    Judgement::Skip => continue,
                    Judgement::SkipQuiets(estimate) => {
                        if !best_score.is_decisive() {
                            best_score = best_score.max(estimate);
                        }
                        picker.skip_quiets();
                        continue;
                    }
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
                let r = self.reduction(&node, &candidate, K::PV, was_pv, noisy_table_move);
                let reduced = (new_depth - r / PLY).clamp(1.min(new_depth), new_depth.max(1));
                if reduced < new_depth {
                    self.telemetry.count(Counter::Reduced);
                    score = -self.search::<NonPv>(&child, -(alpha + 1), -alpha, reduced, ply + 1, true);
                    full_search = score > alpha;
                    self.telemetry.count_if(full_search, Counter::ReducedResearched);
                    self.rates.record(depth, count, full_search);
                    // How clearly it surprised decides how deep the second look is.
                    if full_search {
                        new_depth += i32::from(score > best_score + p.deeper_margin);
                        new_depth -= i32::from(score < best_score + p.shallower_margin);
                        full_search = new_depth > reduced;
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

        if K::PV {
            best_score = best_score.min(ceiling);
        }

        // What was learned
        if K::PV
            && let Some(mv) = best_move.filter(|mv| mv.is_quiet())
            && let Some(listed) = picker.lists(mv)
        {
            self.telemetry.count(Counter::RankedPvQuiets);
            self.telemetry.count_if(listed, Counter::RankedPvQuietsListed);
        }
        if best_score >= beta {
            self.frames.at_mut(ply).cutoffs += 1;
            if let Some(mv) = best_move {
                self.reward(board, mv, &tried, depth, ply, threats, &previous, last_move);
            }
        } else if best_move.is_none() && excluded.is_none() {
            self.reward_refutation(board, depth, ply);
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
}
