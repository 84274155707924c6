//! Why a line wins: forks, pins, skewers, discovered attacks, pieces without a defender or a way out.
//!
//! Each motif is a function of a board and a line that begins with a move of the side to move. It speaks up only if the
//! board shows the motif after that move and the line cashes it in: the piece that is forked, pinned or trapped is taken.
//! A function that is in doubt is silent.

mod lines;
mod mates;
mod pieces;

use std::fmt;

use chess::{Board, Move, PieceKind, Square, attacks};

use super::ledger::{Ledger, join, name, points};
pub use mates::Pattern;
pub use pieces::no_longer_defended;

/// A piece and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// What it is.
    pub kind: PieceKind,
    /// Where it is.
    pub square: Square,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            PieceKind::King => f.write_str("the king"),
            kind => write!(f, "the {} on {}", name(kind), self.square),
        }
    }
}

/// Why the first move of a line wins. The text goes after that move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Motif {
    /// One piece attacks several.
    Fork(Vec<Standing>),
    /// A piece cannot or had better not move, because of the one behind it.
    Pin(Standing, Standing),
    /// A piece has to move and leaves the one behind it.
    Skewer(Standing, Standing),
    /// A piece that is pinned already is attacked once more.
    AttackOnPinned(Standing),
    /// What would take back is pinned.
    PinnedDefender(Standing),
    /// The first piece only seemed to be pinned against the second.
    FailedPin(Standing, Standing),
    /// A move uncovers the attack of another piece.
    DiscoveredAttack(Standing),
    /// A move uncovers a check.
    DiscoveredCheck,
    /// Two pieces give check at once.
    DoubleCheck,
    /// The first piece, which is taken, protected the second.
    RemovedDefender(Standing, Standing),
    /// A piece has no square to go to.
    Trapped(Standing),
    /// A piece that nothing protects is taken.
    Undefended(Standing),
    /// A pawn comes through.
    Promotion(Square),
}

impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Motif::Fork(targets) => {
                let targets: Vec<_> = targets.iter().map(ToString::to_string).collect();
                write!(f, "forks {}", join(&targets))
            }
            Motif::Pin(front, behind) => write!(f, "pins {front} against {behind}"),
            Motif::Skewer(front, behind) => write!(f, "skewers {front} and {behind}"),
            Motif::AttackOnPinned(target) => write!(f, "attacks {target}, which is pinned"),
            Motif::PinnedDefender(defender) => write!(f, "cannot be answered by {defender}, which is pinned"),
            Motif::FailedPin(piece, behind) => write!(f, "shows that {piece} was not pinned against {behind}"),
            Motif::DiscoveredAttack(target) => write!(f, "uncovers an attack on {target}"),
            Motif::DiscoveredCheck => f.write_str("uncovers a check"),
            Motif::DoubleCheck => f.write_str("is a double check"),
            Motif::RemovedDefender(defender, target) => {
                write!(f, "takes {defender}, which protects {target}")
            }
            Motif::Trapped(target) => write!(f, "traps {target}"),
            Motif::Undefended(target) => write!(f, "takes {target}, which nothing protects"),
            Motif::Promotion(pawn) => write!(f, "brings the pawn on {pawn} through"),
        }
    }
}

/// Why a line of legal moves wins material for the side that moves first; nothing if it does not, or if no reason is
/// certain.
pub fn of(board: &Board, line: &[Move]) -> Option<Motif> {
    let gain = Ledger::of(board, line)?.balance();
    if gain < 1 {
        return None;
    }
    let scene = Scene::new(board, line)?;
    if let Some(motif) = lines::failed_pin(&scene) {
        return Some(motif);
    }
    if board.captured(scene.first).is_some_and(|kind| points(kind) >= gain) {
        // The first move takes all there is to gain. What else it attacks is beside the point.
        return pieces::undefended(&scene)
            .or_else(|| pieces::pinned_defender(&scene))
            .or_else(|| pieces::removed_defender(&scene));
    }
    lines::double_check(&scene)
        .or_else(|| pieces::fork(&scene))
        .or_else(|| lines::discovered_check(&scene))
        .or_else(|| lines::discovered_attack(&scene))
        .or_else(|| lines::skewer(&scene))
        .or_else(|| lines::pin(&scene))
        .or_else(|| lines::attack_on_pinned(&scene))
        .or_else(|| pieces::removed_defender(&scene))
        .or_else(|| pieces::trapped(&scene))
        .or_else(|| pieces::promotion(&scene))
}

/// The first motif along a line of legal moves, and after how many plies it comes. A piece that is simply taken at the end is
/// none: that the line shows.
pub fn along(board: &Board, line: &[Move]) -> Option<(usize, Motif)> {
    let plies = Ledger::of(board, line)?.plies;
    let mut board = board.clone();
    for (index, &mv) in line.iter().take(plies).enumerate() {
        if index % 2 == 0
            && let Some(motif) = of(&board, &line[index..])
            && (index == 0 || !matches!(motif, Motif::Undefended(_)))
        {
            return Some((index, motif));
        }
        board.make(mv);
    }
    None
}

