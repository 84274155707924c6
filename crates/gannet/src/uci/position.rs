//! `position startpos|fen … [moves …]`: all or nothing. Either every word of it is understood, or there is no position.

use std::fmt;

use chess::{Board, FenError, Game, Move, MoveTextError, Setup, Square, parse_san, parse_uci};

/// How moves may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// As programs write them: `g1f3`.
    Coordinates,
    /// As people write them, too: `Nf3`, and before it the number of the move.
    Any,
}

/// The legal move that is written so.
pub fn parse_move(board: &Board, text: &str, spelling: Spelling) -> Result<Move, MoveTextError> {
    let in_coordinates = parse_uci(board, text);
    if spelling == Spelling::Coordinates || matches!(in_coordinates, Ok(_) | Err(MoveTextError::Illegal)) {
        return in_coordinates;
    }
    parse_san(board, after_number(text))
}

/// What comes after the number of a move, as in `12.Nf3` and `12...Nf6`.
fn after_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < text.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { text }
}

/// Why there is no position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// It begins with neither `startpos` nor `fen`.
    Start(String),
    /// Something other than `moves` follows `startpos`.
    NotMoves(String),
    /// The FEN is bad.
    Fen(FenError),
    /// A move cannot be played.
    Move {
        /// Which one, from 1.
        number: usize,
        /// As it was written.
        text: String,
        /// What is wrong with it.
        error: MoveTextError,
        /// The position it was to be played in.
        fen: String,
    },
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Start(word) => write!(f, "position expects startpos or fen, got '{word}'"),
            PositionError::NotMoves(word) => write!(f, "position startpos expects moves, got '{word}'"),
            PositionError::Fen(error) => error.fmt(f),
            PositionError::Move { number, text, error, fen } => {
                write!(f, "move {number} of the position, '{text}', is {error}: {fen}")
            }
        }
    }
}

impl std::error::Error for PositionError {}

/// The game that the words after `position` describe.
pub fn parse(words: &[&str], spelling: Spelling) -> Result<Game, PositionError> {
    let (board, moves) = match words {
        ["startpos"] => (Board::start(), &[][..]),
        ["startpos", "moves", moves @ ..] => (Board::start(), moves),
        ["startpos", word, ..] => return Err(PositionError::NotMoves(word.to_string())),
        ["fen", rest @ ..] => {
            let mut parts = rest.splitn(2, |&word| word == "moves");
            let fen = parts.next().unwrap_or_default().join(" ");
            (Board::from_fen(&fen).map_err(PositionError::Fen)?, parts.next().unwrap_or_default())
        }
        _ => return Err(PositionError::Start(words.first().unwrap_or(&"").to_string())),
    };
    let mut game = Game::new(board);
    for text in moves.iter().filter(|text| spelling == Spelling::Coordinates || !after_number(text).is_empty()) {
        let result = parse_move(game.board(), text, spelling);
        let played = result.map(|mv| game.play(mv));
        if played != Ok(true) {
            return Err(PositionError::Move {
                number: game.moves().len() + 1,
                text: text.to_string(),
                error: played.err().unwrap_or(MoveTextError::Illegal),
                fen: game.board().fen(),
            });
        }
    }
    Ok(game)
}

/// The same position with colours changed, seen from the other side. The moves before it are forgotten.
pub fn flip(game: &Game) -> Option<Game> {
    let setup = Setup::of(game.board());
    let mirror = |square: Square| Square::at(square.file(), 7 - square.rank());
    let mut flipped = Setup { pieces: [None; 64], side_to_move: !setup.side_to_move, ..setup.clone() };
    flipped.castling.revoke(setup.castling.all_rooks());
    for (square, place) in Square::all().zip(&mut flipped.pieces) {
        *place = game.board().piece_on(mirror(square)).map(|piece| chess::Piece::new(!piece.color, piece.kind));
    }
    for rook in setup.castling.all_rooks() {
        flipped.castling.grant(mirror(rook));
    }
    flipped.en_passant = setup.en_passant.map(mirror);
    flipped.validate().ok().map(Game::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Result<Game, PositionError> {
        parse(&text.split_ascii_whitespace().collect::<Vec<_>>(), Spelling::Coordinates)
    }

    #[test]
    fn good_ones_are_read() {
        for (text, fen) in [
            ("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ("startpos moves", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ("startpos moves g1f3 g8f6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"),
            ("fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 4 9"),
            ("fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 4 9"),
            ("fen 4k3/8/8/8/8/8/8/4K2R w H -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ] {
            assert_eq!(position(text).expect(text).board().fen(), fen);
        }
    }

    #[test]
    fn bad_ones_say_why() {
        for (text, expected) in [
            ("", "expects startpos or fen, got ''"),
            ("start", "got 'start'"),
            ("startpos e2e4", "expects moves, got 'e2e4'"),
            ("fen", "bad FEN"),
            ("fen moves e2e4", "bad FEN"),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
            ("startpos moves e2e4 e2e4", "move 2 of the position, 'e2e4', is not a legal move here: rnbqkbnr/"),
            ("startpos moves e4", "'e4', is not written like a move"),
        ] {
            let message = position(text).expect_err(text).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn people_may_write_moves_as_in_books() {
        let position = |text: &str| parse(&text.split_ascii_whitespace().collect::<Vec<_>>(), Spelling::Any);
        let key = |text: &str| position(text).expect(text).board().key();
        for text in [
            "startpos moves e4 e5 Nf3 Nc6 Bc4 Bc5 O-O",
            "startpos moves 1. e4 e5 2. Nf3 Nc6 3.Bc4 3...Bc5 4.O-O",
            "startpos moves e2e4 e5 g1f3 Nc6 f1c4 Bc5 e1g1",
        ] {
            assert_eq!(key(text), key("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1"), "{text}");
        }
        for (text, expected) in [
            ("startpos moves e4 Nf3", "move 2 of the position, 'Nf3', is not a legal move here"),
            ("startpos moves e4 e4e5", "move 2 of the position, 'e4e5', is not a legal move here"),
            ("startpos moves 1. e4 huh", "move 2 of the position, 'huh', is not written like a move"),
        ] {
            let message = position(text).expect_err(text).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn flipping_twice_gives_the_position_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Gb - 5 7",
        ] {
            let game = Game::new(Board::from_fen(fen).expect(fen));
            let flipped = flip(&game).expect(fen);
            assert_ne!(flipped.board().side_to_move(), game.board().side_to_move());
            assert_eq!(flip(&flipped).expect(fen).board().fen(), game.board().fen());
        }
    }
}
