//! The ledger as a picture: a bar for each heuristic with its 95 % interval, over what was claimed.

use std::fmt::Write;

use super::claims::Claim;
use super::ledger::Row;
use crate::chart::{begin, label, line, text, ticks};

const WIDTH: f64 = 900.0;
const LEFT: f64 = 200.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 30.0;
const ROW: f64 = 20.0;
/// Bars longer than this are cut off and end in an arrow: one giant must not flatten all the others.
const MOST: f64 = 200.0;

/// From Elo to places.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rows: &[&Row]) -> Scale {
        let reach = |row: &&Row| {
            let claim = row.claim().map(|claim| claim.range().1).filter(|most| most.is_finite());
            (row.elo + row.error).max(claim.unwrap_or(0.0))
        };
        let high = rows.iter().map(reach).fold(10.0, f64::max).min(MOST);
        let low = rows.iter().map(|row| row.elo - row.error).fold(-high / 10.0, f64::min).max(-MOST);
        Scale { low, high }
    }

    fn at(&self, elo: f64) -> f64 {
        LEFT + (elo.clamp(self.low, self.high) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)
    }
}

/// The picture as the text of an SVG file.
pub fn svg(rows: &[&Row]) -> String {
    let height = TOP + BOTTOM + ROW * rows.len() as f64;
    let scale = Scale::of(rows);
    let mut svg = begin(WIDTH, height, 12);
    let title = "Elo of the engine with the heuristic over the engine without it, and the 95 % interval; grey: claimed";
    text(&mut svg, LEFT, TOP - 22.0, "start", title);
    for tick in ticks((scale.low, scale.high)) {
        line(&mut svg, (scale.at(tick), TOP), (scale.at(tick), height - BOTTOM), "#dddddd", false);
        text(&mut svg, scale.at(tick), height - BOTTOM + 16.0, "middle", &label(tick));
    }
    for (index, row) in rows.iter().enumerate() {
        bar(&mut svg, row, TOP + ROW * index as f64, &scale);
    }
    line(&mut svg, (scale.at(0.0), TOP), (scale.at(0.0), height - BOTTOM), "#000000", false);
    svg + "</svg>\n"
}

fn bar(svg: &mut String, row: &Row, top: f64, scale: &Scale) {
    let mut rect = |from: f64, to: f64, inset: f64, colour: &str| {
        let (x, width) = (scale.at(from.min(to)), (scale.at(to) - scale.at(from)).abs());
        let (y, height) = (top + inset, ROW - 2.0 * inset);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
        );
    };
    if let Some((least, most)) = row.claim().map(Claim::range) {
        rect(least, most, 1.0, "#e4e4e4");
    }
    let colour = match row.verdict() {
        "helps" => "#2e933c",
        "hurts" => "#d1495b",
        _ => "#b0b0b0",
    };
    rect(0.0, row.elo, 5.0, colour);
    let middle = top + ROW / 2.0;
    line(svg, (scale.at(row.elo - row.error), middle), (scale.at(row.elo + row.error), middle), "#000000", false);
    text(svg, LEFT - 8.0, middle + 4.0, "end", row.key.option.trim_start_matches("Use"));
    if row.elo > scale.high {
        text(svg, scale.at(row.elo) - 6.0, middle - 1.0, "end", &format!("{} →", row.value()));
    } else if row.elo < scale.low {
        text(svg, scale.at(row.elo) + 6.0, middle - 1.0, "start", &format!("← {}", row.value()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::ledger::{Key, Row};
    use super::super::subjects::Subject;
    use super::*;

    #[test]
    fn every_row_is_drawn() {
        let subject = Subject { heuristic: String::new(), name: String::new(), default: true, published: None };
        let row = |option: &str, elo, error| {
            let key = Key { option: option.to_string(), conditions: String::new(), bench: 1 };
            Row { elo, error, pentanomial: [0, 0, 0, 1, 19], ..Row::new(&subject, key, String::new()) }
        };
        let rows =
            [row("UseQuiescence", 700.0, 40.0), row("UseRazoring", 12.0, 4.0), row("UseRankAwareGates", -3.0, 5.0)];
        let clean = Row { pentanomial: [0, 0, 0, 0, 9], ..row("UseKillers", 1600.0, 800.0) };
        assert!(svg(&[&clean]).contains("no estimate →"));
        let svg = svg(&rows.iter().collect::<Vec<_>>());
        assert!(svg.contains(">Razoring<") && svg.contains("+700 →") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(super::svg(&[]).ends_with("</svg>\n"));
    }
}