/// The mate that checks alone force within so many moves, with the longest defence.
pub fn mate_by_checks(board: &Board, moves: usize) -> Option<Vec<Move>> {
    if moves == 0 {
        return None;
    }
    board.legal_moves().iter().find_map(|&check| {
        let after = board.after(check);
        if !after.in_check() {
            return None;
        }
        let mut longest = vec![check];
        for &reply in after.legal_moves().iter() {
            let rest = mate_by_checks(&after.after(reply), moves - 1)?;
            if rest.len() + 2 > longest.len() {
                longest = [&[check, reply], &rest[..]].concat();
            }
        }
        Some(longest)
    })
}

/// A line, and the boards that a motif looks at.
struct Scene<'a> {
    /// Before the first move.
    before: &'a Board,
    /// After it, with the other side to move.
    after: Board,
    /// The moves.
    line: &'a [Move],
    /// The first of them.
    first: Move,
    /// The board before the third move, which is the second one of this side, and that move.
    next: Option<(Board, Move)>,
}

impl<'a> Scene<'a> {
    fn new(before: &'a Board, line: &'a [Move]) -> Option<Scene<'a>> {
        let first = *line.first()?;
        let after = before.after(first);
        let next = match line {
            [_, reply, third, ..] => Some((after.after(*reply), *third)),
            _ => None,
        };
        Some(Scene { before, after, line, first, next })
    }

    /// The second move of this side, if it captures the very piece that stood on this square after the first move.
    fn is_taken(&self, square: Square) -> Option<Move> {
        let (board, mv) = self.next.as_ref()?;
        let stays = board.piece_on(square) == self.after.piece_on(square) && self.line.get(1)?.to() != square;
        (stays && mv.to() == square && mv.is_capture() && !mv.is_en_passant()).then_some(*mv)
    }

    /// Whether the piece that stood on this square after the first move is taken: there, or where it then went.
    fn falls(&self, square: Square) -> bool {
        let (Some((board, mv)), Some(reply)) = (&self.next, self.line.get(1)) else { return false };
        let follows = reply.from() == square && !reply.is_castle() && mv.to() == reply.to();
        self.is_taken(square).is_some() || (follows && board.captured(*mv).is_some())
    }

    /// The piece of the other side on a square after the first move.
    fn target(&self, square: Square) -> Option<Standing> {
        let theirs = self.after.color(self.after.side_to_move()).contains(square);
        let kind = self.after.kind_on(square).filter(|_| theirs)?;
        Some(Standing { kind, square })
    }

    /// Whether the other side protects what stands on a square after the first move.
    fn is_protected(&self, square: Square) -> bool {
        self.after.is_attacked(square, self.after.side_to_move(), self.after.occupied())
    }
}

/// Where a piece on a square of a board attacks.
fn reach(board: &Board, square: Square) -> chess::Bitboard {
    let occupied = board.occupied();
    match board.piece_on(square) {
        None => chess::Bitboard::EMPTY,
        Some(piece) => match piece.kind {
            PieceKind::Pawn => attacks::pawn(piece.color, square),
            PieceKind::Knight => attacks::knight(square),
            PieceKind::Bishop => attacks::bishop(square, occupied),
            PieceKind::Rook => attacks::rook(square, occupied),
            PieceKind::Queen => attacks::queen(square, occupied),
            PieceKind::King => attacks::king(square),
        },
    }
}

/// What a piece is worth where it is a target: the king is worth everything.
fn worth(kind: PieceKind) -> i32 {
    if kind == PieceKind::King { 100 } else { points(kind) }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use chess::parse_san;

    /// A board and the moves from it.
    pub fn line(fen: &str, moves: &str) -> (Board, Vec<Move>) {
        let start = Board::from_fen(fen).expect(fen);
        let mut board = start.clone();
        let mut line = Vec::new();
        for text in moves.split_whitespace() {
            let mv = parse_san(&board, text).expect(text);
            board.make(mv);
            line.push(mv);
        }
        (start, line)
    }

    /// The motif of a line, in words.
    pub fn motif(fen: &str, moves: &str) -> Option<String> {
        let (board, line) = line(fen, moves);
        of(&board, &line).map(|motif| motif.to_string())
    }

    #[test]
    fn a_line_that_wins_nothing_has_no_motif() {
        assert_eq!(motif("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4 e5 Nf3 Nc6"), None);
        assert_eq!(motif("4k3/8/8/8/8/8/8/4K3 w - - 0 1", ""), None);
        // The fork is there, but the knight is lost for the rook: the exchange.
        let fork = motif("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8");
        assert_eq!(fork.as_deref(), Some("forks the rook on a8 and the king"));
        // The same board, but the rook moves away in time.
        assert_eq!(motif("r5k1/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7 Ra1+ Kd2"), None);
    }
}
