//! A game as a file has it: tags, and a main line of moves with comments, marks and variations.

use chess::{Board, Game, Move};

/// The numeric annotation glyph of `!`.
pub const GOOD: u16 = 1;
/// That of `?`.
pub const MISTAKE: u16 = 2;
/// That of `!!`.
pub const BRILLIANT: u16 = 3;
/// That of `??`.
pub const BLUNDER: u16 = 4;
/// That of `!?`.
pub const INTERESTING: u16 = 5;
/// That of `?!`.
pub const DUBIOUS: u16 = 6;

/// One game of a file.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number in the input, from 1.
    pub number: usize,
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Board,
    /// The moves that were played.
    pub main: Line,
    /// Comments after the last move and its variations.
    pub closing: Vec<String>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// What was wrong with it, in words that name the game.
    pub faults: Vec<String>,
    /// Why the main line ends before the text of the file does, if so.
    pub broken: Option<Break>,
    /// Whether a comment or a variation is never closed, so that moves may be hidden in it.
    pub unclosed: bool,
}

/// Where and why a main line ends before its text does.
#[derive(Clone, Debug)]
pub struct Break {
    /// What was wrong, in words that name the game and the move.
    pub fault: String,
    /// The word that is no move after those that were read; nothing if it is the start that is wrong.
    pub word: Option<String>,
}

/// Moves in a row.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub opening: Vec<String>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move and what is said of it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move; legal where it stands.
    pub mv: Move,
    /// Numeric annotation glyphs.
    pub marks: Vec<u16>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Other moves in its place, and how they go on.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move of which nothing is said.
    pub fn new(mv: Move) -> Ply {
        Ply { mv, marks: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Line {
    /// A line of which nothing is said.
    pub fn bare(moves: &[Move]) -> Line {
        Line { opening: Vec::new(), plies: moves.iter().map(|&mv| Ply::new(mv)).collect() }
    }

    /// Forgets everything but the moves.
    pub fn clean(&mut self) {
        self.opening.clear();
        for ply in &mut self.plies {
            *ply = Ply::new(ply.mv);
        }
    }
}

impl Record {
    /// The value of a tag, however its name is capitalised.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The game up to a ply, with all that came before it.
    pub fn game_at(&self, ply: usize) -> Game {
        let mut game = Game::new(self.start.clone());
        for ply in self.main.plies.iter().take(ply) {
            game.play(ply.mv);
        }
        game
    }
}
