//! Every history table: how it is indexed, read and updated.
//!
//! A thread that has a core has a set of its own; threads without one share those of the others, since a set is large and
//! they learn little. So entries are atomic, though no order is asked for: that costs nothing, and where two write at
//! once one lesson of many is lost. To share among threads that do run at once is slow: 16 threads on 16 cores
//! searched 16.1 million nodes a second with 16 sets, 14.8 with 8 and 11.5 with one.

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use chess::{Bitboard, Board, Color, Move, Piece, PieceKind, Score, Square};

use crate::params::Params;
use crate::search::ideas::continuation::OFFSETS;
use crate::search::ideas::correction;
use crate::search::ideas::pawn_history::STRUCTURES;

/// A piece and the square it went to, as one number: the row of a continuation table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// No move: before the root, or after a null move.
    pub const NONE: PieceTo = PieceTo(Self::COUNT as u16);

    /// The piece of a move that is about to be made, and its target.
    #[inline(always)]
    pub fn of(board: &Board, mv: Move) -> PieceTo {
        let kind = board.kind_on(mv.from()).unwrap_or(PieceKind::Pawn);
        PieceTo::new(board.side_to_move(), kind, mv.to())
    }

    /// A piece and a square.
    #[inline(always)]
    pub fn new(color: Color, kind: PieceKind, to: Square) -> PieceTo {
        PieceTo((Piece::new(color, kind).index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The previous moves that continuation history looks at, in the order of [`OFFSETS`].
pub type Previous = [PieceTo; OFFSETS.len()];

/// What experience says of one thing, such as a move.
struct Entry(AtomicI16);

impl Entry {
    #[inline(always)]
    fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }

    #[inline(always)]
    fn update(&self, change: impl FnOnce(i16) -> i16) {
        self.0.store(change(self.0.load(Relaxed)), Relaxed);
    }

    fn clear(&mut self) {
        *self.0.get_mut() = 0;
    }
}

type Continuation = [[Entry; PieceTo::COUNT]; PieceTo::COUNT + 1];

/// How many places each correction table has for a side.
const CORRECTIONS: usize = 1 << 14;
type Correction = [[Entry; CORRECTIONS]; 2];

/// Whether the squares a move leaves and reaches are attacked by the opponent: two more bits of index.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats(pub Bitboard);

impl Threats {
    #[inline(always)]
    fn index(self, mv: Move) -> usize {
        usize::from(self.0.contains(mv.from())) * 2 + usize::from(self.0.contains(mv.to()))
    }
}

/// A set of tables.
pub struct Histories {
    quiet: Box<[[[Entry; 4096]; 4]; 2]>,
    capture: Box<[[Entry; 6]; PieceTo::COUNT]>,
    continuation: Box<Continuation>,
    pawn: Box<[[Entry; PieceTo::COUNT]; STRUCTURES]>,
    countermoves: Countermoves,
    pawn_correction: Box<Correction>,
    minor_correction: Box<Correction>,
    major_correction: Box<Correction>,
    non_pawn_correction: Box<[Correction; 2]>,
}

/// The reply that last refuted each move, by the squares of the move: 8 KiB, aligned to cache lines.
#[repr(align(64))]
struct Countermoves([AtomicU16; 4096]);

/// A table on the heap, without building it on the stack first.
fn table<T, const N: usize>(row: impl Fn() -> T) -> Box<[T; N]> {
    let rows: Box<[T]> = (0..N).map(|_| row()).collect();
    match rows.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length is N"),
    }
}

/// A row of entries, all zero.
fn row<const N: usize>() -> [Entry; N] {
    [const { Entry(AtomicI16::new(0)) }; N]
}

impl Histories {
    /// Empty tables.
    pub fn new() -> Histories {
        Histories {
            quiet: table(|| [row(), row(), row(), row()]),
            capture: table(row),
            continuation: table(row),
            pawn: table(row),
            countermoves: Countermoves([const { AtomicU16::new(0) }; 4096]),
            pawn_correction: table(row),
            minor_correction: table(row),
            major_correction: table(row),
            non_pawn_correction: table(|| [row(), row()]),
        }
    }

    /// Forgets everything, in place: a match of short searches spends a good part of its time on new games.
    pub fn clear(&mut self) {
        let Histories {
            quiet,
            capture,
            continuation,
            pawn,
            countermoves,
            pawn_correction,
            minor_correction,
            major_correction,
            non_pawn_correction,
        } = self;
        quiet.as_flattened_mut().as_flattened_mut().iter_mut().for_each(Entry::clear);
        capture.as_flattened_mut().iter_mut().for_each(Entry::clear);
        continuation.as_flattened_mut().iter_mut().for_each(Entry::clear);
        pawn.as_flattened_mut().iter_mut().for_each(Entry::clear);
        countermoves.0.iter_mut().for_each(|reply| *reply.get_mut() = 0);
        for table in [pawn_correction, minor_correction, major_correction] {
            table.as_flattened_mut().iter_mut().for_each(Entry::clear);
        }
        non_pawn_correction.as_flattened_mut().as_flattened_mut().iter_mut().for_each(Entry::clear);
    }

    /// Shrinks the move histories to 7/8.
    pub fn decay(&self) {
        let shrink = |entry: &Entry| entry.update(|value| (i32::from(value) * 7 / 8) as i16);
        self.quiet.iter().flatten().flatten().for_each(shrink);
        self.capture.iter().flatten().for_each(shrink);
        self.continuation.iter().flatten().for_each(shrink);
        self.pawn.iter().flatten().for_each(shrink);
    }

    // Quiet moves.

    /// What the quiet moves of a position are judged by: their own histories, and those as continuations of the moves
    /// before.
    #[inline(always)]
    pub fn quiets(&self, params: &Params, board: &Board, threats: Threats, previous: &Previous) -> Quiets<'_> {
        Quiets {
            own: &self.quiet[board.side_to_move().index()],
            threats,
            continuations: previous.map(|row| &self.continuation[row.index()]),
            factors: params.continuation.factors(),
            pawn: &self.pawn[structure(board)],
            pawn_factor: params.pawn_history.factor(),
        }
    }

    /// The history of a quiet move.
    #[inline(always)]
    pub fn quiet(&self, params: &Params, board: &Board, threats: Threats, previous: &Previous, mv: Move) -> i32 {
        self.quiets(params, board, threats, previous).score(PieceTo::of(board, mv), mv)
    }

    /// Moves a quiet move's histories by a reward or punishment.
    #[inline(always)]
    pub fn update_quiet(
        &self,
        params: &Params,
        board: &Board,
        threats: Threats,
        previous: &Previous,
        mv: Move,
        bonus: i32,
    ) {
        let entry = &self.quiet[board.side_to_move().index()][threats.index(mv)][mv.from_to()];
        entry.update(|value| params.history.updated(value, bonus));
        let piece_to = PieceTo::of(board, mv);
        if params.continuation.enabled {
            self.update_continuation(params, piece_to, previous, bonus);
        }
        if params.pawn_history.enabled {
            let entry = &self.pawn[structure(board)][piece_to.index()];
            entry.update(|value| params.history.updated(value, bonus));
        }
    }

    /// Moves the history of the quiet move that `side` made last, judged by what came of it.
    #[inline(always)]
    pub fn update_made(&self, params: &Params, side: Color, threats: Threats, mv: Move, bonus: i32) {
        let entry = &self.quiet[side.index()][threats.index(mv)][mv.from_to()];
        entry.update(|value| params.history.updated(value, bonus));
    }

    /// Moves the continuation part of a quiet move's history.
    #[inline(always)]
    pub fn update_continuation(&self, params: &Params, piece_to: PieceTo, previous: &Previous, bonus: i32) {
        for row in previous {
            if *row != PieceTo::NONE {
                let entry = &self.continuation[row.index()][piece_to.index()];
                entry.update(|value| params.history.updated(value, bonus));
            }
        }
    }

    // Captures.

    /// The history of a capture or promotion.
    #[inline(always)]
    pub fn capture(&self, board: &Board, mv: Move) -> i32 {
        self.capture[PieceTo::of(board, mv).index()][victim_index(board, mv)].get()
    }

    /// Moves a capture's history by a reward or punishment.
    #[inline(always)]
    pub fn update_capture(&self, params: &Params, board: &Board, mv: Move, bonus: i32) {
        let entry = &self.capture[PieceTo::of(board, mv).index()][victim_index(board, mv)];
        entry.update(|value| params.history.updated(value, bonus));
    }

    // Countermoves.

    /// The reply that last refuted this move.
    #[inline(always)]
    pub fn countermove(&self, previous: Option<Move>) -> Option<Move> {
        Move::from_bits(self.countermoves.0[previous?.from_to()].load(Relaxed))
    }

    /// Remembers a reply.
    #[inline(always)]
    pub fn set_countermove(&self, previous: Move, reply: Move) {
        self.countermoves.0[previous.from_to()].store(reply.bits(), Relaxed);
    }

    // Corrections of the static evaluation.

    /// The static evaluation as experience corrects it.
    #[inline(always)]
    pub fn corrected(&self, params: &Params, board: &Board, eval: Score) -> Score {
        let p = &params.correction;
        if !p.enabled {
            return eval;
        }
        let side = board.side_to_move().index();
        let keys = board.keys();
        let at = |table: &Correction, key: u64| table[side][key as usize % CORRECTIONS].get();
        let mut sum = at(&self.pawn_correction, keys.pawn()) * p.pawn_factor
            + at(&self.minor_correction, keys.minor()) * p.minor_factor
            + at(&self.major_correction, keys.major()) * p.major_factor;
        for color in Color::ALL {
            sum += at(&self.non_pawn_correction[color.index()], keys.non_pawn(color)) * p.non_pawn_factor;
        }
        correction::apply(p, eval, sum)
    }

    /// Learns from the difference between what a search found and what the evaluation said.
    #[inline(always)]
    pub fn update_correction(&self, board: &Board, bonus: i32) {
        let side = board.side_to_move().index();
        let keys = board.keys();
        let update = |table: &Correction, key: u64| {
            table[side][key as usize % CORRECTIONS].update(|value| {
                let old = i32::from(value);
                (old + bonus - old * bonus.abs() / correction::LIMIT) as i16
            });
        };
        update(&self.pawn_correction, keys.pawn());
        update(&self.minor_correction, keys.minor());
        update(&self.major_correction, keys.major());
        for color in Color::ALL {
            update(&self.non_pawn_correction[color.index()], keys.non_pawn(color));
        }
    }
}

