//! A plan as it stands in a file, checked as a whole before anything is played.

use std::path::{Path, PathBuf};

use engine::params::present_name;
use serde::Deserialize;

use super::file_name;
use crate::arguments::SCREENING;
use crate::failure::{Failure, Result};
use crate::player::Limit;
use crate::settings;
use crate::stats::MOST_ELO;

/// Games of a match of which the plan does not say how many.
const GAMES: u64 = 3000;

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The file's name.
    pub file: String,
    /// What it is called.
    pub title: String,
    /// What it wants.
    pub about: String,
    /// What it begins with.
    pub base: String,
    /// The openings.
    pub book: Option<PathBuf>,
    /// The phases in their order.
    pub phases: Vec<Phase>,
}

/// A phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What it is called.
    pub name: String,
    /// What is done.
    pub what: String,
    /// All that is set in it.
    pub options: String,
    /// What the plan says of it.
    pub figure: String,
    /// Whether its bench is to be that of the phase before.
    pub same_bench: bool,
    /// How long a side may think, such as `nodes=25000`.
    pub limit: String,
    /// Games of a match.
    pub games: u64,
    /// The bounds of a sequential test.
    pub bounds: Option<[f64; 2]>,
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    base: String,
    book: Option<PathBuf>,
    limit: Option<String>,
    games: Option<u64>,
    bounds: Option<[f64; 2]>,
    #[serde(default)]
    phase: Vec<WrittenPhase>,
}

/// How matches are played of which a phase says nothing else.
struct How {
    limit: Option<String>,
    games: Option<u64>,
    bounds: Option<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPhase {
    name: String,
    #[serde(default)]
    what: String,
    options: Option<String>,
    add: Option<String>,
    #[serde(default)]
    figure: String,
    #[serde(default)]
    same_bench: bool,
    limit: Option<String>,
    games: Option<u64>,
    bounds: Option<[f64; 2]>,
}

impl Plan {
    /// Reads a plan; a book is looked for beside it.
    pub fn read(path: &Path) -> Result<Plan> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let refuse = |what: String| Failure::arguments(format!("plan {}: {what}", path.display()));
        let mut plan = Plan::parse(&text).map_err(refuse)?;
        plan.file = file_name(path);
        plan.book = plan.book.map(|book| path.parent().unwrap_or(Path::new("")).join(book));
        match &plan.book {
            Some(book) if !book.is_file() => Err(refuse(format!("there is no book {}", book.display()))),
            _ => Ok(plan),
        }
    }

    /// Understands the text of a plan.
    fn parse(text: &str) -> std::result::Result<Plan, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_string())?;
        let Written { title, about, base, book, limit, games, bounds, phase } = written;
        let how = How { limit, games, bounds };
        accepted(&base).map_err(|error| format!("base: {error}"))?;
        if phase.is_empty() {
            return Err("it has no phase; expected at least one [[phase]] with a name and options or add".to_string());
        }
        let mut phases: Vec<Phase> = Vec::new();
        for written in phase {
            let name = written.name.clone();
            if phases.iter().any(|phase| phase.name == name) {
                return Err(format!("two phases are called '{name}'"));
            }
            let before = phases.last().map_or(&base, |phase| &phase.options);
            let phase = written.whole(before, &how).map_err(|error| format!("phase '{name}': {error}"))?;
            phases.push(phase);
        }
        let about = about.trim().to_string();
        Ok(Plan { file: String::new(), title, about, base, book, phases })
    }
}

impl WrittenPhase {
    /// With all that it does not say itself.
    fn whole(self, before: &str, how: &How) -> std::result::Result<Phase, String> {
        let WrittenPhase { name, what, options, add, figure, same_bench, limit, games, bounds } = self;
        let options = match (options, add) {
            (Some(options), None) => options,
            (None, Some(add)) => added(before, &add)?,
            (Some(_), Some(_)) => return Err("it has options and add; expected one of them".to_string()),
            (None, None) => return Err("it has neither options nor add".to_string()),
        };
        accepted(&options)?;
        let limit = limit.or(how.limit.clone()).unwrap_or(format!("nodes={SCREENING}"));
        let (kind, value) = limit.split_once('=').unwrap_or((&limit, ""));
        Limit::parse(kind, value).map_err(|failure| failure.to_string())?;
        let games = games.or(how.games).unwrap_or(GAMES);
        if !(1..=1_000_000_000).contains(&games) {
            return Err(format!("games = {games}: expected from 1 to 1000000000"));
        }
        let bounds = bounds.or(how.bounds);
        if let Some([elo0, elo1]) = bounds
            && !(elo0 < elo1 && elo0 >= -MOST_ELO && elo1 <= MOST_ELO)
        {
            let expected = format!("two numbers from {} to {MOST_ELO}, the lesser first", -MOST_ELO);
            return Err(format!("bounds = [{elo0}, {elo1}]: expected {expected}"));
        }
        Ok(Phase { name, what, options, figure, same_bench, limit, games: games.next_multiple_of(2), bounds })
    }
}

