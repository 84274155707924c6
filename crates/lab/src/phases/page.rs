//! What plans have come to: a page, made from figures that are kept beside it. A plan that is replayed takes the place of its
//! own section and leaves the others alone.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::{Phase, Plan};
use crate::failure::{Failure, Result};
use crate::files;
use crate::sprt::FoundTest;
use crate::stats::{Known, Pentanomial, Sprt, Verdict};

/// An interval this narrow around zero says that there is nothing to gain or lose.
const NARROW: f64 = 10.0;

/// The page and its figures.
pub struct Page {
    path: PathBuf,
    sections: Vec<Section>,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The plan's file.
    pub file: String,
    title: String,
    about: String,
    base: String,
    base_bench: u64,
    /// The phases.
    pub rows: Vec<Row>,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    name: String,
    what: String,
    options: String,
    bench: u64,
    same_bench: bool,
    figure: String,
    /// Against the phase before.
    pub before: Game,
    /// Against the base.
    pub base: Game,
    /// When it was last played.
    pub date: String,
}

/// A match of two phases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Game {
    /// Nothing was played.
    #[default]
    Open,
    /// Both search alike, so there is nothing to play for.
    Alike,
    /// Games.
    Played {
        /// Pairs by the points of the phase.
        pentanomial: [u64; 5],
        /// The sequential test, if there was one.
        sprt: Option<Sprt>,
        /// Its log-likelihood ratio.
        llr: Option<f64>,
        /// What was accepted.
        verdict: Option<Verdict>,
        /// How long a side could think.
        limit: String,
    },
}

impl Section {
    /// A plan of which nothing is played.
    pub fn new(plan: &Plan, base_bench: u64) -> Section {
        let Plan { file, title, about, base, .. } = plan.clone();
        Section { file, title, about, base, base_bench, rows: Vec::new() }
    }
}

impl Row {
    /// A phase of which nothing is played.
    pub fn new(phase: &Phase, bench: u64) -> Row {
        let Phase { name, what, options, figure, same_bench, .. } = phase.clone();
        let (before, base) = (Game::Open, Game::Open);
        Row { name, what, options, bench, same_bench, figure, before, base, date: String::new() }
    }
}

impl Game {
    /// What a test has found.
    pub fn played(found: FoundTest, limit: &str) -> Game {
        let FoundTest { pentanomial, sprt, llr, verdict, .. } = found;
        Game::Played { pentanomial, sprt, llr, verdict, limit: limit.to_string() }
    }

    fn elo(&self) -> String {
        match self {
            Game::Open => "—".to_string(),
            Game::Alike => "the same".to_string(),
            Game::Played { pentanomial, .. } => format!("{:.1}", Pentanomial(*pentanomial).elo()),
        }
    }

    fn games(&self) -> u64 {
        if let Game::Played { pentanomial, .. } = self { 2 * pentanomial.iter().sum::<u64>() } else { 0 }
    }

    fn limit(&self) -> Option<&str> {
        if let Game::Played { limit, .. } = self { Some(limit) } else { None }
    }

    /// What these games say.
    fn verdict(&self) -> String {
        let Game::Played { pentanomial, sprt, llr, verdict, .. } = self else {
            return if *self == Game::Alike { "searches alike" } else { "not played" }.to_string();
        };
        let llr = llr.map_or(String::new(), |llr| format!(", LLR {llr:+.2}"));
        let bounds = sprt.map_or(String::new(), |Sprt { elo0, elo1, .. }| format!(" [{elo0}, {elo1}]"));
        match verdict {
            Some(Verdict::H1) => return format!("passes{bounds}{llr}"),
            Some(Verdict::H0) => return format!("fails{bounds}{llr}"),
            Some(Verdict::Undecided) | None => {}
        }
        let (pairs, elo) = (Pentanomial(*pentanomial), Pentanomial(*pentanomial).elo());
        match pairs.superiority() {
            percent if percent > 97.5 => format!("helps{llr}"),
            percent if percent < 2.5 => format!("hurts{llr}"),
            _ if elo.known == Known::All && elo.error <= NARROW => format!("no effect within ±{:.0}{llr}", elo.error),
            _ => format!("not decided{llr}"),
        }
    }
}

