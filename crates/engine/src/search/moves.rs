//! The moves of a node, the most promising first: which of them to search, how deep, and what the best is worth.

use chess::{Board, Move, Score};

use super::carriers::{Kind, Node, NonPv, Pv};
use super::ideas::late_move_reductions::PLY;
use super::ideas::{late_move_pruning, singular};
use super::judge::{Candidate, Judgement};
use super::updates::Tried;
use super::worker::Worker;
use crate::history::{Previous, Threats};
use crate::movepick::{Context, Picker};
use crate::telemetry::Counter;

/// What a node's moves are scored by; a macro because it borrows only some fields of the worker.
macro_rules! context {
    ($worker:ident, $board:ident, $ply:expr, $depth:expr, $threats:expr, $previous:expr, $countermove:expr) => {
        Context {
            board: $board,
            params: $worker.params,
            histories: $worker.histories,
            threats: $threats,
            previous: $previous,
            killers: $worker.frames.at($ply).killers,
            countermove: $countermove,
            depth: $depth,
        }
    };
}
pub(super) use context;

/// What all moves of a node are seen against.
pub(super) struct Setting {
    /// What the opponent attacks.
    pub threats: Threats,
    /// The moves that led here, for continuation history.
    pub previous: Previous,
    /// The last of them; nothing at the root and after a null move.
    pub last_move: Option<Move>,
    /// The reply that refuted it before.
    pub countermove: Option<Move>,
    /// Whether the table move is a capture or a promotion.
    pub noisy_table_move: bool,
    /// Whether the rank-aware gates are up.
    pub gated: bool,
}

/// What the moves of a node have come to so far.
pub(super) struct Found {
    /// The best score, and what skipped quiets are taken to be worth.
    pub score: Score,
    /// The last move that raised alpha.
    pub best: Option<Move>,
    /// How many moves there were, skipped ones included.
    pub count: usize,
    /// Those that were searched and did not raise alpha.
    pub tried: Tried,
}

impl Worker<'_> {
    /// The score of a node that only its moves can tell.
    #[inline(always)]
    pub(super) fn search_moves<K: Kind>(&mut self, board: &Board, mut node: Node) -> Score {
        let params = self.params;
        let Node { depth, ply, .. } = node;
        let setting = self.setting::<K>(board, &node);
        let Setting { threats, ref previous, countermove, .. } = setting;
        let mut picker = {
            let context = context!(self, board, ply, depth, threats, previous, countermove);
            Picker::new(&context, node.table_move, !K::ROOT)
        };
        let late_limit = late_move_pruning::limit(&params.late_move_pruning, &node);
        let prunable = !K::ROOT && board.has_non_pawns(board.side_to_move());

        let mut found = Found { score: node.floor, best: None, count: 0, tried: Tried::new() };
        loop {
            let next = {
                let context = context!(self, board, ply, depth, threats, previous, countermove);
                picker.next(&context, self.telemetry)
            };
            let Some(mv) = next else { break };
            if Some(mv) == node.excluded || (K::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            found.count += 1;
            let mut candidate = self.candidate(board, &node, &setting, mv, found.count);

            // Pruning of single moves
            if prunable && found.score > -Score::WIN_BOUND {
                match self.judge(board, &node, &candidate, late_limit) {
                    Judgement::Search => {}
                    Judgement::Skip => continue,
                    Judgement::SkipQuiets(estimate) => {
                        if !found.score.is_decisive() {
                            found.score = found.score.max(estimate);
                        }
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // Singular extensions
            if !K::ROOT && candidate.is_table_move {
                match self.singular(board, &node, mv) {
                    singular::Verdict::Extend(plies) => candidate.extension = plies,
                    singular::Verdict::Cut(score) => return score,
                }
            }

            let nodes_before = self.nodes;
            let score = self.with_child(board, mv, ply, |worker, child| {
                worker.search_move::<K>(child, &node, &setting, &candidate, found.score)
            });
            if self.stopped {
                return Score::DRAW;
            }
            if K::ROOT {
                self.record_root_move(mv, score, (node.alpha, node.beta), found.count, self.nodes - nodes_before);
            }

            // A better move?
            if score > found.score {
                found.score = score;
                if score > node.alpha {
                    found.best = Some(mv);
                    if K::PV {
                        self.pv.update(ply, mv);
                    }
                    if score >= node.beta {
                        self.count_cutoff(found.count, countermove == Some(mv));
                        break;
                    }
                    node.alpha = score;
                }
            }
            if found.best != Some(mv) {
                found.tried.push(mv);
            }
        }

        // Mate and stalemate
        if found.count == 0 {
            return match (node.excluded, board.in_check()) {
                (Some(_), _) => node.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            };
        }

        // What was learned
        if K::PV {
            found.score = found.score.min(node.ceiling);
            self.count_listed(found.best, &picker);
        }
        self.learn::<K>(board, &node, &setting, &found);
        found.score
    }

    /// What all moves of a node are seen against.
    #[inline(always)]
    fn setting<K: Kind>(&mut self, board: &Board, node: &Node) -> Setting {
        let params = self.params;
        let threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
        self.frames.at_mut(node.ply).threats = threats;
        let last_move = self.frames.before(node.ply, 1).mv;
        let countermove = match params.countermoves.ordering_bonus() {
            0 => None,
            _ => self.histories.countermove(last_move),
        };
        self.telemetry.count(Counter::CountermoveProbes);
        self.telemetry.count_if(countermove.is_some(), Counter::CountermoveHits);
        let gates = &params.rank_gates;
        Setting {
            threats,
            previous: self.frames.previous(node.ply),
            last_move,
            countermove,
            noisy_table_move: node.table_move.is_some_and(|mv| !mv.is_quiet()),
            gated: gates.enabled && !K::PV && !board.in_check() && node.depth >= gates.min_depth,
        }
    }

    /// The score of a move, searched as deep as it deserves.
    #[inline(always)]
    fn search_move<K: Kind>(
        &mut self,
        child: &Board,
        node: &Node,
        setting: &Setting,
        candidate: &Candidate,
        best_score: Score,
    ) -> Score {
        let Node { alpha, beta, depth, ply, cut, .. } = *node;
        self.frames.at_mut(ply + 1).doubles = self.frames.at(ply).doubles + i32::from(candidate.extension == 2);
        let mut new_depth = depth - 1 + candidate.extension;
        let mut score = -Score::INFINITE;

        // Late move reductions
        let p = &self.params.late_move_reductions;
        let mut full_search = !K::PV || candidate.number > 1;
        if p.enabled && depth >= p.min_depth && candidate.number > 1 + usize::from(K::ROOT) {
            let r = self.reduction::<K>(node, setting, candidate);
            let reduced = (new_depth - r / PLY).clamp(1.min(new_depth), new_depth.max(1));
            if reduced < new_depth {
                self.telemetry.count(Counter::Reduced);
                score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, reduced, ply + 1, true);
                full_search = score > alpha;
                self.telemetry.count_if(full_search, Counter::ReducedResearched);
                self.rates.record(depth, candidate.number, full_search);
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
            score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, new_depth, ply + 1, !cut);
        }
        // … and if it is, or is the first, find out by how much
        if K::PV && (candidate.number == 1 || score > alpha) {
            score = -self.search::<Pv>(child, -beta, -alpha, new_depth, ply + 1, false);
        }
        score
    }
}
