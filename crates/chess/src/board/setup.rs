//! A position that has been written down but not yet checked.

use super::Board;
use crate::types::{Castling, Color, Piece, PieceKind, Square};

/// Everything a FEN says. May be nonsense; [`Setup::validate`] turns it into a [`Board`] or says why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands where.
    pub pieces: [Option<Piece>; 64],
    /// Whose move it is.
    pub side_to_move: Color,
    /// The rooks that may castle.
    pub castling: Castling,
    /// The square a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Number of the move, from 1.
    pub fullmove_number: u32,
}

impl Setup {
    /// An empty board, White to move.
    ///
    /// ```
    /// use chess::Setup;
    /// assert!(Setup::empty().pieces.iter().all(Option::is_none));
    /// ```
    pub fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling: Castling::NONE,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The start position of standard chess.
    ///
    /// ```
    /// use chess::{Setup, Board};
    /// assert_eq!(Setup::start(), Setup::of(&Board::start()));
    /// ```
    pub fn start() -> Setup {
        Setup::double_chess960(518, 518)
    }

    /// The Chess960 start position with this number; 518 is standard chess. Only the remainder by 960 counts.
    ///
    /// ```
    /// use chess::Setup;
    /// assert_eq!(Setup::chess960(518), Setup::start());
    /// ```
    pub fn chess960(number: u16) -> Setup {
        Setup::double_chess960(number, number)
    }

    /// The double Chess960 start position: each side has a back rank of its own.
    ///
    /// ```
    /// use chess::Setup;
    /// assert_eq!(Setup::double_chess960(518, 518), Setup::start());
    /// ```
    pub fn double_chess960(white: u16, black: u16) -> Setup {
        let mut setup = Setup::empty();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            for (file, kind) in back_rank(number).into_iter().enumerate() {
                let home = Square::at(file as u8, 0).relative_to(color);
                setup.pieces[home.index()] = Some(Piece::new(color, kind));
                setup.pieces[home.forward(color).index()] = Some(Piece::new(color, PieceKind::Pawn));
                if kind == PieceKind::Rook {
                    setup.castling.grant(home);
                }
            }
        }
        setup
    }

    /// What a board looks like written down.
    ///
    /// ```
    /// use chess::{Setup, Board, Color};
    ///
    /// let mut setup = Setup::of(&Board::start());
    /// setup.side_to_move = Color::Black;
    /// assert!(setup.validate().is_ok_and(|board| board.fen().contains(" b KQkq ")));
    /// ```
    pub fn of(board: &Board) -> Setup {
        let mut setup = Setup::empty();
        for square in board.occupied() {
            setup.pieces[square.index()] = board.piece_on(square);
        }
        setup.side_to_move = board.side_to_move;
        setup.castling = board.castling;
        setup.en_passant = board.en_passant;
        setup.halfmove_clock = board.halfmove_clock();
        setup.fullmove_number = board.fullmove_number();
        setup
    }
}

/// The back rank with this number in Scharnagl's numbering: bishops first, then queen, knights, and
/// rook, king, rook on what is left.
fn back_rank(number: u16) -> [PieceKind; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rest = usize::from(number % 960);
    let mut rank = [None; 8];
    rank[rest % 4 * 2 + 1] = Some(PieceKind::Bishop);
    rest /= 4;
    rank[rest % 4 * 2] = Some(PieceKind::Bishop);
    rest /= 4;
    let free =
        |rank: &[Option<PieceKind>; 8], nth: usize| (0..8).filter(|&file| rank[file].is_none()).nth(nth).unwrap_or(0);
    let queen = free(&rank, rest % 6);
    rank[queen] = Some(PieceKind::Queen);
    rest /= 6;
    let (first, second) = KNIGHTS[rest.min(9)];
    let (first, second) = (free(&rank, first), free(&rank, second));
    rank[first] = Some(PieceKind::Knight);
    rank[second] = Some(PieceKind::Knight);
    for kind in [PieceKind::Rook, PieceKind::King, PieceKind::Rook] {
        let file = free(&rank, 0);
        rank[file] = Some(kind);
    }
    rank.map(|kind| kind.unwrap_or(PieceKind::Rook))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_960_are_different_and_legal() {
        let mut seen = HashSet::new();
        for number in (0..960).step_by(if cfg!(miri) { 100 } else { 1 }) {
            let board = Setup::chess960(number).validate().expect("legal");
            assert!(seen.insert(board.fen()));
        }
        assert_eq!(
            Setup::chess960(518).validate().expect("legal").fen(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert!(Setup::chess960(0).validate().expect("legal").fen().starts_with("bbqnnrkr/"));
    }
}
