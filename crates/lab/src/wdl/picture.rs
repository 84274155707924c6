//! The fit as a picture: a panel for each group of materials, dots for what happened, lines for the model.

use std::fmt::Write;

use engine::wdl::Model;

use super::counts::Bin;
use super::report::{Cell, GROUPS, cells};
use crate::chart::{begin, line, text};

/// Of a panel, without its words.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 200.0;
/// Room around a panel.
const LEFT: f64 = 50.0;
const TOP: f64 = 45.0;
const GAP: f64 = 45.0;
/// The greatest score that is drawn, and how many centipawns a dot stands for.
const MOST: f64 = 800.0;
const STEP: f64 = 25.0;
/// Dots of fewer positions would only scatter.
const LEAST: u64 = 50;
/// Win, draw, loss.
const RESULTS: [(&str, &str); 3] = [("win", "#2e933c"), ("draw", "#4a4e69"), ("loss", "#d1495b")];

/// The picture as the text of an SVG file.
pub fn draw(bins: &[Bin], model: &Model) -> String {
    let edges: Vec<f64> = (0..=(MOST / STEP) as u32).map(|i| STEP * f64::from(i)).collect();
    let (width, height) = (2.0 * (LEFT + WIDTH) + 30.0, 2.0 * (HEIGHT + GAP) + TOP);
    let mut svg = begin(width, height, 12);
    text(
        &mut svg,
        LEFT,
        18.0,
        "start",
        "How games end by the score of the side that is ahead: dots observed, lines fitted",
    );
    for (index, group) in GROUPS.iter().enumerate() {
        let left = LEFT + (index % 2) as f64 * (LEFT + WIDTH);
        let top = TOP + (index / 2) as f64 * (HEIGHT + GAP);
        panel(&mut svg, (left, top), &cells(bins, group, &edges, model));
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, (left, top): (f64, f64), cells: &[Cell]) {
    let at_x = |score: f64| left + score / MOST * WIDTH;
    let at_y = |share: f64| top + (1.0 - share) * HEIGHT;
    for percent in [0, 25, 50, 75, 100] {
        let y = at_y(f64::from(percent) / 100.0);
        line(svg, (left, y), (left + WIDTH, y), "#dddddd", false);
        text(svg, left - 6.0, y + 4.0, "end", &format!("{percent} %"));
    }
    for score in [0, 200, 400, 600, 800] {
        let x = at_x(f64::from(score));
        line(svg, (x, top), (x, top + HEIGHT), "#dddddd", false);
        text(svg, x, top + HEIGHT + 15.0, "middle", &score.to_string());
    }
    let positions: u64 = cells.iter().map(|cell| cell.positions).sum();
    let material: f64 = cells.iter().map(|cell| cell.material * cell.positions as f64).sum();
    let mean = if positions > 0 { material / positions as f64 } else { 0.0 };
    text(svg, left, top - 6.0, "start", &format!("material {mean:.0} on average, {positions} positions"));
    for (result, (name, colour)) in RESULTS.iter().enumerate() {
        let points = |share: fn(&Cell) -> [f64; 3]| cells.iter().map(move |cell| (cell, share(cell)[result]));
        let path: String = points(|cell| cell.fitted)
            .map(|(cell, share)| format!("{:.1},{:.1} ", at_x(cell.score), at_y(share)))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{path}\"/>");
        for (cell, share) in points(|cell| cell.observed).filter(|(cell, _)| cell.positions >= LEAST) {
            let (x, y) = (at_x(cell.score), at_y(share));
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(svg, "<g fill=\"{colour}\">");
        text(svg, left + WIDTH - 60.0 + 30.0 * result as f64, top - 6.0, "start", name);
        svg.push_str("</g>\n");
    }
}
