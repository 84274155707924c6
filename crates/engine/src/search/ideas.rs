//! One file an idea; the list below is the index.

pub mod aspiration;
pub mod continuation;
pub mod correction;
pub mod countermoves;
pub mod delta_pruning;
pub mod endgame_guard;
pub mod eval_history;
pub mod futility;
pub mod history_gravity;
pub mod history_pruning;
pub mod improving;
pub mod internal_reduction;
pub mod killers;
pub mod late_move_pruning;
pub mod late_move_reductions;
pub mod lone_king;
pub mod mate_distance;
pub mod multicut;
pub mod null_move;
pub mod pawn_history;
pub mod probcut;
pub mod quiescence;
pub mod quiet_safety;
pub mod rank_gates;
pub mod ranked_picker;
pub mod razoring;
pub mod refutation_history;
pub mod reverse_futility;
pub mod see_pruning;
pub mod singular;
pub mod table;
pub mod threat_ordering;
pub mod time_management;
pub mod upcoming_repetition;

use chess::Score;

/// What is known about a node when the pruning ideas look at it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Depth left to search.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
    /// Lower end of the window.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// The static evaluation, corrected by what was learned.
    pub static_eval: Score,
    /// The best estimate before searching: the static evaluation, or the table's score where that says more.
    pub eval: Score,
    /// Whether the static evaluation has risen since this side's last move.
    pub improving: bool,
    /// Whether a cutoff is expected here.
    pub cut: bool,
    /// Whether so little material is left that static judgements are not to be trusted.
    pub endgame: bool,
}

impl Node {
    /// A node of which only the window and the depth are known yet.
    #[inline(always)]
    pub fn new(alpha: Score, beta: Score, depth: i32, ply: usize, cut: bool) -> Node {
        let (static_eval, eval) = (Score::DRAW, Score::DRAW);
        Node { depth, ply, alpha, beta, static_eval, eval, improving: false, cut, endgame: false }
    }
}

#[cfg(test)]
impl Node {
    /// An ordinary node for tests.
    pub fn example(depth: i32, eval: i32, beta: i32) -> Node {
        Node {
            depth,
            ply: 3,
            alpha: Score(beta - 1),
            beta: Score(beta),
            static_eval: Score(eval),
            eval: Score(eval),
            improving: false,
            cut: true,
            endgame: false,
        }
    }
}
