//! A match of two evaluations with the search of this build, a fixed number of nodes a move: in process, the same games
//! whatever the threads, and gone on with from the results so far.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use engine::{Params, Source};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::arguments::{GameArguments, typed};
use crate::competitor::Competitor;
use crate::failure::{Failure, Result};
use crate::pairs::{self, Outcome, Score};
use crate::player::Limit;
use crate::pool::{self, Jobs};
use crate::stats::{Estimate, Known};

/// How often what was played is kept.
const KEEP: Duration = Duration::from_secs(3);

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// Nodes a move.
    pub nodes: u64,
    /// Games, in pairs.
    pub games: u64,
    /// Of the openings.
    pub seed: u64,
    /// What was played so far, a letter a game from the view of the first.
    pub results: String,
}

impl Duel {
    /// Whether all of it was played.
    pub fn is_over(&self) -> bool {
        self.results.len() as u64 >= self.games
    }

    /// What was played.
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        pairs::from_text(&self.results).unwrap_or_default().into_iter().for_each(|outcome| score.add(outcome));
        score
    }

    /// How much better the first is.
    pub fn elo(&self) -> Estimate {
        self.score().pairs.elo()
    }

    /// Whether the first is at least as good, as far as these games tell.
    pub fn is_held(&self) -> bool {
        self.score().pairs.mean_and_variance().0 >= 0.5
    }

    /// Elo and its error as they can be added up: where a match says only "at least", so much.
    pub fn counted(&self) -> (f64, f64) {
        let elo = self.elo();
        match elo.known {
            Known::All => (elo.value, elo.error),
            Known::Least(end) | Known::Most(end) => (end, 0.0),
            Known::Nothing => (0.0, 0.0),
        }
    }
}

/// Plays what is left of a match; `keep` is told now and then how far it is.
pub fn play(
    duel: &mut Duel,
    sides: [&Source; 2],
    threads: usize,
    mut keep: impl FnMut(&Duel) -> Result<()>,
) -> Result<()> {
    let play: GameArguments = typed("the match", &["--seed".into(), duel.seed.to_string().into()])?;
    let limit = Limit::Nodes(duel.nodes);
    let (book, conditions) = (play.openings()?, play.conditions(limit)?);
    let [a, b] = sides.map(|source| Competitor::Inside {
        text: source.to_string(),
        params: Box::<Params>::default(),
        source: source.clone(),
        hash: play.hash(limit) as usize,
    });
    let bar = ProgressBar::new(duel.games).with_position(duel.results.len() as u64);
    let (mut kept, mut failure) = (Instant::now(), None);
    let rest = pool::run_and_keep(
        Jobs { range: duel.results.len() as u64..duel.games, done: BTreeMap::new(), threads },
        || Ok([a.start()?, b.start()?]),
        |[a, b], game, stop| {
            let record = pairs::play(&book, game, a.as_mut(), b.as_mut(), &conditions, stop)?;
            Ok(record.map(|record| Outcome::of(game, &record)))
        },
        |_, outcome| {
            duel.results.push(outcome.letter());
            bar.inc(1);
            if kept.elapsed() >= KEEP {
                kept = Instant::now();
                failure = keep(duel).err();
            }
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    bar.finish_and_clear();
    keep(duel)?;
    match rest.failure.or(failure) {
        Some(failure) => Err(failure),
        None if !duel.is_over() => Err(Failure::Interrupted),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(results: &str) -> Duel {
        Duel { nodes: 60, games: 6, seed: 3, results: results.to_string() }
    }

    #[test]
    fn who_is_at_least_as_good_is_kept() {
        assert!(duel("WLDD").is_held() && duel("WWWL").is_held() && !duel("LLDD").is_held());
        assert!(!duel("WLDD").is_over() && duel("WLDDWW").is_over());
        assert_eq!(duel("WWWWWW").counted(), (0.0, 0.0), "a score of everything is no number");
        let (elo, error) = duel("WDWLDD").counted();
        assert!(elo > 0.0 && error > 0.0);
    }

    #[test]
    fn a_match_goes_on_where_it_was() {
        let sources = [Source::default(), Source::Bootstrap];
        let play = |results: &str, threads| {
            let mut duel = duel(results);
            play(&mut duel, [&sources[0], &sources[1]], threads, |_| Ok(())).expect("it can be played");
            duel.results
        };
        let all = play("", 1);
        assert_eq!(all.len(), 6);
        assert_eq!(play(&all[..3], 2), all);
    }
}
