//! Line charts as SVG, drawn by hand: a path, a grid and some words.

use std::fmt::Write;

/// A chart of one or more lines.
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the horizontal axis counts.
    pub x_label: String,
    /// The lines: a name and its points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
    /// Dashed horizontal lines with their names.
    pub levels: Vec<(String, f64)>,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 45.0;
const COLOURS: [&str; 6] = ["#1f6fb4", "#d1495b", "#2e933c", "#8a4fbe", "#d98e04", "#4a4e69"];
/// More points than this cannot be told apart.
const MAX_POINTS: usize = 1500;

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|(_, points)| points.iter().copied());
        let xs = range(points().map(|(x, _)| x));
        let ys = range(points().map(|(_, y)| y).chain(self.levels.iter().map(|&(_, y)| y)));
        let at_x = |x: f64| LEFT + (x - xs.0) / (xs.1 - xs.0) * (WIDTH - LEFT - RIGHT);
        let at_y = |y: f64| HEIGHT - BOTTOM - (y - ys.0) / (ys.1 - ys.0) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut svg, LEFT, TOP - 15.0, "start", &self.title);
        text(&mut svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8.0, "middle", &self.x_label);
        for tick in ticks(ys) {
            line(&mut svg, (LEFT, at_y(tick)), (WIDTH - RIGHT, at_y(tick)), "#dddddd", false);
            text(&mut svg, LEFT - 6.0, at_y(tick) + 4.0, "end", &label(tick));
        }
        for tick in ticks(xs) {
            line(&mut svg, (at_x(tick), TOP), (at_x(tick), HEIGHT - BOTTOM), "#dddddd", false);
            text(&mut svg, at_x(tick), HEIGHT - BOTTOM + 16.0, "middle", &label(tick));
        }
        for (name, level) in &self.levels {
            line(&mut svg, (LEFT, at_y(*level)), (WIDTH - RIGHT, at_y(*level)), "#666666", true);
            text(&mut svg, WIDTH - RIGHT + 6.0, at_y(*level) + 4.0, "start", name);
        }
        for (index, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let every = points.len().div_ceil(MAX_POINTS).max(1);
            let kept = points.iter().step_by(every).chain(points.last());
            let path: String = kept.map(|&(x, y)| format!("{:.1},{:.1} ", at_x(x), at_y(y))).collect();
            let _ =
                writeln!(svg, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{path}\"/>");
            if let Some(&(x, y)) = points.last() {
                let _ = writeln!(svg, "<g fill=\"{colour}\">");
                text(&mut svg, at_x(x) + 6.0, at_y(y) - 4.0, "start", name);
                svg.push_str("</g>\n");
            }
        }
        svg + "</svg>\n"
    }
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
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    (0..20).map(|index| ((low / step).ceil() + f64::from(index)) * step).take_while(|&tick| tick <= high).collect()
}

fn label(tick: f64) -> String {
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
            };
            let svg = chart.svg();
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && svg.len() < 60_000);
        }
    }
}
