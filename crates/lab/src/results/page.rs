//! Runs as one page of HTML that needs nothing else: Elo with errors, the paths of likelihood ratios, of Elo and of
//! numbers that were tuned.

mod cards;

use std::fmt::{self, Write};

use super::table;
use crate::register::{Entry, Found};
use crate::stats::{Known, Pentanomial};

/// The page. The last run stands first.
pub fn html(entries: &[Entry]) -> String {
    let latest: Vec<&Entry> = entries.iter().rev().collect();
    let games: u64 = entries.iter().map(|entry| entry.games).sum();
    let seconds: f64 = entries.iter().map(|entry| entry.seconds).sum();
    let dates = [latest.last(), latest.first()].map(|entry| entry.map_or("", |entry| entry.date.as_str()));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Gannet: what was measured</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n\
         <h1>What was measured</h1>\n<p class=\"quiet\">{} runs from {} to {} UTC, {games} games, {}</p>\n",
        include_str!("page.css"),
        entries.len(),
        dates[0],
        dates[1],
        table::time(seconds),
    );
    let is = |command: &'static str| move |entry: &&&Entry| entry.command == command;
    let tests: Vec<_> = latest.iter().filter(is("sprt")).copied().collect();
    bars(&mut page, "Tests", "tests", &tests);
    cards::tests(&mut page, &tests);
    let ideas: Vec<_> = latest.iter().filter(is("ablate")).copied().collect();
    bars(&mut page, "Ideas of the search", "ideas", &ideas);
    for entry in &latest {
        match &entry.found {
            Found::Effects(all) => cards::effects(&mut page, entry, all),
            Found::Standings(all) => cards::standings(&mut page, entry, all),
            Found::Tuning(tuning) => cards::tuning(&mut page, entry, tuning),
            Found::Test(_) => {}
        }
    }
    page + "</main>\n</body>\n</html>\n"
}

/// The Elo of tests with its error, a bar each, all on one scale.
fn bars(page: &mut String, title: &str, id: &str, entries: &[&Entry]) {
    let known: Vec<_> = entries.iter().filter_map(|entry| Some((*entry, elo_of(entry)?))).collect();
    if known.is_empty() {
        return;
    }
    let scale = Scale::over(known.iter().map(|(_, (elo, error))| (*elo, *error)));
    let _ = writeln!(page, "<h2>{title}</h2>\n<p class=\"quiet scale\">{scale}</p>\n<ol class=\"rows\" id=\"{id}\">");
    for (number, (entry, (elo, error))) in known.iter().enumerate() {
        let (who, verdict) = (Escaped(&table::who(entry)).to_string(), verdict(entry));
        let who = if entry.command == "sprt" { format!("<a href=\"#run-{number}\">{who}</a>") } else { who };
        let _ = writeln!(
            page,
            "<li><span class=\"who\">{who}<small>{}</small></span><span class=\"elo\">{}</span>\
             {}<span class=\"verdict {verdict}\">{verdict}</span></li>",
            about(entry),
            figures(*elo, *error),
            scale.bar(*elo, *error),
        );
    }
    page.push_str("</ol>\n");
}

/// Elo and error of a test that has any.
fn elo_of(entry: &Entry) -> Option<(f64, f64)> {
    let Found::Test(test) = &entry.found else { return None };
    let elo = Pentanomial(test.pentanomial).elo();
    (elo.known == Known::All).then_some((elo.value, elo.error))
}

/// Elo and its error. Adding zero turns minus zero into zero.
fn figures(elo: f64, error: f64) -> String {
    format!("{:+.1} ± {error:.1}", (elo * 10.0).round() / 10.0 + 0.0)
}

/// What was accepted or, of an idea, on which side of zero it is.
fn verdict(entry: &Entry) -> String {
    match (entry.command.as_str(), elo_of(entry)) {
        ("ablate", Some((elo, error))) if elo > error => "helps".to_string(),
        ("ablate", Some((elo, error))) if elo < -error => "hurts".to_string(),
        ("ablate", _) => "unclear".to_string(),
        _ => table::verdict(entry),
    }
}

/// When and how a run was played, in a line.
fn about(entry: &Entry) -> String {
    let bench = entry.engines.first().and_then(|side| side.bench).map_or(String::new(), |n| format!(" · bench {n}"));
    let parts = format!(
        "{} · {} · {} games{bench} · {} · {}",
        entry.date,
        entry.limit,
        table::games(entry),
        table::time(entry.seconds),
        entry.machine
    );
    Escaped(&parts).to_string()
}

/// From what to what Elo bars go.
struct Scale {
    most: f64,
}

impl Scale {
    /// A scale on which most intervals are seen whole: the wildest tenth does not make the others small.
    fn over(all: impl Iterator<Item = (f64, f64)>) -> Scale {
        let mut reach: Vec<f64> = all.map(|(elo, error)| elo.abs() + error).collect();
        reach.sort_by(f64::total_cmp);
        let most = reach.get((reach.len() * 9) / 10).or(reach.last()).copied().unwrap_or(0.0);
        let round = [5.0, 10.0, 20.0, 50.0, 100.0, 200.0].into_iter().find(|round| *round >= most);
        Scale { most: round.unwrap_or(500.0) }
    }

    fn at(&self, elo: f64) -> f64 {
        100.0 + 100.0 * (elo / self.most).clamp(-1.0, 1.0)
    }

    fn bar(&self, elo: f64, error: f64) -> String {
        let (low, value, high) = (self.at(elo - error), self.at(elo), self.at(elo + error));
        format!(
            "<svg class=\"bar\" viewBox=\"0 0 200 20\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"Elo {elo:+.1}, error {error:.1}\">\
             <path class=\"axis\" d=\"M100 0V20\"/><path class=\"range\" d=\"M{low:.1} 10H{high:.1}\"/>\
             <path class=\"value\" d=\"M{value:.1} 4V16\"/></svg>"
        )
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elo and its 95 % interval; bars go from −{0} to +{0}.", self.most)
    }
}

/// Text that may hold anything, as HTML shows it.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
