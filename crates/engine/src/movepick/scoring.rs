//! What a move is worth in ordering, before it is searched.

use chess::{Board, Move, PieceKind, SEE_VALUES};

use super::Context;
use crate::search::ideas::threat_ordering::ThreatMap;

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
    let p = &context.params.capture_history;
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

/// A quiet move: killers first, then the countermove, then by history.
#[inline(always)]
pub fn quiet(context: &Context<'_>, mv: Move) -> (i32, u16) {
    let params = context.params;
    let mut score = context.histories.quiet(params, context.board, context.threats, context.previous, mv);
    if params.killers.enabled && context.killers.contains(mv) {
        score += params.killers.bonus;
    }
    if context.countermove == Some(mv) {
        score += params.countermoves.ordering_bonus();
    }
    (score, 0)
}

/// A quiet move, with what it does about threats and checks.
#[inline(always)]
pub fn quiet_with_threats(context: &Context<'_>, threats: &ThreatMap, mv: Move) -> (i32, u16) {
    let (mut score, tie) = quiet(context, mv);
    let p = &context.params.threat_ordering;
    if p.enabled
        && let Some(kind) = context.board.kind_on(mv.from())
    {
        score += threats.score(p, kind, mv);
    }
    (score, tie)
}
