//! Moves that deserve praise, which is given sparingly: the only good move, and a sacrifice that is sound. Neither is one
//! that a glance finds, or that takes something back.

use chess::{Board, Move, PieceKind};

use super::judge::{Desk, Topic};
use super::ledger::points;
use super::panel::Effort;
use super::searcher::Finding;
use super::verdict::{BLUNDER_LOSS, MISTAKE_LOSS, Verdict};

/// Who expects less than this has little to be praised for.
const ALIVE: f64 = 0.40;
/// A sacrifice is of at least so much, in pawns.
const SACRIFICE: i32 = 2;
/// A pawn, in the numbers of the exchange evaluation.
const PAWN: i32 = 100;

/// What has to be found out to know whether the move of a ply deserves praise.
pub fn questions(desk: &Desk, index: usize) -> Option<Topic> {
    let gap = |effort| {
        let best = desk.found(&Topic::Position(index, effort))?;
        let others = desk.found(&Topic::Others(index, effort))?;
        Some(best.expected() - others.expected())
    };
    let needed = needed(desk, index)?;
    let glance = Topic::Position(index, Effort::Glance);
    match desk.found(&glance) {
        None => return Some(glance),
        Some(found) if found.line.first() == Some(&desk.moves[index]) => return None,
        Some(_) => {}
    }
    for effort in [Effort::Usual, Effort::Thorough] {
        let topics = [Topic::Position(index, effort), Topic::Others(index, effort)];
        if let Some(topic) = topics.into_iter().find(|topic| desk.found(topic).is_none()) {
            return Some(topic);
        }
        if gap(effort).is_none_or(|gap| gap < needed) {
            return None;
        }
    }
    None
}

/// How the move of a ply is praised, and what was next best.
pub fn praise(desk: &Desk, index: usize) -> Option<(Verdict, Finding)> {
    let needed = needed(desk, index)?;
    let glance = desk.found(&Topic::Position(index, Effort::Glance))?;
    let best = desk.found(&Topic::Position(index, Effort::Thorough))?;
    let second = desk.found(&Topic::Others(index, Effort::Thorough))?;
    let played = desk.moves[index];
    let deserved = glance.line.first() != Some(&played)
        && best.line.first() == Some(&played)
        && best.expected() >= ALIVE
        && best.expected() - second.expected() >= needed;
    let sacrifice = is_sacrifice(desk.games[index].board(), played);
    let verdict = if sacrifice { Verdict::Brilliant } else { Verdict::Only };
    deserved.then(|| (verdict, second.clone()))
}

/// By how much the move of a ply has to be better than every other; nothing where it cannot be praised.
fn needed(desk: &Desk, index: usize) -> Option<f64> {
    let played = desk.moves[index];
    let best = desk.found(&Topic::Position(index, Effort::Usual))?;
    let previous = index.checked_sub(1).map(|index| desk.moves[index]);
    let recaptures = played.is_capture() && previous.is_some_and(|mv| mv.to() == played.to());
    if desk.is_forced(index) || recaptures || best.line.first() != Some(&played) || best.expected() < ALIVE {
        return None;
    }
    let sacrifice = is_sacrifice(desk.games[index].board(), played);
    Some(if sacrifice { MISTAKE_LOSS } else { BLUNDER_LOSS })
}

/// Whether a move gives something away that was not lost before: the other side can take it and is ahead in the exchange.
fn is_sacrifice(board: &Board, played: Move) -> bool {
    let after = board.after(played);
    let gained = board.captured(played).map_or(0, points);
    let price = (gained + SACRIFICE) * PAWN;
    let before = (!board.in_check()).then(|| board.after_null());
    after.legal_moves().iter().any(|&mv| {
        let light = after.captured(mv).is_none_or(|kind| kind == PieceKind::Pawn);
        let moved = mv.to() == played.to();
        let lost_before =
            !moved && before.as_ref().is_none_or(|board| board.is_legal(mv) && board.see_at_least(mv, price));
        mv.is_capture() && !light && !lost_before && after.see_at_least(mv, price)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::motifs::tests::line;

    #[test]
    fn a_sacrifice_is_given_and_not_just_lost() {
        let sacrifice = |fen: &str, mv: &str| {
            let (board, moves) = line(fen, mv);
            is_sacrifice(&board, moves[0])
        };
        let exposed = "6k1/5ppp/8/8/8/3B4/8/6K1 w - - 0 1";
        assert!(sacrifice(exposed, "Bxh7+"), "a bishop for a pawn");
        assert!(!sacrifice(exposed, "Be4"), "nothing takes it");
        let traded = "3rk3/8/8/3r4/8/3R4/8/3RK3 w - - 0 1";
        assert!(!sacrifice(traded, "Rxd5"), "a trade");
        let hanging = "4k3/8/8/3p4/4N3/8/8/R3K3 w - - 0 1";
        assert!(!sacrifice(hanging, "Ra7"), "the knight hung before");
        assert!(sacrifice("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "Ne4"));
    }
}
