//! Games from a PGN file, one after the other. A broken game is kept up to where it breaks, with a word on what was
//! wrong; the next one begins at its tags or after the result.
//!
//! Readers that can be had elsewhere pass over words they do not know, and then nobody learns which move was meant.

use chess::{Board, Color};

use super::lexer::{Lexer, Token, split_glyph, without_evaluation};
use super::parse_move;
use super::record::{Break, Line, Ply, Record};

/// Variations within variations beyond this are left out.
const MAX_NESTING: usize = 50;

/// So many things that are wrong with a game are told.
const MAX_FAULTS: usize = 10;

/// The longest quotation of a file in a message, in characters.
const QUOTATION: usize = 40;

/// Reads the games of a file.
pub struct Reader<'a> {
    lexer: Lexer<'a>,
    number: usize,
    /// Whether what `gannet analyse` leaves out is kept.
    verbatim: bool,
}

impl<'a> Reader<'a> {
    /// From the bytes of a file; games are counted on from `number`.
    pub fn new(bytes: &'a [u8], number: usize) -> Reader<'a> {
        Reader { lexer: Lexer::new(bytes), number, verbatim: false }
    }

    /// Reads games of other variants too, as far as their moves are moves in chess, and keeps evaluations in comments.
    pub fn verbatim(self) -> Reader<'a> {
        Reader { verbatim: true, ..self }
    }

    /// The moves up to the next result or tag, played from this position.
    pub fn moves_from(&mut self, start: Board) -> Record {
        self.number += 1;
        let moves = Moves::new(self.number, Vec::new(), Vec::new(), Ok(start), self.verbatim);
        self.body(moves)
    }

    fn body(&mut self, mut moves: Moves) -> Record {
        while let Some(token) = self.lexer.peek() {
            if matches!(token, Token::Tag(..)) {
                break;
            }
            self.lexer.next();
            if moves.take(token) {
                break;
            }
        }
        // Comments behind the last result belong to the last game.
        if self.lexer.clone().all(|token| matches!(token, Token::Comment(_) | Token::OpenComment(_))) {
            for token in self.lexer.by_ref() {
                moves.take(token);
            }
        }
        moves.finish()
    }
}

impl Iterator for Reader<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let mut tags: Vec<(String, String)> = Vec::new();
        let (mut faults, mut comments, mut lost) = (Vec::new(), Vec::new(), None);
        // Nothing, or nothing but comments, is no game either.
        if self.lexer.clone().all(|token| matches!(token, Token::Comment(_))) {
            return None;
        }
        loop {
            match self.lexer.peek() {
                // A second event is a second game, of which the first has no moves.
                Some(Token::Tag(name, _)) if name == "Event" && tags.iter().any(|(known, _)| *known == name) => break,
                Some(Token::Tag(name, value)) => tags.push((name, value)),
                Some(Token::BadTag(text)) => {
                    let fault = format!("{} is no tag, expected [Name \"value\"]", quote(&text));
                    // Without its position a game would be played from the wrong one.
                    if is_fen(&text) {
                        lost = Some(fault);
                    } else if faults.len() < MAX_FAULTS {
                        faults.push(fault);
                    }
                }
                // A comment before or among the tags is no game of its own, nor is one that only the first tag ends.
                Some(token @ Token::Comment(_)) => comments.push(token),
                Some(token @ Token::OpenComment(_)) if tags.is_empty() => comments.push(token),
                _ => break,
            }
            self.lexer.next();
        }
        // Another tag has the position.
        if tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("FEN")) {
            faults.extend(lost.take());
        }
        self.number += 1;
        let start = lost.map_or_else(|| start(&tags, self.verbatim), Err);
        let mut moves = Moves::new(self.number, tags, faults, start, self.verbatim);
        for comment in comments {
            moves.take(comment);
        }
        Some(self.body(moves))
    }
}

/// Part of a message: what was found, not too long.
fn short(text: &str) -> String {
    let short = text.chars().take(QUOTATION).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    short.chain(text.chars().nth(QUOTATION).map(|_| '…')).collect()
}

/// The same in quotes.
fn quote(text: &str) -> String {
    format!("'{}'", short(text))
}

