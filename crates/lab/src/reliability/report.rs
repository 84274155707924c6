//! What is kept of a check, and the report that is made from all of them.

use serde::{Deserialize, Serialize};

use super::Check;

/// The result of a check.
#[derive(Clone, Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// What was checked.
    pub version: String,
    /// Whether it was the short form.
    pub short: bool,
    /// When.
    pub date: String,
    /// How long it took.
    pub seconds: u64,
    /// Trials.
    pub tried: u64,
    /// Trials that found a fault.
    pub faults: u64,
    /// The first faults.
    pub examples: Vec<String>,
    /// What else was measured.
    pub notes: Vec<String>,
}

/// Goes above the lines.
pub const HEADING: &str = "check                      tried   faults  seconds  measured";

impl Row {
    /// One line for the terminal.
    pub fn line(&self) -> String {
        let Row { name, tried, faults, seconds, notes, .. } = self;
        format!("{name:<20} {tried:>11} {faults:>8} {seconds:>8}  {}", notes.join("; "))
    }
}

/// The report.
pub fn markdown(checks: &[Check], rows: &[Option<Row>]) -> String {
    let done: Vec<&Row> = rows.iter().flatten().collect();
    let tried: u64 = done.iter().map(|row| row.tried).sum();
    let faults: u64 = done.iter().map(|row| row.faults).sum();
    let mut text = format!(
        "# Reliability\n\n\
         Written by `make reliability` (`gannet-lab reliability`), which tries what breaks engines and counts what breaks.\n\
         {} of {} checks have been run: {tried} trials, {faults} of them with a fault.\n\n\
         | check | tried | faults | measured | date | version |\n|---|---|---|---|---|---|\n",
        done.len(),
        checks.len(),
    );
    for (check, row) in checks.iter().zip(rows) {
        text += &match row {
            Some(row) => format!(
                "| {}{} | {} | {} | {} | {} | {} |\n",
                row.name,
                if row.short { " (short form)" } else { "" },
                if row.tried < check.trials[1] {
                    format!("{} of {}", row.tried, check.trials[1])
                } else {
                    row.tried.to_string()
                },
                row.faults,
                row.notes.join("; "),
                row.date,
                row.version
            ),
            None => format!("| {} | not yet run | | | | |\n", check.name),
        };
    }
    text += "\n## What is tried\n\n";
    let mut told = "";
    for check in checks {
        if check.what != told {
            told = check.what;
            text += &format!("- **{}**: {told}\n", check.name.split_once("games-").map_or(check.name, |_| "games-…"));
        }
    }
    text += "\n## Faults left\n\n";
    if faults == 0 {
        text += "None was found by these trials.\n";
    }
    for row in done.iter().filter(|row| row.faults > 0) {
        text += &format!("- **{}**, {} of {}:\n", row.name, row.faults, row.tried);
        for example in &row.examples {
            text += &format!("  - `{}`\n", example.replace('`', "'"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::CHECKS;
    use super::*;

    #[test]
    fn a_report_tells_what_was_and_was_not_done() {
        let row = Row {
            name: "exits".into(),
            version: "Gannet 0".into(),
            short: false,
            date: "2026.01.01".into(),
            seconds: 5,
            tried: 12,
            faults: 1,
            examples: vec!["trial 3: slow".into()],
            notes: vec!["quit: median 1ms, worst 2ms".into()],
        };
        let mut rows: Vec<Option<Row>> = CHECKS.iter().map(|_| None).collect();
        rows[0] = Some(row);
        let text = markdown(&CHECKS, &rows);
        for expected in ["1 of", "12 trials, 1 of them", "| exits | 12 of ", "not yet run", "`trial 3: slow`"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}
