//! `position startpos|fen … [moves …]`: all or nothing. Either every word of it is understood, or there is no position.

use std::fmt;

use chess::{Board, FenError, Game, MoveTextError, Setup, Square, parse_uci};

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
pub fn parse(words: &[&str]) -> Result<Game, PositionError> {
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
    for (index, text) in moves.iter().enumerate() {
        let result = parse_uci(game.board(), text);
        let played = result.map(|mv| game.play(mv));
        if played != Ok(true) {
            return Err(PositionError::Move {
                number: index + 1,
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
        parse(&text.split_ascii_whitespace().collect::<Vec<_>>())
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
