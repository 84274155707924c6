//! What happens along ranks, files and diagonals: pins, skewers, and attacks that another piece uncovers.

use chess::{Bitboard, PieceKind, Square, attacks};

use super::{Motif, Scene, Standing, reach, worth};

/// Whether the piece on a square after the first move is a bishop, rook or queen.
fn is_slider(scene: &Scene<'_>, square: Square) -> bool {
    matches!(scene.after.kind_on(square), Some(PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen))
}

/// The pieces of the other side that stand behind each other on a line of the piece that has moved: the one it attacks,
/// and the next one.
fn pairs(scene: &Scene<'_>) -> Vec<(Standing, Standing)> {
    let from = scene.first.to();
    if !is_slider(scene, from) {
        return Vec::new();
    }
    let board = &scene.after;
    let mut pairs = Vec::new();
    for square in reach(board, from) & board.color(board.side_to_move()) {
        // Only what stands beyond the first piece on the same line comes into view when that piece is gone.
        let without = board.occupied() - square.bitboard();
        let line = attacks::line(from, square);
        let seen = attacks::queen(from, without) & line & board.color(board.side_to_move());
        let behind = seen - attacks::between(from, square) - square.bitboard();
        let found = behind.into_iter().find(|&other| attacks::between(from, other).contains(square));
        if let (Some(front), Some(behind)) = (scene.target(square), found.and_then(|other| scene.target(other))) {
            pairs.push((front, behind));
        }
    }
    pairs
}

/// A pin: what stands behind is king, queen or rook and worth more, and the piece in front is taken. A pawn is pinned
/// only against the king.
pub fn pin(scene: &Scene<'_>) -> Option<Motif> {
    let pinned = pairs(scene).into_iter().find(|(front, behind)| {
        let least = if front.kind == PieceKind::Pawn { PieceKind::King } else { PieceKind::Rook };
        worth(behind.kind) > worth(front.kind)
            && worth(behind.kind) >= worth(least)
            && scene.is_taken(front.square).is_some()
    });
    pinned.map(|(front, behind)| Motif::Pin(front, behind))
}

/// A skewer: the piece in front is worth more and goes away, and the one behind is taken by the piece that attacked.
pub fn skewer(scene: &Scene<'_>) -> Option<Motif> {
    let reply = scene.line.get(1)?;
    let skewered = pairs(scene).into_iter().find(|(front, behind)| {
        let takes = scene.is_taken(behind.square).is_some_and(|mv| mv.from() == scene.first.to());
        worth(front.kind) > worth(behind.kind)
            && behind.kind != PieceKind::Pawn
            && reply.from() == front.square
            && takes
    });
    skewered.map(|(front, behind)| Motif::Skewer(front, behind))
}

/// Another attack on a piece that is pinned to its king, which is then taken where it stands.
pub fn attack_on_pinned(scene: &Scene<'_>) -> Option<Motif> {
    let attacked =
        reach(&scene.after, scene.first.to()) & scene.after.pinned() & !scene.before.color(scene.before.side_to_move());
    let target = attacked.into_iter().find(|&square| scene.is_taken(square).is_some())?;
    // It was pinned before as well: otherwise the move pins it.
    let king = scene.after.king(scene.after.side_to_move());
    let pinner = attacks::line(king, target) & scene.first.to().bitboard();
    if pinner.any() { None } else { scene.target(target).map(Motif::AttackOnPinned) }
}

/// The first move is by a piece that could not move, or so it seemed, as something worth more stands behind it.
pub fn failed_pin(scene: &Scene<'_>) -> Option<Motif> {
    let from = scene.first.from();
    let kind = scene.before.kind_on(from).filter(|&kind| kind != PieceKind::King && kind != PieceKind::Pawn)?;
    let us = scene.before.side_to_move();
    let opened = scene.before.occupied() - from.bitboard();
    for &reply in scene.after.legal_moves().iter().filter(|reply| reply.is_capture()) {
        let (slider, square) = (reply.from(), reply.to());
        let pinned = reach(scene.before, slider).contains(from)
            && attacks::between(slider, square).contains(from)
            && (attacks::between(slider, square) & opened).is_empty()
            && square != scene.first.to();
        let behind = scene.before.kind_on(square).filter(|_| scene.before.color(us).contains(square));
        if let Some(behind) = behind
            && pinned
            && scene.before.kind_on(slider).is_some_and(|slider| worth(behind) > worth(slider))
            && worth(behind) > worth(kind)
        {
            return Some(Motif::FailedPin(Standing { kind, square: from }, Standing { kind: behind, square }));
        }
    }
    None
}