/// A line that is being read.
struct Frame {
    line: Line,
    board: Board,
    /// The board before the last move, where variations to it begin.
    before: Board,
    /// Whether what follows is passed over, up to the end of the line.
    dead: bool,
}

impl Frame {
    fn new(board: Board, dead: bool) -> Frame {
        Frame { line: Line::default(), before: board.clone(), board, dead }
    }
}

/// The moves of a game that is being read.
struct Moves {
    record: Record,
    main: Frame,
    /// The variations that are open, the innermost last.
    open: Vec<Frame>,
    /// Variations that are too deep to be kept.
    too_deep: usize,
    result: Option<String>,
    /// Whether evaluations in comments are kept.
    verbatim: bool,
}

impl Moves {
    fn new(
        number: usize,
        tags: Vec<(String, String)>,
        faults: Vec<String>,
        start: Result<Board, String>,
        verbatim: bool,
    ) -> Moves {
        let named = |fault: &String| format!("game {number}: {fault}");
        let broken = start.as_ref().err().map(|fault| Break { fault: named(fault), word: None });
        let mut faults: Vec<_> = faults.iter().map(named).collect();
        faults.extend(broken.iter().map(|broken| broken.fault.clone()));
        let start = start.unwrap_or_else(|_| Board::start());
        let main = Frame::new(start.clone(), broken.is_some());
        let record = Record {
            number,
            tags,
            start,
            main: Line::default(),
            closing: Vec::new(),
            result: "*".to_string(),
            faults,
            broken,
            unclosed: false,
        };
        Moves { record, main, open: Vec::new(), too_deep: 0, result: None, verbatim }
    }

    /// Takes a token; true if the game has ended with it.
    fn take(&mut self, token: Token) -> bool {
        match token {
            Token::Comment(text) => self.comment(&text),
            Token::OpenComment(text) => {
                self.fault(&format!("the comment {} is never closed, expected a '}}'", quote(&text)));
                self.record.unclosed = true;
                self.comment(&text);
            }
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Mark(mark) => self.mark(mark),
            Token::Word(word) => return self.word(&word),
            Token::BadTag(text) => {
                self.fault(&format!("{} is no move, expected a comment or a move", quote(&text)));
            }
            Token::Tag(..) => {}
        }
        false
    }

    fn frame(&mut self) -> &mut Frame {
        self.open.last_mut().unwrap_or(&mut self.main)
    }

    fn comment(&mut self, text: &str) {
        let text = if self.verbatim { text.to_string() } else { without_evaluation(text) };
        let deep = self.too_deep > 0;
        let frame = self.frame();
        if text.is_empty() || frame.dead || deep {
            return;
        }
        match frame.line.plies.last_mut() {
            Some(ply) => ply.comments.push(text),
            None => frame.line.opening.push(text),
        }
    }

    fn mark(&mut self, mark: u16) {
        let deep = self.too_deep > 0;
        let frame = self.frame();
        if !frame.dead
            && !deep
            && let Some(ply) = frame.line.plies.last_mut()
        {
            ply.marks.push(mark);
        }
    }

    fn open(&mut self) {
        if self.open.len() >= MAX_NESTING || self.too_deep > 0 {
            self.too_deep += 1;
            return;
        }
        let frame = self.frame();
        let (before, dead) = (frame.before.clone(), frame.dead || frame.line.plies.is_empty());
        self.open.push(Frame::new(before, dead));
    }

    fn close(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(frame) = self.open.pop() else { return };
        if let Some(ply) = self.frame().line.plies.last_mut()
            && !frame.line.plies.is_empty()
        {
            ply.variations.push(frame.line);
        }
    }

    /// Takes a word; true if it is the result.
    fn word(&mut self, word: &str) -> bool {
        if let Some(result) = result(word) {
            // Some programs end their variations with one.
            if self.open.is_empty() {
                self.result = Some(result.to_string());
            }
            return self.open.is_empty();
        }
        if word.starts_with('$') {
            self.fault(&format!("{} is no mark, expected a number such as $1; it is left out", quote(word)));
            return false;
        }
        let (text, mark) = split_glyph(without_number(word));
        if self.too_deep == 0 && !text.is_empty() && !matches!(text, "e.p." | "ep" | "+" | "#" | "++") {
            self.play(text);
        }
        if let Some(mark) = mark {
            self.mark(mark);
        }
        false
    }

