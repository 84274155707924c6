//! One experiment for all ideas at once: in every pair of games each side has each of them turned with a small
//! probability, and a regression tells what each is worth, and which do each other's work. Every game says something of
//! every idea, so that as many games as one idea takes by itself do for all of them.

mod map;
mod regression;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use engine::Params;
use serde::{Deserialize, Serialize};

use super::subjects::Subject;
use super::{BAR, SAVE, tell};
use crate::book::Book;
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::pairs::{self, Ahead, Outcome};
use crate::player::Inside;
use crate::pool::{self, Jobs, Rest};
use crate::progress::{Every, Progress};
use crate::register::{Counts, Found, Run};
use crate::rng::Rng;
use crate::runner::Conditions;
use crate::settings;
use crate::trust::Trust;
use regression::{Effect, Fit, Interaction, Pair};

/// An idea that can be turned: switched the other way, or set as somebody proposes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Factor {
    /// What it is called.
    pub name: String,
    /// What turning it sets.
    pub settings: String,
    /// Whether turning it takes the idea away: it is on otherwise.
    pub removes: bool,
}

impl Factor {
    /// The switch of a subject.
    pub fn of(subject: &Subject) -> Factor {
        let settings = match &subject.published {
            Some(settings) => settings.clone(),
            None => format!("{}={}", subject.name, !subject.default),
        };
        Factor { name: subject.name.clone(), settings, removes: subject.default }
    }

    /// Proposals from a file: on each line a name, a colon, and settings such as `NullMove_min_depth=3,NullMove_base=4`.
    pub fn read(path: &Path) -> Result<Vec<Factor>> {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(number, line)| {
                let (name, settings) = line.split_once(':').ok_or_else(|| {
                    Failure::file("use", path, format!("line {number}: expected a name, a colon and settings"))
                })?;
                let (name, settings) = (name.trim().to_string(), settings.trim().to_string());
                Ok(Factor { name, settings, removes: false })
            })
            .collect()
    }
}

/// Refuses what cannot be told apart: two factors that set the same option, or too many.
fn check(factors: &[Factor]) -> Result<()> {
    if factors.is_empty() || factors.len() > regression::MOST {
        let most = regression::MOST;
        return Err(Failure::arguments(format!("{} ideas to turn: expected 1 to {most}", factors.len())));
    }
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    for factor in factors {
        settings::read(&factor.settings)?;
        for (option, _) in settings::split(&factor.settings)? {
            if option.eq_ignore_ascii_case("EvalFile") {
                return Err(Failure::arguments(format!("{}: a network cannot be turned", factor.name)));
            }
            if let Some(other) = taken.insert(option.to_ascii_lowercase(), &factor.name) {
                let name = &factor.name;
                return Err(Failure::arguments(format!(
                    "{other} and {name} both set {option}; only one can be turned"
                )));
            }
        }
    }
    Ok(())
}

/// The experiment as it is kept on disk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// The bench of the build.
    pub bench: u64,
    /// How the games are played.
    pub conditions: String,
    /// With what probability a side has an idea turned.
    pub share: f64,
    /// From what the turning is drawn.
    pub seed: u64,
    /// What is turned.
    pub factors: Vec<Factor>,
    /// The games in order from A's side, a letter each.
    #[serde(default)]
    pub results: String,
    /// Games that were finished before an earlier one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ahead: Ahead,
}

impl Experiment {
    /// What both sides of a pair have turned, a bit each.
    fn turned(&self, pair: u64) -> [u128; 2] {
        let mut rng = Rng::new(self.seed ^ 0x6661_6374_6f72, pair);
        [(); 2].map(|()| {
            (0..self.factors.len()).fold(0, |bits, index| bits | u128::from(rng.unit() < self.share) << index)
        })
    }

    /// The parameters of a side.
    fn params(&self, turned: u128) -> Result<Params> {
        let chosen = self.factors.iter().enumerate().filter(|(index, _)| turned >> index & 1 == 1);
        let text: Vec<&str> = chosen.map(|(_, factor)| factor.settings.as_str()).collect();
        Ok(settings::read(&text.join(","))?.0)
    }

    /// The finished pairs.
    fn pairs(&self) -> Result<Vec<Pair>> {
        let games = pairs::from_text(&self.results).ok_or_else(|| Failure::new("the games are damaged"))?;
        let pair = |(index, games): (usize, &[Outcome])| {
            let points: u8 = games.iter().map(|game| game.half_points).sum();
            Pair { turned: self.turned(index as u64), score: f64::from(points) / 4.0 }
        };
        Ok(games.chunks_exact(2).enumerate().map(pair).collect())
    }

