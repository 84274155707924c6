//! Static exchange evaluation against known values and against the slow, obvious way of computing it.
//!
//! The slow way knows nothing of bitboards: it walks along rays over a list of 64 squares, finds the least
//! valuable attacker (the lowest square first among equals), captures, and asks the other side in turn. Each side
//! may stop when going on would lose. Rules of the exchange:
//! - The first capture of each side obeys pins: the move itself is legal, and the first answer may not open a line
//!   to its own king. Later captures do not look at pins; by then the lines have changed.
//! - The king captures last, and never when the other side could take it back, be it with a pinned piece.
//! - A pawn that captures on the last rank becomes a queen, and takes its turn as one: after the rooks.

mod common;

use chess::{Board, Color, Move, Piece, PieceKind, SEE_VALUES, Setup, Square, parse_uci};
use common::{Random, outside_suite, visit_in_parallel};

type Mailbox = [Option<Piece>; 64];

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const PAWN: i32 = SEE_VALUES[PieceKind::Pawn as usize];

fn value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

/// The first piece on the way from a square in a direction.
fn look(mailbox: &Mailbox, from: Square, (files, ranks): (i8, i8)) -> Option<(Square, Piece)> {
    let mut at = from;
    loop {
        at = at.offset(files, ranks)?;
        if let Some(piece) = mailbox[at.index()] {
            return Some((at, piece));
        }
    }
}

fn slides(kind: PieceKind, (files, ranks): (i8, i8)) -> bool {
    let along = if files == 0 || ranks == 0 { PieceKind::Rook } else { PieceKind::Bishop };
    kind == along || kind == PieceKind::Queen
}

/// The pieces of one side that attack a square.
fn attackers(mailbox: &Mailbox, target: Square, side: Color) -> Vec<(Square, PieceKind)> {
    let mut found = Vec::new();
    let mut add = |square: Option<Square>, kind: PieceKind| {
        if let Some(square) = square.filter(|s| mailbox[s.index()] == Some(Piece::new(side, kind))) {
            found.push((square, kind));
        }
    };
    let behind = if side == Color::White { -1 } else { 1 };
    add(target.offset(-1, behind), PieceKind::Pawn);
    add(target.offset(1, behind), PieceKind::Pawn);
    for (files, ranks) in LEAPS {
        add(target.offset(files, ranks), PieceKind::Knight);
    }
    for (files, ranks) in STRAIGHT.into_iter().chain(DIAGONAL) {
        add(target.offset(files, ranks), PieceKind::King);
    }
    for way in STRAIGHT.into_iter().chain(DIAGONAL) {
        if let Some((square, piece)) = look(mailbox, target, way)
            && piece.color == side
            && slides(piece.kind, way)
        {
            found.push((square, piece.kind));
        }
    }
    found
}

/// The sliders that look at the king of `side`.
fn sliders_at_king(mailbox: &Mailbox, side: Color) -> Vec<Square> {
    let king = Square::all().find(|s| mailbox[s.index()] == Some(Piece::new(side, PieceKind::King))).expect("a king");
    let seen = STRAIGHT.into_iter().chain(DIAGONAL).filter_map(|way| Some((way, look(mailbox, king, way)?)));
    seen.filter(|(way, (_, piece))| piece.color != side && slides(piece.kind, *way)).map(|(_, (at, _))| at).collect()
}

struct Exchange {
    mailbox: Mailbox,
    target: Square,
}

impl Exchange {
    /// Whether a capture from this square would open a line to the capturer's own king.
    fn opens_a_line(&self, from: Square, side: Color) -> bool {
        let mut after = self.mailbox;
        after[self.target.index()] = after[from.index()].take();
        let before = sliders_at_king(&self.mailbox, side);
        sliders_at_king(&after, side).iter().any(|slider| !before.contains(slider))
    }

    /// What a piece of this kind is once it has captured.
    fn arriving(&self, kind: PieceKind) -> PieceKind {
        let promotes = kind == PieceKind::Pawn && matches!(self.target.rank(), 0 | 7);
        if promotes { PieceKind::Queen } else { kind }
    }

    /// What `side` wins by capturing the piece of this value on the target, or by leaving it alone.
    fn best(&mut self, side: Color, standing: i32, first_answer: bool) -> i32 {
        let held = |square, kind| first_answer && kind != PieceKind::King && self.opens_a_line(square, side);
        let candidates = attackers(&self.mailbox, self.target, side);
        let allowed = candidates.into_iter().filter(|&(square, kind)| !held(square, kind));
        let cheapest = allowed.min_by_key(|&(square, kind)| (self.arriving(kind), kind, square));
        let Some((from, kind)) = cheapest else { return 0 };
        if kind == PieceKind::King && !attackers(&self.mailbox, self.target, !side).is_empty() {
            return 0;
        }
        let arrives = self.arriving(kind);
        self.mailbox[from.index()] = None;
        let answer = self.best(!side, value(arrives), false);
        (standing + value(arrives) - value(kind) - answer).max(0)
    }
}

