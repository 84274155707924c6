//! What is carried through the search of a node: what is known of the position, and what is known of a move.

use chess::{Board, Move, Score, Value};

use crate::history::{PieceTo, Previous, Threats};
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

/// What is known of a position while it is searched. It fills from top to bottom as the node's story goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Depth left to search.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
    /// Lower end of the window.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// On the principal variation.
    pub pv: bool,
    /// Whether a cutoff is expected here.
    pub cut: bool,
    /// Whether the side to move is in check. Then there is no static evaluation.
    pub in_check: bool,
    /// A move left out, while the others are tested for singularity.
    pub excluded: Option<Move>,
    /// What the table holds; it is not asked while a move is left out.
    pub entry: Option<Entry>,
    /// The move to try first.
    pub table_move: Option<Move>,
    /// Whether the position is on a principal variation, or was when the entry was made.
    pub was_pv: bool,
    /// What endgame tables say it is worth at least.
    pub floor: Score,
    /// What endgame tables say it is worth at most.
    pub ceiling: Score,
    /// The static evaluation as it was made; nothing in check or while a move is left out.
    pub raw_eval: Option<Score>,
    /// The static evaluation, corrected by what was learned.
    pub static_eval: Score,
    /// The best estimate before searching: the static evaluation, or the table's score where that says more.
    pub eval: Score,
    /// Whether the static evaluation has risen since this side's last move.
    pub improving: bool,
    /// Whether so little material is left that static judgements are not to be trusted.
    pub endgame: bool,
    /// The moves that led here, for continuation history.
    pub previous: Previous,
    /// The last of them; nothing at the root and after a null move.
    pub last_move: Option<Move>,
    /// The reply that refuted it before.
    pub countermove: Option<Move>,
    /// What the opponent attacks.
    pub threats: Threats,
    /// Quiet moves after so many moves are skipped.
    pub late_limit: usize,
    /// Whether the rank-aware gates are up.
    pub gated: bool,
    /// How many moves there were, skipped ones included.
    pub count: usize,
    /// The best score, and what skipped quiets are taken to be worth.
    pub best_score: Score,
    /// The last move that raised alpha.
    pub best_move: Option<Move>,
}

impl Node {
    /// A node of which only the window and the depth are known yet.
    #[inline(always)]
    pub fn new<K: Kind>(board: &Board, alpha: Score, beta: Score, depth: i32, ply: usize, cut: bool) -> Node {
        Node {
            depth,
            ply,
            alpha,
            beta,
            pv: K::PV,
            cut,
            in_check: board.in_check(),
            excluded: None,
            entry: None,
            table_move: None,
            was_pv: K::PV,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
            raw_eval: None,
            static_eval: Score::DRAW,
            eval: Score::DRAW,
            improving: false,
            endgame: false,
            previous: [PieceTo::NONE; 3],
            last_move: None,
            countermove: None,
            threats: Threats::default(),
            late_limit: usize::MAX,
            gated: false,
            count: 0,
            best_score: -Score::INFINITE,
            best_move: None,
        }
    }
}

/// What is known of a move before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The move.
    pub mv: Move,
    /// How many moves came before it, itself included.
    pub number: usize,
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// The table's.
    pub is_table_move: bool,
    /// Whether it gives check.
    pub gives_check: bool,
    /// A killer or the countermove.
    pub refutation: bool,
    /// What histories say of it.
    pub history: i32,
    /// How deep late move reductions would search it, roughly: what pruning goes by.
    pub reduced_depth: i32,
    /// By how many plies it is searched deeper.
    pub extension: i32,
    /// If it is quiet, it is skipped where it comes later than this.
    pub late_limit: usize,
    /// Added to its futility margin.
    pub futility_margin: Value,
    /// Whether it must not lose material, however deep the node.
    pub must_hold: bool,
    /// Added to its reduction, in 1024ths of a ply; nothing forbids one.
    pub reduction: Option<i32>,
}

#[cfg(test)]
impl Node {
    /// An ordinary node for tests.
    pub fn example(depth: i32, eval: i32, beta: i32) -> Node {
        let eval = Score(eval);
        let node = Node::new::<NonPv>(&Board::start(), Score(beta - 1), Score(beta), depth, 3, true);
        Node { static_eval: eval, eval, ..node }
    }
}

#[cfg(test)]
impl Candidate {
    /// An ordinary quiet move for tests, the so-many-th of its node.
    pub fn example(number: usize, reduced_depth: i32) -> Candidate {
        use chess::{MoveKind, Square};
        Candidate {
            mv: Move::new(Square::D1, Square::E1, MoveKind::Quiet),
            number,
            quiet: true,
            is_table_move: false,
            gives_check: false,
            refutation: false,
            history: 0,
            reduced_depth,
            extension: 0,
            late_limit: usize::MAX,
            futility_margin: 0,
            must_hold: false,
            reduction: Some(0),
        }
    }
}