    /// Whether the games of another file can be gone on with.
    fn continues(&self, other: &Experiment) -> Result<()> {
        let differs = [
            (self.bench != other.bench, "another build, by its bench"),
            (self.conditions != other.conditions, "other conditions"),
            (self.share != other.share, "another share"),
            (self.seed != other.seed, "another seed"),
            (self.factors != other.factors, "other ideas"),
        ];
        match differs.iter().find(|(differs, _)| *differs) {
            Some((_, what)) => Err(Failure::new(format!("its games are of {what}"))),
            None => Ok(()),
        }
    }
}

/// What to do, once the arguments are understood.
pub struct Plan {
    /// What is going to be registered.
    pub run: Run,
    /// The experiment without games.
    pub fresh: Experiment,
    /// Go on with what is there.
    pub resume: bool,
    /// How many games.
    pub games: u64,
    /// The page; data and picture stand beside it.
    pub page: PathBuf,
    /// The openings.
    pub book: Book,
    /// How games are played.
    pub conditions: Conditions,
    /// The table in MiB.
    pub hash: usize,
    /// Games at a time.
    pub threads: usize,
    /// How much may go wrong.
    pub trust: Trust,
}

/// Plays the experiment and writes its page.
pub fn run(plan: Plan) -> Result<()> {
    check(&plan.fresh.factors)?;
    let json = plan.page.with_extension("json");
    let mut target = if plan.resume { Target::of_resumed(&json)? } else { Target::new(&json)? };
    let mut experiment = plan.fresh.clone();
    if plan.resume && json.exists() {
        let earlier: Experiment = files::read_json(&json)?;
        plan.fresh.continues(&earlier).map_err(|error| Failure::file("go on with", &json, error))?;
        experiment = earlier;
    }
    pool::catch_interrupts()?;
    let began = Instant::now();
    let finished = play(&plan, &mut experiment, &mut target);
    let failed = finished.is_err() || target.holds_another();
    if experiment.results.is_empty() && experiment.ahead.is_empty() && failed {
        // There is nothing to take the place of an earlier result.
        return pool::end(finished?);
    }
    target.write_or_rescue(&files::json(&experiment)?)?;
    show(&experiment, &plan.page)?;
    let games = experiment.results.chars().count() as u64;
    let counts = Counts { games, distinct: None, seconds: began.elapsed().as_secs_f64() };
    plan.run.end(finished.as_ref().err(), finished == Ok(true), counts, found(&experiment)?);
    pool::end(finished?)
}

