//! Openings: lines of an EPD or FEN file, games of a PGN file, the book that is built in, or random moves. None is played
//! twice: where a book ends, random plies behind its lines go on.

mod later;
mod scorer;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chess::{Board, Color, Game, Move, Setup, Square};
use pgn::Reader;
use pgn::record::Record;

use crate::failure::{Failure, Result};
use crate::rng::Rng;
use later::Later;
pub use scorer::Scorer;

/// The book that is built in; `gannet-lab openings` made it.
const BUILT_IN: &str = include_str!("../openings.epd");

/// How a game begins.
#[derive(Clone)]
pub struct Opening {
    start: Board,
    moves: Vec<Move>,
}

impl Opening {
    /// The game after the opening.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }

    /// The opening that a game is.
    fn of(game: &Game) -> Opening {
        Opening { start: game.start().clone(), moves: game.moves().to_vec() }
    }
}

/// Where the openings of a match come from.
enum Source {
    /// A list of openings, each with another position, in the order in which they are played.
    List(Vec<Opening>),
    /// So many random plies from a start position.
    Random {
        /// The number of plies.
        plies: u32,
        /// Whether they begin from one of the 960 start positions, drawn as well.
        chess960: bool,
    },
}

/// The openings of a match: one for each pair of games, which depends on the seed and the number of the pair only.
pub struct Book {
    source: Source,
    seed: u64,
    /// Those that are made as they are needed, each after all before it.
    later: Mutex<Later>,
}

impl Book {
    fn new(source: Source, seed: u64) -> Book {
        Book { source, seed, later: Mutex::default() }
    }

    /// So many random plies from a start position, drawn with this seed.
    pub fn random(seed: u64, plies: u32, chess960: bool) -> Book {
        Book::new(Source::Random { plies, chess960 }, seed)
    }

    /// The built-in book, in the order that the seed gives.
    pub fn built_in(seed: u64) -> Result<Book> {
        Book::parse(BUILT_IN, "the built-in book", seed)
    }

    /// The book in a file, in the order that the seed gives; of PGN games only so many plies. Positions that need the rules
    /// of Chess960 are taken only where these hold: engines that were not told of them would castle otherwise, or not at all.
    pub fn open(path: &Path, plies: usize, seed: u64, chess960: bool) -> Result<Book> {
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read book", path, error))?;
        let name = format!("book {}", path.display());
        let book = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            Book::parse_pgn(&bytes, &name, plies, seed)?
        } else {
            Book::parse(&String::from_utf8_lossy(&bytes), &name, seed)?
        };
        if let Source::List(list) = &book.source
            && let Some(opening) = list.iter().find(|opening| !chess960 && needs_chess960(&opening.start))
        {
            let fen = opening.start.fen();
            return Err(Failure::new(format!("{name}: {fen} can castle in Chess960 only; play it with --chess960")));
        }
        Ok(book)
    }

    fn parse_pgn(bytes: &[u8], name: &str, plies: usize, seed: u64) -> Result<Book> {
        let games = read_openings(bytes, plies).map_err(|error| Failure::new(format!("{name}, {error}")))?;
        let playable = games.iter().filter(|game| game.board().has_legal_moves());
        Book::ordered(playable.map(Opening::of).collect(), name, seed)
    }

    /// Lines that are none are passed over and told of, unless nothing is left without them.
    fn parse(text: &str, name: &str, seed: u64) -> Result<Book> {
        let (mut list, mut bad) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match board_of(line) {
                Ok(board) if board.has_legal_moves() => list.push(Opening { start: board, moves: Vec::new() }),
                Ok(_) => {}
                Err(error) => bad.push(format!("{name}, line {}: {error}", index + 1)),
            }
        }
        if let Some(first) = bad.first() {
            if list.is_empty() {
                return Err(Failure::new(first));
            }
            let more = if bad.len() > 1 { format!(", as are {} other lines", bad.len() - 1) } else { String::new() };
            eprintln!("gannet-lab: {first}; it is passed over{more}");
        }
        Book::ordered(list, name, seed)
    }

    fn ordered(mut list: Vec<Opening>, name: &str, seed: u64) -> Result<Book> {
        let (mut seen, all) = (HashSet::new(), list.len());
        list.retain(|opening| seen.insert(opening.game().board().key()));
        if list.is_empty() {
            return Err(Failure::new(format!("{name} has no opening in it")));
        }
        if list.len() < all {
            eprintln!("gannet-lab: {name}: {} of {all} openings are there twice and are passed over", all - list.len());
        }
        Rng::new(seed, u64::MAX).shuffle(&mut list);
        Ok(Book::new(Source::List(list), seed))
    }

    /// A book whose continuations are not scored, which would take tests minutes.
    #[cfg(test)]
    pub fn unscored(text: &str, seed: u64) -> Book {
        let book = Book::parse(text, "a book", seed).expect("a good book");
        book.lock().unscored = true;
        book
    }

    /// The opening of a pair of games.
    pub fn opening(&self, pair: u64) -> Game {
        let pair = usize::try_from(pair).unwrap_or(usize::MAX);
        match &self.source {
            Source::List(list) if pair < list.len() => list[pair].game(),
            source => self.lock().opening(source, self.seed, pair),
        }
    }

    /// How many different openings the first so many pairs of games have.
    pub fn openings(&self, pairs: u64) -> u64 {
        pairs - self.lock().repeats(&self.source, self.seed, pairs)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Later> {
        self.later.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first plies of every game in a PGN file. An error names the game and the move.
pub fn read_openings(bytes: &[u8], plies: usize) -> std::result::Result<Vec<Game>, String> {
    let opening = |record: Record| {
        let fault = match &record.broken {
            Some(broken) if record.main.plies.len() < plies => Some(&broken.fault),
            _ => record.faults.last().filter(|_| record.unclosed),
        };
        fault.map_or_else(|| Ok(record.game_at(plies)), |fault| Err(fault.clone()))
    };
    Reader::new(bytes, 0).verbatim().map(opening).collect()
}

/// Whether a king or a rook that may castle stands elsewhere than in standard chess.
fn needs_chess960(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rooks = board.castling().rooks(color);
        let corners = [Square::A1, Square::H1].map(|square| square.relative_to(color));
        let at_home = board.king(color) == Square::E1.relative_to(color);
        !(rooks.is_empty() || at_home && rooks.into_iter().all(|rook| corners.contains(&rook)))
    })
}

