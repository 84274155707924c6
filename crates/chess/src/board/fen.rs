//! Forsyth-Edwards notation (FEN), with X-FEN and Shredder-FEN castling fields.
//!
//! Reading takes all three forms of the castling field, mixed if need be, and fills in what is missing
//! at the end: `- - 0 1`. Writing gives X-FEN, which for standard chess is plain FEN.

use std::fmt;
use std::str::FromStr;

use super::{Board, InvalidPosition, Setup};
use crate::types::{Bitboard, Castling, Color, Piece, PieceKind, Square, Wing};

/// A part of a FEN, for error messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The first field: the pieces, rank by rank.
    Pieces,
    /// The second: `w` or `b`.
    SideToMove,
    /// The third: `KQkq`, rook files, or `-`.
    Castling,
    /// The fourth: a square or `-`.
    EnPassant,
    /// The fifth: plies since the last capture or pawn move.
    HalfmoveClock,
    /// The sixth: the number of the move.
    FullmoveNumber,
}

/// Why a FEN could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// A field is missing or not written as it should be.
    Syntax(FenField),
    /// There is something after the sixth field.
    TooLong,
    /// It is well written, but the position is not legal.
    Invalid(InvalidPosition),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad FEN: ")?;
        match self {
            FenError::Syntax(FenField::Pieces) => {
                f.write_str("the pieces must be eight ranks of eight squares, written with pnbrqkPNBRQK, 1-8 and /")
            }
            FenError::Syntax(FenField::SideToMove) => f.write_str("the side to move must be w or b"),
            FenError::Syntax(FenField::Castling) => {
                f.write_str("the castling rights must be -, some of KQkq, or files of rooks such as HAha")
            }
            FenError::Syntax(FenField::EnPassant) => {
                f.write_str("the en passant field must be - or a square on rank 3 or 6")
            }
            FenError::Syntax(FenField::HalfmoveClock) => {
                f.write_str("the halfmove clock must be a number from 0 to 65535")
            }
            FenError::Syntax(FenField::FullmoveNumber) => {
                f.write_str("the move number must be a number from 0 to 4294967295")
            }
            FenError::TooLong => f.write_str("nothing may follow the sixth field"),
            FenError::Invalid(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<InvalidPosition> for FenError {
    fn from(reason: InvalidPosition) -> FenError {
        FenError::Invalid(reason)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let mut setup = Setup::empty();
        setup.pieces = parse_pieces(fields.next().unwrap_or(""))?;
        setup.side_to_move = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            _ => return Err(FenError::Syntax(FenField::SideToMove)),
        };
        setup.castling = parse_castling(fields.next().unwrap_or("-"), &setup.pieces)?;
        setup.en_passant = parse_en_passant(fields.next().unwrap_or("-"))?;
        setup.halfmove_clock = parse_counter(fields.next().unwrap_or("0"), FenField::HalfmoveClock)?;
        setup.fullmove_number = parse_counter::<u32>(fields.next().unwrap_or("1"), FenField::FullmoveNumber)?.max(1);
        match fields.next() {
            None => Ok(setup),
            Some(_) => Err(FenError::TooLong),
        }
    }
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Ok(text.parse::<Setup>()?.validate()?)
    }
}

impl Board {
    /// The board a FEN describes.
    ///
    /// ```
    /// use chess::Board;
    ///
    /// let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
    /// assert_eq!(board.legal_moves().len(), 26);
    /// assert!(Board::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").is_err(), "no king");
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        text.parse()
    }

    /// The position as X-FEN: `KQkq` where that is plain, else the file of the rook.
    ///
    /// ```
    /// use chess::Board;
    /// assert_eq!(Board::start().fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn fen(&self) -> String {
        self.write_fen(false)
    }

    /// The position as Shredder-FEN: castling rights as files of rooks.
    ///
    /// ```
    /// use chess::Board;
    /// assert!(Board::start().shredder_fen().ends_with(" w HAha - 0 1"));
    /// ```
    pub fn shredder_fen(&self) -> String {
        self.write_fen(true)
    }

    fn write_fen(&self, shredder: bool) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                match self.piece_on(Square::at(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        push_gap(&mut fen, gap);
                        gap = 0;
                        fen.push(piece.letter());
                    }
                }
            }
            push_gap(&mut fen, gap);
            if rank > 0 {
                fen.push('/');
            }
        }
        fen.push(' ');
        fen.push(self.side_to_move().letter());
        fen.push(' ');
        self.push_castling(&mut fen, shredder);
        let en_passant = self.en_passant().map_or("-".to_string(), |square| square.to_string());
        fen + &format!(" {en_passant} {} {}", self.halfmove_clock(), self.fullmove_number())
    }

    fn push_castling(&self, fen: &mut String, shredder: bool) {
        if self.castling().is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            let king = self.king(color);
            for wing in Wing::ALL {
                let Some(rook) = self.castling().rook(color, king, wing) else { continue };
                let outermost = outermost_rook(self.pieces(color, PieceKind::Rook), color, king, wing);
                let letter = match wing {
                    _ if shredder || outermost != Some(rook) => (b'a' + rook.file()) as char,
                    Wing::King => 'k',
                    Wing::Queen => 'q',
                };
                fen.push(match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                });
            }
        }
    }
}

fn push_gap(fen: &mut String, gap: u8) {
    if gap > 0 {
        fen.push((b'0' + gap) as char);
    }
}

