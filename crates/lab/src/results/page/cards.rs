//! The parts of the page that show a run each, with its charts.

use std::fmt::Write;

use super::{Escaped, Scale, about, figures, table};
use crate::chart::{COLOURS, Chart, SMALL};
use crate::register::{Entry, Found, Number, Standing, Test, Tuning};

/// How often the error of the last point may be that of one that is drawn: the first games are off by anything.
const STEADY: f64 = 4.0;

/// The paths of tests. They are numbered as their bars are.
pub fn tests(page: &mut String, entries: &[&Entry]) {
    if entries.is_empty() {
        return;
    }
    page.push_str("<h2>Tests in detail</h2>\n<ol class=\"cards\">\n");
    let known = entries.iter().filter(|entry| super::elo_of(entry).is_some());
    for (number, entry) in known.enumerate() {
        let Found::Test(test) = &entry.found else { continue };
        begin(page, entry, &format!("run-{number}"));
        let [wins, draws, losses] = test.games;
        let sprt = test.sprt.map_or(String::new(), |sprt| format!(" · test of {sprt}"));
        let _ = writeln!(
            page,
            "<p>{} · W {wins} D {draws} L {losses}, pairs {:?}{sprt}</p>\n<div class=\"charts\">",
            Escaped(&table::result(entry)),
            test.pentanomial
        );
        charts(page, test);
        page.push_str("</div>\n</li>\n");
    }
    page.push_str("</ol>\n");
}

fn begin(page: &mut String, entry: &Entry, id: &str) {
    let verdict = table::verdict(entry);
    let _ = writeln!(
        page,
        "<li id=\"{id}\"><h3>{} <small class=\"{verdict}\">{verdict}</small></h3>\n<p class=\"quiet\">{}</p>",
        Escaped(&table::who(entry)),
        about(entry)
    );
}

/// The likelihood ratio, if there was a test, and Elo.
fn charts(page: &mut String, test: &Test) {
    let games = |point: &(u64, f64, f64, f64)| point.0 as f64;
    if let Some(sprt) = test.sprt {
        let (lower, upper) = sprt.bounds();
        let points = test.path.iter().map(|point| (games(point), point.3)).collect();
        page.push_str(
            &Chart {
                title: "Log-likelihood ratio".to_string(),
                x_label: "games".to_string(),
                lines: vec![("LLR".to_string(), points)],
                levels: vec![(format!("H0 {lower:.2}"), lower), (format!("H1 {upper:.2}"), upper)],
                ..Chart::default()
            }
            .framed(&SMALL),
        );
    }
    let last = test.path.last().map_or(0.0, |point| point.2);
    let steady: Vec<_> = test.path.iter().filter(|point| point.2 <= STEADY * last).collect();
    page.push_str(
        &Chart {
            title: "Elo and its 95 % interval".to_string(),
            x_label: "games".to_string(),
            lines: vec![("Elo".to_string(), steady.iter().map(|point| (games(point), point.1)).collect())],
            levels: vec![(String::new(), 0.0)],
            band: steady.iter().map(|point| (games(point), point.1 - point.2, point.1 + point.2)).collect(),
        }
        .framed(&SMALL),
    );
}

/// A match: its players with their bars.
pub fn standings(page: &mut String, entry: &Entry, all: &[Standing]) {
    let title = format!("Match of {} players", all.len());
    let players = all.iter().map(|standing| {
        let [wins, draws, losses] = standing.games;
        (standing.name.as_str(), format!("W {wins} D {draws} L {losses}"), standing.elo, standing.error)
    });
    rows(page, &title, entry, players.collect());
}

/// Many ideas in one experiment.
pub fn effects(page: &mut String, entry: &Entry, all: &[(String, f64, f64)]) {
    let ideas = all.iter().map(|(name, elo, error)| (name.as_str(), String::new(), *elo, *error));
    rows(page, "All ideas at once", entry, ideas.collect());
}

fn rows(page: &mut String, title: &str, entry: &Entry, all: Vec<(&str, String, f64, f64)>) {
    let scale = Scale::over(all.iter().map(|&(_, _, elo, error)| (elo, error)));
    let _ = writeln!(
        page,
        "<h2>{title}</h2>\n<p class=\"quiet\">{}</p>\n<p class=\"quiet scale\">{scale}</p>\n<ol class=\"rows\">",
        about(entry)
    );
    for (name, about, elo, error) in all {
        let _ = writeln!(
            page,
            "<li><span class=\"who\">{}</span><span class=\"elo\">{}</span>{}\
             <span class=\"verdict\">{about}</span></li>",
            Escaped(name),
            figures(elo, error),
            scale.bar(elo, error)
        );
    }
    page.push_str("</ol>\n");
}

/// A tuning: where its numbers went, and where they are.
pub fn tuning(page: &mut String, entry: &Entry, tuning: &Tuning) {
    let _ = writeln!(
        page,
        "<h2>Tuning of {} numbers</h2>\n<ol class=\"cards\"><li>\n<p class=\"quiet\">{}, of {} pairs</p>\n\
         <div class=\"tuning\"><div class=\"charts\">",
        tuning.numbers.len(),
        about(entry),
        tuning.pairs
    );
    let line = |(index, number): (usize, &Number)| {
        let steps = |values: &[f64]| values.get(index).map(|value| (value - number.start) / number.step);
        let points = tuning.path.iter().filter_map(|(pair, values)| Some((*pair as f64, steps(values)?)));
        (number.name.clone(), points.collect())
    };
    let chart = Chart {
        title: "In steps from where they began".to_string(),
        x_label: "pairs of games".to_string(),
        lines: tuning.numbers.iter().enumerate().map(line).collect(),
        ..Chart::default()
    };
    page.push_str(&chart.framed(&SMALL));
    page.push_str(
        "</div>\n<div class=\"numbers\"><table>\n<tr><th>number</th><th>from</th><th>to</th><th>steps</th></tr>\n",
    );
    for (index, number) in tuning.numbers.iter().enumerate() {
        let steps = (number.value - number.start) / number.step;
        let _ = writeln!(
            page,
            "<tr><td><span class=\"dot\" style=\"background:{}\"></span>{}</td><td>{}</td><td>{:.1}</td>\
             <td>{steps:+.2}</td></tr>",
            COLOURS[index % COLOURS.len()],
            Escaped(&number.name),
            number.start,
            number.value
        );
    }
    page.push_str("</table></div></div>\n</li></ol>\n");
}