/// The position of a line of an EPD or FEN file: four fields, or six if the next two are numbers.
pub fn board_of(line: &str) -> std::result::Result<Board, chess::FenError> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let numbers = fields.iter().skip(4).take(2).filter(|field| field.trim_end_matches(';').parse::<u32>().is_ok());
    let used = if fields.len() >= 6 && numbers.count() == 2 { 6 } else { fields.len().min(4) };
    Board::from_fen(&fields[..used].join(" "))
}

/// A game of so many random plies that has not ended.
pub fn random_opening(rng: &mut Rng, plies: u32, chess960: bool) -> Game {
    'again: loop {
        let mut game = match Setup::chess960(rng.below(960) as u16).validate() {
            Ok(board) if chess960 => Game::new(board),
            _ => Game::default(),
        };
        for _ in 0..plies {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                continue 'again;
            }
            game.play(moves[rng.below(moves.len())]);
        }
        if game.board().outcome().is_none() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_book_is_sound_and_the_seed_orders_it() {
        let fens = |seed| {
            let book = Book::built_in(seed).expect("it is sound");
            (0..4000).map(|pair| book.opening(pair).board().fen()).collect::<Vec<_>>()
        };
        let (a, b) = (fens(1), fens(2));
        assert_eq!(a, fens(1));
        assert_ne!(a, b);
        let mut sorted = a.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), a.len(), "an opening twice");
    }

    #[test]
    fn lines_may_have_operations_or_counters() {
        let start = Board::start().fen();
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a 1\";",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;",
        ] {
            assert_eq!(board_of(line).map(|board| board.fen()), Ok(start.clone()), "{line}");
        }
    }

    #[test]
    fn bad_books_are_named_with_their_line() {
        let message = |text: &str| Book::parse(text, "book x.epd", 1).err().map(|failure| failure.to_string());
        assert!(message("").is_some_and(|text| text.contains("x.epd")));
        let start = Board::start().fen();
        assert!(message(&format!("# {start}\nrubbish\n")).is_some_and(|text| text.contains("line 2")));
        // One bad line is no reason to refuse the good ones; nor is one that is there twice.
        let book = Book::parse(&format!("{start}\nrubbish\n# good\n{start}\n"), "book x.epd", 1).expect("one is good");
        assert_eq!(book.opening(0).board().fen(), start);
        assert_ne!(book.opening(1).board().fen(), start);
    }

    #[test]
    fn games_are_openings_and_bad_ones_are_named() {
        let moves = |text: &str| {
            let games = read_openings(text.as_bytes(), 4)?;
            Ok::<_, String>(games.iter().map(|game| game.moves().len()).collect::<Vec<_>>())
        };
        assert_eq!(moves("1.e4 e5 2.Nf3 (2. d4 exd4 {x}) 2... Nc6 $1 !? ; rest\n3. Bb9 1-0 1. d4 *"), Ok(vec![4, 1]));
        assert_eq!(moves("[Variant \"x\"]\n[FEN \"7k/8/8/8/8/8/8/R6K b - - 0 1\"]\n1... Kg7 2. Ra7+"), Ok(vec![2]));
        assert_eq!(moves(""), Ok(vec![]));
        for (text, told) in [
            ("1. e4 e5 * 1. e5", "game 2: 1.e5"),
            ("1. e4 *\n1. d4 {x d5 *\n1. c4 *", "game 2, at 1...: the comment 'x d5 * 1. c4 *' is never closed"),
            ("1. e4 (1. d4\n(1. c4) *", "game 1, at 1...: a variation is never closed"),
            ("[FEN \"8\"]\n*", "game 1: the FEN '8'"),
        ] {
            assert!(moves(text).is_err_and(|error| error.starts_with(told)), "{text}");
        }
    }

    #[test]
    fn positions_of_chess960_are_told_apart() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", false),
            ("1r2k1r1/8/8/8/8/8/8/1R3KR1 w - - 0 1", false),
            ("1r2k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", false),
            ("1r2k1r1/8/8/8/8/8/8/R3K2R w KQgb - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", true),
        ] {
            let board = Board::from_fen(fen).expect(fen);
            assert_eq!(needs_chess960(&board), expected, "{fen}");
        }
    }

    #[test]
    fn random_openings_depend_on_seed_and_pair_only() {
        let book = Book::random(5, 8, false);
        assert_eq!(book.opening(3).moves(), book.opening(3).moves());
        assert_ne!(book.opening(3).moves(), book.opening(4).moves());
        assert_eq!(book.opening(3).moves().len(), 8);
        assert_eq!(book.opening(3).start().fen(), Board::start().fen());
        let shuffled = Book::random(5, 8, true);
        assert_ne!(shuffled.opening(3).start().fen(), Board::start().fen());
        assert_ne!(shuffled.opening(3).start().fen(), shuffled.opening(4).start().fen());
    }
}
