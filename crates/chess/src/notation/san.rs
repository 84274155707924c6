//! Standard algebraic notation: `Nf3`, `exd8=Q+`, `O-O`, `R1a3#`.

use super::MoveTextError;
use crate::board::Board;
use crate::types::{Move, PieceKind, Square, Wing};

/// The SAN of a legal move, with `+` or `#`.
///
/// ```
/// use chess::{Board, san, parse_uci};
///
/// let mv = parse_uci(&Board::start(), "g1f3")?;
/// assert_eq!(san(&Board::start(), mv), "Nf3");
/// # Ok::<(), chess::MoveTextError>(())
/// ```
pub fn san(board: &Board, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    if mv.is_castle() {
        text.push_str(match Wing::of(mv.from(), mv.to()) {
            Wing::King => "O-O",
            Wing::Queen => "O-O-O",
        });
    } else {
        match board.kind_on(mv.from()) {
            Some(PieceKind::Pawn) | None => {
                if mv.is_capture() {
                    text.push(file_letter(mv.from()));
                }
            }
            Some(kind) => {
                text.push(kind.letter().to_ascii_uppercase());
                push_origin(&mut text, board, mv, kind);
            }
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(piece) = mv.promotion() {
            text.push('=');
            text.push(piece.letter().to_ascii_uppercase());
        }
    }
    let next = board.after(mv);
    if next.in_check() {
        text.push(if next.has_legal_moves() { '+' } else { '#' });
    }
    text
}

/// As much of the square of origin as is needed to tell the move from others of the same kind.
fn push_origin(text: &mut String, board: &Board, mv: Move, kind: PieceKind) {
    let moves = board.legal_moves();
    let rivals = || {
        moves.iter().filter(|other| {
            other.to() == mv.to()
                && other.from() != mv.from()
                && !other.is_castle()
                && board.kind_on(other.from()) == Some(kind)
        })
    };
    if rivals().next().is_none() {
        return;
    }
    let file_is_shared = rivals().any(|other| other.from().file() == mv.from().file());
    let rank_is_shared = rivals().any(|other| other.from().rank() == mv.from().rank());
    if !file_is_shared || rank_is_shared {
        text.push(file_letter(mv.from()));
    }
    if file_is_shared {
        text.push((b'1' + mv.from().rank()) as char);
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// What a SAN text asks for, before looking at the board.
struct Wanted {
    kind: PieceKind,
    to: Square,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    promotion: Option<PieceKind>,
}

/// The legal move with this SAN. Lenient where real files are sloppy: check marks and `!?` are ignored, `x`
/// and `=` may be missing, castling may be written with zeros, a full square of origin is accepted.
///
/// ```
/// use chess::{Board, parse_uci, parse_san};
/// assert_eq!(parse_san(&Board::start(), "Nf3"), parse_uci(&Board::start(), "g1f3"));
/// ```
pub fn parse_san(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    let core = text.trim_end_matches(['+', '#', '!', '?']);
    let moves = board.legal_moves();
    let wing = match core {
        "O-O" | "0-0" | "o-o" => Some(Wing::King),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(Wing::Queen),
        _ => None,
    };
    if let Some(wing) = wing {
        return moves
            .iter()
            .find(|mv| mv.is_castle() && Wing::of(mv.from(), mv.to()) == wing)
            .copied()
            .ok_or(MoveTextError::Illegal);
    }
    let wanted = read(core).ok_or(MoveTextError::Syntax)?;
    let mut fitting = moves.iter().filter(|mv| {
        !mv.is_castle()
            && mv.to() == wanted.to
            && mv.promotion() == wanted.promotion
            && board.kind_on(mv.from()) == Some(wanted.kind)
            && wanted.from_file.is_none_or(|file| file == mv.from().file())
            && wanted.from_rank.is_none_or(|rank| rank == mv.from().rank())
    });
    match (fitting.next(), fitting.next()) {
        (Some(&mv), None) => Ok(mv),
        (None, _) => Err(MoveTextError::Illegal),
        _ => Err(MoveTextError::Ambiguous),
    }
}

fn read(text: &str) -> Option<Wanted> {
    let mut bytes = text.as_bytes();
    let kind = match bytes.first()? {
        letter @ (b'N' | b'B' | b'R' | b'Q' | b'K') => {
            bytes = &bytes[1..];
            PieceKind::from_letter(letter.to_ascii_lowercase() as char)?
        }
        _ => PieceKind::Pawn,
    };
    let mut promotion = None;
    if let [rest @ .., letter @ (b'N' | b'B' | b'R' | b'Q')] = bytes {
        promotion = PieceKind::from_letter(letter.to_ascii_lowercase() as char);
        bytes = rest.strip_suffix(b"=").unwrap_or(rest);
    }
    let [origin @ .., file @ b'a'..=b'h', rank @ b'1'..=b'8'] = bytes else {
        return None;
    };
    let to = Square::at(file - b'a', rank - b'1');
    let origin = origin.strip_suffix(b"x").or(origin.strip_suffix(b"-")).unwrap_or(origin);
    let (from_file, from_rank) = match origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(Wanted { kind, to, from_file, from_rank, promotion })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal(fen: &str) -> Board {
        Board::from_fen(fen).expect(fen)
    }

    #[test]
    fn every_legal_move_goes_both_ways() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "7k/8/8/Q1Q5/8/Q7/8/K7 w - - 0 1",
            "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1",
        ] {
            let board = legal(fen);
            for &mv in &board.legal_moves() {
                let text = san(&board, mv);
                assert_eq!(parse_san(&board, &text), Ok(mv), "{text} in {fen}");
            }
        }
    }

    #[test]
    fn origins_are_as_short_as_can_be() {
        let board = legal("7k/8/8/Q1Q5/8/Q7/8/7K w - - 0 1");
        let text = |uci: &str| san(&board, crate::parse_uci(&board, uci).expect(uci));
        assert_eq!(text("c5b4"), "Qcb4");
        assert_eq!(text("a3b4"), "Q3b4");
        assert_eq!(text("a5b4"), "Qa5b4");
        assert_eq!(text("c5c8"), "Qc8+");
    }

    #[test]
    fn sloppy_text_is_understood_and_nonsense_refused() {
        let board = Board::start();
        for text in ["Nf3", "Ng1f3", "Ngf3!?", "Ng1-f3", "e4", "e2e4", "e4+"] {
            assert!(parse_san(&board, text).is_ok(), "{text}");
        }
        for text in ["", "+", "N", "x", "Nf9", "Nxx3", "e4=", "P", "e8=K", "ñ", "Nf3f", "O-O-O-O"] {
            assert_eq!(parse_san(&board, text), Err(MoveTextError::Syntax), "{text}");
        }
        assert_eq!(parse_san(&board, "O-O"), Err(MoveTextError::Illegal));
        assert_eq!(parse_san(&board, "Nf6"), Err(MoveTextError::Illegal));
        assert_eq!(parse_san(&legal("k7/8/8/8/8/8/8/1N1K1N2 w - - 0 1"), "Nd2"), Err(MoveTextError::Ambiguous));
    }
}
