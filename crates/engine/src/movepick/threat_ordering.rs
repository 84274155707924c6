//! Threat ordering: quiet moves that save an attacked piece, or give check, are tried earlier; those that put a piece
//! where something cheaper attacks it, later. Histories know habits; this looks at the board.

use chess::{Bitboard, Board, Color, Move, PieceKind, Square, attacks};

use crate::base::idea;

idea! {
    /// Tries moves earlier that save a piece or give check, later those that put one at risk.
    ThreatOrdering "UseThreatOrdering" {
        /// For moving a queen away from something cheaper.
        queen_bonus = 10202 in 0..=30000 step 1000;
        /// For moving a rook away from something cheaper.
        rook_bonus = 12177 in 0..=30000 step 800;
        /// For moving a minor piece away from a pawn.
        minor_bonus = 6455 in 0..=30000 step 700;
        /// For going where something cheaper attacks, in percent of the bonus for leaving.
        entering_factor = 27 in 0..=200 step 10;
        /// For moving a piece that is attacked and not defended, in percent of the bonus for leaving.
        hanging_factor = 100 in 0..=200 step 10;
        /// For giving check.
        check_bonus = 15798 in 0..=30000 step 800;
    }
}

/// What a side attacks, up to each kind of piece.
struct Reach {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
}

impl Reach {
    fn of(board: &Board, side: Color) -> Reach {
        let occupied = board.occupied();
        let union = |kind: PieceKind, attack: &dyn Fn(Square) -> Bitboard| -> Bitboard {
            board.pieces(side, kind).into_iter().fold(Bitboard::EMPTY, |set, from| set | attack(from))
        };
        let pawns = attacks::pawns(side, board.pieces(side, PieceKind::Pawn));
        let minors = pawns
            | union(PieceKind::Knight, &attacks::knight)
            | union(PieceKind::Bishop, &|from| attacks::bishop(from, occupied));
        let rooks = minors | union(PieceKind::Rook, &|from| attacks::rook(from, occupied));
        Reach { pawns, minors, rooks }
    }
}

/// Whether a piece of the side to move is attacked by something cheaper, or attacked and not defended.
pub fn any_threatened(board: &Board) -> bool {
    let us = board.side_to_move();
    let own = |kind| board.pieces(us, kind);
    let reach = Reach::of(board, !us);
    let by_cheaper = (own(PieceKind::Knight) | own(PieceKind::Bishop)) & reach.pawns
        | own(PieceKind::Rook) & reach.minors
        | own(PieceKind::Queen) & reach.rooks;
    if by_cheaper.any() {
        return true;
    }
    let attacked = board.attacks_by(!us, board.occupied()) & board.color(us);
    attacked.any() && (attacked - board.attacks_by(us, board.occupied())).any()
}

/// What the opponent attacks with what, from where each kind of piece would check his king, and what all that is worth.
pub struct ThreatMap {
    /// Where each kind of piece is attacked by something cheaper.
    against: [Bitboard; 6],
    hanging: Bitboard,
    checks: [Bitboard; 6],
    leaving_bonus: [i32; 6],
    hanging_bonus: [i32; 6],
    entering_malus: [i32; 6],
    check_bonus: i32,
}

impl ThreatMap {
    /// Looks at the board once for all quiet moves of a node.
    pub fn new(p: &ThreatOrdering, board: &Board, attacked: Bitboard) -> ThreatMap {
        let us = board.side_to_move();
        let own = attacked & board.color(us);
        let hanging = if p.enabled && p.hanging_factor > 0 && own.any() {
            own - board.attacks_by(us, board.occupied())
        } else {
            Bitboard::EMPTY
        };
        let Reach { pawns, minors, rooks } = Reach::of(board, !us);
        let nothing = Bitboard::EMPTY;
        let (minor, rook, queen) = match p.enabled {
            true => (p.minor_bonus, p.rook_bonus, p.queen_bonus),
            false => (0, 0, 0),
        };
        let leaving_bonus = [0, minor, minor, rook, queen, 0];
        ThreatMap {
            against: [nothing, pawns, pawns, minors, rooks, nothing],
            hanging,
            checks: check_squares(board, us),
            leaving_bonus,
            hanging_bonus: leaving_bonus.map(|bonus| bonus * p.hanging_factor / 100),
            entering_malus: leaving_bonus.map(|bonus| bonus * p.entering_factor / 100),
            check_bonus: if p.enabled { p.check_bonus } else { 0 },
        }
    }

    /// What a quiet move is worth in ordering for what it does about threats and checks.
    #[inline(always)]
    pub fn score(&self, kind: PieceKind, mv: Move) -> i32 {
        let index = kind.index();
        let attacked = self.against[index];
        let mut score = 0;
        if attacked.contains(mv.from()) {
            score += self.leaving_bonus[index];
        } else if self.hanging.contains(mv.from()) {
            score += self.hanging_bonus[index];
        }
        if attacked.contains(mv.to()) {
            score -= self.entering_malus[index];
        }
        if self.checks[index].contains(mv.to()) {
            score += self.check_bonus;
        }
        score
    }
}

/// From where each kind of piece of `us` would give check.
fn check_squares(board: &Board, us: Color) -> [Bitboard; 6] {
    let king = board.king(!us);
    let occupied = board.occupied();
    let bishop = attacks::bishop(king, occupied);
    let rook = attacks::rook(king, occupied);
    [attacks::pawn(!us, king), attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_are_cheaper_attackers_and_missing_defenders() {
        let threatened = |fen: &str| any_threatened(&Board::from_fen(fen).expect(fen));
        assert!(!threatened("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"));
        assert!(threatened("4k3/8/8/3p4/4N3/3P4/8/4K3 w - - 0 1"), "a knight by a pawn, though defended");
        assert!(!threatened("4k3/8/8/3b4/4N3/3P4/8/4K3 w - - 0 1"), "defended, and worth no more than the bishop");
        assert!(threatened("4k3/8/8/3b4/4N3/8/8/4K3 w - - 0 1"), "not defended");
        assert!(threatened("4k3/8/8/8/r2Q4/2P5/8/4K3 w - - 0 1"), "a queen by a rook");
    }

    #[test]
    fn leaving_is_good_entering_is_bad_checking_is_good() {
        let p = ThreatOrdering::default();
        let board = Board::from_fen("4k3/8/8/2p5/3Q4/8/8/R3K3 w Q - 0 1").expect("legal");
        let map = ThreatMap::new(&p, &board, board.attacks_by(!board.side_to_move(), board.occupied()));
        let score = |text: &str| {
            let mv = chess::parse_uci(&board, text).expect(text);
            map.score(board.kind_on(mv.from()).expect("piece"), mv)
        };
        assert_eq!(score("d4d1"), p.queen_bonus);
        assert_eq!(score("d4e4"), p.queen_bonus + p.check_bonus);
        assert_eq!(score("a1a8"), p.check_bonus);
        assert_eq!(score("a1a2"), 0);
        let board = Board::from_fen("4k3/8/8/2p5/8/8/8/3QK3 w - - 0 1").expect("legal");
        let mv = chess::parse_uci(&board, "d1d4").expect("legal");
        let map = ThreatMap::new(&p, &board, board.attacks_by(!board.side_to_move(), board.occupied()));
        assert!(map.score(PieceKind::Queen, mv) < 0);
    }
}
