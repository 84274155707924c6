//! Repetition, upcoming repetition and the fifty-move rule: what depends on the moves before.

use super::Board;
use crate::attacks;
use crate::types::{Color, Move, MoveKind, PieceKind, Square};
use crate::zobrist;

/// The keys of the positions before the current one, oldest first.
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// No history yet, with room for a long game so that searching never allocates.
    pub fn new() -> KeyHistory {
        KeyHistory { keys: Vec::with_capacity(1024) }
    }

    /// Remembers a position that is about to be left.
    ///
    /// ```
    /// use chess::{Board, KeyHistory};
    ///
    /// let mut history = KeyHistory::new();
    /// history.push(Board::start().key());
    /// assert_eq!(history.len(), 1);
    /// history.pop();
    /// assert!(history.is_empty());
    /// ```
    #[inline(always)]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Forgets the last position, on the way back to it.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Makes room for this many more positions.
    pub fn reserve(&mut self, more: usize) {
        self.keys.reserve(more);
    }

    /// How many positions came before.
    ///
    /// ```
    /// use chess::KeyHistory;
    /// assert_eq!(KeyHistory::new().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no position came before.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys that can still recur, the latest first: those since the last irreversible move.
    #[inline(always)]
    fn recent(&self, board: &Board) -> impl Iterator<Item = u64> + '_ {
        self.keys.iter().rev().take(usize::from(board.halfmove_clock())).copied()
    }

    /// How often the current position has been on the board before.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert_eq!(game.history().repetitions(game.board()), 1);
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn repetitions(&self, board: &Board) -> usize {
        let key = board.key();
        self.recent(board).skip(1).step_by(2).filter(|&k| k == key).count()
    }

    /// Whether any position since the last irreversible move, the current one included, has been there twice.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert!(game.history().has_repeated(game.board()));
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    pub fn has_repeated(&self, board: &Board) -> bool {
        let mut keys: Vec<u64> = self.recent(board).chain([board.key()]).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether a search that began `ply` plies ago should score the position as a draw: it has occurred
    /// once within the search, or twice in all.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert!(game.history().is_draw_by_repetition(game.board(), 5));
    /// assert!(!game.history().is_draw_by_repetition(game.board(), 0), "it has come once, before the search");
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    #[inline(always)]
    pub fn is_draw_by_repetition(&self, board: &Board, ply: usize) -> bool {
        let key = board.key();
        let mut before = 0;
        // The i-th key back is i + 1 plies ago; a position first recurs after four plies.
        for (distance, k) in (4..).step_by(2).zip(self.recent(board).skip(3).step_by(2)) {
            if k == key {
                if distance < ply {
                    return true;
                }
                before += 1;
                if before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move has a move that leads back to an earlier position: within the search that
    /// began `ply` plies ago, or to one that has already been repeated. Within the search it is also enough that
    /// an earlier position has a move straight to this one: the opponent has then come a roundabout way.
    ///
    /// The difference of the two keys is looked up in a table of all reversible moves ("cuckoo" hashing,
    /// after Marcel van Kervinck), so no move needs to be generated.
    ///
    /// ```
    /// use chess::{Game, parse_uci};
    ///
    /// let mut game = Game::default();
    /// for text in ["g1f3", "g8f6", "f3g1"] {
    ///     game.play(parse_uci(game.board(), text)?);
    /// }
    /// assert!(game.history().has_upcoming_repetition(game.board(), 4));
    /// # Ok::<(), chess::MoveTextError>(())
    /// ```
    #[inline(always)]
    pub fn has_upcoming_repetition(&self, board: &Board, ply: usize) -> bool {
        if board.halfmove_clock() < 3 || self.keys.len() < 3 {
            return false;
        }
        self.find_upcoming_repetition(board, ply)
    }

    fn find_upcoming_repetition(&self, board: &Board, ply: usize) -> bool {
        let mut recent = self.recent(board).enumerate();
        while let Some((index, key)) = recent.next() {
            let distance = index + 1;
            // Only positions with the other side to move are one move away.
            if distance >= 3
                && let Some(mv) = CUCKOO.find(board.key() ^ key)
                && !attacks::between(mv.from(), mv.to()).intersects(board.occupied())
            {
                if distance < ply {
                    return true;
                }
                // Before the root one occurrence is not enough. The move must be the mover's own, and the
                // position must have been there twice.
                let from = if board.occupied().contains(mv.from()) { mv.from() } else { mv.to() };
                let own = board.color(board.side_to_move()).contains(from);
                if own && self.recent(board).skip(index + 2).step_by(2).any(|k| k == key) {
                    return true;
                }
            }
            // Skip the position with the same side to move.
            recent.next();
        }
        false
    }
}

const CUCKOO_SIZE: usize = 8192;

/// Every reversible move of every piece by the change it makes to the key.
struct Cuckoo {
    keys: [u64; CUCKOO_SIZE],
    moves: [Option<Move>; CUCKOO_SIZE],
}

static CUCKOO: Cuckoo = {
    let mut table = Cuckoo { keys: [0; CUCKOO_SIZE], moves: [None; CUCKOO_SIZE] };
    let mut color = 0;
    while color < 2 {
        let mut kind = 1;
        while kind < 6 {
            let mut a = 0;
            while a < 64 {
                let mut b = a + 1;
                while b < 64 {
                    let (from, to) = (Square::new(a), Square::new(b));
                    if can_go(PieceKind::ALL[kind], from, to) {
                        let key = zobrist::piece(Color::ALL[color], PieceKind::ALL[kind], from)
                            ^ zobrist::piece(Color::ALL[color], PieceKind::ALL[kind], to)
                            ^ zobrist::black_to_move();
                        insert(&mut table, key, Move::new(from, to, MoveKind::Quiet));
                    }
                    b += 1;
                }
                a += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

/// Whether a piece goes from one square to the other on an empty board.
const fn can_go(kind: PieceKind, from: Square, to: Square) -> bool {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    let (diagonal, straight) = (files == ranks, files == 0 || ranks == 0);
    match kind {
        PieceKind::Pawn => false,
        PieceKind::Knight => files * ranks == 2,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Queen => diagonal || straight,
        PieceKind::King => files <= 1 && ranks <= 1,
    }
}

/// The two places where a key may stand.
const fn places(key: u64) -> (usize, usize) {
    (key as usize % CUCKOO_SIZE, (key >> 16) as usize % CUCKOO_SIZE)
}

/// Puts a key at its first place; whoever stood there moves to its other place, and so on.
const fn insert(table: &mut Cuckoo, key: u64, mv: Move) {
    let (mut key, mut mv) = (key, Some(mv));
    let mut place = places(key).0;
    loop {
        (table.keys[place], key) = (key, table.keys[place]);
        (table.moves[place], mv) = (mv, table.moves[place]);
        if mv.is_none() {
            return;
        }
        let (first, second) = places(key);
        place = if place == first { second } else { first };
    }
}

impl Cuckoo {
    #[inline(always)]
    fn find(&self, key: u64) -> Option<Move> {
        let (first, second) = places(key);
        if self.keys[first] == key {
            self.moves[first]
        } else if self.keys[second] == key {
            self.moves[second]
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, parse_uci};

    fn play(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = parse_uci(game.board(), text).expect(text);
            assert!(game.play(mv));
        }
        game
    }

    #[test]
    fn threefold_needs_three() {
        assert!(!play("g1f3 g8f6 f3g1 f6g8").is_threefold());
        assert!(play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8").is_threefold());
        assert!(!play("e2e4 e7e5 g1f3 g8f6 f3g1 f6g8").is_threefold());
        for (moves, repeated) in [("", false), ("g1f3 g8f6 f3g1", false), ("g1f3 g8f6 f3g1 f6g8 b1c3", true)] {
            assert_eq!(play(moves).history().has_repeated(play(moves).board()), repeated);
        }
        let game = play("g1f3 g8f6 f3g1 f6g8 e2e4");
        assert!(!game.history().has_repeated(game.board()), "the pawn has moved");
        assert_eq!(play("e2e3 e7e6 g1f3 g8f6 f3g1 f6g8").history().repetitions(play("e2e3 e7e6").board()), 0);
    }

    #[test]
    fn an_upcoming_repetition_is_seen_before_it_happens() {
        let game = play("g1f3 g8f6 f3g1");
        assert!(game.history().has_upcoming_repetition(game.board(), 4));
        // Reached before the search began, and only once: no draw yet.
        assert!(!game.history().has_upcoming_repetition(game.board(), 0));
        let game = play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(game.history().has_upcoming_repetition(game.board(), 0));
        let game = play("e2e4 g8f6 f1e2");
        assert!(!game.history().has_upcoming_repetition(game.board(), 4));
    }

    #[test]
    fn the_table_holds_every_reversible_move() {
        let count = CUCKOO.moves.iter().flatten().count();
        assert_eq!(count, 3668);
        for (key, mv) in CUCKOO.keys.iter().zip(&CUCKOO.moves) {
            if mv.is_some() {
                assert_eq!(CUCKOO.find(*key), *mv);
            }
        }
    }
}
