//! Games and positions that people paste: a FEN, a game in PGN, moves in SAN or coordinates with or without numbers, a
//! `position` command.

use chess::{Board, Game};

use super::game;
use crate::pgn::Reader;
use crate::pgn::record::{Break, Record};

/// The game that a text describes. Of several games the first is taken, of several variations the main one.
pub fn read(text: &str) -> Result<Game, String> {
    // Pages have other blanks than files.
    let text = text.replace(|letter: char| letter.is_whitespace() && letter != '\n', " ");
    let text = without_words(&text, &["position", "fen"]);
    match text.split_whitespace().next() {
        None => Err("there is nothing to read: expected a FEN or moves".to_string()),
        Some(first) if first.matches('/').count() == 7 => {
            let words: Vec<_> = text.split_whitespace().collect();
            let mut parts = words.splitn(2, |&word| word == "moves").map(|words| words.join(" "));
            let start = game::read_start(&parts.next().unwrap_or_default())?;
            play(Reader::new(parts.next().unwrap_or_default().as_bytes(), 0).moves_from(start))
        }
        Some(_) => {
            let moves = without_words(text, &["startpos", "moves"]);
            let first = Reader::new(moves.as_bytes(), 0).any_variant().next();
            first.map_or_else(|| Ok(Game::new(Board::start())), play)
        }
    }
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

/// The game of a record, if it is whole.
fn play(record: Record) -> Result<Game, String> {
    let mut game = Game::new(record.start);
    for ply in &record.main.plies {
        game::room(&game)?;
        game.play(ply.mv);
    }
    match record.broken {
        // Refused here in the same words as any move that the page sends.
        Some(Break { word: Some(word), .. }) => game::play(&mut game, &word)?,
        Some(Break { fault, word: None }) => return Err(fault),
        None => {}
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::uci;

    fn moves(text: &str) -> Result<String, String> {
        let game = read(text)?;
        Ok(game.moves().iter().map(|&mv| uci(mv, false).to_string()).collect::<Vec<_>>().join(" "))
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
            assert_eq!(read(&text).expect("read above").start().fen(), fen);
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
                let _ = read(&format!("{}{odd}{}", &text[..index], &text[index..]));
                let _ = read(&format!("{}{odd}", &text[..index]));
            }
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for text in ["", " \n", "hello", "1. e4 e4", "é", "…", "[", "{", "8/8/8/8/8/8/8/8 w - - 0 1", "e2e4 moves) x"]
        {
            let result = read(text);
            let harmless = matches!(text, "…" | "[" | "{");
            assert_eq!(result.is_ok(), harmless, "{text}: {result:?}");
        }
        for (text, parts) in [
            ("[FEN \"4k3/8 w\"]\n1. e4", "the FEN '4k3/8 w' is of no use: "),
            ("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n", "is no tag, expected [Name \"value\"]"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves 1. e4 Kd7 2. e4", "2.e4 is not a legal move here"),
            (&"Nf3 Nf6 Ng1 Ng8 ".repeat(game::MAX_PLIES / 4 + 1), "more than 600 moves"),
        ] {
            assert!(read(text).is_err_and(|error| error.contains(parts)), "{text}: {:?}", read(text));
        }
        assert!(read("1. e4 Nf9").is_err_and(|error| error.starts_with("1...Nf9 is not written like a move")));
    }
}