    fn play(&mut self, text: &str) {
        let frame = self.frame();
        if frame.dead {
            return;
        }
        match parse_move(&frame.board, text) {
            Ok(mv) => {
                frame.before = frame.board.clone();
                frame.board.make(mv);
                frame.line.plies.push(Ply::new(mv));
            }
            Err(error) => {
                frame.dead = true;
                let null = matches!(text, "--" | "Z0" | "null" | "0000" | "@@@@");
                if self.open.is_empty() {
                    let what = if null { "a null move, expected a legal one".to_string() } else { error.to_string() };
                    let fault = self.fault_of_move(text, &format!("is {what}; the rest is left out"));
                    self.record.broken = Some(Break { fault, word: Some(text.to_string()) });
                } else if !null {
                    self.fault_of_move(text, &format!("in a variation is {error}; the variation ends there"));
                }
            }
        }
    }

    /// The number of the next move, as it stands before it: `30.` or `30...`.
    fn place(&self) -> String {
        let board = &self.open.last().unwrap_or(&self.main).board;
        let dots = if board.side_to_move() == Color::White { "." } else { "..." };
        format!("{}{dots}", board.fullmove_number())
    }

    /// Notes what was wrong, and before which move.
    fn fault(&mut self, what: &str) -> String {
        let text = format!("game {}, at {}: {what}", self.record.number, self.place());
        self.note(text)
    }

    /// Notes what was wrong with a move.
    fn fault_of_move(&mut self, mv: &str, what: &str) -> String {
        let text = format!("game {}: {}{} {what}", self.record.number, self.place(), short(mv));
        self.note(text)
    }

    fn note(&mut self, text: String) -> String {
        // A file that is no PGN at all has thousands of them.
        if self.record.faults.len() < MAX_FAULTS {
            self.record.faults.push(text.clone());
        }
        text
    }

    fn finish(mut self) -> Record {
        if !self.open.is_empty() {
            self.fault("a variation is never closed, expected a ')'");
            self.record.unclosed = true;
        }
        while !self.open.is_empty() {
            self.too_deep = 0;
            self.close();
        }
        let mut record = self.record;
        record.main = self.main.line;
        let tag = record.tag("Result").and_then(result).map(str::to_string);
        record.result = self.result.filter(|result| result != "*").or(tag).unwrap_or_else(|| "*".to_string());
        record
    }
}

/// A word without the number of the move before it: `12`, `12.`, `12...` or, as some have it, `12…`.
fn without_number(word: &str) -> &str {
    let dots = ['.', '…'];
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() || rest.starts_with(dots) { rest.trim_start_matches(dots) } else { word }
}

/// A result as the standard writes it.
fn result(word: &str) -> Option<&'static str> {
    Some(match word {
        "1-0" => "1-0",
        "0-1" => "0-1",
        "1/2-1/2" | "1/2" | "½-½" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

/// Whether this was meant to be the tag of a start position.
fn is_fen(tag: &str) -> bool {
    let text = tag.trim_start_matches('[').trim_start();
    let name = text.split(|letter: char| !letter.is_alphabetic() && letter != '_').next();
    name.is_some_and(|name| name.eq_ignore_ascii_case("FEN"))
}

/// Where a game with these tags begins.
fn start(tags: &[(String, String)], verbatim: bool) -> Result<Board, String> {
    let tag = |name: &str| tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    if let Some(variant) = tag("Variant").filter(|_| !verbatim) {
        let known =
            ["standard", "chess", "normal", "from position", "chess960", "chess 960", "fischerandom", "fischerrandom"];
        let name = variant.to_ascii_lowercase();
        if !known.contains(&name.as_str()) {
            return Err(format!("variant {} is not known, expected Standard or Chess960", quote(variant)));
        }
    }
    match tag("FEN") {
        Some(fen) => Board::from_fen(fen).map_err(|error| format!("the FEN {} is of no use: {error}", quote(fen))),
        None => Ok(Board::start()),
    }
}

#[cfg(test)]
mod tests;
