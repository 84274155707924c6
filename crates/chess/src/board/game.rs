//! A game, and when the rules end it.

use super::{Board, KeyHistory, Setup};
use crate::types::{Color, Move};

/// A game in progress: the current board and how it came about.
#[derive(Clone, Debug)]
pub struct Game {
    start: Board,
    board: Board,
    history: KeyHistory,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins from this position.
    ///
    /// ```
    /// use chess::{Game, Board};
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
    /// assert_eq!(Game::new(board.clone()).board(), &board);
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn new(start: Board) -> Game {
        Game { board: start.clone(), start, history: KeyHistory::new(), moves: Vec::new() }
    }

    /// The position the game began from.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The keys of the positions before it.
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move; false, and nothing changes, if it is not legal.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// let e4 = parse_uci(game.board(), "e2e4")?;
    /// assert!(game.play(e4));
    /// assert!(!game.play(e4), "it is Black's turn");
    /// assert_eq!(game.moves(), [e4]);
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> bool {
        if !self.board.is_legal(mv) {
            return false;
        }
        self.history.push(self.board.key());
        self.board.make(mv);
        self.moves.push(mv);
        true
    }

    /// Whether the position is on the board for the third time.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert!(game.is_threefold());
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn is_threefold(&self) -> bool {
        self.history.repetitions(&self.board) >= 2
    }

    /// Whether fifty moves by each side have passed without capture or pawn move, and it is not mate.
    ///
    /// ```
    /// use chess::{Game, Board};
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 90")?;
    /// assert!(Game::new(board).is_fifty_moves());
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn is_fifty_moves(&self) -> bool {
        self.board.halfmove_clock() >= 100 && !self.board.is_checkmate()
    }

    /// How the rules end the game here, if they do. The third repetition and the fifty moves, which a player would have to
    /// claim, end it by themselves.
    ///
    /// ```
    /// use chess::{Color, Game, Outcome, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     assert_eq!(game.outcome(), None);
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::Black)));
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        self.board.outcome().or_else(|| {
            let claimed =
                [(self.is_threefold(), Outcome::Threefold), (self.board.halfmove_clock() >= 100, Outcome::FiftyMoves)];
            claimed.into_iter().find_map(|(holds, outcome)| holds.then_some(outcome))
        })
    }
}

impl Board {
    /// How the rules end every game that comes to this position, if they do: by mate, stalemate, or because nobody can mate any
    /// more.
    ///
    /// ```
    /// use chess::{Board, Outcome};
    ///
    /// let board = Board::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?;
    /// assert_eq!(board.outcome(), Some(Outcome::Stalemate));
    /// # Ok::<(), chess::FenError>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        match self.has_legal_moves() {
            false if self.in_check() => Some(Outcome::Checkmate(!self.side_to_move())),
            false => Some(Outcome::Stalemate),
            true => self.is_insufficient_material().then_some(Outcome::InsufficientMaterial),
        }
    }
}

/// How the rules end a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has mated the other one.
    Checkmate(Color),
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Nobody can mate any more, however badly the other side plays.
    InsufficientMaterial,
    /// The position is on the board for the third time.
    Threefold,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
}

impl Outcome {
    /// Who has won; nobody in a draw.
    ///
    /// ```
    /// use chess::{Color, Outcome};
    ///
    /// assert_eq!(Outcome::Checkmate(Color::White).winner(), Some(Color::White));
    /// assert_eq!(Outcome::Stalemate.winner(), None);
    /// ```
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate(winner) => Some(winner),
            _ => None,
        }
    }

    /// As PGN writes it.
    ///
    /// ```
    /// use chess::{Color, Outcome};
    /// assert_eq!(Outcome::Checkmate(Color::Black).result(), "0-1");
    /// ```
    pub fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Setup::start().validate().unwrap_or_else(|_| unreachable!()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_uci;

    fn outcome(fen: &str, moves: &str) -> Option<Outcome> {
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        for text in moves.split_whitespace() {
            let mv = parse_uci(game.board(), text).expect(text);
            assert!(game.play(mv));
        }
        game.outcome()
    }

    #[test]
    fn every_end_is_found_and_the_board_comes_first() {
        let won = outcome("7k/8/6K1/8/8/8/Q7/8 w - - 99 80", "a2a8").expect("mate");
        assert_eq!((won, won.winner(), won.result()), (Outcome::Checkmate(Color::White), Some(Color::White), "1-0"));
        assert_eq!(outcome("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), Some(Outcome::Stalemate));
        assert_eq!(outcome("7k/8/8/8/8/8/r7/K7 w - - 0 1", "a1a2"), Some(Outcome::InsufficientMaterial));
        assert_eq!(outcome("7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2a3"), Some(Outcome::FiftyMoves));
        let shuffle = "a2a3 h8g8 a3a2 g8h8 ";
        assert_eq!(outcome("7k/8/8/8/8/8/R7/K7 w - - 0 1", shuffle), None);
        assert_eq!(outcome("7k/8/8/8/8/8/R7/K7 w - - 0 1", &shuffle.repeat(2)), Some(Outcome::Threefold));
        assert_eq!(Outcome::Threefold.result(), "1/2-1/2");
    }
}
