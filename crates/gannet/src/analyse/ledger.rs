//! Material along a line: what each side takes from the other until the captures are over, and how to say it.

use chess::{Board, Color, Move, PieceKind, Square, Wing};

/// A line is followed this far: what comes later is guesswork.
const HORIZON: usize = 12;

/// A piece that has been taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// What it was.
    pub kind: PieceKind,
    /// Where it stood, if it had not moved in the line before it was taken, or only with its first move.
    pub square: Option<Square>,
}

/// What changes hands along a line, seen by the side that moves first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Ledger {
    /// What it takes, equal pieces traded off.
    pub won: Vec<Taken>,
    /// What it gives, equal pieces traded off.
    pub lost: Vec<Taken>,
    /// What its pawns become.
    pub promoted: Vec<PieceKind>,
    /// What the pawns of the other side become.
    pub conceded: Vec<PieceKind>,
    /// After so many plies of the line.
    pub plies: usize,
}

/// A pawn is 1, a knight or bishop 3, a rook 5, a queen 9.
pub const fn points(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 3,
        PieceKind::Rook => 5,
        PieceKind::Queen => 9,
        PieceKind::King => 0,
    }
}

impl Ledger {
    /// What changes hands along a line of legal moves: as much as is won or lost in a quiet position within the horizon
    /// and never given back in a later one. Nothing if no position is quiet: then captures go on where the line ends.
    pub fn of(start: &Board, line: &[Move]) -> Option<Ledger> {
        let us = start.side_to_move();
        let mut board = start.clone();
        // Where what stands on a square now stood before the line, and whether it has moved since its first move.
        let mut origins: [Option<Square>; 64] = std::array::from_fn(|index| Some(Square::new(index as u8)));
        let (mut running, mut settled) = (Ledger::default(), Vec::new());
        for (index, &mv) in line.iter().take(HORIZON).enumerate() {
            let mover = board.side_to_move();
            if let Some(kind) = board.captured(mv) {
                let square = if mv.is_en_passant() { Square::at(mv.to().file(), mv.from().rank()) } else { mv.to() };
                let taken = Taken { kind, square: origins[square.index()] };
                if mover == us { running.won.push(taken) } else { running.lost.push(taken) }
            }
            if let Some(kind) = mv.promotion() {
                if mover == us { running.promoted.push(kind) } else { running.conceded.push(kind) }
            }
            follow(&mut origins, mv, mover, index == 0);
            board.make(mv);
            let next = line.get(index + 1);
            if is_quiet(&board) && next.is_none_or(|next| !next.is_capture() && next.promotion().is_none()) {
                running.plies = index + 1;
                settled.push(running.clone().traded());
            }
        }
        core(settled)
    }

    /// The same without equal pieces that were traded; a knight is as good as a bishop, and a new queen that is taken
    /// is a pawn that is gone.
    fn traded(mut self) -> Ledger {
        for (pieces, taken) in [(&mut self.promoted, &mut self.lost), (&mut self.conceded, &mut self.won)] {
            pieces.retain(|&kind| match taken.iter().position(|piece| piece.kind == kind && piece.square.is_none()) {
                Some(index) => {
                    taken[index].kind = PieceKind::Pawn;
                    false
                }
                None => true,
            });
        }
        let lost = &mut self.lost;
        let mut blurred = Vec::new();
        self.won.retain(|won| match lost.iter().position(|piece| points(piece.kind) == points(won.kind)) {
            Some(index) => {
                blurred.push(points(lost.remove(index).kind));
                false
            }
            None => true,
        });
        // Of several that were taken, one is as much the one that is missing as another.
        for piece in self.won.iter_mut().chain(&mut self.lost).filter(|piece| blurred.contains(&points(piece.kind))) {
            piece.square = None;
        }
        for list in [&mut self.won, &mut self.lost] {
            list.sort_by_key(|piece| std::cmp::Reverse(points(piece.kind)));
        }
        self
    }

    /// How many points the side that moves first is ahead of where it was.
    pub fn balance(&self) -> i32 {
        let taken = |list: &[Taken]| list.iter().map(|piece| points(piece.kind)).sum::<i32>();
        let grown = |list: &[PieceKind]| list.iter().map(|&kind| points(kind) - 1).sum::<i32>();
        taken(&self.won) - taken(&self.lost) + grown(&self.promoted) - grown(&self.conceded)
    }

