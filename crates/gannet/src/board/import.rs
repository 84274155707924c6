//! Games and positions that people paste: a FEN, a game in PGN, moves in SAN or coordinates with or without numbers, a
//! `position` command.

use chess::Board;

use super::{game, tree};
use crate::json;
use pgn::Reader;
use pgn::record::{Break, Record};

/// So many games of a file are named.
const MAX_NAMED: usize = 1000;

/// What a text has in it.
pub struct Import {
    /// The game that was asked for.
    pub record: Record,
    /// How many there are.
    count: usize,
    /// Who plays in the first of them.
    names: Vec<String>,
}

impl Import {
    /// As the page reads it.
    pub fn describe(&self) -> Result<String, String> {
        Ok(json::object([
            ("game", tree::describe(&self.record)?),
            ("number", self.record.number.to_string()),
            ("count", self.count.to_string()),
            ("names", json::list(self.names.iter().map(|name| json::text(name)))),
        ]))
    }
}

/// The game of this number, from 1, that a text describes. A game that is broken is kept up to there; only where nothing can
/// be read is it refused.
pub fn read(text: &str, number: usize) -> Result<Import, String> {
    // Pages have other blanks than files.
    let text = text.replace(|letter: char| letter.is_whitespace() && letter != '\n', " ");
    let text = without_words(&text, &["position", "fen"]);
    let import = match text.split_whitespace().next() {
        None => return Err("there is nothing to read: expected a FEN or moves".to_string()),
        Some(first) if first.matches('/').count() == 7 => {
            let words: Vec<_> = text.split_whitespace().collect();
            let mut parts = words.splitn(2, |&word| word == "moves").map(|words| words.join(" "));
            let start = game::read_start(&parts.next().unwrap_or_default())?;
            let record = Reader::new(parts.next().unwrap_or_default().as_bytes(), 0).verbatim().moves_from(start);
            Import { record, count: 1, names: Vec::new() }
        }
        Some(_) => choose(without_words(text, &["startpos", "moves"]), number)?,
    };
    match &import.record.broken {
        // What begins with a word that is no move is no game at all.
        Some(Break { word: Some(word), .. })
            if import.record.tags.is_empty() && import.record.main.plies.is_empty() =>
        {
            game::play(&mut import.record.game_at(0), word)?;
        }
        Some(Break { fault, word: None }) => return Err(tree::without_name(&import.record, fault).to_string()),
        _ if import.record.main.plies.len() > game::MAX_PLIES => game::room(&import.record.game_at(game::MAX_PLIES))?,
        _ => {}
    }
    Ok(import)
}

/// A game of several.
fn choose(text: &str, number: usize) -> Result<Import, String> {
    let (mut chosen, mut count, mut names) = (None, 0, Vec::new());
    for record in Reader::new(text.as_bytes(), 0).verbatim() {
        count += 1;
        if names.len() < MAX_NAMED {
            names.push(name(&record));
        }
        if count == number {
            chosen = Some(record);
        }
    }
    if count == 0 {
        // A comment, say, or half a word of one.
        let record = Reader::new(b"", 0).moves_from(Board::start());
        return Ok(Import { record, count: 1, names });
    }
    let record = chosen.ok_or_else(|| format!("there is no game {number}; the text has {count}"))?;
    Ok(Import { record, count, names })
}

/// What a game is called in a list.
fn name(record: &Record) -> String {
    let tag = |name| record.tag(name).filter(|value| !value.is_empty() && !value.starts_with('?'));
    let players = format!("{} – {}", tag("White").unwrap_or("?"), tag("Black").unwrap_or("?"));
    let rest = [Some(record.result.as_str()), tag("Event"), tag("Date").and_then(|date| date.get(..4))];
    rest.into_iter().flatten().fold(players, |name, part| format!("{name}, {part}"))
}

