//! Line charts as SVG, drawn by hand: a path, a grid and some words.

use std::fmt::Write;

/// A chart of one or more lines.
#[derive(Default)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the horizontal axis counts.
    pub x_label: String,
    /// The lines: a name and its points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// Dashed horizontal lines with their names.
    pub levels: Vec<(String, f64)>,
    /// How far the first line may be off: its lowest and its highest value at each place.
    pub band: Vec<(f64, f64, f64)>,
}

/// How large a chart is, and how much of that is around it.
pub struct Frame {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// A picture of its own, with the name of each line at its end.
const WIDE: Frame = Frame { width: 800.0, height: 400.0, left: 60.0, right: 150.0, top: 40.0, bottom: 45.0 };
/// One of several on a page, which is read at this size on a telephone, and says elsewhere which line is which.
pub const SMALL: Frame = Frame { width: 360.0, height: 220.0, left: 44.0, right: 12.0, top: 28.0, bottom: 40.0 };
/// The lines' colours, which come again after the last.
pub const COLOURS: [&str; 6] = ["#1f6fb4", "#d1495b", "#2e933c", "#8a4fbe", "#d98e04", "#4a4e69"];
/// More points than this cannot be told apart.
const MAX_POINTS: usize = 1500;

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        self.framed(&WIDE)
    }

    /// The chart at a size.
    pub fn framed(&self, frame: &Frame) -> String {
        let &Frame { width, height, left, right, top, bottom } = frame;
        let named = right >= WIDE.right;
        let points = || self.lines.iter().flat_map(|(_, points)| points.iter().copied());
        let edges = self.band.iter().flat_map(|&(_, low, high)| [low, high]);
        let xs = range(points().map(|(x, _)| x));
        let ys = range(points().map(|(_, y)| y).chain(self.levels.iter().map(|&(_, y)| y)).chain(edges));
        let at_x = |x: f64| left + (x - xs.0) / (xs.1 - xs.0) * (width - left - right);
        let at_y = |y: f64| height - bottom - (y - ys.0) / (ys.1 - ys.0) * (height - top - bottom);
        let place = |(x, y): (f64, f64)| format!("{:.1},{:.1} ", at_x(x), at_y(y));
        let mut svg = begin(width, height, 12);
        text(&mut svg, left, top - 15.0, "start", &self.title);
        text(&mut svg, (left + width - right) / 2.0, height - 8.0, "middle", &self.x_label);
        for tick in ticks(ys) {
            line(&mut svg, (left, at_y(tick)), (width - right, at_y(tick)), "#dddddd", false);
            text(&mut svg, left - 6.0, at_y(tick) + 4.0, "end", &label(tick));
        }
        for tick in ticks(xs) {
            line(&mut svg, (at_x(tick), top), (at_x(tick), height - bottom), "#dddddd", false);
            text(&mut svg, at_x(tick), height - bottom + 16.0, "middle", &label(tick));
        }
        for (name, level) in &self.levels {
            line(&mut svg, (left, at_y(*level)), (width - right, at_y(*level)), "#666666", true);
            if named {
                text(&mut svg, width - right + 6.0, at_y(*level) + 4.0, "start", name);
            } else {
                // Under the line where the title stands right above it.
                let shift = if at_y(*level) < top + 12.0 { 13.0 } else { -3.0 };
                text(&mut svg, left + 4.0, at_y(*level) + shift, "start", name);
            }
        }
        if !self.band.is_empty() {
            let lower = self.band.iter().map(|&(x, low, _)| place((x, low)));
            let edge: String = lower.chain(self.band.iter().rev().map(|&(x, _, high)| place((x, high)))).collect();
            let _ = writeln!(svg, "<polygon fill=\"{}\" fill-opacity=\"0.15\" points=\"{edge}\"/>", COLOURS[0]);
        }
        for (index, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let every = points.len().div_ceil(MAX_POINTS).max(1);
            let kept = points.iter().step_by(every).chain(points.last());
            let path: String = kept.copied().map(place).collect();
            let _ =
                writeln!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{path}\"/>");
            if let Some(&(x, y)) = points.last().filter(|_| named) {
                let _ = writeln!(svg, "<g fill=\"{colour}\">");
                text(&mut svg, at_x(x) + 6.0, at_y(y) - 4.0, "start", name);
                svg.push_str("</g>\n");
            }
        }
        svg + "</svg>\n"
    }
}

/// A picture of this size on white, with letters of this size; whoever has drawn it ends it with `</svg>`.
pub fn begin(width: f64, height: f64, letters: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"{letters}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

/// Words at a place; the anchor is start, middle or end.
pub fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// A straight line.
pub fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, dashed: bool) {
    let dash = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ =
        writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"{dash}/>");
}

/// The least and the greatest number, never the same.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    match (low.is_finite(), high > low) {
        (true, true) => (low, high),
        (true, false) => (low - 0.5, low + 0.5),
        _ => (0.0, 1.0),
    }
}

/// Round numbers in a range, about five.
pub fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    (0..20).map(|index| ((low / step).ceil() + f64::from(index)) * step).take_while(|&tick| tick <= high).collect()
}

/// A tick as text.
pub fn label(tick: f64) -> String {
    format!("{}", (tick * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks((-3.1, 2.9)), [-2.0, 0.0, 2.0]);
        assert_eq!(ticks((0.0, 5000.0)), [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]);
    }

    #[test]
    fn charts_are_drawn_whatever_the_points() {
        for points in [vec![], vec![(0.0, 1.0)], (0..10_000).map(|i| (f64::from(i), f64::from(i).sin())).collect()] {
            let chart = Chart {
                title: "a < b".to_string(),
                x_label: "games".to_string(),
                lines: vec![("LLR".to_string(), points)],
                levels: vec![("H1".to_string(), 2.94)],
                band: vec![(0.0, -1.0, 1.0)],
            };
            for svg in [chart.svg(), chart.framed(&SMALL)] {
                assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && svg.len() < 60_000);
            }
        }
    }
}