/// The rows of the tables that the quiet moves of one position are looked up in. Tables and weights are found once for
/// all moves: entries are atomic, so that the compiler would look for them again after each.
pub struct Quiets<'a> {
    own: &'a [[Entry; 4096]; 4],
    threats: Threats,
    continuations: [&'a [Entry; PieceTo::COUNT]; OFFSETS.len()],
    factors: [i32; OFFSETS.len()],
    pawn: &'a [Entry; PieceTo::COUNT],
    pawn_factor: i32,
}

impl Quiets<'_> {
    /// The history of a move by this piece to this square.
    #[inline(always)]
    pub fn score(&self, piece_to: PieceTo, mv: Move) -> i32 {
        let to = piece_to.index();
        let mut sum = self.own[self.threats.index(mv)][mv.from_to()].get();
        for (row, factor) in self.continuations.iter().zip(self.factors) {
            sum += row[to].get() * factor / 100;
        }
        sum + self.pawn[to].get() * self.pawn_factor / 100
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

/// The row of a pawn structure.
#[inline(always)]
fn structure(board: &Board) -> usize {
    board.keys().pawn() as usize % STRUCTURES
}

#[inline(always)]
fn victim_index(board: &Board, mv: Move) -> usize {
    // A promotion without capture has no victim; a king is never captured, so its place is free.
    board.captured(mv).unwrap_or(PieceKind::King).index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::parse_uci;

    fn setup() -> (Histories, Params, Board) {
        (Histories::new(), Params::default(), Board::start())
    }

    #[test]
    fn rewards_raise_and_punishments_lower_only_their_own_move() {
        let (mut tables, mut params, board) = setup();
        params.pawn_history.enabled = false;
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        let previous = [PieceTo::new(Color::Black, PieceKind::Knight, Square::F8); 3];
        let threats = Threats::default();
        tables.update_quiet(&params, &board, threats, &previous, e4, 500);
        assert!(tables.quiet(&params, &board, threats, &previous, e4) > 500, "own and continuation");
        assert_eq!(tables.quiet(&params, &board, threats, &previous, d4), 0);
        let elsewhere = [PieceTo::NONE; 3];
        assert_eq!(tables.quiet(&params, &board, threats, &elsewhere, e4), 500);
        tables.update_quiet(&params, &board, threats, &previous, e4, -2000);
        assert!(tables.quiet(&params, &board, threats, &elsewhere, e4) < 0);
        tables.decay();
        tables.clear();
        assert_eq!(tables.quiet(&params, &board, threats, &previous, e4), 0);
    }

    #[test]
    fn countermoves_answer_the_move_before() {
        let (tables, _, board) = setup();
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        assert_eq!(tables.countermove(Some(e4)), None);
        tables.set_countermove(e4, d4);
        assert_eq!(tables.countermove(Some(e4)), Some(d4));
        assert_eq!(tables.countermove(None), None);
        assert_eq!(size_of::<Countermoves>(), 8192);
    }

    #[test]
    fn corrections_converge_on_the_error() {
        let (tables, params, board) = setup();
        assert_eq!(tables.corrected(&params, &board, Score(10)), Score(10));
        for _ in 0..200 {
            let eval = tables.corrected(&params, &board, Score(10));
            tables.update_correction(&board, correction::bonus(Score(60), eval, 8));
        }
        let learned = tables.corrected(&params, &board, Score(10)).0;
        assert!((50..=70).contains(&learned), "{learned}");
    }
}
