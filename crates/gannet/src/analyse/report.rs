//! Games as a page for the browser: one file with everything in it, which asks nobody for anything.
//!
//! The page has a part before the games and one after them, so that games can be written one by one. Each is data that the page's
//! script shows when it is chosen, and the drawing of its course.

use chess::{Board, Move};
use pgn::record::Record;

use super::clock;
use super::graph;
use super::review::{Continuation, Review, ReviewedMove};
use super::summary::Tally;
use crate::json::{list, object, text};

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");
/// The pieces are those of the board.
const BOARD: &str = include_str!("../board/page/index.html");
/// Where the games stand in the page.
const GAMES: &str = "<!-- games -->";

/// What stands before the first game.
pub fn beginning() -> String {
    let page = PAGE.split(GAMES).next().unwrap_or_default();
    page.replace("/* style */", STYLE).replace("<!-- pieces -->", pieces())
}

/// What stands after the last game.
pub fn end() -> String {
    PAGE.split(GAMES).nth(1).unwrap_or_default().replace("/* script */", SCRIPT)
}

/// The drawings of the pieces.
fn pieces() -> &'static str {
    let begin = BOARD.find("<svg id=\"pieces\"").unwrap_or(0);
    let rest = &BOARD[begin..];
    &rest[..rest.find("</svg>").map_or(0, |end| end + "</svg>".len())]
}

/// A game.
pub fn game(record: &Record, review: &Review) -> String {
    let tag = |name| record.tag(name).filter(|value| !value.trim_matches(['?', '.', '-']).is_empty()).unwrap_or("");
    let title = title(record);
    let opening = review.opening.map_or(String::new(), |opening| format!("{} {}", opening.code, opening.name));
    let place = [tag("Event"), tag("Site"), tag("Date")];
    let place: Vec<&str> = place.into_iter().filter(|text| !text.is_empty()).collect();
    let mut board = record.start.clone();
    let moves = review.moves.iter().map(|found| {
        let before = board.clone();
        board.make(found.mv);
        describe(&before, &board, found)
    });
    let moves = list(moves.collect::<Vec<_>>());
    let [white, black] = review.summary.tallies.each_ref().map(tally);
    let data = object([
        ("title", text(&title)),
        ("place", text(&place.join(", "))),
        ("white", text(record.tag("White").unwrap_or("White"))),
        ("black", text(record.tag("Black").unwrap_or("Black"))),
        ("result", text(&record.result)),
        ("opening", text(&opening)),
        ("start", text(placement(&record.start.fen()))),
        ("worth", text(&review.start.text)),
        ("moves", moves),
        ("tallies", list([white, black])),
        ("critical", text(review.summary.critical.as_deref().unwrap_or(""))),
    ]);
    format!(
        "<template class=\"graph\">{}</template>\n<script type=\"application/json\" class=\"game\" data-title=\"{}\">{}</script>\n",
        graph::svg(review, &title),
        graph::escaped(&title),
        // Nothing in the data may end it.
        data.replace('<', "\\u003c")
    )
}

/// What a game is called: who played, and how it ended.
pub fn title(record: &Record) -> String {
    let name = |tag, unknown| record.tag(tag).filter(|name| !matches!(*name, "" | "?")).unwrap_or(unknown);
    format!("{} – {}, {}", name("White", "White"), name("Black", "Black"), record.result)
}

fn describe(before: &Board, after: &Board, found: &ReviewedMove) -> String {
    let clock = found.clock.map_or(String::new(), |used| match used.spent {
        Some(spent) => format!("{}, {} left", clock::shown(spent), clock::shown(used.left)),
        None => format!("{} left", clock::shown(used.left)),
    });
    object([
        ("number", text(&found.numbered)),
        ("san", text(&found.san)),
        ("board", text(placement(&found.fen))),
        ("from", text(&found.mv.from().to_string())),
        ("to", text(&found.mv.to().to_string())),
        ("worth", text(&found.after.text)),
        ("share", format!("{:.3}", found.after.expected)),
        ("verdict", text(found.verdict.word())),
        ("mark", text(found.mark)),
        ("reason", text(found.reason.as_deref().unwrap_or(""))),
        ("better", continuation(before, found.better.as_ref())),
        ("refutation", continuation(after, found.refutation.as_ref())),
        ("clock", text(&clock)),
        ("ending", text(found.ending.unwrap_or(""))),
    ])
}

/// A line, each of its moves with the position after it.
fn continuation(board: &Board, line: Option<&Continuation>) -> String {
    let mut board = board.clone();
    let moves: &[Move] = line.map_or(&[], |line| &line.moves);
    let mut words = line.map_or("", |line| line.text.as_str()).split(' ');
    list(moves.iter().map(|&mv| {
        board.make(mv);
        // A move number and its move are one word.
        let word = match words.next() {
            Some(number) if number.ends_with('.') => format!("{number} {}", words.next().unwrap_or_default()),
            word => word.unwrap_or_default().to_string(),
        };
        let (from, to) = (mv.from().to_string(), mv.to().to_string());
        object([
            ("text", text(&word)),
            ("board", text(placement(&board.fen()))),
            ("from", text(&from)),
            ("to", text(&to)),
        ])
    }))
}

/// Where the pieces stand.
fn placement(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

fn tally(tally: &Tally) -> String {
    object([
        ("moves", tally.measure.moves.to_string()),
        ("accuracy", format!("{:.0}", tally.measure.accuracy)),
        ("centipawns", format!("{:.0}", tally.measure.centipawns)),
        ("inaccuracies", tally.inaccuracies.to_string()),
        ("mistakes", tally.mistakes.to_string()),
        ("blunders", tally.blunders.to_string()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_asks_nobody() {
        let page = beginning() + &end();
        for part in ["id=\"piece-k\"", "--light", "addEventListener", "Content-Security-Policy", "</html>"] {
            assert!(page.contains(part), "{part}");
        }
        let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !elsewhere.contains("http:")
                && !elsewhere.contains("https:")
                && !page.contains("innerHTML")
                && !page.contains("/* style */")
        );
    }
}
