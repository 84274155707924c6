//! Positions and FENs that are slightly or entirely wrong, and what shakmaty says of them. The tests of the rules use
//! this, and so does `gannet-lab reliability`, for many more of them.
//!
//! Where Gannet differs, it is on purpose:
//! - Two pieces that give check from both sides of the king on one line: no move can do that, so shakmaty
//!   refuses it. Gannet accepts it, because well-known perft suites have such a position.
//! - Only as text: shakmaty fills in a missing side to move, allows a castling letter twice, cuts counters at their
//!   maximum, and reads a ninth rank as the pocket of another variant. Gannet refuses all of these.

use chess::{Board, Color, FenError, FenField, Piece, PieceKind, Setup, Square};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionErrorKinds};

/// Where random numbers come from: one below the number that is given.
pub type Below<'a> = &'a mut dyn FnMut(usize) -> usize;

/// What shakmaty says of a FEN.
pub enum Opinion {
    /// A legal position.
    Legal(Box<Chess>),
    /// Legal, but for checks that no move can give.
    ImpossibleCheck(Box<Chess>),
    /// Nothing.
    Illegal,
}

/// What shakmaty says of this FEN.
pub fn opinion(fen: &str) -> Opinion {
    let Ok(fen) = Fen::from_ascii(fen.as_bytes()) else { return Opinion::Illegal };
    match fen.into_position::<Chess>(CastlingMode::Chess960) {
        Ok(position) => Opinion::Legal(Box::new(position)),
        Err(error) if error.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK => match error.ignore_impossible_check() {
            Ok(position) => Opinion::ImpossibleCheck(Box::new(position)),
            Err(_) => Opinion::Illegal,
        },
        Err(_) => Opinion::Illegal,
    }
}

/// Whether checks are impossible in the one way that Gannet accepts.
pub fn king_is_between_two_checkers(board: &Board) -> bool {
    let king = board.king(board.side_to_move());
    let checkers: Vec<Square> = board.checkers().into_iter().collect();
    let direction = |square: Square| {
        let files = i32::from(square.file()) - i32::from(king.file());
        let ranks = i32::from(square.rank()) - i32::from(king.rank());
        (files.signum(), ranks.signum())
    };
    match checkers[..] {
        [a, b] => direction(a) == (-direction(b).0, -direction(b).1),
        _ => false,
    }
}

/// Whether Gannet refuses what shakmaty reads, and means to.
pub fn refused_on_purpose(fen: &str, error: &FenError) -> bool {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    match error {
        FenError::Syntax(FenField::Pieces) => field(0).matches('/').count() > 7,
        FenError::Syntax(FenField::SideToMove) => fields.len() < 2,
        FenError::Syntax(FenField::Castling) => names_a_rook_twice(field(2)),
        FenError::Syntax(FenField::HalfmoveClock) => field(4).parse::<u64>().is_ok_and(|n| n > 65_535),
        FenError::Syntax(FenField::FullmoveNumber) => field(5).parse::<u64>().is_ok_and(|n| n > 4_294_967_295),
        _ => false,
    }
}

/// `KK`, or `KH` with a rook on h1.
fn names_a_rook_twice(field: &str) -> bool {
    let letters = |is_ours: fn(&char) -> bool| field.chars().filter(is_ours).count();
    let mut seen = String::new();
    let repeated = field.chars().any(|letter| {
        let before = seen.contains(letter);
        seen.push(letter);
        before
    });
    let mixed = field.contains(['K', 'Q', 'k', 'q'])
        && field.to_ascii_lowercase().contains(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    repeated || (mixed && (letters(char::is_ascii_uppercase) > 1 || letters(char::is_ascii_lowercase) > 1))
}

/// The FEN of a position that need not be legal.
pub fn text_of(setup: &Setup) -> String {
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            fen.push(setup.pieces[Square::at(file, rank).index()].map_or('1', Piece::letter));
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen.push(setup.side_to_move.letter());
    fen.push(' ');
    for rook in setup.castling.all_rooks() {
        let file = (b'a' + rook.file()) as char;
        fen.push(if rook.rank() == 0 { file.to_ascii_uppercase() } else { file });
    }
    if setup.castling.is_empty() {
        fen.push('-');
    }
    let en_passant = setup.en_passant.map_or("-".to_string(), |square| square.to_string());
    format!("{fen} {en_passant} {} {}", setup.halfmove_clock, setup.fullmove_number)
}

/// Changes one to four things about a position.
pub fn disturbed_position(board: &Board, below: Below<'_>) -> String {
    let mut setup = Setup::of(board);
    for _ in 0..1 + below(4) {
        disturb(&mut setup, below);
    }
    text_of(&setup)
}

/// Changes one thing about a position.
pub fn disturb(setup: &mut Setup, below: Below<'_>) {
    let (a, b) = (below(64), below(64));
    match below(8) {
        0 => setup.pieces.swap(a, b),
        1 => setup.pieces[a] = None,
        2 | 3 => setup.pieces[a] = Some(random_piece(below)),
        4 => setup.side_to_move = !setup.side_to_move,
        5 => {
            // Half of the time with the pawn in place that should have gone past.
            let mover = !setup.side_to_move;
            let passed = Square::at(below(8) as u8, 2).relative_to(mover);
            setup.en_passant = Some(passed);
            if below(2) == 0 {
                setup.pieces[passed.forward(mover).index()] = Some(Piece::new(mover, PieceKind::Pawn));
                setup.pieces[passed.index()] = None;
                setup.pieces[passed.forward(!mover).index()] = None;
            }
        }
        6 => {
            let color = Color::ALL[below(2)];
            let rook = Square::at(below(8) as u8, 0).relative_to(color);
            setup.castling.grant(rook);
            if below(2) == 0 {
                setup.pieces[rook.index()] = Some(Piece::new(color, PieceKind::Rook));
            }
        }
        _ => setup.castling.revoke(Square::new(a as u8).bitboard() | Square::new(b as u8).bitboard()),
    }
}

/// Any piece. Kings are rare: almost every position with a third one is wrong for that reason alone.
pub fn random_piece(below: Below<'_>) -> Piece {
    let kinds = if below(30) == 0 { &PieceKind::ALL[..] } else { &PieceKind::ALL[..5] };
    let kind = kinds[below(kinds.len())];
    Piece::new(Color::ALL[below(2)], kind)
}

/// A FEN with letters changed, put in or left out: mostly nonsense, and some that are sloppy but right.
pub fn disturbed_text(board: &Board, below: Below<'_>) -> String {
    const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/ wb-KQkqHAhaef36 0 1 9xyz";
    let mut text = board.fen().into_bytes();
    for _ in 0..1 + below(2) {
        // Mostly in the fields after the pieces, where a change does not always break everything.
        let pieces = text.iter().position(|&letter| letter == b' ').unwrap_or(0);
        let from = if below(3) == 0 { 0 } else { pieces };
        let place = from + below((text.len() - from).max(1));
        let letter = LETTERS[below(LETTERS.len())];
        match below(3) {
            0 => text.insert(place, letter),
            1 => drop(text.remove(place)),
            _ => text[place] = letter,
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}
