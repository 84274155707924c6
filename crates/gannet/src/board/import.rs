//! Games and positions that people paste: a FEN, a game in PGN, moves in SAN or coordinates with or without numbers, a
//! `position` command.

use chess::Game;

use super::game;

/// The game that a text describes. Of several games the first is taken, of several variations the main one.
pub fn read(text: &str) -> Result<Game, String> {
    let words: Vec<_> = text.split_whitespace().skip_while(|&word| word == "position" || word == "fen").collect();
    match words.first() {
        None => Err("there is nothing to read: expected a FEN or moves".to_string()),
        Some(first) if first.matches('/').count() == 7 => {
            let mut parts = words.splitn(2, |&word| word == "moves");
            let start = parts.next().unwrap_or_default().join(" ");
            read_moves(&start, parts.next().unwrap_or_default().iter().copied())
        }
        _ => {
            let (fen, words) = split_pgn(text);
            let skipped = ["position", "startpos", "moves"];
            read_moves(fen.unwrap_or_default(), words.into_iter().filter(|word| !skipped.contains(word)))
        }
    }
}

fn read_moves<'a>(start: &str, words: impl Iterator<Item = &'a str>) -> Result<Game, String> {
    let mut game = Game::new(game::read_start(start)?);
    for word in words {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            break;
        }
        let text = without_number(word);
        // Signs such as $1 and !? say what somebody thought of a move.
        if text.is_empty() || text.starts_with(['$', '!', '?']) {
            continue;
        }
        game::play(&mut game, text)?;
    }
    Ok(game)
}

/// A word without the number of the move before it, `12.` or `12...`, and without what some put in place of one.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.strip_prefix(['.', '…']) {
        Some(rest) => rest.trim_start_matches(['.', '…']),
        None if rest.is_empty() => rest,
        None => word,
    }
}

/// The start position among the tags of a PGN, and the words that are neither tag nor comment nor variation.
fn split_pgn(text: &str) -> (Option<&str>, Vec<&str>) {
    let mut fen = None;
    let mut words = Vec::new();
    let mut variations = 0_usize;
    let mut rest = text;
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        let skip = match first {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            ';' | '%' => rest.find('\n').unwrap_or(rest.len()),
            '[' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                let tag = rest.get(..end).unwrap_or_default();
                let value = tag.get(..5).filter(|name| name.eq_ignore_ascii_case("[FEN ")).and(tag.split('"').nth(1));
                fen = fen.or(value);
                end
            }
            '(' | ')' => {
                variations = if first == '(' { variations + 1 } else { variations.saturating_sub(1) };
                1
            }
            _ => {
                // A letter of any length, so that odd ones cannot bring the loop to a stand.
                let end = rest.find(|letter: char| letter.is_whitespace() || "{;()".contains(letter));
                let end = end.unwrap_or(rest.len());
                if variations == 0 {
                    words.extend(rest.get(..end));
                }
                end
            }
        };
        rest = rest.get(skip.max(first.len_utf8())..).unwrap_or_default();
    }
    (fen, words)
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
        assert!(read("1. e4 Nf9").is_err_and(|error| error.starts_with("move 2, 'Nf9', is not written like a move")));
    }
}
