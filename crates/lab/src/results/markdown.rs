//! Runs as tables of a document: one for tests, one for ideas, and one for each match, tuning and experiment.

use std::fmt::Write;

use super::table;
use crate::register::{Entry, Found};
use crate::stats::Pentanomial;

/// The tables.
pub fn text(entries: &[Entry]) -> String {
    let mut parts = Vec::new();
    let of = |command: &str| {
        let tests = entries.iter().filter(|entry| entry.command == command && matches!(entry.found, Found::Test(_)));
        tests.collect::<Vec<_>>()
    };
    let tests = of("sprt");
    if !tests.is_empty() {
        let head = ["A against B", "limit", "Elo", "test", "LLR", "verdict", "games", "pairs", "date", "bench"];
        parts.push(rows(&head, tests.iter().map(|entry| test(entry))));
    }
    let ideas = of("ablate");
    if !ideas.is_empty() {
        let head = ["idea", "limit", "Elo", "games", "pairs", "date", "bench"];
        parts.push(rows(&head, ideas.iter().map(|entry| idea(entry))));
    }
    parts.extend(entries.iter().filter_map(other));
    parts.join("\n")
}

/// A table: its head and its rows.
fn rows<const N: usize>(head: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(N));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    text
}

fn test(entry: &Entry) -> [String; 10] {
    let Found::Test(test) = &entry.found else { return Default::default() };
    let sprt = test.sprt.map_or("fixed".to_string(), |sprt| format!("[{}, {}]", sprt.elo0, sprt.elo1));
    let llr = test.llr.map_or("—".to_string(), |llr| minus(&format!("{llr:.2}")));
    let verdict = table::verdict(entry);
    let verdict = if verdict.is_empty() { "—".to_string() } else { verdict };
    let [who, limit, elo, games, pairs, date, bench] = idea(entry);
    [who, limit, elo, minus(&sprt), llr, verdict, games, pairs, date, bench]
}

fn idea(entry: &Entry) -> [String; 7] {
    let Found::Test(test) = &entry.found else { return Default::default() };
    let elo = minus(&format!("{:.1}", Pentanomial(test.pentanomial).elo()));
    let benches: Vec<String> = entry.engines.iter().filter_map(|side| side.bench).map(|n| n.to_string()).collect();
    let same = benches.windows(2).all(|pair| pair[0] == pair[1]);
    let bench = if same { benches.first().cloned().unwrap_or_else(|| "—".to_string()) } else { benches.join(", ") };
    let day = entry.date.split(' ').next().unwrap_or_default().to_string();
    let limit = entry.limit.clone();
    [table::who(entry), limit, elo, table::games(entry), format!("{:?}", test.pentanomial), day, bench]
}

/// What is a table by itself.
fn other(entry: &Entry) -> Option<String> {
    let head = match &entry.found {
        Found::Test(_) => return None,
        Found::Standings(_) => "Match",
        Found::Tuning(_) => "Tuning",
        Found::Effects(_) => "All ideas at once",
    };
    let day = entry.date.split(' ').next().unwrap_or_default();
    let mut text = format!("{head}, {}, {} games, {day}:\n\n", entry.limit, table::games(entry));
    text += &match &entry.found {
        Found::Test(_) => return None,
        Found::Standings(all) => rows(
            &["engine", "Elo", "won", "drawn", "lost"],
            all.iter().map(|standing| {
                let [wins, draws, losses] = standing.games.map(|games| games.to_string());
                let elo = minus(&format!("{:+.1} ± {:.1}", standing.elo, standing.error));
                [standing.name.clone(), elo, wins, draws, losses]
            }),
        ),
        Found::Tuning(tuning) => rows(
            &["number", "from", "to", "steps"],
            tuning.numbers.iter().map(|number| {
                let steps = minus(&format!("{:+.2}", (number.value - number.start) / number.step));
                [number.name.clone(), number.start.to_string(), format!("{:.1}", number.value), steps]
            }),
        ),
        Found::Effects(all) => rows(
            &["idea", "Elo"],
            all.iter().map(|(name, elo, error)| [name.clone(), minus(&format!("{elo:+.1} ± {error:.1}"))]),
        ),
    };
    Some(text)
}

/// With the sign that print has for less than nothing.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}