/// What a legal move wins in the exchange on its target.
fn exchange(board: &Board, mv: Move) -> i32 {
    if mv.is_castle() {
        return 0;
    }
    let us = board.side_to_move();
    let mut mailbox = Setup::of(board).pieces;
    let mover = mailbox[mv.from().index()].take().expect("a piece moves");
    let mut won = mailbox[mv.to().index()].map_or(0, |piece| value(piece.kind));
    if mv.is_en_passant() {
        mailbox[Square::at(mv.to().file(), mv.from().rank()).index()] = None;
        won = PAWN;
    }
    let arrives = mv.promotion().unwrap_or(mover.kind);
    if arrives != mover.kind {
        won += value(arrives) - PAWN;
    }
    mailbox[mv.to().index()] = Some(Piece::new(us, arrives));
    won - Exchange { mailbox, target: mv.to() }.best(!us, value(arrives), true)
}

/// The value is where the answer turns from yes to no, and nowhere else does it turn.
fn assert_value(board: &Board, mv: Move, expected: i32) {
    let yes_and_no = (board.see_at_least(mv, expected), board.see_at_least(mv, expected + 1));
    assert_eq!(yes_and_no, (true, false), "{mv:?} wins {expected} in {}", board.fen());
}

#[test]
fn the_suite_from_outside() {
    let Some(suite) = outside_suite("see71.epd") else { return };
    let mut count = 0;
    for line in suite.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let board = Board::from_fen(fields[0]).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mv = parse_uci(&board, fields[1]).unwrap_or_else(|error| panic!("{line}: {error}"));
        let expected = fields[2].parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(exchange(&board, mv), expected, "the slow way: {line}");
        assert_value(&board, mv, expected);
        count += 1;
    }
    println!("{count} lines");
    assert_eq!(count, 71);
}

#[test]
fn random_positions_agree_with_the_slow_way() {
    visit_in_parallel(30, 150_000, |board| {
        let mut random = Random::new(board.key());
        for &mv in &board.legal_moves() {
            let expected = exchange(board, mv);
            assert_value(board, mv, expected);
            let distance = random.below(2_000) as i32;
            assert!(board.see_at_least(mv, expected - distance), "{mv:?} in {}", board.fen());
            assert!(!board.see_at_least(mv, expected + 1 + distance), "{mv:?} in {}", board.fen());
        }
    });
}

/// The rules one by one, each with a position where it decides.
#[test]
fn examples() {
    for (fen, text, expected, why) in [
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100, "undefended"),
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500, "defended by a pawn"),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100, "a rook joins in from behind"),
        ("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1", "b2b4", 0, "a quiet move to a safe square"),
        ("4k3/8/8/p7/8/8/1P6/4K3 w - - 0 1", "b2b4", -100, "a quiet move to an attacked one"),
        ("4k3/8/8/8/1pP5/8/8/R3K3 b - c3 0 1", "b4c3", 100, "en passant"),
        ("4k3/8/8/8/1pP5/8/1P6/4K3 b - c3 0 1", "b4c3", 0, "en passant, taken back"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 300 + 800, "capture and promotion"),
        ("1n2k3/P2n4/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 300 + 800 - 900, "the new queen is lost"),
        ("1n2k3/P2n4/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", 300 + 200 - 300, "so is the new knight"),
        ("1r2k3/8/8/8/8/8/8/1R2K3 b - - 0 1", "b8b1", 500, "the king is too far away to take back"),
        ("4k3/8/8/8/8/2n5/8/qRK5 w - - 0 1", "b1a1", 900, "a pinned rook takes what pins it"),
        ("4k3/4r3/8/3p4/4B3/8/4K3/8 b - - 0 1", "d5e4", 300, "a rook behind its pawn does not matter"),
        ("4k3/4n3/8/3p4/8/8/3R4/3KR3 w - - 0 1", "d2d5", 100, "the pinned knight does not defend"),
        ("8/4k3/3p1p2/4p3/5B1Q/8/4R3/6K1 w - - 0 1", "f4e5", 100 - 300, "as the second to answer a pinned pawn does"),
        ("4k3/4n3/8/3pR3/8/8/8/4K3 w - - 0 1", "e5d5", 100 - 500, "what pinned the knight has left its line"),
        ("3k4/3n4/8/8/3B4/8/8/3RK3 w - - 0 1", "d4c5", 0, "the bishop steps aside, and the knight is pinned"),
        ("8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - - 0 1", "e3d1", 300 - 300, "a bishop answers before a pawn that promotes"),
        ("3q4/8/8/1k6/8/4N3/2p3K1/3n4 w - - 0 1", "e3d1", 300 - 300 - 800, "and that pawn before the queen"),
        ("4k3/8/8/8/8/1b6/2q5/3K4 w - - 0 1", "d1e1", 0, "the king steps aside"),
        ("4k3/8/8/8/8/8/2q5/3K4 w - - 0 1", "d1c2", 900, "the king takes what is undefended"),
    ] {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let mv = parse_uci(&board, text).unwrap_or_else(|error| panic!("{text} in {fen}: {error}"));
        assert_eq!(exchange(&board, mv), expected, "the slow way: {why}");
        assert_value(&board, mv, expected);
    }
}