fn play(plan: &Plan, experiment: &mut Experiment, target: &mut Target) -> Result<bool> {
    let mut results = pairs::from_text(&experiment.results).ok_or_else(|| Failure::new("the games are damaged"))?;
    let mut done = pairs::ahead_from(&experiment.ahead).ok_or_else(|| Failure::new("the games are damaged"))?;
    let first = (results.len() as u64).min(plan.games);
    done.retain(|&game, _| game >= first);
    let (mut progress, mut save) = (Progress::new(BAR, "factorial", plan.games, first), Every::new(SAVE));
    let mut score = pairs::Score::default();
    results.iter().for_each(|&outcome| score.add(outcome));
    let doubt = |score: &pairs::Score| plan.trust.doubt(["A", "B"], score);
    let fixed = experiment.clone();
    let Rest { waiting, failure } = pool::run_and_keep(
        Jobs { range: first..plan.games, done, threads: plan.threads },
        || {
            let fresh = || Inside::new(&Params::default(), &Default::default(), plan.hash);
            Ok([fresh()?, fresh()?])
        },
        |[a, b], game, stop| {
            let [above, below] = fixed.turned(game / 2);
            a.set_params(&fixed.params(above)?);
            b.set_params(&fixed.params(below)?);
            let record = pairs::play(&plan.book, game, a, b, &plan.conditions, stop)?;
            Ok(record.map(|record| Outcome::of(game, &record)))
        },
        |_, outcome| {
            score.add(outcome);
            results.push(outcome);
            progress.show(score.total(), "games, Elo ", || score.pairs.elo().to_string());
            if save.is_due() {
                experiment.results = pairs::to_text(&results);
                tell(target.write_json(experiment));
            }
            if doubt(&score).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.clear();
    experiment.results = pairs::to_text(&results);
    experiment.ahead = pairs::ahead_to(&waiting);
    doubt(&score).or(failure).map_or(Ok(results.len() as u64 >= plan.games), Err)
}

/// A pair of ideas is shown only where so many pairs of games tell them apart.
const LEAST_TOGETHER: usize = 30;

/// What the experiment has found.
struct Findings<'a> {
    experiment: &'a Experiment,
    pairs: usize,
    /// Each idea with what it brings, the best first.
    effects: Vec<(&'a Factor, Option<Effect>)>,
    interactions: Vec<Interaction>,
}

impl<'a> Findings<'a> {
    fn new(experiment: &'a Experiment) -> Result<Findings<'a>> {
        let pairs = experiment.pairs()?;
        let fit = Fit::new(&pairs, experiment.factors.len());
        // What an idea brings is the opposite of what its removal brings.
        let own = |(factor, effect): (&'a Factor, &Option<Effect>)| {
            (factor, effect.map(|effect| if factor.removes { effect.reversed() } else { effect }))
        };
        let mut effects: Vec<_> = experiment.factors.iter().zip(&fit.effects).map(own).collect();
        effects.sort_by(|a, b| {
            let elo = |effect: &Option<Effect>| effect.map_or(f64::NEG_INFINITY, |effect| effect.elo);
            elo(&b.1).total_cmp(&elo(&a.1)).then_with(|| a.0.name.cmp(&b.0.name))
        });
        let interactions = fit.interactions(&pairs, LEAST_TOGETHER);
        Ok(Findings { experiment, pairs: pairs.len(), effects, interactions })
    }
}

/// The experiment as the register keeps it.
fn found(experiment: &Experiment) -> Result<Found> {
    let findings = Findings::new(experiment)?;
    let known = findings.effects.iter().filter_map(|(factor, effect)| Some((factor, (*effect)?)));
    Ok(Found::Effects(known.map(|(factor, effect)| (factor.name.clone(), effect.elo, effect.error)).collect()))
}

/// A verdict in plain words.
fn verdict(effect: Effect) -> String {
    match effect {
        Effect { elo, .. } if effect.is_decided() => if elo > 0.0 { "helps" } else { "hurts" }.to_string(),
        Effect { error, .. } if error <= 10.0 => format!("no effect within ±{error:.0}"),
        _ => "not decided".to_string(),
    }
}

fn show(experiment: &Experiment, page: &Path) -> Result<()> {
    let findings = Findings::new(experiment)?;
    for (factor, effect) in &findings.effects {
        let told = effect.map_or("nothing yet".to_string(), |effect| {
            format!("{:>+7.1} ± {:<5.1} {}", effect.elo, effect.error, verdict(effect))
        });
        println!("{:<32} {told}", factor.name);
    }
    let picture = page.with_extension("svg");
    files::write(&picture, &map::svg(&findings))?;
    let name = picture.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    files::write(page, &text(&findings, &name))?;
    println!("\n{} pairs; the page is {}", findings.pairs, page.display());
    Ok(())
}

/// How many interactions the page lists.
const LISTED: usize = 12;

fn text(findings: &Findings, picture: &str) -> String {
    let Experiment { bench, conditions, share, .. } = findings.experiment;
    let mut page = INTRODUCTION.replace("PICTURE", picture);
    let _ = writeln!(
        page,
        "{} pairs of games; each side has each idea turned with probability {share}. Bench {bench}; {conditions}.\n\n\
         | idea | turned by | Elo | verdict |\n|---|---|---|---|",
        findings.pairs
    );
    for (factor, effect) in &findings.effects {
        let (elo, verdict) = effect.map_or(("—".to_string(), "no games".to_string()), |effect| {
            (format!("{:+.1} ± {:.1}", effect.elo, effect.error), verdict(effect))
        });
        let _ = writeln!(page, "| {} | `{}` | {elo} | {verdict} |", factor.name, factor.settings.replace(',', ", "));
    }
    let _ = write!(page, "\n{TOGETHER}");
    for Interaction { factors, effect } in findings.interactions.iter().take(LISTED) {
        let [first, second] = factors.map(|index| &findings.experiment.factors[index]);
        let _ = writeln!(page, "| {} | {} | {:+.1} ± {:.1} |", first.name, second.name, effect.elo, effect.error);
    }
    page
}

const INTRODUCTION: &str = "\
# All ideas at once

One experiment for every idea of the search: in each pair of games each side has each idea turned (switched the other
way) with a small probability, and a regression on the pairs tells what each is worth while the others are mostly as by
default. Written by `gannet-lab ablate --factorial`; do not edit.

- **Elo** is what the engine gains with the idea (for a proposal: with the settings), with its 95 % interval.
- An idea *helps* or *hurts* if zero is outside of the interval. It has *no effect* within ±10 Elo or less if zero is
  inside and the interval is that narrow; otherwise it is *not decided*.

![Which ideas do each other's work](PICTURE)

";

const TOGETHER: &str = "\
## Together

What turning two ideas brings beyond the sum of what each brings by itself; the strongest evidence first. Where both are
taken away, below zero means that one does the work of the other while it is gone; above zero, that they stand on each
other. Of several hundred such numbers one in twenty lies outside of its own interval by chance.

| idea | and | Elo besides |
|---|---|---|
";

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(factors: usize, share: f64, results: &str) -> Experiment {
        let names = ["UseNullMove", "UseReverseFutility", "UseKillers"];
        let factor = |name: &&str| Factor { name: name.to_string(), settings: format!("{name}=false"), removes: true };
        Experiment {
            bench: 1,
            conditions: "100 nodes".to_string(),
            share,
            seed: 3,
            factors: names[..factors].iter().map(factor).collect(),
            results: results.to_string(),
            ahead: Ahead::new(),
        }
    }

    #[test]
    fn the_share_is_kept_and_sides_are_set() {
        let experiment = experiment(3, 0.1, "");
        let turned = (0..10_000).flat_map(|pair| experiment.turned(pair));
        let bits: u32 = turned.map(u128::count_ones).sum();
        assert!((5600..6400).contains(&bits), "{bits} of 60000");
        let params = experiment.params(0b101).expect("settings");
        assert!(
            !params.search.null_move.enabled
                && params.search.reverse_futility.enabled
                && !params.ordering.killers.enabled
        );
        assert_eq!(experiment.turned(7), experiment.turned(7));
    }

    #[test]
    fn a_removal_that_loses_is_an_idea_that_helps() {
        // The side without the idea loses every pair by half a point.
        let mut experiment = experiment(1, 0.5, "");
        for pair in 0..200 {
            let [a, b] = experiment.turned(pair);
            experiment.results += match (a, b) {
                (1, 0) => "LD",
                (0, 1) => "WD",
                _ => "DD",
            };
        }
        let findings = Findings::new(&experiment).expect("games");
        let effect = findings.effects[0].1.expect("it was turned");
        assert!(effect.elo > 150.0 && effect.is_decided(), "{effect:?}");
        let page = text(&findings, "x.svg");
        assert!(page.contains("| UseNullMove | `UseNullMove=false` | +") && page.contains("helps"), "{page}");
        assert!(map::svg(&findings).starts_with("<svg"));
    }

    #[test]
    fn other_games_are_not_gone_on_with() {
        let ours = experiment(2, 0.1, "");
        assert!(ours.continues(&Experiment { results: "WW".to_string(), ..ours.clone() }).is_ok());
        for other in [experiment(3, 0.1, ""), experiment(2, 0.2, ""), Experiment { bench: 2, ..ours.clone() }] {
            assert!(ours.continues(&other).is_err());
        }
    }

    #[test]
    fn ideas_that_cannot_be_told_apart_are_refused() {
        let of = |settings: &[&str]| {
            let factor = |text: &&str| Factor { name: text.to_string(), settings: text.to_string(), removes: false };
            check(&settings.iter().map(factor).collect::<Vec<_>>())
        };
        assert!(of(&["UseNullMove=false", "UseKillers=false,Killers_bonus=1"]).is_ok());
        for bad in [&["UseNullMove=false", "usenullmove=true"][..], &["EvalFile=<bootstrap>"], &["Nothing=1"], &[]] {
            assert!(of(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn games_are_played_and_gone_on_with() {
        let folder = std::env::temp_dir().join(format!("gannet-lab-factorial-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let page = folder.join("factorial.md");
        let plan = |games, resume| Plan {
            run: Run::default(),
            fresh: experiment(3, 0.5, ""),
            resume,
            games,
            page: page.clone(),
            book: Book::random(1, 8, false),
            conditions: Conditions {
                limit: crate::player::Limit::Nodes(100),
                jitter: None,
                margin: std::time::Duration::ZERO,
                adjudication: Some(Default::default()),
                max_plies: 60,
                tables: None,
            },
            hash: 1,
            threads: 2,
            trust: Trust { percent: 2.0 },
        };
        let results = || files::read_json::<Experiment>(&page.with_extension("json")).expect("games").results;
        let go = |games, resume| {
            let plan = plan(games, resume);
            let mut experiment = if resume {
                files::read_json(&page.with_extension("json")).expect("games")
            } else {
                plan.fresh.clone()
            };
            let mut target = Target::of_resumed(&page.with_extension("json")).expect("room");
            play(&plan, &mut experiment, &mut target).expect("games");
            files::write_json(&page.with_extension("json"), &experiment).expect("a file");
            show(&experiment, &page).expect("a page");
        };
        go(12, false);
        let straight = results();
        go(4, false);
        go(12, true);
        assert_eq!((results(), straight.len()), (straight.clone(), 12));
        assert!(std::fs::read_to_string(&page).expect("a page").contains("UseKillers"));
        let _ = std::fs::remove_dir_all(&folder);
    }
}