    /// The same in half points, with half a point more for a knight or a bishop: three pawns are less than a piece.
    pub fn weight(&self) -> i32 {
        let pieces = |list: &[Taken]| list.iter().filter(|piece| points(piece.kind) == 3).count() as i32;
        2 * self.balance() + pieces(&self.won) - pieces(&self.lost)
    }

    /// What is won, in words that go after "wins".
    pub fn gain(&self) -> Option<String> {
        (self.balance() > 0).then(|| describe(&self.won, &self.lost, &self.promoted))
    }

    /// What is lost, in words that go after "loses". Nothing where a pawn of the other side promotes: that says more.
    pub fn loss(&self) -> Option<String> {
        (self.weight() < 0 && self.conceded.is_empty()).then(|| describe(&self.lost, &self.won, &[]))
    }
}

/// The first of these that is never undone by a later one. What comes after it in a lost position says little.
fn core(settled: Vec<Ledger>) -> Option<Ledger> {
    let sign = settled.last()?.balance().signum();
    // What is the least that is won or lost from here on?
    let mut least = i32::MAX;
    let mut found = None;
    for ledger in settled.into_iter().rev() {
        least = least.min(sign * ledger.balance());
        if least < 1 && found.is_some() {
            break;
        }
        if sign * ledger.balance() == least || found.is_none() {
            found = Some(ledger);
        }
    }
    found
}

/// Moves what stands on a square, and forgets where it came from once it has moved twice.
fn follow(origins: &mut [Option<Square>; 64], mv: Move, mover: Color, first: bool) {
    if mv.is_castle() {
        let wing = Wing::of(mv.from(), mv.to());
        for square in [mv.from(), mv.to(), wing.king_target(mover), wing.rook_target(mover)] {
            origins[square.index()] = None;
        }
        return;
    }
    let moved = first && mv.promotion().is_none();
    origins[mv.to().index()] = moved.then(|| mv.to());
    origins[mv.from().index()] = None;
}

/// Whether nothing is in the air for the side to move: no check, no capture or promotion that wins something.
fn is_quiet(board: &Board) -> bool {
    let wins = |mv: Move| (mv.is_capture() || mv.promotion().is_some()) && board.see_at_least(mv, 100);
    !board.in_check() && !board.legal_moves().iter().any(|&mv| wins(mv))
}

/// The name of a piece.
pub const fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

/// What one side gets, and what the other gets for it.
fn describe(got: &[Taken], given: &[Taken], promoted: &[PieceKind]) -> String {
    if let [Taken { kind: PieceKind::Rook, .. }, others @ ..] = got
        && let [minor] = given
        && points(minor.kind) == 3
        && promoted.is_empty()
    {
        return join(&[vec!["the exchange".to_string()], list(others, false)].concat());
    }
    let mut parts = list(got, given.is_empty() && promoted.is_empty());
    parts.extend(promoted.iter().map(|&kind| format!("a new {}", name(kind))));
    let got = join(&parts);
    if given.is_empty() { got } else { format!("{got} for {}", join(&list(given, false))) }
}

/// The pieces, each kind once. A single one is named by its square.
fn list(pieces: &[Taken], named: bool) -> Vec<String> {
    if let [Taken { kind, square: Some(square) }] = pieces
        && named
    {
        return vec![format!("the {} on {square}", name(*kind))];
    }
    let kinds = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight, PieceKind::Pawn];
    let counted = kinds.map(|kind| (kind, pieces.iter().filter(|piece| piece.kind == kind).count()));
    let words = counted.into_iter().filter(|&(_, count)| count > 0).map(|(kind, count)| match count {
        1 => format!("a {}", name(kind)),
        2 => format!("two {}s", name(kind)),
        3 => format!("three {}s", name(kind)),
        _ => format!("{count} {}s", name(kind)),
    });
    words.collect()
}

