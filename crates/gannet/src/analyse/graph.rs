//! The course of a game as a drawing: what White could expect after each move, with the marks. An SVG that needs nothing else,
//! for pages of others as for our own.

use std::fmt::Write;

use super::review::Review;
use super::verdict::Verdict;

/// The drawing is so wide and so high, with so much around it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 160.0;
const EDGE: f64 = 8.0;

/// Its colours, by light and by dark.
const STYLE: &str = "\
.g-page{fill:#5b5650}.g-share{fill:#f4efe4}.g-middle{stroke:#8d877d;stroke-width:1;stroke-dasharray:4 4}\
.g-line{fill:none;stroke:#2b6a8f;stroke-width:1.5}.g-inaccuracy{fill:#d9a21c}.g-mistake{fill:#e0762a}.g-blunder{fill:#c9302c}\
.g-only,.g-brilliant{fill:#2f8f5b}\
@media (prefers-color-scheme:dark){.g-page{fill:#26282b}.g-share{fill:#b9b3a6}}";

/// How far to the right a position stands, by its place among so many moves.
pub fn across(index: usize, moves: usize) -> f64 {
    EDGE + (WIDTH - 2.0 * EDGE) * index as f64 / moves.max(1) as f64
}

fn down(expected: f64) -> f64 {
    EDGE + (HEIGHT - 2.0 * EDGE) * (1.0 - expected)
}

/// The drawing of a game.
pub fn svg(review: &Review, title: &str) -> String {
    let moves = &review.moves;
    let shares = std::iter::once(&review.start).chain(moves.iter().map(|found| &found.after));
    let mut line = String::new();
    for (index, worth) in shares.enumerate() {
        let separator = if index == 0 { "M" } else { "L" };
        // Writing to a string cannot fail.
        let _ = write!(line, "{separator}{:.1} {:.1}", across(index, moves.len()), down(worth.expected));
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\
         <title>{title}</title><style>{STYLE}</style>\
         <rect class=\"g-page\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"4\"/>",
        title = escaped(title)
    );
    let (left, right, floor, middle) = (across(0, 1), across(1, 1), down(0.0), down(0.5));
    let _ = write!(
        svg,
        "<path class=\"g-share\" d=\"{line}L{:.1} {floor:.1}L{left:.1} {floor:.1}Z\"/>\
         <path class=\"g-middle\" d=\"M{left:.1} {middle:.1}H{right:.1}\"/><path class=\"g-line\" d=\"{line}\"/>",
        across(moves.len(), moves.len()),
    );
    for (index, found) in moves.iter().enumerate().filter(|(_, found)| found.verdict != Verdict::Fine) {
        let _ = write!(
            svg,
            "<circle class=\"g-{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>{}{}</title></circle>",
            found.verdict.word(),
            across(index + 1, moves.len()),
            down(found.after.expected),
            escaped(&found.numbered),
            found.mark
        );
    }
    svg + "</svg>\n"
}

/// A text as it may stand in XML and HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
