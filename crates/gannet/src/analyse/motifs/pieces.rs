//! What happens to single pieces: forked, left without a defender, trapped, promoted.

use chess::{Board, Move, PieceKind, Square};

use super::{Motif, Scene, Standing, reach, worth};
use crate::analyse::ledger::points;

/// A pawn, in the numbers of the exchange evaluation.
const PAWN: i32 = 100;

/// One piece attacks two or more that it may take, and takes one of them.
pub fn fork(scene: &Scene<'_>) -> Option<Motif> {
    let from = scene.first.to();
    let kind = scene.after.kind_on(from)?;
    let theirs = scene.after.color(scene.after.side_to_move());
    let hit = reach(&scene.after, from) & theirs;
    let targets: Vec<Standing> = hit
        .into_iter()
        .filter_map(|square| scene.target(square))
        .filter(|target| worth(target.kind) > worth(kind) || !scene.is_protected(target.square))
        // A pawn is a target only if it is what the fork wins.
        .filter(|target| target.kind != PieceKind::Pawn || scene.is_taken(target.square).is_some())
        .collect();
    let cashed = targets.iter().any(|target| scene.is_taken(target.square).is_some_and(|mv| mv.from() == from));
    (targets.len() >= 2 && cashed && !scene.first.is_castle()).then_some(Motif::Fork(targets))
}

/// The first move takes a piece that nothing protects.
pub fn undefended(scene: &Scene<'_>) -> Option<Motif> {
    let square = scene.first.to();
    if scene.first.is_en_passant() || scene.is_protected(square) {
        return None;
    }
    let kind = scene.before.captured(scene.first)?;
    Some(Motif::Undefended(Standing { kind, square }))
}

/// The first move takes a piece whose only defenders are pinned.
pub fn pinned_defender(scene: &Scene<'_>) -> Option<Motif> {
    let square = scene.first.to();
    let them = scene.after.side_to_move();
    let defenders = scene.after.attackers_to(square, scene.after.occupied()) & scene.after.color(them);
    let taken_back = scene.after.legal_moves().iter().any(|mv| mv.to() == square && mv.is_capture());
    if !scene.first.is_capture() || taken_back || !scene.after.pinned().contains_all(defenders) {
        return None;
    }
    scene.target(defenders.first()?).map(Motif::PinnedDefender)
}

/// The first move takes a piece, and the second one what that piece protected. Before, taking it did not pay.
pub fn removed_defender(scene: &Scene<'_>) -> Option<Motif> {
    let square = scene.first.to();
    let kind = scene.before.captured(scene.first).filter(|_| !scene.first.is_en_passant())?;
    let (board, mv) = scene.next.as_ref()?;
    let target = scene.target(mv.to())?;
    scene.is_taken(target.square)?;
    let protected = reach(scene.before, square).contains(target.square);
    let premature = scene.before.is_legal(*mv) && scene.before.see_at_least(*mv, PAWN);
    let light = target.kind == PieceKind::Pawn;
    (protected && !light && target.square != square && !premature && board.see_at_least(*mv, PAWN))
        .then_some(Motif::RemovedDefender(Standing { kind, square }, target))
}

/// A piece is attacked, has no safe square, and is taken, at once or after something that only puts it off.
pub fn trapped(scene: &Scene<'_>) -> Option<Motif> {
    let square = victim(scene)?;
    let target = scene.target(square)?;
    let light = points(target.kind) < 3 || target.kind == PieceKind::King;
    if light || scene.after.in_check() || scene.after.pinned().contains(square) {
        return None;
    }
    let safe = |mv: &&Move| mv.from() == square && scene.after.see_at_least(**mv, 1 - PAWN);
    let stays = takes_profitably(&scene.after.after_null(), square);
    (stays && !scene.after.legal_moves().iter().any(|mv| safe(&mv))).then_some(Motif::Trapped(target))
}

/// So many plies a piece that is trapped may stay where it is.
const PUT_OFF: usize = 6;

/// Where the piece stood after the first move that is the next one to be taken: where it stood, or where it fled to.
fn victim(scene: &Scene<'_>) -> Option<Square> {
    let theirs = scene.line.iter().enumerate().skip(1).take(PUT_OFF);
    let (index, capture) =
        theirs.filter(|(index, mv)| index % 2 == 0 && mv.is_capture()).map(|(index, &mv)| (index, mv)).next()?;
    let reply = *scene.line.get(index - 1)?;
    let square = if reply.to() == capture.to() { reply.from() } else { capture.to() };
    let moved = scene.line[1..index.max(2) - 1].iter().any(|mv| mv.to() == square || mv.from() == square);
    let real = !reply.is_castle() && !capture.is_en_passant() && !moved;
    real.then_some(square)
}

/// Whether the side to move wins at least a pawn by taking on a square.
fn takes_profitably(board: &Board, square: Square) -> bool {
    board.legal_moves().iter().any(|&mv| mv.is_capture() && mv.to() == square && board.see_at_least(mv, PAWN))
}

