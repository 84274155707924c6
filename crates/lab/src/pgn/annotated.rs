//! Whole games with what was said of their moves, one at a time, so that a file may be larger than memory.

use std::io::BufRead;

use chess::{Board, Game, parse_san};

use super::read::{Token, move_in, tokens};

/// The texts of the games in a file.
pub struct Texts<R> {
    input: R,
    /// The line that has begun the next game.
    next: Option<String>,
}

impl<R: BufRead> Texts<R> {
    /// The games of a file.
    pub fn new(input: R) -> Texts<R> {
        Texts { input, next: None }
    }
}

impl<R: BufRead> Iterator for Texts<R> {
    type Item = std::io::Result<String>;

    /// A game goes from its first tag to the next tag after moves.
    fn next(&mut self) -> Option<Self::Item> {
        let mut text = self.next.take().unwrap_or_default();
        let mut has_moves = false;
        loop {
            let mut bytes = Vec::new();
            match self.input.read_until(b'\n', &mut bytes) {
                Err(error) => return Some(Err(error)),
                Ok(0) => return (!text.trim().is_empty()).then_some(Ok(text)),
                Ok(_) => {}
            }
            let line = String::from_utf8_lossy(&bytes);
            if is_tag(&line) {
                if has_moves {
                    self.next = Some(line.into_owned());
                    return Some(Ok(text));
                }
            } else {
                has_moves |= !line.trim().is_empty();
            }
            text.push_str(&line);
        }
    }
}

/// Whether a line is a tag, and not the rest of a comment.
fn is_tag(line: &str) -> bool {
    let line = line.trim_end();
    line.strip_prefix('[').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        && line.ends_with("\"]")
}

/// A game as it was written down.
pub struct Annotated {
    /// Its tags.
    pub tags: Vec<(String, String)>,
    /// Its moves, from where it began.
    pub game: Game,
    /// What was said of each move; nothing of some.
    pub comments: Vec<String>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, or `*`.
    pub result: String,
}

impl Annotated {
    /// Reads the text of a game.
    pub fn parse(text: &str) -> Result<Annotated, String> {
        let (mut tags, mut comments, mut result) = (Vec::new(), Vec::<String>::new(), None);
        let mut game = Game::default();
        for token in tokens(text)? {
            match token {
                Token::Tag(name, value) => {
                    if name.eq_ignore_ascii_case("FEN") {
                        game = Game::new(Board::from_fen(value).map_err(|error| error.to_string())?);
                    }
                    tags.push((name.to_string(), value.to_string()));
                }
                Token::Word(word @ ("1-0" | "0-1" | "1/2-1/2" | "*")) => result = Some(word.to_string()),
                Token::Word(word) => {
                    let Some(word) = move_in(word) else { continue };
                    let ply = game.moves().len() + 1;
                    let mv =
                        parse_san(game.board(), word).map_err(|error| format!("ply {ply}: '{word}' is {error}"))?;
                    game.play(mv);
                    comments.push(String::new());
                }
                Token::Comment(words) => {
                    if let Some(comment) = comments.last_mut().filter(|comment| comment.is_empty()) {
                        comment.push_str(words);
                    }
                }
            }
        }
        let named = || tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
        let result = result.or_else(named).unwrap_or_else(|| "*".to_string());
        Ok(Annotated { tags, game, comments, result })
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[Event \"x\"]\n[Result \"1-0\"]\n\ne4 {book} e5 {+0.10}\n{[a second \"comment\"]}\n1. Nf3 {-0.20 5/9 1 100} 1-0\n\n\
                       [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 (1. Kd2 {no}) Ke7 {M5} *\n";

    #[test]
    fn games_come_one_at_a_time() {
        let texts: Vec<String> = Texts::new(TWO.as_bytes()).map(|text| text.expect("text")).collect();
        assert_eq!(texts.len(), 2);
        assert_eq!(texts.concat(), TWO);
        let games: Vec<Annotated> = texts.iter().map(|text| Annotated::parse(text).expect("a game")).collect();
        assert_eq!(games[0].comments, ["book", "+0.10", "-0.20 5/9 1 100"]);
        assert_eq!((games[0].result.as_str(), games[0].tag("event")), ("1-0", Some("x")));
        assert_eq!(
            (games[1].comments.as_slice(), games[1].result.as_str()),
            (&["".to_string(), "M5".to_string()][..], "*")
        );
        assert_eq!(games[1].game.board().fen(), "8/4k3/8/8/4P3/8/8/4K3 w - - 1 2");
    }

    #[test]
    fn bad_games_are_named() {
        for (text, told) in [("1. e5 *", "ply 1: 'e5'"), ("{never closed", "line 1"), ("[FEN \"x\"]\n*", "")] {
            let error = Annotated::parse(text).err().unwrap_or_else(|| panic!("{text}"));
            assert!(error.contains(told), "{error}");
        }
    }
}
