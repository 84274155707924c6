//! Runs as a table on the terminal, a line each.

use std::fmt::Write;

use super::filter::{self, Verdict};
use crate::register::{Entry, Found};
use crate::stats::{Known, Pentanomial};

/// What the table says of a run.
struct Cells {
    date: String,
    command: String,
    who: String,
    limit: String,
    games: String,
    result: String,
    verdict: String,
    time: String,
}

/// The table; a word if there is nothing in it.
pub fn text(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return "no runs\n".to_string();
    }
    let head = Cells {
        date: "date (UTC)".to_string(),
        command: "command".to_string(),
        who: "what".to_string(),
        limit: "limit".to_string(),
        games: "games".to_string(),
        result: "result".to_string(),
        verdict: "verdict".to_string(),
        time: "time".to_string(),
    };
    let rows: Vec<[String; 8]> = std::iter::once(head).chain(entries.iter().map(cells)).map(Cells::list).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Numbers stand under each other.
            let _ = if column == 4 || column == 7 {
                write!(line, "{cell:>width$}  ")
            } else {
                write!(line, "{cell:<width$}  ")
            };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

impl Cells {
    fn list(self) -> [String; 8] {
        [self.date, self.command, self.who, self.limit, self.games, self.result, self.verdict, self.time]
    }
}

fn cells(entry: &Entry) -> Cells {
    Cells {
        date: entry.date.clone(),
        command: entry.command.clone(),
        who: shortened(&who(entry), 60),
        limit: entry.limit.clone(),
        games: games(entry),
        result: result(entry),
        verdict: verdict(entry),
        time: time(entry.seconds),
    }
}

/// Who played, or what was tuned.
pub fn who(entry: &Entry) -> String {
    let names: Vec<&str> = entry.engines.iter().map(|side| side.name.as_str()).collect();
    match &entry.found {
        Found::Tuning(tuning) => {
            tuning.numbers.iter().map(|number| number.name.as_str()).collect::<Vec<_>>().join(", ")
        }
        Found::Effects(all) => format!("{} ideas at once", all.len()),
        Found::Test(_) if entry.command == "ablate" => names.first().unwrap_or(&"").to_string(),
        Found::Test(_) => names.join(" against "),
        Found::Standings(_) => names.join(", "),
    }
}

/// How many games, and how many of them differ where not all do.
pub fn games(entry: &Entry) -> String {
    match entry.distinct_games {
        Some(distinct) if distinct < entry.games => format!("{} ({distinct} differ)", entry.games),
        _ => entry.games.to_string(),
    }
}

/// What was found, in a few words.
pub fn result(entry: &Entry) -> String {
    match &entry.found {
        Found::Test(test) => {
            let elo = Pentanomial(test.pentanomial).elo();
            let llr = test.llr.map_or(String::new(), |llr| format!(", LLR {llr:.2}"));
            match elo.known {
                Known::Nothing => format!("no estimate{llr}"),
                _ => format!("{elo:.1}{llr}"),
            }
        }
        Found::Standings(all) => {
            let one = |standing: &crate::register::Standing| {
                format!("{} {:+.0} ± {:.0}", standing.name, standing.elo, standing.error)
            };
            shortened(&all.iter().map(one).collect::<Vec<_>>().join(", "), 60)
        }
        Found::Tuning(tuning) => {
            let moved = |number: &crate::register::Number| ((number.value - number.start) / number.step).abs();
            let most = tuning.numbers.iter().max_by(|a, b| moved(a).total_cmp(&moved(b)));
            most.map_or("nothing".to_string(), |number| {
                format!("{} {} to {:.0}", number.name, number.start, number.value)
            })
        }
        Found::Effects(all) => {
            let clear = all.iter().filter(|(_, elo, error)| elo.abs() > *error).count();
            format!("{clear} of {} clear", all.len())
        }
    }
}

/// What it came to.
pub fn verdict(entry: &Entry) -> String {
    match filter::of(entry) {
        Verdict::H1 => "H1",
        Verdict::H0 => "H0",
        Verdict::Undecided => "undecided",
        Verdict::Unfinished => "unfinished",
        Verdict::Fixed => "",
    }
    .to_string()
}

/// Seconds as people say them.
pub fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

/// No longer than so many letters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