/// A text from its first word on that is none of these.
fn without_words<'a>(text: &'a str, words: &[&str]) -> &'a str {
    let mut rest = text.trim_start();
    loop {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !words.contains(&word) {
            return rest;
        }
        rest = after.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::uci;

    fn moves(text: &str) -> Result<String, String> {
        let record = read(text, 1)?.record;
        Ok(record.main.plies.iter().map(|ply| uci(ply.mv, false).to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn all_usual_forms_are_read() {
        let italian = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
        for text in [
            italian,
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O",
            "1.\u{a0}e4 1…e5 2.\u{a0}Nf3 $ Nc6 3.\u{2003}Bc4 Bc5\r\n4. e1g1",
            "; from a newspaper\n[Variant \"Three-check\"]\n{then} [Event \"x\"] 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O\n[Event \"two\"]\n1. d4",
            "1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 *",
            "1 e4 e5 2 Nf3! $1 Nc6 3 Bc4 (3 Bb5 a6 (3... Nf6) 4 Ba4) 3... Bc5 ?! {a comment (with 1. d4} 4 O-O ; the end",
            "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1",
            "[Event \"A [odd] \\\"game\\\"\"]\n[White \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1/2-1/2\n\n[Event \"two\"]\n1. d4",
        ] {
            assert_eq!(moves(text).as_deref(), Ok(italian), "{text}");
        }
    }

    #[test]
    fn positions_are_read_with_and_without_moves() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let tagged = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 Kd7");
        for (text, played) in [
            (fen.to_string(), ""),
            ("4k3/8/8/8/8/8/4P3/4K3 w".to_string(), ""),
            (format!("position fen {fen} moves e2e4 e8d7"), "e2e4 e8d7"),
            (format!("{fen} moves e4 Kd7"), "e2e4 e8d7"),
            (tagged, "e2e4 e8d7"),
        ] {
            assert_eq!(moves(&text).as_deref(), Ok(played), "{text}");
            assert_eq!(read(&text, 1).expect("read above").record.start.fen(), fen);
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n1. e4 {x} (1. e3) Kd7 $1 2.e5 ; end\n*";
        for (index, _) in text.char_indices() {
            for odd in
                ["", "é", "…", "[", "{", "(", ")", ";", "\"", "0", ".", "\u{0}", "\u{feff}", "\n", "999999999999"]
            {
                // Whether it is read or refused is one thing; that it comes back is what counts here.
                let _ = read(&format!("{}{odd}{}", &text[..index], &text[index..]), 1).map(|import| import.describe());
                let _ = read(&format!("{}{odd}", &text[..index]), 1);
            }
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        let many = "Nf3 Nf6 Ng1 Ng8 ".repeat(game::MAX_PLIES / 4 + 1);
        for (text, parts) in [
            ("", "there is nothing to read"),
            (" \n", "there is nothing to read"),
            ("hello", "1.hello is not written like a move"),
            ("é", "1.é is not written like a move"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "bad FEN"),
            ("[FEN \"4k3/8 w\"]\n1. e4", "the FEN '4k3/8 w' is of no use: "),
            ("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n", "is no tag, expected [Name \"value\"]"),
            (&many, "more than 600 moves"),
        ] {
            assert!(read(text, 1).is_err_and(|error| error.starts_with(parts) || error.contains(parts)), "{text}");
        }
        for text in ["…", "[", "{"] {
            assert_eq!(moves(text).as_deref(), Ok(""), "{text}");
        }
    }

    #[test]
    fn a_broken_end_keeps_what_was_read() {
        for (text, kept, fault) in [
            ("1. e4 e4", "e2e4", "1...e4 is not a legal move here; the rest is left out"),
            ("e2e4 moves) x", "e2e4", "1...moves is not written like a move; the rest is left out"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 9 moves 9. e4 Kd7 10. e4", "e2e4 e8d7", "10.e4 is not a legal move here"),
            ("[White \"A\"]\n1. Nf9", "", "1.Nf9 is not written like a move"),
        ] {
            assert_eq!(moves(text).as_deref(), Ok(kept), "{text}");
            let told = read(text, 1).and_then(|import| import.describe()).expect("read above");
            assert!(told.contains(&format!(r#""faults":["{fault}"#)), "{text}: {told}");
        }
    }

    #[test]
    fn of_several_games_one_is_chosen() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Date \"1999.??.??\"]\n1. e4 1-0\n\n[White \"?\"]\n[Event \"x\"]\n1. d4 d5 *";
        let second = read(text, 2).expect("there are two");
        assert_eq!((second.record.main.plies.len(), second.count), (2, 2));
        assert_eq!(second.names, ["A – B, 1-0, 1999", "? – ?, *, x"]);
        assert!(read(text, 3).is_err_and(|error| error == "there is no game 3; the text has 2"));
    }
}
