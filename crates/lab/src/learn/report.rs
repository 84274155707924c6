//! What a ladder has come to: a page with pictures, and the same as JSON.

use serde::Serialize;

use super::folder::Folder;
use super::state::{Generation, State};
use crate::chart::Chart;
use crate::failure::Result;
use crate::files;

const ELO: &str = "elo.svg";
const LOSSES: &str = "losses.svg";

/// A generation as it is reported.
#[derive(Serialize)]
struct Row {
    generation: u32,
    player: u32,
    builds: Vec<String>,
    nodes: u64,
    positions: u64,
    window: Vec<u32>,
    window_positions: u64,
    network: String,
    training_loss: f64,
    validation_loss: f64,
    integer_loss: f64,
    factor: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    elo: f64,
    elo_error: f64,
    /// As it is shown, which says where there is no number.
    elo_text: String,
    promoted: bool,
    cumulative_elo: f64,
    cumulative_error: f64,
    cpu_hours: f64,
    hours: f64,
}

/// All of it.
#[derive(Serialize)]
struct Report {
    start: String,
    seed: u64,
    generations: Vec<Row>,
    /// The network in use against the start.
    look_back: Option<LookBack>,
    hours: f64,
    cpu_hours: f64,
}

#[derive(Serialize)]
struct LookBack {
    generation: u32,
    games: u64,
    nodes: u64,
    elo: f64,
    elo_error: f64,
    elo_text: String,
}

fn report(state: &State) -> Report {
    let mut sum = (0.0, 0.0f64);
    let rows = state.generations.iter().filter_map(|generation| row(generation, &mut sum)).collect();
    let look_back = state.look_back.as_ref().filter(|look_back| look_back.duel.is_over()).map(|look_back| {
        let elo = look_back.duel.elo();
        LookBack {
            generation: look_back.generation,
            games: look_back.duel.games,
            nodes: look_back.duel.nodes,
            elo: elo.value,
            elo_error: elo.error,
            elo_text: format!("{elo:.0}"),
        }
    });
    Report {
        start: state.start.clone(),
        seed: state.seed,
        generations: rows,
        look_back,
        hours: state.spent.seconds / 3600.0,
        cpu_hours: state.spent.cpu_seconds / 3600.0,
    }
}

/// A generation that is done; `sum` is Elo added up and the square of its error.
fn row(generation: &Generation, sum: &mut (f64, f64)) -> Option<Row> {
    let (learned, duel, spent) = (generation.learned.as_ref()?, generation.duel.as_ref()?, generation.spent.as_ref()?);
    let (score, elo, promoted) = (duel.score(), duel.elo(), generation.promoted?);
    if promoted {
        let (value, error) = duel.counted();
        *sum = (sum.0 + value, sum.1 + error * error);
    }
    let [losses, draws, wins] = score.games;
    Some(Row {
        generation: generation.number,
        player: generation.player,
        builds: generation.builds.clone(),
        nodes: generation.nodes,
        positions: generation.positions?,
        window: learned.window.clone(),
        window_positions: learned.positions,
        network: learned.network.clone(),
        training_loss: learned.training,
        validation_loss: learned.validation,
        integer_loss: learned.quantised,
        factor: learned.factor,
        games: score.total(),
        wins,
        draws,
        losses,
        elo: elo.value,
        elo_error: elo.error,
        elo_text: format!("{elo:.0}"),
        promoted,
        cumulative_elo: sum.0,
        cumulative_error: sum.1.sqrt(),
        cpu_hours: spent.cpu_seconds / 3600.0,
        hours: spent.seconds / 3600.0,
    })
}

/// Writes page, pictures and JSON.
pub fn write(folder: &Folder) -> Result<()> {
    let report = report(&folder.state);
    if report.generations.is_empty() {
        return Ok(());
    }
    files::write_json(&folder.file("report.json"), &report)?;
    files::write(&folder.file(ELO), &elo_picture(&report).svg())?;
    files::write(&folder.file(LOSSES), &losses_picture(&report).svg())?;
    files::write(&folder.file("report.md"), &page(&report))
}

