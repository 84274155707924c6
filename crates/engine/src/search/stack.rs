//! What the search remembers about each ply of the line it is on.

use chess::{Bitboard, Move, Score};

use crate::base::MAX_PLY;
use crate::history::{PieceTo, Previous, Threats};
use crate::movepick::KillerPair;

/// One ply of the current line.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The move being searched here; nothing for a null move.
    pub mv: Option<Move>,
    /// Its piece and target.
    pub piece_to: PieceTo,
    /// What the opponent attacks here.
    pub threats: Threats,
    /// The corrected static evaluation; nothing in check.
    pub static_eval: Option<Score>,
    /// A move left out, while the others are tested for singularity.
    pub excluded: Option<Move>,
    /// Quiet moves that cut at this ply.
    pub killers: KillerPair,
    /// How often the children of this ply's parent have cut.
    pub cutoffs: i32,
    /// How many extensions by more than one ply led here.
    pub doubles: i32,
    /// By how many plies the move being searched here is reduced for now.
    pub reduction: i32,
    /// The so-many-th move of its node.
    pub number: usize,
    /// Whether the position is on a principal variation, or was when the table's entry was made.
    pub was_pv: bool,
}

impl Frame {
    const EMPTY: Frame = Frame {
        mv: None,
        piece_to: PieceTo::NONE,
        threats: Threats(Bitboard::EMPTY),
        static_eval: None,
        excluded: None,
        killers: KillerPair::NONE,
        cutoffs: 0,
        doubles: 0,
        reduction: 0,
        number: 0,
        was_pv: false,
    };
}

/// Frames before the root, so that looking back needs no test.
const MARGIN: usize = 6;

/// The frames of a line, by ply.
pub struct Frames(Box<[Frame]>);

impl Frames {
    /// Nothing searched yet.
    pub fn new() -> Frames {
        Frames(vec![Frame::EMPTY; MAX_PLY + MARGIN + 4].into())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(Frame::EMPTY);
    }

    /// The frame of a ply.
    #[inline(always)]
    pub fn at(&self, ply: usize) -> &Frame {
        &self.0[ply + MARGIN]
    }

    /// The frame of a ply, to change.
    #[inline(always)]
    pub fn at_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + MARGIN]
    }

    /// The frame so many plies before; empty before the root.
    #[inline(always)]
    pub fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + MARGIN - plies]
    }

    /// The quiet move that led to a ply, and what the opponent attacked when it was made.
    #[inline(always)]
    pub fn quiet_move_before(&self, ply: usize) -> Option<(Move, Threats)> {
        let frame = self.before(ply, 1);
        let mv = frame.mv.filter(|mv| ply > 0 && mv.is_quiet())?;
        Some((mv, frame.threats))
    }

    /// The moves that continuation history looks back at.
    #[inline(always)]
    pub fn previous(&self, ply: usize) -> Previous {
        let [reply, follow, far] = PieceTo::OFFSETS;
        let piece_to = |plies| self.before(ply, plies).piece_to;
        [piece_to(reply), piece_to(follow), piece_to(far)]
    }
}

/// The best line found from each ply on: a triangle of moves.
pub struct PvTable {
    moves: Box<[[Option<Move>; MAX_PLY + 2]]>,
    lens: [usize; MAX_PLY + 2],
}

impl PvTable {
    /// Empty lines.
    pub fn new() -> PvTable {
        PvTable { moves: vec![[None; MAX_PLY + 2]; MAX_PLY + 2].into(), lens: [0; MAX_PLY + 2] }
    }

    /// The line from this ply on becomes empty.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.lens[ply] = 0;
    }

    /// The line from this ply on becomes the move and the line after it.
    #[inline(always)]
    pub fn update(&mut self, ply: usize, mv: Move) {
        let len = self.lens[ply + 1].min(MAX_PLY);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = Some(mv);
        upper[ply][1..=len].copy_from_slice(&lower[0][..len]);
        self.lens[ply] = len + 1;
    }

    /// The line from this ply on.
    pub fn line(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        self.moves[ply][..self.lens[ply]].iter().flatten().copied()
    }
}
