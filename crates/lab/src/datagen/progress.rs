//! How a run of self-play is shown while it goes on, and what it came to.

use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{Goal, Settings};
use crate::data::{Tally, TallyJson, per};
use crate::records::End;

/// How often a line is printed where there is no terminal.
const SPEAK: Duration = Duration::from_secs(10);
/// How often the terminal is brought up to date.
const TICK: Duration = Duration::from_millis(200);

/// A run while it goes on.
pub struct Progress {
    goal: Goal,
    before: Tally,
    now: Tally,
    began: Instant,
    spoken: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run that begins, in a folder that holds this already.
    pub fn new(goal: Goal, before: Tally) -> Progress {
        let length = match goal {
            Goal::Games(count) | Goal::Positions(count) => count,
            Goal::Time(time) => time.as_secs(),
        };
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent}% {elapsed_precise}\n{wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(length).with_style(style)
        });
        let now = Instant::now();
        Progress { goal, now: before.clone(), before, began: now, spoken: now, bar }
    }

    /// Takes in what the folder holds now.
    pub fn update(&mut self, tally: &Tally) {
        let wait = if self.bar.is_some() { TICK } else { SPEAK };
        self.now.clone_from(tally);
        if self.spoken.elapsed() < wait {
            return;
        }
        self.spoken = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(match self.goal {
                    Goal::Games(_) => tally.games,
                    Goal::Positions(_) => tally.kept,
                    Goal::Time(_) => self.began.elapsed().as_secs(),
                });
                bar.set_message(self.line());
            }
            None => eprintln!("{}", self.line()),
        }
    }

    /// The run is over.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self) -> String {
        let [white, draws, black] = self.now.percentages();
        let left = self.left().map_or_else(|| "?".to_string(), |left| clock(left.as_secs()));
        format!(
            "{} positions, {:.0}/s, {} games, W/D/L {white:.1}/{draws:.1}/{black:.1} %, {:.1} plies a game, {left} left",
            self.now.kept,
            self.speed(),
            self.now.games,
            self.now.length(),
        )
    }

    /// Kept positions a second, of this run.
    fn speed(&self) -> f64 {
        (self.now.kept - self.before.kept) as f64 / self.began.elapsed().as_secs_f64().max(1e-3)
    }

    /// How long it will still take.
    fn left(&self) -> Option<Duration> {
        let elapsed = self.began.elapsed();
        let (done, missing) = match self.goal {
            Goal::Time(time) => return Some(time.saturating_sub(elapsed)),
            Goal::Games(games) => (self.now.games - self.before.games, games.saturating_sub(self.now.games)),
            Goal::Positions(count) => (self.now.kept - self.before.kept, count.saturating_sub(self.now.kept)),
        };
        let seconds = elapsed.as_secs_f64() * missing as f64 / done as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// What the run came to.
    pub fn summary(&self, settings: &Settings, threads: usize) -> Summary {
        let seconds = self.began.elapsed().as_secs_f64();
        Summary {
            settings: settings.clone(),
            folder: self.now.json(),
            run: Run {
                threads,
                seconds,
                games: self.now.games - self.before.games,
                plies: self.now.plies - self.before.plies,
                kept_positions: self.now.kept - self.before.kept,
                kept_positions_per_second: self.speed(),
                kept_positions_per_second_and_thread: self.speed() / threads as f64,
            },
            tally: self.now.clone(),
        }
    }
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What a run came to: `summary.json`, and the table at the end.
#[derive(Serialize)]
pub struct Summary {
    settings: Settings,
    folder: TallyJson,
    run: Run,
    #[serde(skip)]
    tally: Tally,
}

#[derive(Serialize)]
struct Run {
    threads: usize,
    seconds: f64,
    games: u64,
    plies: u64,
    kept_positions: u64,
    kept_positions_per_second: f64,
    kept_positions_per_second_and_thread: f64,
}

impl Summary {
    /// What the folder holds.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (run, all) = (&self.run, &self.tally);
        writeln!(f, "{:<22}{:>14}{:>14}", "", "this run", "the folder")?;
        writeln!(f, "{:<22}{:>14}{:>14}", "games", run.games, all.games)?;
        writeln!(f, "{:<22}{:>14}{:>14}", "plies", run.plies, all.plies)?;
        writeln!(f, "{:<22}{:>14}{:>14}", "kept positions", run.kept_positions, all.kept)?;
        writeln!(f, "{:<22}{:>14.1}", "seconds", run.seconds)?;
        writeln!(f, "{:<22}{:>14.1}", "kept a second", run.kept_positions_per_second)?;
        writeln!(f, "{:<22}{:>14.1}", "… and thread", run.kept_positions_per_second_and_thread)?;
        writeln!(f, "{:<22}{:>28.1}", "plies a game", all.length())?;
        writeln!(f, "{:<22}{:>28.3}", "bytes a ply", all.bytes_per_ply())?;
        for (name, percent) in ["White wins", "draws", "Black wins"].into_iter().zip(all.percentages()) {
            writeln!(f, "{name:<22}{percent:>26.1} %")?;
        }
        for (end, count) in End::ALL.into_iter().zip(all.ends).filter(|&(_, count)| count > 0) {
            writeln!(f, "  {:<20}{:>26.1} %", end.to_string(), per(100 * count, all.games))?;
        }
        write!(f, "{:<22}{:>26.1} %", "Chess960", per(100 * all.chess960, all.games))
    }
}
