//! History with gravity: what has cut before is tried early again, and what has failed late.
//! Each update is pulled towards zero in proportion to what is there, so entries never overflow and
//! old news fades. The rule holds for every table of moves.

use chess::{Bitboard, Board, Color, Move};

use super::continuation_history::{PieceTo, Previous, Row};
use super::{Cell, Histories, HistoryParams};
use crate::base::idea;

idea! {
    /// Remembers which quiet moves have cut, with a pull towards zero.
    HistoryGravity "UseHistoryGravity" (_, HI1) {
        /// Entries stay within this, and are pulled back in proportion to it (published 512).
        divisor = 8192 in 256..=16384 step 500;
        /// Reward for a cutoff, for each ply of depth.
        bonus_factor = 140 in 20..=400 step 15;
        /// Taken off the reward.
        bonus_base = 0 in 0..=400 step 15;
        /// The greatest reward.
        bonus_max = 1800 in 200..=4000 step 100;
        /// A cut this far above beta counts as one ply deeper; 1000 for never.
        clear_margin = 60 in 0..=1000 step 25;
        /// Punishment for the moves tried before, for each ply of depth.
        malus_factor = 400 in 20..=400 step 15;
        /// The greatest punishment.
        malus_max = 1168 in 200..=4000 step 100;
        /// Share of the reward for a quiet table move that cuts without a search, in percent.
        table_factor = 72 in 0..=200 step 10;
        /// All entries shrink to 7/8 after this many nodes; 0 for never (published 4096).
        decay_interval = 0 in 0..=1000000 step 4096;
    }
}

impl HistoryGravity {
    /// The reward for a move that cut at this depth.
    #[inline(always)]
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_factor * depth - self.bonus_base).clamp(0, self.bonus_max)
    }

    /// The punishment for a move that was tried before the one that cut, as a negative number.
    #[inline(always)]
    pub fn malus(&self, depth: i32) -> i32 {
        -(self.malus_factor * depth - self.bonus_base).clamp(0, self.malus_max)
    }

    /// The new value of an entry: with gravity, or plainly added within the limits when switched off.
    #[inline(always)]
    pub(super) fn updated(&self, old: i16, bonus: i32) -> i16 {
        let old = i32::from(old);
        let bonus = bonus.clamp(-self.divisor, self.divisor);
        let pull = if self.enabled { old * bonus.abs() / self.divisor } else { 0 };
        (old + bonus - pull).clamp(-self.divisor, self.divisor) as i16
    }
}

/// Quiet moves by side, by what is attacked, and by their squares.
pub(super) type QuietTable = [[[Cell; 4096]; 4]; 2];

/// Whether the squares a move leaves and reaches are attacked by the opponent: two more bits of index.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats(pub Bitboard);

impl Threats {
    #[inline(always)]
    fn index(self, mv: Move) -> usize {
        usize::from(self.0.contains(mv.from())) * 2 + usize::from(self.0.contains(mv.to()))
    }
}

/// The moves of a node that were tried before the one that cut. More than this many are not worth remembering.
pub struct Tried {
    depth: i32,
    moves: [Option<Move>; 64],
    len: usize,
}

impl Tried {
    /// None yet, at a node that is searched to this depth.
    #[inline(always)]
    pub fn new(depth: i32) -> Tried {
        Tried { depth, moves: [None; 64], len: 0 }
    }

    /// What is learned counts as if searched to this depth.
    #[inline(always)]
    pub fn set_depth(&mut self, depth: i32) {
        self.depth = depth;
    }

    /// Remembers a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if self.len < self.moves.len() {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().flatten().copied()
    }
}

