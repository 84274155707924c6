//! Which runs are shown.

use clap::{Args, ValueEnum};

use crate::register::{Entry, Found, Status};
use crate::stats;

/// Which runs are shown: those of which everything that is asked for is true.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which runs")]
pub struct Filter {
    /// Only runs of this command: sprt, match, spsa or ablate
    #[arg(long, value_name = "NAME")]
    command: Option<String>,
    /// Only runs with this text in an engine's name, options or commit, in a number that is tuned, or in the book
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
    /// Only runs at this limit, such as "25000 nodes" or "8+0.08"
    #[arg(long, value_name = "TEXT")]
    limit: Option<String>,
    /// Only tests with this verdict
    #[arg(long, value_enum, ignore_case = true)]
    verdict: Option<Verdict>,
    /// Only runs that ended on this day or later
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only runs that ended before this day
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Only runs of so many games at least
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,
    /// Only the last of them
    #[arg(long, value_name = "N", default_value_t = 20)]
    last: usize,
}

/// What a test came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Verdict {
    /// A gain was accepted.
    H1,
    /// No gain was accepted.
    H0,
    /// Neither was.
    Undecided,
    /// There was no sequential test.
    Fixed,
    /// It was not played to its end.
    Unfinished,
}

impl Filter {
    /// The runs that are shown, in their order.
    pub fn choose(&self, entries: Vec<Entry>) -> Vec<Entry> {
        let mut chosen: Vec<Entry> = entries.into_iter().filter(|entry| self.takes(entry)).collect();
        chosen.drain(..chosen.len().saturating_sub(self.last));
        chosen
    }

    fn takes(&self, entry: &Entry) -> bool {
        self.command.as_ref().is_none_or(|name| entry.command.eq_ignore_ascii_case(name))
            && self.find.as_ref().is_none_or(|text| mentions(entry, &text.to_lowercase()))
            && self.limit.as_ref().is_none_or(|text| entry.limit.contains(text))
            && self.verdict.is_none_or(|verdict| verdict == of(entry))
            // Dates are written so that their order is that of the letters.
            && self.since.as_ref().is_none_or(|date| entry.date >= *date)
            && self.until.as_ref().is_none_or(|date| entry.date < *date)
            && entry.games >= self.games
    }
}

/// What a run came to.
pub fn of(entry: &Entry) -> Verdict {
    match &entry.found {
        Found::Test(test) if test.sprt.is_some() => match test.verdict {
            Some(stats::Verdict::H1) => Verdict::H1,
            Some(stats::Verdict::H0) => Verdict::H0,
            _ if entry.status == Status::Done => Verdict::Undecided,
            _ => Verdict::Unfinished,
        },
        _ if entry.status == Status::Done => Verdict::Fixed,
        _ => Verdict::Unfinished,
    }
}

/// Whether a text in lower case is found in a run.
fn mentions(entry: &Entry, text: &str) -> bool {
    let has = |place: &str| place.to_lowercase().contains(text);
    let engines = entry.engines.iter().any(|side| {
        has(&side.name) || has(&side.options) || side.commit.as_ref().is_some_and(|commit| commit.starts_with(text))
    });
    let found = match &entry.found {
        Found::Test(_) => false,
        Found::Standings(all) => all.iter().any(|one| has(&one.name)),
        Found::Tuning(tuning) => tuning.numbers.iter().any(|number| has(&number.name)),
        Found::Effects(all) => all.iter().any(|(name, ..)| has(name)),
    };
    engines || found || has(&entry.book)
}
