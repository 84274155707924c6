//! What came out of a fit: log losses, a table of observed against fitted, and the line for the source code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

use engine::wdl::{BOOTSTRAP, FITTED, Model};
use serde::Serialize;

use super::counts::{Bin, Counts, Wanted};
use super::fit::{Degree, fit, log_loss, log_probabilities};
use crate::failure::Result;

/// Where the materials of the table are cut.
pub const GROUPS: [RangeInclusive<i32>; 4] = [0..=27, 28..=43, 44..=59, 60..=999];
/// Where the scores of the table are cut.
const EDGES: [f64; 10] = [0.0, 25.0, 50.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0, f64::INFINITY];

/// Positions of some materials and scores: what happened, and what the model says of the same positions. Wins, draws
/// and losses are those of the side that is ahead, as shares.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// The least score.
    pub from: f64,
    /// The mean score.
    pub score: f64,
    /// The mean material.
    pub material: f64,
    /// How many.
    pub positions: u64,
    /// What happened.
    pub observed: [f64; 3],
    /// What was to be expected.
    pub fitted: [f64; 3],
}

/// Gathers bins between neighbouring edges; nothing stands for what is empty.
pub fn cells(bins: &[Bin], group: &RangeInclusive<i32>, edges: &[f64], model: &Model) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (&from, &to) in edges.iter().zip(edges.iter().skip(1)) {
        let inside = |bin: &&Bin| group.contains(&bin.material) && from <= bin.score && bin.score < to;
        let mut cell = Cell { from, score: 0.0, material: 0.0, positions: 0, observed: [0.0; 3], fitted: [0.0; 3] };
        for bin in bins.iter().filter(inside) {
            let count = bin.total() as f64;
            let fitted = log_probabilities(model.at(bin.material), bin.score).map(|log| count * log.exp());
            cell.positions += bin.total();
            cell.score += count * bin.score;
            cell.material += count * f64::from(bin.material);
            for (result, fitted) in fitted.iter().enumerate() {
                cell.observed[result] += bin.results[result] as f64;
                cell.fitted[result] += fitted;
            }
        }
        if cell.positions > 0 {
            let count = cell.positions as f64;
            cell.score /= count;
            cell.material /= count;
            cell.observed = cell.observed.map(|sum| sum / count);
            cell.fitted = cell.fitted.map(|sum| sum / count);
            cells.push(cell);
        }
    }
    cells
}

/// Everything that is shown and written.
#[derive(Serialize)]
pub struct Report {
    network: Option<String>,
    first_ply: u32,
    games: u64,
    positions: u64,
    games_of_other_networks: BTreeMap<String, u64>,
    faults: usize,
    /// Mean of −ln p: with one set of shares for all, with this build's model, with constants, with cubics.
    log_loss_shares: f64,
    log_loss_this_build: f64,
    log_loss_constants: f64,
    log_loss: f64,
    a: [f64; 4],
    b: [f64; 4],
    cells: Vec<Cell>,
    #[serde(skip)]
    is_bootstrap: bool,
}

impl Report {
    /// Fits and compares.
    pub fn new(counts: &Counts, wanted: &Wanted) -> Result<Report> {
        let bins = counts.bins();
        let is_bootstrap = wanted.net == Some(0);
        let Model { a, b } = fit(&bins, Degree::Cubic)?;
        // Everything below is about the numbers as they are pasted.
        let model = Model { a: a.map(rounded), b: b.map(rounded) };
        let constants = fit(&bins, Degree::Constant)?;
        Ok(Report {
            network: wanted.net.map(|net| format!("{net:08x}")),
            first_ply: wanted.first_ply,
            games: counts.games,
            positions: counts.positions,
            games_of_other_networks: counts.others.iter().map(|(net, &n)| (format!("{net:08x}"), n)).collect(),
            faults: counts.faults.len(),
            log_loss_shares: shares_loss(&bins),
            log_loss_this_build: log_loss(&bins, if is_bootstrap { &BOOTSTRAP } else { &FITTED }),
            log_loss_constants: log_loss(&bins, &constants),
            log_loss: log_loss(&bins, &model),
            a: model.a,
            b: model.b,
            cells: GROUPS.iter().flat_map(|group| cells(&bins, group, &EDGES, &model)).collect(),
            is_bootstrap,
        })
    }

