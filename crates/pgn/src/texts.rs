//! The games of a file one at a time, so that it may be larger than memory.

use std::io::{self, BufRead};

/// The texts of the games in a file.
pub struct Texts<R> {
    input: R,
    /// The line that has begun the next game.
    next: Vec<u8>,
}

impl<R: BufRead> Texts<R> {
    /// The games of a file.
    pub fn new(input: R) -> Texts<R> {
        Texts { input, next: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Texts<R> {
    type Item = io::Result<Vec<u8>>;

    /// A game goes from its first tag to the next tag after moves.
    fn next(&mut self) -> Option<Self::Item> {
        let mut text = std::mem::take(&mut self.next);
        let mut has_moves = false;
        loop {
            let begin = text.len();
            match self.input.read_until(b'\n', &mut text) {
                Err(error) => return Some(Err(error)),
                Ok(0) => return (!text.trim_ascii().is_empty()).then_some(Ok(text)),
                Ok(_) => {}
            }
            let line = &text[begin..];
            if is_tag(line) {
                if has_moves {
                    self.next = text.split_off(begin);
                    return Some(Ok(text));
                }
            } else {
                has_moves |= !line.trim_ascii().is_empty();
            }
        }
    }
}

/// Whether a line is a tag, and not the rest of a comment.
fn is_tag(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.first() == Some(&b'[') && line.get(1).is_some_and(u8::is_ascii_alphabetic) && line.ends_with(b"\"]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    const TWO: &[u8] = b"[Event \"x\"]\n[Result \"1-0\"]\n\ne4 {book} e5 {+0.10}\n{[a second \"comment\"]}\n1. Nf3 {-0.20 5/9} 1-0\n\n\
                         [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 (1. Kd2 {no}) Ke7 {M\xfc5} *\n";

    #[test]
    fn games_come_one_at_a_time() {
        let texts: Vec<Vec<u8>> = Texts::new(TWO).map(|text| text.expect("text")).collect();
        assert_eq!(texts.len(), 2);
        assert_eq!(texts.concat(), TWO);
        let games: Vec<_> = texts.iter().flat_map(|text| Reader::new(text, 0)).collect();
        assert_eq!((games[0].result.as_str(), games[0].tag("event")), ("1-0", Some("x")));
        assert_eq!(games[1].game_at(2).board().fen(), "8/4k3/8/8/4P3/8/8/4K3 w - - 1 2");
        assert_eq!(games[1].main.plies[1].comments, ["M\u{fc}5"]);
        assert_eq!(Texts::new(&b" \n\n"[..]).count(), 0);
    }
}
