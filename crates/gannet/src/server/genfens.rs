//! `genfens N seed S book None|FILE`: random openings for a test framework that makes training data.
//!
//! Which openings are worth playing is asked of the evaluation that is loaded, as a framework loads its own first.
//! The same numbers give the same positions, so several machines with different seeds do not repeat each other.

use std::path::Path;

use chess::{Board, Game};
use engine::openings::{is_playable, random_opening, random_plies};
use engine::{Control, Engine, Source, SplitMix64};
use uci::Openings;

use crate::output::{complain, inform, say};

/// Random plies from the start position: so many or one more.
const PLIES: usize = 8;
/// Random plies from a position of a book: so many or one more.
const BOOK_PLIES: usize = 4;
/// The table of the engine that looks at the openings, in MiB.
const HASH: usize = 1;
/// So many openings in a row that nobody wants to play, and the book is at fault.
const PATIENCE: usize = 1000;

/// Prints the positions, until it is told to stop.
pub fn run(wanted: &Openings, chess960: bool, evaluation: Source, control: &Control) {
    if let Err(message) = print(wanted, chess960, evaluation, control) {
        complain(message);
    }
}

fn print(wanted: &Openings, chess960: bool, evaluation: Source, control: &Control) -> Result<(), String> {
    let book = wanted.book.as_deref().map(|text| read_book(file_of(text))).transpose()?;
    let mut engine = Engine::new(HASH).map_err(|error| error.to_string())?;
    engine.set_evaluation(evaluation);
    let mut draws = SplitMix64::new(wanted.seed);
    let mut draw = |bound| draws.below(bound);
    for _ in 0..wanted.count {
        let mut opening = None;
        for _ in 0..PATIENCE {
            if control.is_stopped() {
                return Ok(());
            }
            let board = match &book {
                None => Some(random_opening((PLIES + draw(2)) as u32, chess960, &mut draw)),
                Some(book) => {
                    let start = book[draw(book.len())].clone();
                    random_plies(start, (BOOK_PLIES + draw(2)) as u32, &mut draw)
                }
            };
            opening = board.filter(|board| is_playable(&mut engine, &Game::new(board.clone()), control));
            if opening.is_some() {
                break;
            }
        }
        let board = opening.ok_or("no balanced opening was found; is the book one of balanced positions?")?;
        let fen = if chess960 { board.shredder_fen() } else { board.fen() };
        say(format_args!("info string genfens {fen}"));
    }
    Ok(())
}

/// The file that a text begins with: the longest one there is, as the framework may add words. All of it, if none.
fn file_of(text: &str) -> &str {
    let ends = text.match_indices(' ').map(|(end, _)| end).rev();
    std::iter::once(text.len())
        .chain(ends)
        .map(|end| &text[..end])
        .find(|path| Path::new(path).is_file())
        .unwrap_or(text)
}

/// The positions of a book: one FEN or EPD a line, besides remarks behind `#`. Lines that are neither are passed over and
/// told of. There is at least one position.
fn read_book(path: &str) -> Result<Vec<Board>, String> {
    let fail = |error: &dyn std::fmt::Display| format!("cannot read book {path}: {error}");
    // A device would be read until there is no memory left.
    if !std::fs::metadata(path).map_err(|error| fail(&error))?.is_file() {
        return Err(fail(&"not a file"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| fail(&error))?;
    let (mut boards, mut bad) = (Vec::new(), Vec::new());
    let lines = text.lines().enumerate().map(|(index, line)| (index, line.trim()));
    for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let counters = fields.iter().skip(4).take(2).filter(|field| field.parse::<u32>().is_ok()).count();
        let used = if counters == 2 { 6 } else { fields.len().min(4) };
        match Board::from_fen(&fields[..used].join(" ")) {
            Ok(board) => boards.push(board),
            Err(error) => bad.push(format!("book {path}, line {}: {error}", index + 1)),
        }
    }
    match (boards.is_empty(), bad.first()) {
        (true, None) => return Err(format!("book {path} has no position in it")),
        (true, Some(first)) => return Err(first.clone()),
        (false, None) => {}
        (false, Some(first)) if bad.len() == 1 => inform(format_args!("{first}; it is passed over")),
        (false, Some(first)) => inform(format_args!("{first}; it is passed over, as are {} more", bad.len() - 1)),
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_may_have_spaces_in_their_names() {
        let folder = std::env::temp_dir().join(format!("gannet test {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let book = folder.join("two openings.epd");
        std::fs::write(&book, "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k2r/8/8/8/8/8/8/4K3 b k -\n").expect("written");
        let name = book.to_str().expect("UTF-8");
        assert_eq!(file_of(name), name);
        assert_eq!(file_of(&format!("{name} extra 3")), name);
        assert_eq!(read_book(name).map(|boards| boards.len()), Ok(2));
        std::fs::remove_dir_all(folder).expect("cleaned up");
        assert_eq!(file_of("no such file"), "no such file");
        assert!(read_book("no such file").is_err_and(|message| message.contains("no such file")));
        assert!(read_book("/dev/zero").is_err_and(|message| message.contains("not a file")));
    }
}