    /// The model that was found.
    pub fn model(&self) -> Model {
        Model { a: self.a, b: self.b }
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let whose = self.network.as_ref().map_or("any network".to_string(), |net| format!("network {net}"));
        writeln!(out, "{} positions in {} games by {whose}", self.positions, self.games)?;
        for (net, games) in &self.games_of_other_networks {
            writeln!(out, "left out: {games} games by network {net}")?;
        }
        if self.faults > 0 {
            writeln!(out, "{} faults were passed over; they are listed above", self.faults)?;
        }
        writeln!(out, "\n                             observed, %           fitted, %")?;
        writeln!(out, "material  score  positions   win  draw  loss    win  draw  loss    (the side that is ahead)")?;
        let mut last = f64::INFINITY;
        for cell in &self.cells {
            if cell.from <= last {
                writeln!(out)?;
            }
            last = cell.from;
            let [win, draw, loss] = cell.observed.map(|share| 100.0 * share);
            let [fit_win, fit_draw, fit_loss] = cell.fitted.map(|share| 100.0 * share);
            writeln!(
                out,
                "{:>8.1} {:>6.0} {:>10}  {win:>4.1}  {draw:>4.1}  {loss:>4.1}   {fit_win:>4.1}  {fit_draw:>4.1}  {fit_loss:>4.1}",
                cell.material, cell.score, cell.positions
            )?;
        }
        writeln!(out, "\nmaterial   50 % win at   odds change by e in")?;
        for material in [8, 18, 28, 38, 48, 58, 68, 78] {
            let chances = self.model().at(material);
            writeln!(out, "{material:>8} {:>10.0} cp {:>18.0} cp", chances.a, chances.b)?;
        }
        writeln!(out, "\nlog loss, mean of -ln p")?;
        for (name, loss) in [
            ("the same shares for all", self.log_loss_shares),
            ("the model of this build", self.log_loss_this_build),
            ("fitted, a and b constant", self.log_loss_constants),
            ("fitted, a and b cubic", self.log_loss),
        ] {
            writeln!(out, "  {name:<26} {loss:.5}")?;
        }
        let name = if self.is_bootstrap { "BOOTSTRAP" } else { "FITTED" };
        writeln!(out, "\npub const {name}: Model = Model {{ a: {:?}, b: {:?} }};", self.a, self.b)
    }
}

/// Two decimals are more than the data can tell.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The loss of whoever knows how games of the side that is ahead end, but not by how much it is.
fn shares_loss(bins: &[Bin]) -> f64 {
    let sums: [f64; 3] = std::array::from_fn(|result| bins.iter().map(|bin| bin.results[result] as f64).sum());
    let total: f64 = sums.iter().sum();
    sums.iter().filter(|sum| **sum > 0.0).map(|sum| -sum / total * (sum / total).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_hold_everything() {
        let mut counts = Counts::new();
        for material in [15, 35, 50, 70, 78] {
            for score in -300..300 {
                // More wins the higher the score, some draws everywhere.
                for round in 0..20 {
                    let half_points = if round < 5 { 1 } else { 2 * u8::from(score > 40 * round - 500) };
                    counts.add((material, score, half_points));
                }
            }
        }
        let wanted = Wanted { net: Some(0xabc), first_ply: 16 };
        let report = Report::new(&counts, &wanted).expect("a fit");
        let text = report.text();
        for part in ["60000 positions", "network 00000abc", "pub const FITTED: Model = Model { a: [", "cubic"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(report.log_loss <= report.log_loss_constants + 1e-6);
        assert!(report.log_loss_constants < report.log_loss_shares);
        assert_eq!(report.cells.iter().map(|cell| cell.positions).sum::<u64>(), counts.positions);
        for cell in &report.cells {
            for shares in [cell.observed, cell.fitted] {
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{cell:?}");
            }
        }
        let svg = super::super::picture::draw(&counts.bins(), &report.model());
        assert!(svg.contains("<circle") && svg.contains("<polyline") && !svg.contains("NaN"));
        assert!(super::super::picture::draw(&[], &report.model()).ends_with("</svg>\n"));
    }
}
