//! What the rules say of a game: a start and moves come in as text; who may castle how, and how a game has ended.

use chess::{Board, Color, Game, Outcome, Setup};

use pgn::parse_move;
use pgn::record::{Line, Record};

/// No longer game is read.
pub const MAX_PLIES: usize = 1200;

/// How a game has ended.
pub struct End {
    /// As score sheets have it.
    pub result: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// The position a game begins from: the number of a Chess960 start position or a FEN; nothing is standard chess.
pub fn read_start(text: &str) -> Result<Board, String> {
    if text.is_empty() {
        return Ok(Board::start());
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = text.parse().ok().filter(|number| *number < 960);
        let number = number.ok_or_else(|| format!("start position {text}: expected a number from 0 to 959"))?;
        return Setup::chess960(number).validate().map_err(|error| error.to_string());
    }
    Board::from_fen(text).map_err(|error| error.to_string())
}

/// The game with these moves, as a record without anything else.
pub fn record(game: &Game) -> Record {
    Record {
        number: 1,
        tags: Vec::new(),
        start: game.start().clone(),
        main: Line::bare(game.moves()),
        closing: Vec::new(),
        result: "*".to_string(),
        faults: Vec::new(),
        broken: None,
        unclosed: false,
    }
}

/// The game with these moves.
pub fn read(start: &str, moves: &str) -> Result<Game, String> {
    let mut game = Game::new(read_start(start)?);
    for text in moves.split_ascii_whitespace() {
        play(&mut game, text)?;
    }
    Ok(game)
}

/// Plays a move that is written as UCI does or in SAN.
pub fn play(game: &mut Game, text: &str) -> Result<(), String> {
    room(game)?;
    let board = game.board();
    let mv = parse_move(board, text).map_err(|error| {
        let shown: String = text.chars().take(20).collect();
        let dots = if board.side_to_move() == Color::White { "." } else { "..." };
        format!("{}{dots}{shown} is {error}", board.fullmove_number())
    })?;
    game.play(mv);
    Ok(())
}

/// Whether there is room for another move.
pub fn room(game: &Game) -> Result<(), String> {
    if game.moves().len() < MAX_PLIES {
        return Ok(());
    }
    Err(format!("the game has more than {} moves", MAX_PLIES / 2))
}

/// Whether the game is over, and how it has ended.
pub fn end(game: &Game) -> Option<End> {
    let outcome = game.outcome()?;
    let reason = match outcome {
        Outcome::Checkmate(_) => "checkmate",
        Outcome::Stalemate => "stalemate",
        Outcome::InsufficientMaterial => "neither side can mate",
        Outcome::Threefold => "threefold repetition",
        Outcome::FiftyMoves => "fifty moves without capture or pawn move",
    };
    Some(End { result: outcome.result(), reason })
}

/// Whether castling has to be written as the king taking its rook: there are rights that standard chess does not have.
pub fn is_chess960(start: &Board) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        let mut rooks = start.castling().rooks(color).into_iter().peekable();
        rooks.peek().is_some() && (start.king(color).file() != 4 || rooks.any(|rook| !matches!(rook.file(), 0 | 7)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_numbers_or_fens() {
        assert_eq!(read_start(""), Ok(Board::start()));
        assert_eq!(read_start("518"), Ok(Board::start()));
        assert!(read_start("0").is_ok_and(|board| board.fen().starts_with("bbqnnrkr/")));
        for text in ["960", "99999999999", "-1", "startpos", "8/8/8/8/8/8/8/8 w - - 0 1"] {
            assert!(read_start(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_end_has_a_reason() {
        let cases = [
            ("", "f2f3 e7e5 g2g4 d8h4", "0-1", "checkmate"),
            ("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", "e6f7", "1/2-1/2", "stalemate"),
            ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "", "1/2-1/2", "neither side can mate"),
            ("", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "1/2-1/2", "threefold repetition"),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1b1", "1/2-1/2", "fifty moves without capture or pawn move"),
        ];
        for (start, moves, result, reason) in cases {
            let end = end(&read(start, moves).expect(moves)).expect(reason);
            assert_eq!((end.result, end.reason), (result, reason));
        }
        assert!(end(&read("", "e2e4").expect("legal")).is_none());
    }

    #[test]
    fn castling_is_written_as_the_start_wants_it() {
        let castles = [("", false), ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", true), ("0", true), ("518", false)];
        for (start, chess960) in castles {
            assert_eq!(is_chess960(&read_start(start).expect(start)), chess960, "{start}");
        }
    }

    #[test]
    fn a_game_has_an_end_of_its_own() {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(MAX_PLIES / 4).join(" ");
        assert!(read("", &moves).is_ok());
        assert!(read("", &format!("{moves} e2e4")).is_err_and(|error| error.contains("more than 600")));
        assert!(read("", "e2e4 e2e4").is_err_and(|error| error.starts_with("1...e2e4 is not a legal move")));
    }
}