/// A pawn of this side promotes within the line, and the new piece is not taken at once.
pub fn promotion(scene: &Scene<'_>) -> Option<Motif> {
    let index = scene.line.iter().step_by(2).position(|mv| mv.promotion().is_some())? * 2;
    let pawn = *scene.line.get(index)?;
    let survives = scene.line.get(index + 1).is_none_or(|reply| reply.to() != pawn.to());
    // Where the pawn was when the line began.
    let mut square = pawn.from();
    for mv in scene.line.get(..index)?.iter().rev().skip(1).step_by(2) {
        if mv.to() == square {
            square = mv.from();
        }
    }
    survives.then_some(Motif::Promotion(square))
}

/// The piece that the moved one protected before, and whose capture by the answer pays only now.
pub fn no_longer_defended(before: &Board, played: Move, answer: Move) -> Option<Standing> {
    let after = before.after(played);
    let square = answer.to();
    if played.is_castle() || before.in_check() || answer.is_en_passant() || square == played.to() {
        return None;
    }
    let kind = after.captured(answer)?;
    let protected = reach(before, played.from()).contains(square) && !reach(&after, played.to()).contains(square);
    let paid_before = before.after_null();
    let paid_before = paid_before.is_legal(answer) && paid_before.see_at_least(answer, PAWN);
    (protected && !paid_before && after.see_at_least(answer, PAWN)).then_some(Standing { kind, square })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line, motif};
    use super::*;

    #[test]
    fn forks() {
        let fork = motif("4k2r/8/8/8/3N4/8/8/4K3 w - - 0 1", "Nf5 Kf8 Ng7 Kxg7");
        assert_eq!(fork, None);
        let fork = motif("2r1k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "Qa4+ Kf8 Kd2");
        assert_eq!(fork, None, "only the king is attacked");
        let fork = motif("4k3/8/1r3b2/8/3P4/8/8/4K3 w - - 0 1", "Kd2 Kd7");
        assert_eq!(fork, None);
        let fork = motif("4k3/8/2r1b3/8/3P4/8/8/4K3 w - - 0 1", "d5 Kd7 dxc6+ Kxc6");
        assert_eq!(fork.as_deref(), Some("forks the rook on c6 and the bishop on e6"));
    }

    #[test]
    fn pieces_without_protection() {
        let taken = motif("4k3/8/5n2/8/8/8/5Q2/4K3 w - - 0 1", "Qxf6");
        assert_eq!(taken.as_deref(), Some("takes the knight on f6, which nothing protects"));
        let pinned = motif("4k3/4n3/6p1/8/8/3B4/8/4RK2 w - - 0 1", "Bxg6+ Kd8");
        assert_eq!(pinned.as_deref(), Some("cannot be answered by the knight on e7, which is pinned"));
        let removed = motif("6k1/p7/2n5/4b3/8/8/8/1B2RRK1 w - - 0 1", "Rf2 Kg7");
        assert_eq!(removed, None);
        let removed = motif("6k1/3p4/2n5/1B2b3/8/8/8/4R1K1 w - - 0 1", "Bxc6 dxc6 Rxe5");
        assert_eq!(removed.as_deref(), Some("takes the knight on c6, which protects the bishop on e5"));
    }

    #[test]
    fn traps_and_promotions() {
        let trapped = motif("6k1/8/8/8/8/1P6/b1PK4/8 w - - 0 1", "Kc1 Kg7 Kb2 Kg6 Kxa2");
        assert_eq!(trapped, None, "the bishop is not attacked when the king steps back");
        let trapped = motif("6k1/8/8/8/8/bP6/2PK4/R7 w - - 0 1", "Rxa3");
        assert_eq!(trapped.as_deref(), Some("takes the bishop on a3, which nothing protects"));
        let trapped = motif("6k1/8/8/8/8/PP6/b1P5/3K3R w - - 0 1", "Rh2 Kg7 c4 Bxb3+");
        assert_eq!(trapped, None);
        let trapped = motif("6k1/8/8/8/1p6/1P6/b1PK4/3R4 w - - 0 1", "Ra1 Kg7 Rxa2");
        assert_eq!(trapped.as_deref(), Some("traps the bishop on a2"));
        let promoted = motif("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q Kg6");
        assert_eq!(promoted.as_deref(), Some("brings the pawn on a7 through"));
        let promoted = motif("8/7k/P7/8/8/8/8/K7 w - - 0 1", "a7 Kg6 a8=Q Kf5");
        assert_eq!(promoted.as_deref(), Some("brings the pawn on a6 through"));
        assert_eq!(motif("8/7k/P7/8/8/8/8/K7 w - - 0 1", "a7 Kg6 Kb2"), None);
    }

    #[test]
    fn a_defender_that_leaves() {
        let left = |fen: &str, moves: &str| {
            let (board, line) = line(fen, moves);
            no_longer_defended(&board, line[0], line[1]).map(|piece| piece.to_string())
        };
        let fen = "3r2k1/8/8/8/3B4/5N2/8/6K1 w - - 0 1";
        assert_eq!(left(fen, "Ng5 Rxd4").as_deref(), Some("the bishop on d4"));
        assert_eq!(left(fen, "Kf2 Rxd4"), None, "the knight still protects it");
        assert_eq!(left("3r2k1/8/8/8/3B4/8/8/5NK1 w - - 0 1", "Ng3 Rxd4"), None, "it never did");
    }
}
