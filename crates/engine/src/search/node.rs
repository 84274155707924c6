//! The node: one story from the window to the score. Here stands what may settle a node before its moves are looked
//! at, in the order in which it is tried; `moves` goes on from there.

use chess::{Board, Move, Score};

use super::ideas::threat_ordering::any_threatened;
use super::ideas::{Node, endgame_guard, improving, internal_reduction, mate_distance, razoring, reverse_futility};
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY};
use crate::telemetry::Counter;
use crate::tt::Entry;

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

/// What is known of a node before its moves are looked at.
pub(super) struct Known {
    /// What the table holds; it is not asked while a move is left out.
    pub entry: Option<Entry>,
    /// The move to try first.
    pub table_move: Option<Move>,
    /// Whether the position is on a principal variation, or was when the entry was made.
    pub was_pv: bool,
    /// A move left out, while the others are tested for singularity.
    pub excluded: Option<Move>,
    /// The static evaluation as it was made; nothing in check or while a move is left out.
    pub raw_eval: Option<Score>,
    /// The static evaluation, corrected; nothing in check.
    pub static_eval: Option<Score>,
    /// What endgame tables say it is worth at least.
    pub floor: Score,
    /// What endgame tables say it is worth at most.
    pub ceiling: Score,
}

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
        self.telemetry.count(Counter::MainNodes);
        let mut node = Node::new(alpha, beta, depth, ply, cut);

        // Draws, mate distance, upcoming repetition
        if !K::ROOT
            && let Some(score) = self.settle_by_rule(board, &mut node)
        {
            return score;
        }

        // Transposition table
        let mut known = self.recall::<K>(board, ply);
        if !K::PV
            && let Some(score) = self.cut_by_table(board, &node, &known)
        {
            return score;
        }

        // Endgame tables
        if !K::ROOT
            && self.shared.prober.applies(board)
            && known.excluded.is_none()
            && let Some(score) = self.consult_endgame_tables::<K>(board, &mut node, &mut known)
        {
            return score;
        }

        // Static evaluation, and whether it is improving
        self.assess(board, &mut node, &mut known);

        // Razoring, reverse futility, null move
        let prunable = !K::PV && !board.in_check() && known.excluded.is_none();
        if prunable && let Some(score) = self.prune_node(board, &mut node, &known) {
            return score;
        }

        // Internal iterative reduction
        let params = self.params;
        let wanted = (K::PV || cut) && known.excluded.is_none();
        let has_move = known.table_move.is_some();
        let reduced = internal_reduction::reduction(&params.internal_reduction, depth, has_move, wanted);
        self.telemetry.count_if(reduced > 0, Counter::InternalReductionFired);
        node.depth -= reduced;

        if prunable {
            // ProbCut
            if let Some(score) = self.probcut(board, &node, &known) {
                return score;
            }

            // Multicut, published form
            if let Some(score) = self.multicut(board, &node, &known) {
                return score;
            }
        }

        // The moves
        self.search_moves::<K>(board, node, &known)
    }

    /// The score of a node that the rules decide, or whose window they close.
    #[inline(always)]
    fn settle_by_rule(&mut self, board: &Board, node: &mut Node) -> Option<Score> {
        let params = self.params;

        // Draws and the end of the line
        if self.is_draw(board, node.ply) {
            return Some(Score::DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(if board.in_check() { Score::DRAW } else { self.evaluate(board) });
        }

        // Mate distance
        (node.alpha, node.beta) = mate_distance::narrow(&params.mate_distance, node.alpha, node.beta, node.ply);
        if node.alpha >= node.beta {
            self.telemetry.count(Counter::MateDistance);
            return Some(node.alpha);
        }

        // Upcoming repetition
        if params.upcoming_repetition.enabled
            && node.alpha < Score::DRAW
            && self.keys.has_upcoming_repetition(board, node.ply)
        {
            node.alpha = Score::DRAW;
            if node.alpha >= node.beta {
                self.telemetry.count(Counter::UpcomingRepetition);
                return Some(node.alpha);
            }
        }
        None
    }

    /// What the table holds of a position.
    #[inline(always)]
    fn recall<K: Kind>(&mut self, board: &Board, ply: usize) -> Known {
        let excluded = self.frames.at(ply).excluded;
        let entry = match excluded {
            Some(_) => None,
            None => self.shared.table.probe(&self.params.table, board.key(), ply),
        };
        self.telemetry.count(Counter::TableProbes);
        self.telemetry.count_if(entry.is_some(), Counter::TableHits);
        Known {
            entry,
            table_move: if K::ROOT { self.root_moves[self.pv_index].table_move() } else { entry.and_then(|e| e.mv) },
            was_pv: K::PV || entry.is_some_and(|e| e.pv),
            excluded,
            raw_eval: None,
            static_eval: None,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }

    /// The score of the table, if it is deep enough and on the right side of the window. A move that cuts in this way is
    /// rewarded, if it is quiet.
    #[inline(always)]
    fn cut_by_table(&mut self, board: &Board, node: &Node, known: &Known) -> Option<Score> {
        let entry = known.entry?;
        // An entry knows nothing of the clock, which matters near the fifty-move rule.
        if entry.depth < node.depth || !entry.bound.proves(entry.score, node.beta) || board.halfmove_clock() >= 90 {
            return None;
        }
        self.telemetry.count(Counter::TableCutoffs);
        if entry.score >= node.beta
            && let Some(mv) = entry.mv
        {
            self.reward_table_move(board, mv, node.depth, node.ply);
        }
        Some(entry.score)
    }

    /// The score of the endgame tables, where they cut. Elsewhere they still bound what the principal variation may be
    /// worth.
    #[inline(always)]
    fn consult_endgame_tables<K: Kind>(&mut self, board: &Board, node: &mut Node, known: &mut Known) -> Option<Score> {
        let (score, bound) = self.probe_tables(board, node.depth, node.ply)?;
        let cuts = match bound {
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
            _ => true,
        };
        if cuts {
            self.telemetry.count(Counter::SyzygyCutoffs);
            let depth = (node.depth + KNOWN_EXTRA_DEPTH).min(MAX_PLY as i32);
            let stored = Entry { mv: None, score, eval: None, depth, bound, pv: known.was_pv };
            self.shared.table.store(&self.params.table, board.key(), node.ply, stored);
            return Some(score);
        }
        if K::PV && bound == Bound::Lower {
            known.floor = score;
            node.alpha = node.alpha.max(score);
        } else if K::PV {
            known.ceiling = score;
        }
        None
    }

    /// Evaluates the position, unless the table has the evaluation, and corrects that by experience.
    #[inline(always)]
    fn assess(&mut self, board: &Board, node: &mut Node, known: &mut Known) {
        let params = self.params;
        let ply = node.ply;
        let complete = known.excluded.is_none();

        // Static evaluation
        known.raw_eval = match known.entry.and_then(|e| e.eval) {
            _ if board.in_check() || !complete => None,
            Some(eval) => Some(eval),
            None => Some(self.evaluate(board)),
        };
        known.static_eval = if complete {
            known.raw_eval.map(|eval| self.histories.corrected(params, board, eval))
        } else {
            self.frames.at(ply).static_eval
        };
        self.frames.at_mut(ply).static_eval = known.static_eval;
        self.frames.at_mut(ply + 1).killers = Default::default();
        self.frames.at_mut(ply + 2).cutoffs = 0;
        let Some(now) = known.static_eval else { return };
        node.static_eval = now;
        node.eval = known.entry.filter(|e| e.bound.proves(e.score, now)).map_or(now, |e| e.score);

        // Evaluation history
        if complete {
            self.learn_from_evaluation(board, now, ply);
        }

        // Improving
        let before = |plies| self.frames.before(ply, plies).static_eval;
        node.improving = improving::is_improving(&params.improving, now, before(2), before(4));
    }

    /// The score of a node that is cut without looking at its moves. Off the principal variation, not in check.
    #[inline(always)]
    fn prune_node(&mut self, board: &Board, node: &mut Node, known: &Known) -> Option<Score> {
        let params = self.params;
        node.endgame = endgame_guard::is_up(&params.endgame_guard, board);

        // Razoring
        if razoring::applies(&params.razoring, node) {
            self.telemetry.count(Counter::RazoringTried);
            let score = self.enter_quiescence::<NonPv>(board, node.alpha, node.alpha + 1, node.ply);
            if score <= node.alpha {
                self.telemetry.count(Counter::RazoringFired);
                return Some(score);
            }
        }

        // Reverse futility
        self.telemetry.count(Counter::ReverseFutilityTried);
        if let Some(score) = reverse_futility::prune(&params.reverse_futility, node, || !any_threatened(board)) {
            self.telemetry.count(Counter::ReverseFutilityFired);
            if known.entry.is_none() && node.depth >= params.reverse_futility.store_min_depth {
                let (bound, pv) = (Bound::Lower, known.was_pv);
                let stored = Entry { mv: None, score: node.beta, eval: known.raw_eval, depth: 0, bound, pv };
                self.shared.table.store(&params.table, board.key(), node.ply, stored);
            }
            return Some(score);
        }

        // Null move
        self.null_move(board, node)
    }
}
