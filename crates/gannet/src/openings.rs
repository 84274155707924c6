//! What openings are called: a table of positions by the moves that usually lead there, so that a game that came there by
//! other moves has the same name.

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Board, parse_san};
use pgn::record::Record;

/// One opening a line: its code, its name, a colon, its moves.
const NAMES: &str = include_str!("openings/names.txt");

/// No opening in the table is longer.
const LONGEST: usize = 40;

/// An opening with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its code: a letter from A to E and two digits; empty where there is none.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many plies of the game belong to it.
    pub plies: usize,
}

/// Code and name of each position that has one.
static TABLE: LazyLock<HashMap<u64, (&'static str, &'static str)>> =
    LazyLock::new(|| NAMES.lines().filter_map(entry).map(|(key, code, name)| (key, (code, name))).collect());

/// The position, code and name of a line of the table.
fn entry(line: &'static str) -> Option<(u64, &'static str, &'static str)> {
    let (head, moves) = line.split_once(": ")?;
    let (code, name) = head.split_once(' ')?;
    let mut board = Board::start();
    for text in moves.split(' ') {
        let mv = parse_san(&board, text).ok()?;
        board.make(mv);
    }
    Some((board.key(), code, name))
}

/// The opening of a game: the last of its positions that has a name.
pub fn of(record: &Record) -> Option<Opening> {
    let mut board = record.start.clone();
    let mut found = None;
    for (index, ply) in record.main.plies.iter().take(LONGEST).enumerate() {
        board.make(ply.mv);
        if let Some(&(code, name)) = TABLE.get(&board.key()) {
            found = Some(Opening { code, name, plies: index + 1 });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::Reader;

    #[test]
    fn every_line_of_the_table_is_an_opening_of_its_own() {
        let mut seen = HashMap::new();
        let mut names = HashMap::new();
        for line in NAMES.lines() {
            let (key, code, name) = entry(line).unwrap_or_else(|| panic!("{line}"));
            assert!(code.len() == 3 && ('A'..='E').contains(&code.chars().next().unwrap_or(' ')), "{line}");
            assert!(code[1..].chars().all(|digit| digit.is_ascii_digit()), "{line}");
            assert_eq!(seen.insert(key, line), None, "{line}");
            assert_eq!(names.insert(name, line), None, "{line}");
            assert!(line.split_once(": ").is_some_and(|(_, moves)| moves.split(' ').count() <= LONGEST), "{line}");
        }
        assert_eq!(TABLE.len(), NAMES.lines().count());
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let opening = |moves: &str| {
            let record = Reader::new(moves.as_bytes(), 0).next().expect("a game");
            of(&record).map(|opening| (opening.code, opening.name, opening.plies))
        };
        let catalan = Some(("E01", "Catalan Opening", 7));
        assert_eq!(opening("1. d4 Nf6 2. c4 e6 3. g3 d5 4. Bg2 dxc4 *"), catalan);
        assert_eq!(opening("1. d4 d5 2. c4 e6 3. g3 Nf6 4. Bg2 *"), catalan);
        assert_eq!(opening("1. e4 e5 2. Ke2 *"), Some(("C20", "Open Game", 2)));
        assert_eq!(opening("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n1. e4 *"), None);
    }
}