/// Whether the engine takes these settings.
fn accepted(options: &str) -> std::result::Result<(), String> {
    settings::read(options).map(drop).map_err(|failure| failure.to_string())
}

/// Settings with others in addition, which take the place of those of the same name.
fn added(before: &str, add: &str) -> std::result::Result<String, String> {
    let split = |text| settings::split(text).map_err(|failure| failure.to_string());
    let (before, add) = (split(before)?, split(add)?);
    let is_set =
        |name: &str| add.iter().any(|(other, _)| present_name(other).eq_ignore_ascii_case(&present_name(name)));
    let kept = before.iter().filter(|(name, _)| !is_set(name)).chain(&add);
    Ok(kept.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
        title = "A plan"
        base = "UseNullMove=false"
        limit = "nodes=500"
        games = 11
        [[phase]]
        name = "one"
        add = "usenullmove=true,NullMove_verify_depth=6"
        [[phase]]
        name = "two"
        what = "more"
        options = "UseRazoring=true"
        figure = "+10"
        limit = "tc=1+0.01"
        bounds = [0, 5]
        same_bench = true
    "#;

    #[test]
    fn a_plan_is_understood() {
        let plan = Plan::parse(PLAN).unwrap_or_else(|error| panic!("{error}"));
        let [one, two] = &plan.phases[..] else { panic!("two phases") };
        assert_eq!(one.options, "usenullmove=true,NullMove_verify_depth=6", "it takes the place of the base's");
        assert_eq!((one.limit.as_str(), one.games, one.bounds, one.same_bench), ("nodes=500", 12, None, false));
        assert_eq!((two.options.as_str(), two.limit.as_str(), two.games), ("UseRazoring=true", "tc=1+0.01", 12));
        assert_eq!((two.bounds, two.same_bench, two.figure.as_str()), (Some([0.0, 5.0]), true, "+10"));
    }

    #[test]
    fn what_is_wrong_with_a_plan_is_said() {
        let told = |from: &str, to: &str| {
            assert!(PLAN.contains(from), "{from}");
            Plan::parse(&PLAN.replace(from, to)).err().unwrap_or_default()
        };
        assert!(told("UseRazoring=true", "UseRazor=true").contains("phase 'two': setting 'UseRazor=true'"));
        assert!(told("UseNullMove=false", "UseNullMove=perhaps").starts_with("base: "));
        assert!(told("NullMove_verify_depth=6", "NullMove_verify_depth=99").contains("phase 'one'"));
        assert!(told("\"two\"", "\"one\"").contains("two phases are called 'one'"));
        assert!(told("tc=1+0.01", "clock=1").contains("phase 'two'"));
        assert!(told("[0, 5]", "[5, 0]").contains("the lesser first"));
        assert!(told("games = 11", "games = 0").contains("expected from 1"));
        assert!(told("figure =", "figur =").contains("figur"), "{}", told("figure =", "figur ="));
        assert!(told("what = \"more\"", "add = \"\"").contains("options and add"));
        assert!(told("title =", "name =").contains("line"));
        assert!(Plan::parse("title = \"empty\"").is_err_and(|error| error.contains("no phase")));
        assert!(Plan::parse("nonsense").is_err());
    }

    /// The plans that come with the engine, and every phase of which people speak.
    #[test]
    fn every_phase_of_the_plans_is_accepted() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).expect("plans").filter_map(std::result::Result::ok) {
            let plan = Plan::read(&entry.path()).unwrap_or_else(|failure| panic!("{failure}"));
            names.extend(plan.phases.iter().map(|phase| phase.name.clone()));
        }
        let steps =
            |plan: &str, steps: std::ops::RangeInclusive<u32>| steps.map(|step| format!("{plan}{step}")).collect();
        let all: [Vec<String>; 3] = [steps("CM", 1..=4), steps("2a.", 0..=8), steps("2b.", 0..=8)];
        for name in all.concat().iter().map(String::as_str).chain(["NM1", "SN2", "TT3", "multicut", "razoring"]) {
            assert!(names.iter().any(|known| known == name), "{name} is in none of the plans");
        }
    }
}
