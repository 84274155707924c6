//! What a move is worth in ordering, before it is searched.

use chess::{Board, Color, Move, PieceKind, SEE_VALUES};

use super::threat_ordering::ThreatMap;
use super::{Context, KillerPair, strict_ordering};
use crate::history::{PieceTo, Quiets};

/// Most valuable victim, least valuable attacker: the first order of captures, and the breaker of ties.
#[inline(always)]
pub fn mvv_lva(board: &Board, mv: Move) -> u16 {
    let victim = board.captured(mv).map_or(0, |kind| kind.index() as u16 + 1);
    let attacker = board.kind_on(mv.from()).map_or(0, |kind| kind.index() as u16);
    victim * 8 + (7 - attacker)
}

/// A capture or promotion: what it takes, what it becomes, and how such captures have fared.
#[inline(always)]
pub fn capture(context: &Context<'_>, mv: Move) -> (i32, u16) {
    let board = context.board;
    let p = &context.history.capture_history;
    let victim = board.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
    let promotion = match mv.promotion() {
        Some(PieceKind::Queen) => SEE_VALUES[PieceKind::Queen.index()],
        Some(_) => -SEE_VALUES[PieceKind::Queen.index()],
        None => 0,
    };
    let history = if p.enabled { context.histories.capture(board, mv) * p.order_factor / 100 } else { 0 };
    let tie = mvv_lva(board, mv);
    ((victim + promotion) * 16 + history + if p.enabled { 0 } else { i32::from(tie & 7) }, tie)
}

/// What the quiet moves of a node are scored by, looked up once for all of them.
pub struct QuietScorer<'a> {
    board: &'a Board,
    us: Color,
    histories: Quiets<'a>,
    killers: KillerPair,
    killer_bonus: i32,
    countermove: Option<Move>,
    countermove_bonus: i32,
}

impl<'a> QuietScorer<'a> {
    /// The scorer of a node.
    #[inline(always)]
    pub fn new(context: &Context<'a>) -> QuietScorer<'a> {
        let [killer_bonus, countermove_bonus] = strict_ordering::bonuses(context);
        QuietScorer {
            board: context.board,
            us: context.board.side_to_move(),
            histories: context.histories.quiets(context.history, context.board, context.threats, context.previous),
            killers: context.killers,
            killer_bonus,
            countermove: context.countermove,
            countermove_bonus,
        }
    }

    /// A quiet move: killers first, then the countermove, then by history.
    #[inline(always)]
    pub fn score(&self, mv: Move) -> (i32, u16) {
        self.score_of(self.kind(mv), mv)
    }

    /// A quiet move, with what it does about threats and checks.
    #[inline(always)]
    pub fn score_with_threats(&self, threats: &ThreatMap, mv: Move) -> (i32, u16) {
        let kind = self.kind(mv);
        let (score, tie) = self.score_of(kind, mv);
        (score + threats.score(kind, mv), tie)
    }

    #[inline(always)]
    fn kind(&self, mv: Move) -> PieceKind {
        self.board.kind_on(mv.from()).unwrap_or(PieceKind::Pawn)
    }

    #[inline(always)]
    fn score_of(&self, kind: PieceKind, mv: Move) -> (i32, u16) {
        let mut score = self.histories.score(PieceTo::new(self.us, kind, mv.to()), mv);
        score += if self.killers.contains(mv) { self.killer_bonus } else { 0 };
        score += if self.countermove == Some(mv) { self.countermove_bonus } else { 0 };
        (score, 0)
    }
}
