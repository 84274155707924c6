//! The words of a PGN file. Whatever the bytes are, they become tokens: nothing is refused here.
//!
//! Text that is not UTF-8 is taken for ISO 8859-1, as the standard has it.

use super::record;

/// A word of a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// `[Name "value"]`.
    Tag(String, String),
    /// What begins like a tag and is none, up to its end or that of the line.
    BadTag(String),
    /// `{text}` or `; text`, without what marks it as such.
    Comment(String),
    /// A comment that was not closed before the next game began.
    OpenComment(String),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// `$n`.
    Mark(u16),
    /// Anything else: a move, a number, a result.
    Word(String),
}

/// Reads tokens from bytes. A clone looks ahead.
#[derive(Clone)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// How the tag begins that opens a game in nearly every file. It does not stand in comments.
const NEXT_GAME: &[u8] = b"\n[Event \"";

impl<'a> Lexer<'a> {
    /// From the beginning of a file.
    pub fn new(bytes: &'a [u8]) -> Lexer<'a> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Lexer { bytes, position: 0 }
    }

    /// The next token, which is read again by the next call of [`Lexer::next`].
    pub fn peek(&mut self) -> Option<Token> {
        let position = self.position;
        let token = self.next();
        self.position = position;
        token
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// Takes this many bytes.
    fn take(&mut self, length: usize) -> &'a [u8] {
        let rest = self.rest();
        let taken = &rest[..length.min(rest.len())];
        self.position += taken.len();
        taken
    }

    /// Takes everything up to the end of the line, and that too.
    fn take_line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let line = self.take(length);
        self.take(1);
        line
    }

    /// Whether the next byte is the first of a line.
    fn at_line_start(&self) -> bool {
        self.position == 0 || self.bytes.get(self.position - 1) == Some(&b'\n')
    }

    fn comment(&mut self) -> Token {
        self.take(1);
        let rest = self.rest();
        let ends = |index: usize| rest[index] == b'}' || rest[index..].starts_with(NEXT_GAME);
        let length = (0..rest.len()).find(|&index| ends(index)).unwrap_or(rest.len());
        let comment = tidy(self.take(length));
        match rest.get(length) {
            Some(b'}') => {
                self.take(1);
                Token::Comment(comment)
            }
            _ => Token::OpenComment(comment),
        }
    }

    fn tag(&mut self) -> Token {
        match tag(self.rest()) {
            Some((name, value, length)) => {
                self.take(length);
                Token::Tag(name, value)
            }
            None => {
                let rest = self.rest();
                let line = || rest.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
                let length = bad_tag(tag_line(rest)).map_or_else(|| line().len(), |end| end + 1);
                Token::BadTag(tidy(self.take(length)))
            }
        }
    }

    fn mark(&mut self) -> Token {
        let rest = self.rest();
        let digits = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        let text = text(self.take(1 + digits));
        match text.trim_start_matches('$').parse() {
            Ok(number) => Token::Mark(number),
            Err(_) => Token::Word(text),
        }
    }

    fn word(&mut self) -> Token {
        let rest = self.rest();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}()[];$".contains(byte);
        // A delimiter out of place is a word of its own, so that reading always goes on.
        let length = rest.iter().position(ends).unwrap_or(rest.len()).max(1);
        Token::Word(text(self.take(length)))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let first = *self.rest().first()?;
            match first {
                b'%' if self.at_line_start() => {
                    self.take_line();
                }
                _ if first.is_ascii_whitespace() => {
                    self.take(1);
                }
                b';' => {
                    let line = tidy(self.take_line());
                    return Some(Token::Comment(line.trim_start_matches(';').trim_start().replace('}', ")")));
                }
                b'{' => return Some(self.comment()),
                b'[' => return Some(self.tag()),
                b'(' | b')' => {
                    self.take(1);
                    return Some(if first == b'(' { Token::Open } else { Token::Close });
                }
                b'$' => return Some(self.mark()),
                _ => return Some(self.word()),
            }
        }
    }
}

