//! `gannet ideas`: the index of the search. Everything in it comes from the ideas' declarations, and their Elo from the ledger.

use std::process::ExitCode;

use engine::Params;

use crate::output::say;

/// The ledger as it was when this program was built.
const LEDGER: &str = include_str!(env!("GANNET_LEDGER"));

/// List the ideas of the search: what each is for, where it stands, its switch and what it is worth
///
/// Elo is that of docs/heuristics.md, with its 95 % interval; a dash is for what has not been measured.
#[derive(clap::Args)]
pub struct Arguments {}

/// Prints the index.
pub fn run() -> ExitCode {
    for line in lines() {
        say(line);
    }
    ExitCode::SUCCESS
}

/// The table, a line each.
fn lines() -> Vec<String> {
    let heading = ["id", "name", "short", "option", "default", "Elo", "file", "what it does"].map(String::from);
    let mut rows = vec![heading];
    for about in Params::index() {
        let or_dash = |word: Option<&str>| word.unwrap_or("-").to_string();
        let default = if about.default { "on" } else { "off" };
        rows.push([
            or_dash(about.id),
            about.name.to_string(),
            or_dash(about.acronym),
            about.option.to_string(),
            default.to_string(),
            or_dash(elo(about.option)),
            about.file,
            about.line,
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 8]| {
        let cells: String = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        cells + &row[7]
    };
    rows.iter().map(line).collect()
}

/// What the ledger says an idea is worth, by its option.
fn elo(option: &str) -> Option<&'static str> {
    let quoted = format!("`{option}`");
    LEDGER.lines().find_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        (cells.len() > 6 && cells[3] == quoted).then(|| cells[6])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_idea_has_a_line_and_most_have_been_measured() {
        let lines = lines();
        assert!(lines.len() > 35);
        let null_move = lines.iter().find(|line| line.contains("UseNullMove")).expect("null move pruning");
        for part in ["NM1", "NullMove", "NMP", "on", "±", "crates/engine/src/search/ideas/null_move.rs", "free move"] {
            assert!(null_move.contains(part), "{part}: {null_move}");
        }
        assert!(lines.iter().filter(|line| line.contains('±')).count() > 30);
    }
}