/// The page.
fn page(report: &Report) -> String {
    let mut text = format!(
        "# A ladder from {}\n\n{:.2} hours, {:.2} CPU hours so far; seed {}.\n\n",
        report.start.replace('<', "\\<"),
        report.hours,
        report.cpu_hours,
        report.seed
    );
    text += "| generation | played by | positions | learned from | network | loss | held out | games | Elo against the last | in use | Elo added up | CPU hours |\n";
    text += "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for row in &report.generations {
        text += &format!("| {} |\n", cells(row).join(" | "));
    }
    if let Some(look_back) = &report.look_back {
        text += &format!("\n{}\n", look_back.sentence(&report.start.replace('<', "\\<")));
    }
    text += &format!("\n![Elo over CPU hours]({ELO})\n\n![Losses by generation]({LOSSES})\n\n");
    text += "Elo is counted in games of each network against the one that played its positions, at fixed nodes. What is \
             added up is that of the networks that were kept; the band is its 95 % interval. Losses of different widths and targets \
             are not comparable.\n";
    text
}

impl LookBack {
    fn sentence(&self, start: &str) -> String {
        format!(
            "Network {} against {start}, {} games at {} nodes a move: **{}** Elo.",
            self.generation, self.games, self.nodes, self.elo_text
        )
    }
}

/// A row of the table.
fn cells(row: &Row) -> [String; 12] {
    let player = if row.player == 0 { "start".to_string() } else { row.player.to_string() };
    [
        row.generation.to_string(),
        player,
        row.positions.to_string(),
        row.window_positions.to_string(),
        row.network.replace(" mirrored", "").replace(" -> SCReLU", "").replace("->", "→").replace(['*', 'x'], "×"),
        format!("{:.5}", row.training_loss),
        format!("{:.5}", row.validation_loss),
        row.games.to_string(),
        row.elo_text.clone(),
        if row.promoted { "yes" } else { "no" }.to_string(),
        format!("{:+.0} ± {:.0}", row.cumulative_elo, row.cumulative_error),
        format!("{:.2}", row.cpu_hours),
    ]
}

/// The table for a terminal.
pub fn table(state: &State) -> String {
    let report = report(state);
    let mut text = format!(
        "{:>3} {:>6} {:>11} {:>11}  {:<20} {:>8} {:>8}  {:<18} {:<6} {:>12} {:>9}\n",
        "", "player", "positions", "learned", "network", "loss", "held out", "Elo", "in use", "added up", "CPU hours"
    );
    for row in &report.generations {
        let [number, player, positions, window, network, training, validation, _, elo, kept, sum, hours] = cells(row);
        text += &format!(
            "{number:>3} {player:>6} {positions:>11} {window:>11}  {network:<20} {training:>8} {validation:>8}  {elo:<18} {kept:<6} {sum:>12} {hours:>9}\n"
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// What there is to say at the end.
pub fn ending(folder: &Folder) -> String {
    let report = report(&folder.state);
    let mut lines: Vec<String> = report.look_back.iter().map(|look_back| look_back.sentence(&report.start)).collect();
    match folder.best() {
        Some(best) => lines.push(format!("the network: {}", best.display())),
        None => lines.push(format!("no network was better than {}; more positions may help", report.start)),
    }
    lines.push(format!("the report:  {}", folder.file("report.md").display()));
    lines.join("\n").replace("**", "")
}

fn elo_picture(report: &Report) -> Chart {
    let rows = &report.generations;
    let points = rows.iter().map(|row| (row.cpu_hours, row.cumulative_elo));
    let band = rows.iter().map(|row| {
        let (elo, error) = (row.cumulative_elo, row.cumulative_error);
        (row.cpu_hours, elo - error, elo + error)
    });
    let mut levels = vec![(report.start.clone(), 0.0)];
    levels.extend(
        report.look_back.as_ref().map(|look_back| (format!("{} against it", look_back.generation), look_back.elo)),
    );
    Chart {
        title: "Elo against the start, generation by generation".to_string(),
        x_label: "CPU hours".to_string(),
        lines: vec![("added up".to_string(), std::iter::once((0.0, 0.0)).chain(points).collect())],
        levels,
        band: std::iter::once((0.0, 0.0, 0.0)).chain(band).collect(),
    }
}

fn losses_picture(report: &Report) -> Chart {
    let line = |name: &str, value: fn(&Row) -> f64| {
        (name.to_string(), report.generations.iter().map(|row| (f64::from(row.generation), value(row))).collect())
    };
    Chart {
        title: "Loss of each generation's network".to_string(),
        x_label: "generation".to_string(),
        lines: vec![line("held out", |row| row.validation_loss), line("training", |row| row.training_loss)],
        ..Chart::default()
    }
}