/// Bytes as text.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Bytes as text with single spaces, and nothing that means something to a terminal.
fn tidy(bytes: &[u8]) -> String {
    let spaced = text(bytes).replace(|letter: char| letter.is_control(), " ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// No tag is longer than this. To look further for its end, again for each of many bad ones in a line, would take long.
const MAX_TAG: usize = 4096;

/// The line that begins here, as far as a tag may reach.
fn tag_line(bytes: &[u8]) -> &[u8] {
    let reach = &bytes[..bytes.len().min(MAX_TAG)];
    reach.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// `[Name "value"]` at the beginning: name, value, and how many bytes it takes.
fn tag(bytes: &[u8]) -> Option<(String, String, usize)> {
    let line = tag_line(bytes);
    let quote = line.iter().position(|&byte| byte == b'"')?;
    let name = text(line.get(1..quote)?);
    let name = name.trim();
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return None;
    }
    let (mut value, mut escaped) = (Vec::new(), false);
    for (index, &byte) in line.iter().enumerate().skip(quote + 1) {
        match byte {
            _ if escaped => {
                value.push(byte);
                escaped = false;
            }
            b'\\' => escaped = true,
            b'"' => {
                let after = line.get(index + 1..)?;
                let gap = after.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let closed = after.get(gap) == Some(&b']');
                return closed.then(|| (name.to_string(), tidy(&value), index + gap + 2));
            }
            _ => value.push(byte),
        }
    }
    None
}

/// Where a tag that is none ends on its line: at the bracket that closes it, which is not one within quotes or of a pair
/// inside. Quotes that do not match count for nothing, and where the brackets do not match either, the first closes.
fn bad_tag(line: &[u8]) -> Option<usize> {
    let closing = |mind_quotes: bool| {
        let (mut depth, mut quoted) = (0usize, false);
        line.iter().position(|&byte| {
            match byte {
                b'"' => quoted = mind_quotes && !quoted,
                b'[' if !quoted => depth += 1,
                b']' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            byte == b']' && !quoted && depth == 0
        })
    };
    closing(true).or_else(|| closing(false)).or_else(|| line.iter().position(|&byte| byte == b']'))
}

/// A comment without the evaluations of an earlier analysis, which the new ones replace.
pub fn without_evaluation(comment: &str) -> String {
    let mut kept = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%eval") {
        kept.push_str(before);
        rest = after.split_once(']').map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The marks that `!?` and the like stand for, and the word without them.
pub fn split_glyph(word: &str) -> (&str, Option<u16>) {
    let core = word.trim_end_matches(['!', '?']);
    let mark = match &word[core.len()..] {
        "!" => Some(record::GOOD),
        "?" => Some(record::MISTAKE),
        "!!" => Some(record::BRILLIANT),
        "??" => Some(record::BLUNDER),
        "!?" => Some(record::INTERESTING),
        "?!" => Some(record::DUBIOUS),
        _ => None,
    };
    (core, mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &[u8]) -> Vec<Token> {
        Lexer::new(text).collect()
    }

    fn word(text: &str) -> Token {
        Token::Word(text.to_string())
    }

    #[test]
    fn every_kind_of_word_is_told_from_the_others() {
        let text = b"\xef\xbb\xbf[White \"A \\\"x\\\" \\\\\"]\n% not this\n1.e4 {a {b\n c} $14 (1. d4) ; rest }\n*";
        let expected = [
            Token::Tag("White".into(), "A \"x\" \\".into()),
            word("1.e4"),
            Token::Comment("a {b c".into()),
            Token::Mark(14),
            Token::Open,
            word("1."),
            word("d4"),
            Token::Close,
            Token::Comment("rest )".into()),
            word("*"),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn what_is_not_closed_ends_with_the_game() {
        assert_eq!(tokens(b"{x"), [Token::OpenComment("x".into())]);
        let cut = tokens(b"e4 {x\n\n[Event \"2\"]\nd4 {y}");
        assert_eq!(cut[1], Token::OpenComment("x".into()));
        assert_eq!(cut[2], Token::Tag("Event".into(), "2".into()));
        for text in ["[White \"x\"\n", "[White x]", "[\"x\"]", "[White \"x", "[é \"x\"]"] {
            assert!(matches!(tokens(text.as_bytes())[..], [Token::BadTag(_), ..]), "{text}");
        }
        let odd = "[Event \"A [very] \"odd\" one\"]";
        assert_eq!(tokens(format!("{odd} \r\ne4").as_bytes()), [Token::BadTag(odd.into()), word("e4")]);
        assert_eq!(tokens(b"[White x] e4"), [Token::BadTag("[White x]".into()), word("e4")]);
    }

    #[test]
    fn a_bad_tag_ends_with_its_own_bracket() {
        for odd in
            ["[Event x]", "[Event A [very] odd [one]]", "[Event \"A ] \"very\" odd one\"]", "[Event \"A [b] c]", "[[x]"]
        {
            let bad = Token::BadTag(odd.into());
            let clock = Token::OpenComment("[%clk 1]".into());
            assert_eq!(tokens(format!("{odd} e4 {{[%clk 1]\n").as_bytes()), [bad.clone(), word("e4"), clock], "{odd}");
            let tag = Token::Tag("White".into(), "y".into());
            assert_eq!(tokens(format!(" {odd} [White \"y\"]").as_bytes()), [bad, tag], "{odd}");
        }
    }

    #[test]
    fn any_bytes_become_tokens() {
        assert_eq!(tokens(b"{M\xfcller}"), [Token::Comment("Müller".into())]);
        assert_eq!(tokens("{Müller}".as_bytes()), [Token::Comment("Müller".into())]);
        assert_eq!(tokens(b"$ $x $99999 ]"), [word("$"), word("$"), word("x"), word("$99999"), word("]")]);
        for byte in 0..=255u8 {
            for other in 0..=255u8 {
                assert!(tokens(&[byte, other, byte]).len() <= 3);
            }
        }
    }

    #[test]
    fn glyphs_and_old_evaluations_are_taken_off() {
        assert_eq!(split_glyph("Nf3!?"), ("Nf3", Some(5)));
        assert_eq!(split_glyph("e4"), ("e4", None));
        assert_eq!(split_glyph("e4!!!"), ("e4", None));
        assert_eq!(without_evaluation("[%eval 0.3] [%clk 1:00] so"), "[%clk 1:00] so");
        assert_eq!(without_evaluation("x [%eval"), "x");
    }
}
