//! Which ideas do each other's work, as a picture: a square for each pair of ideas, coloured by what the two bring
//! together beyond what each brings by itself, pale where the games say little.

use std::fmt::Write;

use super::Findings;
use super::regression::Effect;
use crate::chart::{begin, text};

const CELL: f64 = 16.0;
const LEFT: f64 = 190.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 190.0;

/// The picture as the text of an SVG file.
pub fn svg(findings: &Findings) -> String {
    let names: Vec<&str> =
        findings.experiment.factors.iter().map(|factor| factor.name.trim_start_matches("Use")).collect();
    let size = CELL * names.len() as f64;
    let (width, height) = (LEFT + size + 20.0, TOP + size + BOTTOM);
    let width = width.max(620.0);
    let mut svg = begin(width, height, 11);
    text(
        &mut svg,
        10.0,
        18.0,
        "start",
        "Turning both brings more than the sum (green) or less (red); the stronger the colour,",
    );
    text(&mut svg, 10.0, 33.0, "start", "the surer. Hover over a square for its Elo.");
    for (index, name) in names.iter().enumerate() {
        let at = CELL * index as f64 + CELL * 0.7;
        text(&mut svg, LEFT - 6.0, TOP + at, "end", name);
        let (x, y) = (LEFT + at, TOP + size + 8.0);
        let _ = write!(svg, "<g transform=\"translate({x:.1} {y:.1}) rotate(-60)\">");
        text(&mut svg, 0.0, 0.0, "end", name);
        svg.push_str("</g>\n");
    }
    for interaction in &findings.interactions {
        let [first, second] = interaction.factors;
        for (row, column) in [(first, second), (second, first)] {
            square(&mut svg, row, column, interaction.effect, [names[first], names[second]]);
        }
    }
    svg + "</svg>\n"
}

fn square(svg: &mut String, row: usize, column: usize, effect: Effect, names: [&str; 2]) {
    let (x, y) = (LEFT + CELL * column as f64, TOP + CELL * row as f64);
    // Opaque at twice the width of the interval.
    let opacity = (effect.elo.abs() / effect.error / 2.0).clamp(0.0, 1.0).powi(2);
    let colour = if effect.elo > 0.0 { "#2e933c" } else { "#d1495b" };
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" fill-opacity=\"{opacity:.2}\" \
         stroke=\"#e4e4e4\"><title>{} and {}: {:+.0} ± {:.0}</title></rect>",
        names[0], names[1], effect.elo, effect.error
    );
}
