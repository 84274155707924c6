//! Reading the first moves of games. It needs the rules and nothing else, so that it can be fuzzed by itself.

use chess::{Board, Game, parse_san};

/// The first plies of every game in a PGN file. An error names the game and the move, or the line.
pub fn read_openings(text: &str, plies: usize) -> Result<Vec<Game>, String> {
    let mut games = Vec::new();
    let mut current: Option<Game> = None;
    let mut number = 1;
    for token in tokens(text)? {
        match token {
            Token::Tag(name, value) => {
                if current.as_ref().is_some_and(|game| !game.moves().is_empty()) {
                    games.extend(current.take());
                    number += 1;
                }
                if name.eq_ignore_ascii_case("FEN") {
                    let board = Board::from_fen(value).map_err(|error| format!("game {number}: {error}"))?;
                    current = Some(Game::new(board));
                }
            }
            Token::Word("1-0" | "0-1" | "1/2-1/2" | "*") => {
                games.push(current.take().unwrap_or_default());
                number += 1;
            }
            Token::Word(word) => {
                let game = current.get_or_insert_with(Game::default);
                let Some(word) = move_in(word).filter(|_| game.moves().len() < plies) else { continue };
                let mv = parse_san(game.board(), word)
                    .map_err(|error| format!("game {number}, ply {}: '{word}' is {error}", game.moves().len() + 1))?;
                game.play(mv);
            }
            Token::Comment(_) => {}
        }
    }
    games.extend(current.filter(|game| !game.moves().is_empty()));
    Ok(games)
}

/// What a game is written with.
pub(super) enum Token<'a> {
    /// A tag's name and value.
    Tag(&'a str, &'a str),
    /// A move, a number, a result or a mark.
    Word(&'a str),
    /// What stands in braces.
    Comment(&'a str),
}

/// The move in a word, without its number; none if the word is a number, a mark or an annotation's code.
pub(super) fn move_in(word: &str) -> Option<&str> {
    let bare = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = if bare.starts_with('.') { bare.trim_start_matches('.') } else { word };
    let is_none = bare.is_empty()
        || bare.starts_with('$')
        || bare.chars().all(|letter| "!?".contains(letter))
        || bare.chars().all(|letter| letter.is_ascii_digit());
    (!is_none).then_some(bare)
}

/// Tags, words and comments, without variations. Where one of these is never closed, everything after it would be lost
/// without a word.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let open = |rest: &str, what: &str| {
        let line = text[..text.len() - rest.len()].matches('\n').count() + 1;
        format!("line {line}: {what} is not closed")
    };
    let (mut rest, mut depth, mut variation) = (text, 0usize, "");
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return if depth == 0 { Ok(tokens) } else { Err(open(variation, "a variation")) };
        };
        let after = |end: Option<usize>| end.map_or("", |end| rest.get(end + 1..).unwrap_or(""));
        match first {
            '{' => {
                let end = rest.find('}').ok_or_else(|| open(rest, "a comment"))?;
                if depth == 0 {
                    tokens.push(Token::Comment(rest[1..end].trim()));
                }
                rest = after(Some(end));
            }
            ';' | '%' => rest = after(rest.find('\n')),
            '(' | ')' => {
                if depth == 0 {
                    variation = rest;
                }
                depth = if first == '(' { depth + 1 } else { depth.saturating_sub(1) };
                rest = &rest[1..];
            }
            '[' if depth == 0 => {
                let end = rest.find("\"]").map(|end| end + 1).or_else(|| rest.find(']'));
                let inside = rest.get(1..end.unwrap_or(rest.len())).unwrap_or("");
                if let Some((name, value)) = inside.split_once('"') {
                    tokens.push(Token::Tag(name.trim(), value.trim_end_matches('"')));
                }
                rest = after(end);
            }
            _ => {
                let end = rest.find(|letter: char| letter.is_whitespace() || "{}();[".contains(letter));
                // A bracket out of place is a word of its own, so that reading always goes on.
                let end = end.unwrap_or(rest.len()).max(first.len_utf8());
                if depth == 0 {
                    tokens.push(Token::Word(&rest[..end]));
                }
                rest = &rest[end..];
            }
        }
    }
}
