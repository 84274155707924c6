//! PGN as it is written: the seven tags first, lines of at most eighty characters, castling and promotion as the
//! standard has them.

use std::fmt::Write;

use chess::{Board, Color, san};

use super::record::{Line, Record};

/// The tags that every game has, in their order, and what stands for something unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The longest line, unless a single word is longer or brackets close behind the last word.
const WIDTH: usize = 79;

/// A game as PGN, with an empty line after it, signed by whoever has annotated it.
pub fn write(record: &Record, annotator: Option<&str>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    for (name, unknown) in ROSTER {
        tag(name, if name == "Result" { &record.result } else { record.tag(name).unwrap_or(unknown) });
    }
    let mut signature = annotator;
    for (name, value) in &record.tags {
        match signature.filter(|_| name == "Annotator") {
            Some(annotator) => {
                signature = None;
                let joined = format!("{value}; {annotator}");
                tag(name, if value.contains(annotator) { value } else { &joined });
            }
            None if ROSTER.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) => {}
            None => tag(name, value),
        }
    }
    if let Some(annotator) = signature {
        tag("Annotator", annotator);
    }
    text.push('\n');
    let mut page = Page { text, column: 0, opening: false };
    page.line(&record.start, &record.main);
    record.closing.iter().for_each(|comment| page.comment(comment));
    page.word(&record.result);
    page.text + "\n\n"
}

/// Whether readers take a word for nothing else at the beginning of a line: a percent sign would hide that line, and what
/// looks like a tag in a comment would be the next game.
fn may_begin_a_line(word: &str) -> bool {
    !word.starts_with('%') && (!word.starts_with('[') || word.starts_with("[%"))
}

/// Text that breaks its lines.
struct Page {
    text: String,
    column: usize,
    /// Whether a bracket belongs before the next word.
    opening: bool,
}

impl Page {
    /// A word, after a space or on a new line.
    fn word(&mut self, word: &str) {
        let bracket = if std::mem::take(&mut self.opening) { "(" } else { "" };
        let length = bracket.len() + word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH && may_begin_a_line(word) {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(bracket);
        self.text.push_str(word);
        self.column += length;
    }

    /// A comment. Commands such as `[%clk 0:01:00]` are not torn apart.
    fn comment(&mut self, comment: &str) {
        let mut words: Vec<String> = Vec::new();
        for word in comment.split(' ').filter(|word| !word.is_empty()) {
            match words.last_mut() {
                Some(last) if last.starts_with("[%") && !last.contains(']') => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => words.push(word.to_string()),
            }
        }
        // What would end it early is no part of it.
        words.iter_mut().for_each(|word| *word = word.replace('}', ")"));
        let Some(first) = words.first_mut() else { return };
        first.insert(0, '{');
        if let Some(last) = words.last_mut() {
            last.push('}');
        }
        words.iter().for_each(|word| self.word(word));
    }

    /// Moves with everything that is said of them.
    fn line(&mut self, start: &Board, line: &Line) {
        line.opening.iter().for_each(|comment| self.comment(comment));
        let mut board = start.clone();
        let mut numbered = false;
        for ply in &line.plies {
            let number = board.fullmove_number();
            let text = san(&board, ply.mv);
            match board.side_to_move() {
                Color::White => self.word(&format!("{number}. {text}")),
                Color::Black if !numbered => self.word(&format!("{number}... {text}")),
                Color::Black => self.word(&text),
            }
            ply.marks.iter().for_each(|mark| self.word(&format!("${mark}")));
            ply.comments.iter().for_each(|comment| self.comment(comment));
            for variation in &ply.variations {
                self.opening = true;
                self.line(&board, variation);
                self.text.push(')');
                self.column += 1;
            }
            // After an interruption Black's move has its number again.
            numbered = ply.comments.is_empty() && ply.variations.is_empty();
            board.make(ply.mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    fn rewritten(text: &str) -> String {
        Reader::new(text.as_bytes(), 0).map(|game| write(&game, Some("Gannet"))).collect()
    }

    #[test]
    fn what_is_read_is_written() {
        let text = rewritten(
            "[ECO \"C20\"]\n[White \"A \\\"x\\\"\"]\n1.e4! {best} (1. d4 d5 (1... Nf6) 2. c4) 1... e5 2.Ke2 Ke7 0-1",
        );
        let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"x\\\"\"]\n\
            [Black \"?\"]\n[Result \"0-1\"]\n[ECO \"C20\"]\n[Annotator \"Gannet\"]\n\n\
            1. e4 $1 {best} (1. d4 d5 (1... Nf6) 2. c4) 1... e5 2. Ke2 Ke7 0-1\n\n";
        assert_eq!(text, expected);
        assert_eq!(rewritten(&text), text, "the annotator signs once");
        assert!(rewritten("[Annotator \"B\"]\n*").contains("[Annotator \"B; Gannet\"]"));
        let game = Reader::new(b"[white \"A\"]\n1. e4 *", 0).next().expect("a game");
        let unsigned = write(&game, None);
        assert!(unsigned.contains("[White \"A\"]") && !unsigned.contains("white") && !unsigned.contains("Annotator"));
    }

    #[test]
    fn lines_are_short_and_commands_whole() {
        let words = "[%clk 0:01:00] %word ".repeat(40);
        let text = rewritten(&format!("1. e4 {{{words}}} e5 *"));
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH + 10 && !line.starts_with('%'), "{line}");
            assert_eq!(line.matches("[%clk").count(), line.matches("[%clk 0:01:00]").count(), "{line}");
        }
        assert_eq!(rewritten(&text), text);
    }

    #[test]
    fn a_tag_in_a_comment_does_not_begin_a_game() {
        for length in 0..100 {
            let text = format!("1. e4 {{{} [Event \"A\"] was its name}} e5 1-0", "x ".repeat(length));
            let written = rewritten(&text);
            assert_eq!(Reader::new(written.as_bytes(), 0).count(), 1, "{written}");
            assert_eq!(rewritten(&written), written);
        }
    }
}