/// The rook that `K` or `Q` means: the one nearest the edge on that side of the king.
fn outermost_rook(rooks: Bitboard, color: Color, king: Square, wing: Wing) -> Option<Square> {
    let mut on_wing =
        (rooks & Bitboard::relative_rank(0, color)).into_iter().filter(|&rook| Wing::of(king, rook) == wing);
    match wing {
        Wing::King => on_wing.last(),
        Wing::Queen => on_wing.next(),
    }
}

fn parse_pieces(field: &str) -> Result<[Option<Piece>; 64], FenError> {
    const ERROR: FenError = FenError::Syntax(FenField::Pieces);
    let mut pieces = [None; 64];
    let mut rank = 7u8;
    let mut file = 0u8;
    for letter in field.chars() {
        match letter {
            '/' if file == 8 && rank > 0 => {
                rank -= 1;
                file = 0;
            }
            '1'..='8' if file + (letter as u8 - b'0') <= 8 => file += letter as u8 - b'0',
            _ => {
                let piece = Piece::from_letter(letter).ok_or(ERROR)?;
                if file >= 8 {
                    return Err(ERROR);
                }
                pieces[Square::at(file, rank).index()] = Some(piece);
                file += 1;
            }
        }
    }
    if rank == 0 && file == 8 { Ok(pieces) } else { Err(ERROR) }
}

fn parse_castling(field: &str, pieces: &[Option<Piece>; 64]) -> Result<Castling, FenError> {
    const ERROR: FenError = FenError::Syntax(FenField::Castling);
    let mut castling = Castling::NONE;
    if field == "-" {
        return Ok(castling);
    }
    if field.len() > 4 {
        return Err(ERROR);
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let corner = |file| Square::at(file, 0).relative_to(color);
        let of = |kind| -> Bitboard {
            Square::all().filter(|square| pieces[square.index()] == Some(Piece::new(color, kind))).collect()
        };
        let home = of(PieceKind::King) & Bitboard::relative_rank(0, color);
        let by_wing = |wing, default| match home.first() {
            Some(king) => outermost_rook(of(PieceKind::Rook), color, king, wing).unwrap_or(default),
            None => default,
        };
        let rook = match letter.to_ascii_lowercase() {
            'k' => by_wing(Wing::King, corner(7)),
            'q' => by_wing(Wing::Queen, corner(0)),
            file @ 'a'..='h' => corner(file as u8 - b'a'),
            _ => return Err(ERROR),
        };
        if castling.all_rooks().contains(rook) {
            return Err(ERROR);
        }
        castling.grant(rook);
    }
    Ok(castling)
}

fn parse_en_passant(field: &str) -> Result<Option<Square>, FenError> {
    if field == "-" {
        return Ok(None);
    }
    match field.parse::<Square>() {
        Ok(square) if matches!(square.rank(), 2 | 5) => Ok(Some(square)),
        _ => Err(FenError::Syntax(FenField::EnPassant)),
    }
}

/// A number without sign, as far as its type goes: whatever a board can print can be read back.
fn parse_counter<N: FromStr>(field: &str, which: FenField) -> Result<N, FenError> {
    let digits = field.bytes().all(|byte| byte.is_ascii_digit());
    match field.parse() {
        Ok(number) if digits => Ok(number),
        _ => Err(FenError::Syntax(which)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_reads() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        ] {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(Board::from_fen(&board.fen()).as_ref(), Ok(&board));
            assert_eq!(Board::from_fen(&board.shredder_fen()).as_ref(), Ok(&board));
            if !fen.contains("FBfb") {
                assert_eq!(board.fen(), fen);
            } else {
                assert_eq!(board.shredder_fen(), fen);
            }
        }
    }

    #[test]
    fn an_inner_rook_is_written_by_its_file() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").expect("legal");
        assert_eq!(board.fen(), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4KR1R w K - 0 1").expect("legal");
        assert_eq!(board.shredder_fen(), "4k3/8/8/8/8/8/8/4KR1R w H - 0 1");
    }

    #[test]
    fn missing_fields_have_defaults_and_useless_en_passant_is_dropped() {
        let board = Board::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3").expect("legal");
        assert_eq!(board.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }

    #[test]
    fn errors_say_what_was_wrong() {
        let cases = [
            ("", "eight ranks"),
            ("8/8/8/8/8/8/8 w - - 0 1", "eight ranks"),
            ("9/8/8/8/8/8/8/8 w - - 0 1", "eight ranks"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "2 kings"),
            ("k7/8/8/8/8/8/8/K6P w - - 0 1", "pawn on h1"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "w or b"),
            ("k7/8/8/8/8/8/8/K7 w KQ - 0 1", "castling right for"),
            ("k7/8/8/8/8/8/8/K7 w Z - 0 1", "castling rights must"),
            ("k7/8/8/8/8/8/8/K7 w - e4 0 1", "rank 3 or 6"),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "passed over e6"),
            ("k7/8/8/8/8/8/8/K7 w - - -1 1", "halfmove clock"),
            ("k7/8/8/8/8/8/8/K7 w - - 65536 1", "from 0 to 65535"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 4294967296", "from 0 to 4294967295"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 extra", "sixth field"),
            ("kR6/8/8/8/8/8/8/K7 w - - 0 1", "not its move"),
            ("K3r3/1N6/1n6/8/8/8/r7/k6b w - - 0 1", "no move can give"),
            ("kqqqqqqq/qqqqqqqq/8/8/8/8/8/K7 b - - 0 1", "more men"),
            ("ÿÿÿ/8 w", "eight ranks"),
        ];
        for (fen, expected) in cases {
            let error = Board::from_fen(fen).expect_err(fen).to_string();
            assert!(error.contains(expected), "{fen}: {error}");
        }
    }
}