/// The sliders of this side whose line the first move has opened.
fn uncovered(scene: &Scene<'_>) -> Bitboard {
    let us = scene.before.side_to_move();
    let sliders = (scene.after.diagonal_sliders() | scene.after.orthogonal_sliders()) & scene.after.color(us);
    let mut uncovered = Bitboard::EMPTY;
    for square in sliders - scene.first.to().bitboard() {
        if scene.before.piece_on(square) == scene.after.piece_on(square)
            && reach(scene.before, square).contains(scene.first.from())
        {
            uncovered |= square.bitboard();
        }
    }
    uncovered
}

/// Two checks at once.
pub fn double_check(scene: &Scene<'_>) -> Option<Motif> {
    scene.after.checkers().more_than_one().then_some(Motif::DoubleCheck)
}

/// A check by a piece that has not moved.
pub fn discovered_check(scene: &Scene<'_>) -> Option<Motif> {
    let checkers = scene.after.checkers();
    (checkers.any() && uncovered(scene).contains_all(checkers) && !scene.first.is_castle())
        .then_some(Motif::DiscoveredCheck)
}

/// An attack by a piece that has not moved, on something that is worth more or unprotected, and falls.
pub fn discovered_attack(scene: &Scene<'_>) -> Option<Motif> {
    if scene.first.is_castle() {
        return None;
    }
    for slider in uncovered(scene) {
        let fresh = reach(&scene.after, slider) - reach(scene.before, slider);
        let kind = scene.after.kind_on(slider)?;
        let hit = fresh.into_iter().filter(|&square| attacks::between(slider, square).contains(scene.first.from()));
        let mut targets = hit.filter_map(|square| scene.target(square));
        let found = targets.find(|target| {
            let loose = worth(target.kind) > worth(kind) || !scene.is_protected(target.square);
            loose && scene.falls(target.square)
        });
        if let Some(target) = found {
            return Some(Motif::DiscoveredAttack(target));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::motif;

    #[test]
    fn pins_and_skewers() {
        let pin = motif("4k3/8/8/4n3/8/8/5P2/R5K1 w - - 0 1", "Re1 Kd7 Rxe5");
        assert_eq!(pin.as_deref(), Some("pins the knight on e5 against the king"));
        assert_eq!(motif("4k3/8/8/4n3/8/8/5P2/R5K1 w - - 0 1", "Re1 Kd7 f4 Nc4"), None);
        let skewer = motif("4r3/8/8/4k3/8/8/8/R5K1 w - - 0 1", "Re1+ Kd4 Rxe8");
        assert_eq!(skewer.as_deref(), Some("skewers the king and the rook on e8"));
        let skewer = motif("4r1k1/8/8/4q3/8/8/8/R5K1 w - - 0 1", "Re1 Qxe1+");
        assert_eq!(skewer, None, "the queen takes the rook");
        let pinned = motif("4k3/8/2n5/1B6/3P4/8/8/4K3 w - - 0 1", "d5 Kd7 dxc6+ Kd6");
        assert_eq!(pinned.as_deref(), Some("attacks the knight on c6, which is pinned"));
        let free = motif("4k3/8/2n5/8/3P4/8/8/4K3 w - - 0 1", "d5 Kd7 dxc6+ Kd6");
        assert_eq!(free, None);
    }

    #[test]
    fn discoveries() {
        let attack = motif("4k3/8/8/3q4/8/3B4/8/3RK3 w - - 0 1", "Bb5+ Kf8 Rxd5");
        assert_eq!(attack.as_deref(), Some("uncovers an attack on the queen on d5"));
        let attack = motif("4k3/8/8/3q4/8/3B4/8/3RK3 w - - 0 1", "Bb5+ Qxb5");
        assert_eq!(attack, None, "the queen gets away");
        let attack = motif("6kb/5p1p/5np1/8/8/8/7P/Q6K b - - 0 1", "Ng4 Qxh8+ Kxh8");
        assert_eq!(attack.as_deref(), Some("uncovers an attack on the queen on a1"));
        let taken = motif("3k4/4q3/2p5/8/4R3/8/6B1/4K3 w - - 0 1", "Rxe7 Kxe7 Bxc6 Kd6");
        assert_eq!(taken, None, "what is uncovered is beside the point");
        let check = motif("4k3/8/8/q7/4N3/8/8/4RK2 w - - 0 1", "Nc5+ Kf7 Re7+ Kxe7");
        assert_eq!(check, None, "it wins nothing");
        let check = motif("4k3/1q6/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc5+ Kf7 Nxb7");
        assert_eq!(check.as_deref(), Some("uncovers a check"));
        let double = motif("4k3/1q6/8/8/4N3/8/8/4RK2 w - - 0 1", "Nd6+ Kd7 Nxb7");
        assert_eq!(double.as_deref(), Some("is a double check"));
    }
}
