//! What is kept of a check, and the report that is made from all of them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Check;
use super::trials::Figures;
use crate::failure::{Failure, Result};

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
    /// What else was measured, in words.
    pub notes: Vec<String>,
    /// The same in numbers, for a run that goes on.
    #[serde(default)]
    pub figures: Figures,
}

/// In the place of what a check measured that needs endgame tables, where there were none.
pub const LEFT_OUT: &str = "left out: it needs endgame tables, --syzygy FOLDER";

/// Goes above the lines.
pub const HEADING: &str = "check                      tried   faults  seconds  measured";

impl Row {
    /// One line for the terminal.
    pub fn line(&self) -> String {
        let Row { name, tried, faults, seconds, notes, .. } = self;
        format!("{name:<20} {tried:>11} {faults:>8} {seconds:>8}  {}", notes.join("; "))
    }
}

/// What another tool found: name, tried, faults, measured, date, toolchain.
pub type Tool = [String; 6];

/// What was found and fixed: date, what, how it was found, the title of the commit.
pub type Fixed = [String; 4];

/// Reads a table: a line for each row, its fields between tabs.
pub fn read_table<const N: usize>(path: &Path) -> Result<Vec<[String; N]>> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    let fields = |(index, line): (usize, &str)| {
        let fields: Vec<String> = line.split('\t').map(str::to_string).collect();
        fields.try_into().map_err(|fields: Vec<_>| {
            let (place, count) = (path.display(), fields.len());
            Failure::new(format!("{place}, line {}: {count} fields between tabs, expected {N}", index + 1))
        })
    };
    text.lines().enumerate().map(fields).collect()
}

/// The report.
pub fn markdown(checks: &[Check], rows: &[Option<Row>], tools: &[Tool], fixed: &[Fixed]) -> String {
    let done: Vec<&Row> = rows.iter().flatten().collect();
    let tried: u64 = done.iter().map(|row| row.tried).sum();
    let faults: u64 = done.iter().map(|row| row.faults).sum();
    let by_tools: u64 = tools.iter().map(faults_of).sum();
    let mut text = format!(
        "# Reliability\n\n\
         Written by `make reliability` (`gannet-lab reliability`), which tries what breaks engines and counts what breaks.\n\
         {} of {} checks have been run: {tried} trials, {faults} of them with a fault; other tools found {by_tools}.\n\
         A version is named by its bench, which every build of it prints, and by a checksum of the build that was tried.\n\n\
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
            None if check.tables => format!("| {} | not run | | {LEFT_OUT} | | |\n", check.name),
            None => format!("| {} | not yet run | | | | |\n", check.name),
        };
    }
    text += "\n## What is tried\n\n";
    for alike in checks.chunk_by(|one, next| one.what == next.what) {
        let names: Vec<_> = alike.iter().map(|check| check.name).collect();
        text += &format!("- **{}**: {}\n", names.join(", "), alike[0].what);
    }
    if !tools.is_empty() {
        text += "\n## Fuzzing, sanitizers, Miri, python-chess\n\n\
            `make fuzz` and `make sanitize` (a nightly toolchain) and `make python-chess`, the newest run of each; tests and\n\
            fuzz targets with all assertions on. AddressSanitizer (asan) sees memory that is not there or not ours any more, ThreadSanitizer (tsan)\n\
            memory that two threads use at once, Miri undefined behaviour of any kind.\n\n\
            | tool | tried | faults | measured | date | with |\n|---|---|---|---|---|---|\n";
        tools.iter().for_each(|tool| text += &format!("| {} |\n", tool.join(" | ")));
    }
    if !fixed.is_empty() {
        text += "\n## Found and fixed\n\n\
            | date | what | found by | fixed in |\n|---|---|---|---|\n";
        fixed.iter().for_each(|row| text += &format!("| {} |\n", row.join(" | ")));
    }
    text + &faults_left(&done, tools)
}

/// How many faults a tool has found; a word in the place of the number is one.
fn faults_of([_, _, faults, ..]: &Tool) -> u64 {
    faults.trim().parse().unwrap_or(1)
}

/// Everything that was found and is not fixed.
fn faults_left(done: &[&Row], tools: &[Tool]) -> String {
    let mut text = "\n## Faults left\n\n".to_string();
    if done.iter().all(|row| row.faults == 0) && tools.iter().all(|tool| faults_of(tool) == 0) {
        text += "None was found by these trials.\n";
    }
    for row in done.iter().filter(|row| row.faults > 0) {
        text += &format!("- **{}**, {} of {}:\n", row.name, row.faults, row.tried);
        for example in &row.examples {
            text += &format!("  - `{}`\n", example.replace('`', "'"));
        }
    }
    for [name, tried, faults, measured, ..] in tools.iter().filter(|tool| faults_of(tool) > 0) {
        text += &format!("- **{name}**, {faults} in {tried}: {measured}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::CHECKS;
    use super::*;

    fn row() -> Row {
        Row {
            name: "exits".into(),
            version: "Gannet 0".into(),
            short: false,
            date: "2026.01.01".into(),
            seconds: 5,
            tried: 12,
            faults: 1,
            examples: vec!["trial 3: slow".into()],
            notes: vec!["quit: median 1ms, worst 2ms".into()],
            figures: Figures::default(),
        }
    }

    #[test]
    fn a_report_tells_what_was_and_was_not_done() {
        let mut rows: Vec<Option<Row>> = CHECKS.iter().map(|_| None).collect();
        rows[0] = Some(row());
        let tools = ["fuzz fen", "9 runs", "0", "90 s", "2026.01.01", "cargo 1"].map(str::to_string);
        let fixed = ["2026.01.02", "a hang", "go-stop", "Stop at once"].map(str::to_string);
        let text = markdown(&CHECKS, &rows, &[tools], &[fixed]);
        let bare = markdown(&CHECKS, &rows, &[], &[]);
        assert!(!bare.contains("fuzz") && !bare.contains("Found and fixed"));
        for expected in [
            "| fuzz fen | 9 runs | 0 |",
            "| 2026.01.02 | a hang | go-stop | Stop at once |",
            "1 of",
            "12 trials, 1 of them",
            "| exits | 12 of ",
            "| exits | not yet run",
            "| probes | not run | | left out: ",
            "`trial 3: slow`",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn no_fault_is_left_out() {
        let tool = |faults: &str| ["asan", "9 tests", faults, "tests", "2026.01.01", "cargo 1"].map(str::to_string);
        let none = markdown(&[], &[], &[tool("0")], &[]);
        assert!(none.contains("None was found") && !none.contains("**asan**"), "{none}");
        for (faults, count) in [("2", 2), ("crashed", 1)] {
            let text = markdown(&[], &[], &[tool("0"), tool(faults)], &[]);
            assert!(text.contains(&format!("- **asan**, {faults} in 9 tests: tests")), "{text}");
            assert!(
                text.contains(&format!("other tools found {count}.")) && !text.contains("None was found"),
                "{text}"
            );
        }
    }
}
