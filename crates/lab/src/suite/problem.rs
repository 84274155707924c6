//! A line of an EPD file: a position and what is wanted in it.

use chess::{Board, Move, Score, parse_san, parse_uci, san};

use crate::book::board_of;

/// A position and what is wanted in it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What it is called.
    pub name: String,
    /// The position.
    pub board: Board,
    /// The moves of which one is wanted; any, if there are none.
    pub best: Vec<Move>,
    /// The moves that are not wanted.
    pub avoid: Vec<Move>,
    /// In how many moves a mate is to be found.
    pub mate: Option<i32>,
}

impl Problem {
    /// Reads a line of an EPD file. The error says what is wrong with it.
    pub fn parse(line: &str, number: usize) -> Result<Problem, String> {
        let board = board_of(line).map_err(|error| error.to_string())?;
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        // The operations begin after the fourth field, wherever that ends.
        let rest = fields.iter().fold(line, |rest, field| {
            let start = rest.find(field).map_or(rest.len(), |at| at + field.len());
            &rest[start..]
        });
        let mut problem =
            Problem { name: format!("line {number}"), board, best: Vec::new(), avoid: Vec::new(), mate: None };
        // A semicolon between quotes ends no operation, if every quote has its other end.
        let paired = rest.matches('"').count() % 2 == 0;
        let mut quoted = false;
        let ends = |letter: char| {
            quoted ^= letter == '"';
            letter == ';' && !(quoted && paired)
        };
        for operation in rest.split(ends).map(str::trim) {
            let Some((code, operand)) = operation.split_once(char::is_whitespace) else { continue };
            // Halfmove clock and move number may stand before the first operation.
            let (code, operand) = skip_counters(code, operand);
            match code {
                "bm" => problem.best = moves(&problem.board, operand)?,
                "am" => problem.avoid = moves(&problem.board, operand)?,
                "dm" => {
                    let mate = operand.trim().parse::<i32>().ok().and_then(i32::checked_abs);
                    problem.mate = Some(mate.ok_or_else(|| format!("dm '{operand}' is not a number of moves"))?);
                }
                "id" => problem.name = operand.trim_matches('"').to_string(),
                _ => {}
            }
        }
        if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
            return Err("no bm, am or dm says what is wanted".to_string());
        }
        if !problem.board.has_legal_moves() {
            return Err("the side to move has no move".to_string());
        }
        Ok(problem)
    }

    fn accepts(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }

    /// Whether this move with this score is what is wanted.
    pub fn solved(&self, mv: Move, score: Option<Score>) -> bool {
        let mated = |mate: i32| score.and_then(Score::mate_moves).is_some_and(|moves| moves.abs() <= mate);
        self.accepts(mv) && self.mate.is_none_or(mated)
    }

    /// What is wanted, in words.
    pub fn wanted(&self) -> String {
        let list = |moves: &[Move]| moves.iter().map(|&mv| san(&self.board, mv)).collect::<Vec<_>>().join(" ");
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(format!("bm {}", list(&self.best)));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("am {}", list(&self.avoid)));
        }
        if let Some(mate) = self.mate {
            parts.push(format!("dm {mate}"));
        }
        parts.join(", ")
    }
}

fn skip_counters<'a>(code: &'a str, operand: &'a str) -> (&'a str, &'a str) {
    let mut pair = (code, operand);
    while pair.0.parse::<u32>().is_ok() {
        pair = pair.1.trim_start().split_once(char::is_whitespace).unwrap_or(("", ""));
    }
    pair
}

fn moves(board: &Board, text: &str) -> Result<Vec<Move>, String> {
    let read = |word: &str| parse_san(board, word).or_else(|error| parse_uci(board, word).map_err(|_| error));
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| read(word).map_err(|error| format!("move '{word}': {error}")))
        .collect()
}

#[cfg(test)]
pub(in crate::suite) mod tests {
    use super::*;

    pub const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8+; dm 1; id \"back rank\";";

    #[test]
    fn lines_are_read() {
        let problem = Problem::parse(MATE, 7).expect("a good line");
        assert_eq!((problem.name.as_str(), problem.wanted().as_str()), ("back rank", "bm Rd8#, dm 1"));
        let quoted = Problem::parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - id \"a; b\"; bm Rd8;", 7).expect("a good line");
        assert_eq!((quoted.name.as_str(), quoted.best.len()), ("a; b", 1));
        let counters = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm d1d8; am Kf1 Kh1;";
        let problem = Problem::parse(counters, 7).expect("a good line");
        assert_eq!((problem.best.len(), problem.avoid.len(), problem.name.as_str()), (1, 2, "line 7"));
        for line in ["", "x", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;"] {
            assert!(Problem::parse(line, 1).is_err(), "{line}");
        }
    }

    #[test]
    fn a_mate_that_cannot_be_counted_is_refused() {
        for mate in ["-2147483648", "4294967296", "two"] {
            let line = format!("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; dm {mate};");
            assert!(Problem::parse(&line, 1).is_err(), "{mate}");
        }
    }
}
