//! Coordinates, as UCI writes moves: `e2e4`, `e7e8q`, `e1g1` (or `e1h1` in Chess960).

use std::fmt;

use super::MoveTextError;
use crate::board::Board;
use crate::types::{Color, Move, PieceKind, Square, Wing};

/// A move that prints itself as UCI text.
#[derive(Clone, Copy)]
pub struct UciText {
    mv: Move,
    chess960: bool,
}

/// The UCI text of a move; castling goes to the rook's square in Chess960, else two steps of the king. From another square
/// than its own a king castles in Chess960 only, whatever was said: `f1g1` may also be an ordinary move, and `g1g1` is none.
///
/// ```
/// use chess::{Board, uci, parse_uci};
///
/// let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// let castles = parse_uci(&board, "e1g1")?;
/// assert_eq!([uci(castles, false).to_string(), uci(castles, true).to_string()], ["e1g1", "e1h1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn uci(mv: Move, chess960: bool) -> UciText {
    UciText { mv, chess960 }
}

impl fmt::Display for UciText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, mut to) = (self.mv.from(), self.mv.to());
        if self.mv.is_castle() && !self.chess960 && from.file() == Square::E1.file() {
            let color = if from.rank() == 0 { Color::White } else { Color::Black };
            to = Wing::of(from, to).king_target(color);
        }
        write!(f, "{from}{to}")?;
        match self.mv.promotion() {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}

/// The legal move with this text. Castling is understood in both forms, whatever the variant.
///
/// ```
/// use chess::{Board, MoveTextError, parse_uci};
///
/// assert!(parse_uci(&Board::start(), "e2e4").is_ok());
/// assert_eq!(parse_uci(&Board::start(), "e2e5"), Err(MoveTextError::Illegal));
/// ```
pub fn parse_uci(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    let (from, to, promotion) = split(text).ok_or(MoveTextError::Syntax)?;
    let moves = board.legal_moves();
    let exact = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
    // The king's own path, `e1g1`, where that is not an ordinary king move.
    let castle = || {
        moves.iter().find(|mv| {
            mv.is_castle()
                && mv.from() == from
                && promotion.is_none()
                && Wing::of(from, mv.to()).king_target(board.side_to_move()) == to
                && from.file().abs_diff(to.file()) > 1
        })
    };
    exact.or_else(castle).copied().ok_or(MoveTextError::Illegal)
}

fn split(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        letter => {
            let mut letters = letter.chars();
            let kind = PieceKind::from_letter(letters.next()?.to_ascii_lowercase())?;
            if letters.next().is_some() || matches!(kind, PieceKind::Pawn | PieceKind::King) {
                return None;
            }
            Some(kind)
        }
    };
    Some((from, to, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_goes_both_ways() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1",
            "2k5/8/8/8/8/8/8/R5KR w HA - 0 1",
            "5k2/8/8/8/8/8/8/5K1R w H - 0 1",
            "5k2/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
        ] {
            let board = Board::from_fen(fen).expect(fen);
            for &mv in &board.legal_moves() {
                for chess960 in [true, false] {
                    assert_eq!(parse_uci(&board, &uci(mv, chess960).to_string()), Ok(mv), "{fen}");
                }
            }
        }
    }

    #[test]
    fn bad_text_is_refused() {
        let board = Board::start();
        for text in ["", "e", "e2", "e2e", "e2e9", "e2e4x", "e2e4qq", "ééé", "0000"] {
            assert_eq!(parse_uci(&board, text), Err(MoveTextError::Syntax), "{text}");
        }
        for text in ["e2e5", "e7e5", "e2e4q", "e1g1"] {
            assert_eq!(parse_uci(&board, text), Err(MoveTextError::Illegal), "{text}");
        }
    }
}
