//! Positions that are slightly or entirely wrong, in process: the rules must agree with shakmaty on which are legal and
//! on every legal move, and nothing may panic.
//!
//! Where the two differ, it is on purpose. Two pieces that give check from both sides of the king on one line: no move
//! can do that, so shakmaty refuses it; Gannet accepts it, because well-known test suites have such a position. Only as
//! text: shakmaty fills in a missing side to move, takes a castling letter twice, cuts counters at their maximum, and
//! reads a ninth rank as the pocket of another variant.

use chess::{Board, Color, FenError, FenField, Piece, PieceKind, Setup, Square};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position, PositionErrorKinds};

use super::Context;
use super::trials::{self, Tally, Verdict};
use crate::book::random_opening;
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "FENs and positions with one to four changes, in process: no panic, and agreement with shakmaty on \
    what is legal and on every legal move";

/// Trials that share a generator and a base position.
const BATCH: u64 = 100;

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let batches = Tally::new("", 0);
    let work = |_: &mut (), batch: u64| {
        let mut rng = Rng::new(context.seed, batch);
        for turn in 0..BATCH {
            let fen = if turn % 2 == 0 { disturbed_text(&mut rng) } else { disturbed_position(&mut rng) };
            let verdict = std::panic::catch_unwind(|| compare(&fen)).unwrap_or_else(|_| Err("panicked".to_string()));
            tally.add(verdict.map_err(|fault| format!("{fen}: {fault}")));
        }
        Ok(())
    };
    trials::run(&batches, trials.div_ceil(BATCH), pool::default_threads(), || Ok(()), work);
}

/// What shakmaty says of a FEN: a position, whether it refuses it for its checks only, or nothing.
fn theirs(fen: &str) -> Option<(Chess, bool)> {
    let fen = Fen::from_ascii(fen.as_bytes()).ok()?;
    match fen.into_position::<Chess>(CastlingMode::Chess960) {
        Ok(position) => Some((position, false)),
        Err(error) if error.kinds() == PositionErrorKinds::IMPOSSIBLE_CHECK => {
            error.ignore_impossible_check().ok().map(|position| (position, true))
        }
        Err(_) => None,
    }
}

fn compare(fen: &str) -> Verdict {
    match (Board::from_fen(fen), theirs(fen)) {
        (Ok(board), Some((position, impossible))) => {
            if impossible && board.checkers().into_iter().count() != 2 {
                return Err("accepted with impossible checks".to_string());
            }
            same_moves(&board, &position)?;
            same_text(&board)
        }
        (Ok(_), None) => Err("accepted; shakmaty refuses it".to_string()),
        (Err(error), Some((_, false))) if !refused_on_purpose(fen, &error) => {
            Err(format!("refused ({error}); shakmaty accepts it"))
        }
        (Err(_), _) => Ok(()),
    }
}

fn same_moves(board: &Board, position: &Chess) -> Verdict {
    let mut ours: Vec<String> = board.legal_moves().iter().map(|&mv| chess::uci(mv, true).to_string()).collect();
    let mut theirs: Vec<String> =
        position.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
    ours.sort();
    theirs.sort();
    if ours == theirs { Ok(()) } else { Err(format!("moves {ours:?}, shakmaty has {theirs:?}")) }
}

/// A board and its two texts are the same thing, and every move leads to a legal position.
fn same_text(board: &Board) -> Verdict {
    for text in [board.fen(), board.shredder_fen()] {
        if Board::from_fen(&text).as_ref() != Ok(board) {
            return Err(format!("reads back differently from {text}"));
        }
    }
    for &mv in &board.legal_moves() {
        let next = board.after(mv);
        if !board.is_legal(mv) || Setup::of(&next).validate().as_ref() != Ok(&next) {
            return Err(format!("{} leads to an unsound board", chess::uci(mv, true)));
        }
    }
    Ok(())
}

fn refused_on_purpose(fen: &str, error: &FenError) -> bool {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    match error {
        FenError::Syntax(FenField::Pieces) => field(0).matches('/').count() > 7,
        FenError::Syntax(FenField::SideToMove) => fields.len() < 2,
        FenError::Syntax(FenField::Castling) => true,
        FenError::Syntax(FenField::HalfmoveClock) => field(4).parse::<u64>().is_ok_and(|n| n > 65_535),
        FenError::Syntax(FenField::FullmoveNumber) => field(5).parse::<u64>().is_ok_and(|n| n > 4_294_967_295),
        _ => false,
    }
}

fn base(rng: &mut Rng) -> Board {
    let (plies, chess960) = (rng.below(80) as u32, rng.below(3) == 0);
    random_opening(rng, plies, chess960).board().clone()
}

/// Letters changed, put in or left out, mostly after the pieces, where that does not always break everything.
fn disturbed_text(rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/ wb-KQkqHAhaef36 0 1 9xyz";
    let mut text = base(rng).fen().into_bytes();
    for _ in 0..1 + rng.below(2) {
        let pieces = text.iter().position(|&letter| letter == b' ').unwrap_or(0);
        let from = if rng.below(3) == 0 { 0 } else { pieces };
        let place = from + rng.below((text.len() - from).max(1));
        let letter = LETTERS[rng.below(LETTERS.len())];
        match rng.below(3) {
            0 => text.insert(place.min(text.len()), letter),
            1 if place < text.len() => drop(text.remove(place)),
            _ => text.get_mut(place).into_iter().for_each(|old| *old = letter),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Pieces, rights and en passant squares changed.
fn disturbed_position(rng: &mut Rng) -> String {
    let mut setup = Setup::of(&base(rng));
    for _ in 0..1 + rng.below(4) {
        disturb(rng, &mut setup);
    }
    text_of(&setup)
}

fn disturb(rng: &mut Rng, setup: &mut Setup) {
    let (a, b) = (rng.below(64), rng.below(64));
    let color = if rng.below(2) == 0 { Color::White } else { Color::Black };
    match rng.below(7) {
        0 => setup.pieces.swap(a, b),
        1 => setup.pieces[a] = None,
        2 => setup.pieces[a] = Some(Piece::new(color, PieceKind::ALL[rng.below(6)])),
        3 => setup.side_to_move = !setup.side_to_move,
        4 => {
            let mover = !setup.side_to_move;
            let passed = Square::at(rng.below(8) as u8, 2).relative_to(mover);
            setup.en_passant = Some(passed);
            // Half of the time with the pawn in place that should have gone past.
            if rng.below(2) == 0 {
                setup.pieces[passed.forward(mover).index()] = Some(Piece::new(mover, PieceKind::Pawn));
                setup.pieces[passed.index()] = None;
                setup.pieces[passed.forward(!mover).index()] = None;
            }
        }
        5 => {
            let rook = Square::at(rng.below(8) as u8, 0).relative_to(color);
            setup.castling.grant(rook);
            if rng.below(2) == 0 {
                setup.pieces[rook.index()] = Some(Piece::new(color, PieceKind::Rook));
            }
        }
        _ => setup.castling.revoke(Square::new(a as u8).bitboard() | Square::new(b as u8).bitboard()),
    }
}

/// The FEN of a position that need not be legal.
fn text_of(setup: &Setup) -> String {
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