impl Histories {
    /// What the quiet moves of a position are judged by: their own histories, those as continuations of the moves before,
    /// and those with these pawns.
    #[inline(always)]
    pub fn quiets(&self, p: &HistoryParams, board: &Board, threats: Threats, previous: &Previous) -> Quiets<'_> {
        Quiets {
            own: &self.quiet[board.side_to_move().index()],
            threats,
            continuations: self.continuations(previous),
            factors: p.continuation_history.factors(),
            pawn: self.with_pawns(board),
            pawn_factor: p.pawn_history.factor(),
        }
    }

    /// The history of a quiet move.
    #[inline(always)]
    pub fn quiet(&self, p: &HistoryParams, board: &Board, threats: Threats, previous: &Previous, mv: Move) -> i32 {
        self.quiets(p, board, threats, previous).score(PieceTo::of(board, mv), mv)
    }

    /// Moves a quiet move's histories by a reward or punishment.
    #[inline(always)]
    pub fn update_quiet(
        &self,
        p: &HistoryParams,
        board: &Board,
        threats: Threats,
        previous: &Previous,
        mv: Move,
        bonus: i32,
    ) {
        self.update_made(p, board.side_to_move(), threats, mv, bonus);
        let piece_to = PieceTo::of(board, mv);
        self.update_continuation(p, piece_to, previous, bonus);
        self.update_pawn(p, board, piece_to, bonus);
    }

    /// Moves the history of the quiet move that `side` made last, judged by what came of it.
    #[inline(always)]
    pub fn update_made(&self, p: &HistoryParams, side: Color, threats: Threats, mv: Move, bonus: i32) {
        let entry = &self.quiet[side.index()][threats.index(mv)][mv.from_to()];
        entry.update(|value| p.history_gravity.updated(value, bonus));
    }

    /// Rewards the move that cut and punishes those tried before it.
    pub fn reward(
        &self,
        p: &HistoryParams,
        board: &Board,
        threats: Threats,
        previous: &Previous,
        best: Move,
        tried: &Tried,
    ) {
        let (bonus, malus) = (p.history_gravity.bonus(tried.depth), p.history_gravity.malus(tried.depth));
        if best.is_quiet() {
            self.update_quiet(p, board, threats, previous, best, bonus);
            for mv in tried.iter().filter(|mv| mv.is_quiet()) {
                self.update_quiet(p, board, threats, previous, mv, malus);
            }
        } else {
            self.update_capture(p, board, best, bonus);
        }
        for mv in tried.iter().filter(|mv| !mv.is_quiet()) {
            self.update_capture(p, board, mv, malus);
        }
    }

    /// Rewards a quiet table move that cuts without being searched again.
    pub fn reward_table_move(&self, p: &HistoryParams, board: &Board, previous: &Previous, mv: Move, depth: i32) {
        let bonus = p.history_gravity.bonus(depth) * p.history_gravity.table_factor / 100;
        if bonus > 0 && mv.is_quiet() && board.is_legal(mv) {
            let threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
            self.update_quiet(p, board, threats, previous, mv, bonus);
        }
    }
}

/// The rows of the tables that the quiet moves of one position are looked up in. Tables and weights are found once for
/// all moves: entries are atomic, so that the compiler would look for them again after each.
pub struct Quiets<'a> {
    own: &'a [[Cell; 4096]; 4],
    threats: Threats,
    continuations: [&'a Row; PieceTo::OFFSETS.len()],
    factors: [i32; PieceTo::OFFSETS.len()],
    pawn: &'a Row,
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

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{PieceKind, Square, parse_uci};

    #[test]
    fn entries_never_leave_their_range() {
        for divisor in [512, 8192, 16384] {
            let p = HistoryGravity { divisor, ..HistoryGravity::default() };
            let mut entry = 0;
            for _ in 0..1000 {
                entry = p.updated(entry, 1500);
                assert!(i32::from(entry) <= divisor);
            }
            assert!(i32::from(entry) > divisor * 9 / 10);
            for _ in 0..1000 {
                entry = p.updated(entry, -5000);
                assert!(i32::from(entry) >= -divisor);
            }
        }
    }

    #[test]
    fn the_same_reward_moves_a_full_entry_less() {
        let p = HistoryGravity::default();
        assert_eq!(p.updated(0, 1000), 1000);
        assert!(p.updated(4000, 1000) < 5000);
        assert!(p.updated(-4000, 1000) > -3000);
        let plain = HistoryGravity { enabled: false, ..p };
        assert_eq!(plain.updated(4000, 1000), 5000);
    }

    #[test]
    fn rewards_raise_and_punishments_lower_only_their_own_move() {
        let (mut tables, mut p, board) = (Histories::new(), HistoryParams::default(), Board::start());
        p.pawn_history.enabled = false;
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        let previous = [PieceTo::new(Color::Black, PieceKind::Knight, Square::F8); 3];
        let threats = Threats::default();
        tables.update_quiet(&p, &board, threats, &previous, e4, 500);
        assert!(tables.quiet(&p, &board, threats, &previous, e4) > 500, "own and continuation");
        assert_eq!(tables.quiet(&p, &board, threats, &previous, d4), 0);
        let elsewhere = [PieceTo::NONE; 3];
        assert_eq!(tables.quiet(&p, &board, threats, &elsewhere, e4), 500);
        tables.update_quiet(&p, &board, threats, &previous, e4, -2000);
        assert!(tables.quiet(&p, &board, threats, &elsewhere, e4) < 0);
        tables.decay();
        tables.clear();
        assert_eq!(tables.quiet(&p, &board, threats, &previous, e4), 0);
    }

    #[test]
    fn the_move_that_cut_rises_and_those_before_it_fall() {
        let (tables, p, board) = (Histories::new(), HistoryParams::default(), Board::start());
        let [e4, d4, c4] = ["e2e4", "d2d4", "c2c4"].map(|text| parse_uci(&board, text).expect("legal"));
        let (threats, previous) = (Threats::default(), [PieceTo::NONE; 3]);
        let mut tried = Tried::new(6);
        tried.push(d4);
        tables.reward(&p, &board, threats, &previous, e4, &tried);
        let history = |mv| tables.quiet(&p, &board, threats, &previous, mv);
        assert!(history(e4) > 0 && history(d4) < 0 && history(c4) == 0);
    }
}