/// Words with commas and an "and".
pub fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::motifs::tests::line;

    fn ledger(fen: &str, moves: &str) -> Option<Ledger> {
        let (board, line) = line(fen, moves);
        Ledger::of(&board, &line)
    }

    fn gain(fen: &str, moves: &str) -> Option<String> {
        ledger(fen, moves).and_then(|ledger| ledger.gain())
    }

    fn loss(fen: &str, moves: &str) -> Option<String> {
        ledger(fen, moves).and_then(|ledger| ledger.loss())
    }

    #[test]
    fn what_is_won_has_a_name() {
        assert_eq!(gain("4k3/8/5n2/8/8/8/5Q2/4K3 w - - 0 1", "Qxf6").as_deref(), Some("the knight on f6"));
        assert_eq!(gain("4k3/8/8/3r4/8/4N3/3p4/3RK3 w - - 0 1", "Rxd2 Rxd2 Kxd2").as_deref(), Some("the pawn on d2"));
        assert_eq!(gain("3rk3/4p3/8/6B1/8/8/8/4K3 w - - 0 1", "Bxe7 Kxe7"), None, "a bishop for a pawn");
        assert_eq!(gain("4k3/8/3r4/4p3/5B2/8/8/4K3 w - - 0 1", "Bxe5 Rd5 Ke2").as_deref(), Some("the pawn on e5"));
        assert_eq!(gain("4k3/8/3p4/4r3/5B2/8/8/4K3 w - - 0 1", "Bxe5 dxe5").as_deref(), Some("the exchange"));
        let fen = "4k3/6p1/3p4/4r3/5B2/6r1/8/4K3 w - - 0 1";
        assert_eq!(gain(fen, "Bxe5 dxe5").as_deref(), Some("the exchange"));
        assert_eq!(gain("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q Kg6").as_deref(), Some("a new queen"));
        assert_eq!(loss("4k3/8/5n2/8/8/8/5Q2/4K3 b - - 0 1", "Kd7 Qxf6").as_deref(), Some("the knight on f6"));
        assert_eq!(loss("4k3/8/5n2/8/8/8/5Q2/4K3 b - - 0 1", "Ng4 Qf4 Nf6 Qxf6").as_deref(), Some("a knight"));
    }

    #[test]
    fn what_is_lost_first_and_for_good_counts() {
        // The knight is gone at once; the pawn goes later, which says little.
        let fen = "4k3/7p/5n2/8/8/8/5Q2/4K3 b - - 0 1";
        assert_eq!(loss(fen, "Kd7 Qxf6 Kc7 Qh4 Kd7 Qxh7+ Kd6").as_deref(), Some("the knight on f6"));
        // What comes back does not count.
        let fen = "4k3/7p/5n2/8/8/7r/5Q2/4K3 b - - 0 1";
        let ledger = ledger(fen, "Kd7 Qxf6 Rh1+ Kd2 Rh6 Qf2 Rb6 Kc1").expect("quiet");
        assert_eq!(ledger.balance(), -3);
    }

    #[test]
    fn traded_pieces_have_no_name() {
        // Two pawns for one: neither is the one that is missing.
        let pawns = "4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1";
        assert_eq!(gain(pawns, "dxe5 dxe5"), None);
        assert_eq!(gain(pawns, "dxe5 Kd7 exd6 Kxd6").as_deref(), Some("a pawn"));
    }

    #[test]
    fn a_piece_is_worth_more_than_three_pawns() {
        let fen = "4k3/8/8/2ppp3/8/2N5/1b6/4K3 b - - 0 1";
        let ledger = ledger(fen, "Bxc3+ Kd1 Bd4 Kc2").expect("quiet");
        assert_eq!((ledger.balance(), ledger.weight()), (3, 7));
        let three = Taken { kind: PieceKind::Pawn, square: None };
        let even = Ledger {
            won: vec![three; 3],
            lost: vec![Taken { kind: PieceKind::Bishop, square: None }],
            ..Ledger::default()
        };
        assert_eq!((even.balance(), even.weight()), (0, -1));
        assert_eq!(even.loss().as_deref(), Some("a bishop for three pawns"));
    }

    #[test]
    fn an_exchange_that_goes_on_is_not_counted() {
        // The queen can be taken back.
        assert_eq!(ledger("4k3/8/5n2/8/8/8/5Q2/4K3 w - - 0 1", ""), None);
        assert_eq!(gain("4k3/6p1/5n2/8/8/8/5Q2/4K3 w - - 0 1", "Qxf6"), None);
        assert_eq!(gain("4k3/6p1/5n2/8/8/8/5Q2/4K3 w - - 0 1", "Qxf6 gxf6"), None);
        let ledger = ledger("4k3/6p1/5n2/8/8/8/5Q2/4K3 w - - 0 1", "Qxf6 gxf6").expect("quiet");
        assert_eq!((ledger.balance(), ledger.loss().as_deref()), (-6, Some("a queen for a knight")));
    }

    #[test]
    fn a_new_queen_that_is_taken_is_a_pawn() {
        let taken = Ledger {
            promoted: vec![PieceKind::Queen],
            lost: vec![Taken { kind: PieceKind::Queen, square: None }],
            ..Ledger::default()
        };
        assert_eq!(taken.traded().balance(), -1);
    }
}
