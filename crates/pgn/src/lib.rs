//! Portable Game Notation (PGN): the one reader and the one writer of games as text.

mod lexer;
mod reader;
pub mod record;
mod texts;
mod writer;

use chess::{Board, Move, MoveTextError, parse_san, parse_uci};

pub use reader::Reader;
pub use texts::Texts;
pub use writer::write;

/// The legal move that is written so: in SAN, also with German letters or pictures for the pieces, or in coordinates.
pub fn parse_move(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    parse_san(board, text)
        .or_else(|error| parse_uci(board, text).map_err(|_| error))
        .or_else(|error| parse_san(board, &with_english_letters(text)).map_err(|_| error))
}

/// A move whose pieces have their English letters. No letter means one piece in English and another in German.
fn with_english_letters(text: &str) -> String {
    let english = |letter| match letter {
        'S' | '♘' | '♞' => 'N',
        'L' | '♗' | '♝' => 'B',
        'T' | '♖' | '♜' => 'R',
        'D' | '♕' | '♛' => 'Q',
        '♔' | '♚' => 'K',
        other => other,
    };
    text.chars().map(english).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_letters_and_pictures_are_understood() {
        let board = Board::from_fen("r3k3/1P6/8/8/8/2N5/8/R3K1BQ w Qq - 0 1").expect("a position");
        for (text, san) in [
            ("Sd5", "Nd5"),
            ("Lf2", "Bf2"),
            ("Dh8+", "Qh8+"),
            ("Txa8+", "Rxa8+"),
            ("bxa8=D+", "bxa8=Q+"),
            ("♘d5", "Nd5"),
            ("0-0-0", "O-O-O"),
            ("c3d5", "Nd5"),
        ] {
            let mv = parse_move(&board, text).unwrap_or_else(|error| panic!("{text} is {error}"));
            assert_eq!(chess::san(&board, mv), san, "{text}");
        }
        assert!(parse_move(&board, "Xd5").is_err() && parse_move(&board, "Sd6").is_err());
    }
}
