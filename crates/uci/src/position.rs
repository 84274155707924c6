//! `position startpos|fen … [moves …]`: all or nothing. Either every word of it is understood, or there is no position.

use std::fmt;
use std::fmt::Write as _;

use chess::{Board, FenError, Game, Move, MoveTextError, parse_san, parse_uci};

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

/// Where a game began, and its moves as they were written. They are played when the spelling is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Where it began.
    pub start: Box<Board>,
    /// The moves since then.
    pub moves: Vec<String>,
}

impl Position {
    /// Reads the words after `position`.
    pub(crate) fn parse(words: &[&str]) -> Result<Position, PositionError> {
        let (start, moves) = match words {
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
        Ok(Position { start: Box::new(start), moves: moves.iter().map(ToString::to_string).collect() })
    }

    /// Plays the moves.
    pub fn game(&self, spelling: Spelling) -> Result<Game, PositionError> {
        let mut game = Game::new((*self.start).clone());
        let is_move = |text: &&String| spelling == Spelling::Coordinates || !after_number(text).is_empty();
        for text in self.moves.iter().filter(is_move) {
            let result = parse_move(game.board(), text, spelling);
            let played = result.map(|mv| game.play(mv));
            if played != Ok(true) {
                return Err(PositionError::Move {
                    number: game.moves().len() + 1,
                    text: text.clone(),
                    error: played.err().unwrap_or(MoveTextError::Illegal),
                    fen: game.board().fen(),
                });
            }
        }
        Ok(game)
    }
}

/// The command that tells an engine of a game.
pub fn position_line(game: &Game, chess960: bool) -> String {
    let start = if chess960 { game.start().shredder_fen() } else { game.start().fen() };
    let mut text = format!("position fen {start}");
    for (index, &mv) in game.moves().iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} {}", if index == 0 { " moves" } else { "" }, chess::uci(mv, chess960));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, spelling: Spelling) -> Result<Game, PositionError> {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        Position::parse(&words)?.game(spelling)
    }

    fn position(text: &str) -> Result<Game, PositionError> {
        read(text, Spelling::Coordinates)
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
        let position = |text: &str| read(text, Spelling::Any);
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
    fn a_game_is_told_as_it_is_read() {
        for text in [
            "fen 4k3/8/8/8/8/8/8/4K2R w K - 3 9 moves e1g1 e8d8",
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            assert_eq!(position_line(&position(text).expect(text), false), format!("position {text}"));
            let line = position_line(&position(text).expect(text), true);
            let again = position(line.strip_prefix("position ").unwrap_or_default()).expect(&line);
            assert_eq!(again.board(), position(text).expect(text).board());
        }
    }
}