impl Page {
    /// The page at a place, with what it knows already.
    pub fn read(path: &Path) -> Result<Page> {
        let figures = path.with_extension("json");
        if figures == path {
            return Err(Failure::arguments(format!("--out {}: its figures would be this file", path.display())));
        }
        let sections = if figures.exists() { files::read_json(&figures)? } else { Vec::new() };
        Ok(Page { path: path.to_path_buf(), sections })
    }

    /// Puts a plan in its place. What was played of phases that are still the same stays.
    pub fn put(&mut self, mut section: Section) {
        let place = self.sections.iter().position(|known| known.file == section.file);
        let known = place.map(|place| self.sections.remove(place));
        if let Some(known) = &known {
            keep(&mut section, known);
        }
        self.sections.push(section);
        self.sections.sort_by(|a, b| a.file.cmp(&b.file));
    }

    /// A phase of a plan.
    pub fn row(&mut self, file: &str, index: usize) -> Result<&mut Row> {
        let section = self.sections.iter_mut().find(|section| section.file == file);
        section
            .and_then(|section| section.rows.get_mut(index))
            .ok_or_else(|| Failure::new(format!("{file} is not on the page")))
    }

    /// Writes page and figures.
    pub fn write(&self) -> Result<()> {
        files::write_json(&self.path.with_extension("json"), &self.sections)?;
        files::write(&self.path, &self.text())
    }

    fn text(&self) -> String {
        let mut text = "\
# The plans, replayed

What the plans for this engine prescribe, phase by phase: each plays the phase before it and what its plan begins with. Written by
`gannet-lab phases plans/*.toml`; do not edit.

- **options** are what a phase sets otherwise than the one before it. The **bench** is the node count that names the search with all of
  them; phases with the bench of their opponent search alike, and are not played.
- **Elo** is what the phase gains, with its 95 % interval. It *helps* or *hurts* if zero is outside of the interval; it has *no
  effect* if the interval is within ±10; otherwise it is *not decided*. A sequential test *passes* or *fails* its bounds. The
  **verdict** is that of the match with the phase before.
- **Games** are those against the phase before and against the base; where both search alike they are the same ones.
- **The plan's figure** is what the plan reports or expects, with another engine behind it.
"
        .to_string();
        self.sections.iter().for_each(|section| text += &section.text());
        text
    }
}

/// Takes over what was played between the same settings with the same benches.
fn keep(section: &mut Section, known: &Section) {
    let side = |section: &Section, index: Option<usize>| match index {
        None => (section.base.clone(), section.base_bench),
        Some(index) => (section.rows[index].options.clone(), section.rows[index].bench),
    };
    for index in 0..section.rows.len() {
        let this = side(section, Some(index));
        let Some(place) = (0..known.rows.len()).find(|&place| side(known, Some(place)) == this) else { continue };
        let earlier = &known.rows[place];
        let is_before_the_same = side(section, index.checked_sub(1)) == side(known, place.checked_sub(1));
        let is_base_the_same = side(section, None) == side(known, None);
        let row = &mut section.rows[index];
        if is_before_the_same {
            row.before = earlier.before.clone();
        }
        if is_base_the_same {
            row.base = earlier.base.clone();
        }
        row.date.clone_from(&earlier.date);
    }
}

impl Section {
    fn text(&self) -> String {
        let mut text = format!("\n## {}\n\n{}\n\n", self.title, self.about);
        let base = if self.base.is_empty() { "the engine as it is".to_string() } else { code(&self.base) };
        text += &format!("It begins with {base}, bench {}.\n\n", self.base_bench);
        text += "| phase | what | options | bench | against the phase before | against the base | games | limit | verdict | the plan's figure |\n";
        text += "|---|---|---|---|---|---|---|---|---|---|\n";
        let (mut bench, mut options) = (self.base_bench, &self.base);
        for row in &self.rows {
            let marked = if row.same_bench && row.bench != bench { " (should be the one before)" } else { "" };
            bench = row.bench;
            let changes = changes(options, &row.options);
            options = &row.options;
            let limit = row.before.limit().or(row.base.limit()).unwrap_or("—");
            let games = match [row.before.games(), row.base.games()] {
                [0, 0] => "—".to_string(),
                [before, base] => format!("{before} / {base}"),
            };
            let figure = if row.figure.is_empty() { "—" } else { &row.figure };
            text += &format!(
                "| {} | {} | {} | {}{marked} | {} | {} | {} | {limit} | {} | {figure} |\n",
                row.name,
                row.what,
                changes,
                row.bench,
                row.before.elo(),
                row.base.elo(),
                games,
                row.before.verdict(),
            );
        }
        text
    }
}

/// What is set otherwise than before.
fn changes(before: &str, options: &str) -> String {
    if options.is_empty() && !before.is_empty() {
        return "all as by default".to_string();
    }
    let (before, now) = (list(before), list(options));
    let set = now.iter().filter(|option| !before.contains(option)).map(|option| format!("`{option}`"));
    let name = |option: &str| option.split('=').next().unwrap_or(option).to_string();
    let gone = before.iter().filter(|option| !now.iter().any(|other| name(other) == name(option)));
    let all: Vec<String> = set.chain(gone.map(|option| format!("`{}` as by default", name(option)))).collect();
    if all.is_empty() { "—".to_string() } else { all.join(" ") }
}

fn list(options: &str) -> Vec<&str> {
    options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect()
}

/// Settings that a page can break into lines.
fn code(options: &str) -> String {
    list(options).iter().map(|option| format!("`{option}`")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, options: &str, bench: u64, before: Game) -> Row {
        let (what, figure) = ("something".to_string(), "+5".to_string());
        let (name, options, base) = (name.to_string(), options.to_string(), Game::Open);
        Row { name, what, options, bench, same_bench: true, figure, before, base, date: String::new() }
    }

    fn section(rows: Vec<Row>) -> Section {
        let [file, title, about, base] = ["a.toml", "A", "about", "X=1"].map(str::to_string);
        Section { file, title, about, base, base_bench: 7, rows }
    }

    fn played(pentanomial: [u64; 5], verdict: Option<Verdict>) -> Game {
        let sprt = verdict.map(|_| Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: crate::stats::Model::Normalised,
        });
        Game::Played { pentanomial, sprt, llr: verdict.map(|_| 3.01), verdict, limit: "nodes=60".to_string() }
    }

    #[test]
    fn verdicts_speak_plainly() {
        for (game, expected) in [
            (Game::Open, "not played"),
            (Game::Alike, "searches alike"),
            (played([0, 10, 30, 60, 40], None), "helps"),
            (played([40, 60, 30, 10, 0], None), "hurts"),
            (played([1, 2, 3, 2, 1], None), "not decided"),
            (played([10, 100, 5000, 100, 10], None), "no effect within ±1"),
            (played([0, 10, 30, 60, 40], Some(Verdict::H1)), "passes [0, 5], LLR +3.01"),
        ] {
            assert_eq!(game.verdict(), expected);
        }
    }

    #[test]
    fn changes_are_what_is_otherwise() {
        assert_eq!(changes("A=1,B=2", "A=1,B=3,C=4"), "`B=3` `C=4`");
        assert_eq!(changes("A=1,B=2", "A=1"), "`B` as by default");
        assert_eq!(changes("A=1", "A=1"), "—");
        assert_eq!([changes("A=1", ""), changes("", "")], ["all as by default", "—"]);
    }

    #[test]
    fn what_was_played_stays_where_nothing_has_changed() {
        let path = std::env::temp_dir().join(format!("gannet-lab-plans-{}.md", std::process::id()));
        let game = played([1, 2, 3, 2, 1], None);
        let mut page = Page { path: path.clone(), sections: Vec::new() };
        page.put(section(vec![row("one", "A=1", 7, Game::Alike), row("two", "A=2", 9, game.clone())]));
        page.write().expect("room");
        let mut page = Page::read(&path).expect("it is there");
        // A phase between them: the second has another one before it now.
        page.put(section(vec![row("one", "A=1", 7, Game::Open), row("two", "A=2", 9, Game::Open)]));
        assert_eq!(page.row("a.toml", 1).map(|row| row.before.clone()), Ok(game));
        let text = page.text();
        assert!(text.contains("| two | something | `A=2` | 9 (should be the one before) | "), "{text}");
        assert!(text.contains("| 18 / 0 | nodes=60 | not decided | +5 |"), "{text}");
        page.put(section(vec![row("one", "A=1", 8, Game::Open), row("two", "A=2", 9, Game::Open)]));
        assert_eq!(page.row("a.toml", 1).map(|row| row.before.clone()), Ok(Game::Open), "another bench before it");
        assert!(page.row("b.toml", 0).is_err());
        for path in [path.with_extension("json"), path] {
            std::fs::remove_file(path).expect("it is there");
        }
    }
}
