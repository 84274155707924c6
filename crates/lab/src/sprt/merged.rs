//! Tests of the same two engines that were played on several machines, each with a seed of its own, as one test.

use std::path::{Path, PathBuf};

use super::{Arguments, Saved, test_of};
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::fingerprints::Fingerprints;
use crate::merge::{self, Piece, Whole};
use crate::pairs::{self, Outcome, Score};
use crate::register::{self, Counts, Found, Run};
use crate::stats::{Sprt, Verdict};

/// One of the tests.
struct Part {
    path: PathBuf,
    saved: Saved,
    outcomes: Vec<Outcome>,
    prints: Fingerprints,
}

/// Adds up the tests and reports the sum.
pub fn run(arguments: &Arguments) -> Result<()> {
    let sprt = test_of(arguments)?;
    let parts: Vec<Part> = arguments.merge.iter().map(|path| Part::read(path)).collect::<Result<_>>()?;
    for part in &parts[1..] {
        parts[0].refuse_others(part)?;
    }
    let pieces: Vec<Piece> = parts.iter().map(Part::piece).collect();
    let whole = merge::whole(&pieces)?;
    whole.told().iter().for_each(|told| eprintln!("gannet-lab: {told}"));
    let (outcomes, saved) = sum(&parts, &whole, sprt);
    println!("{}", saved.report());
    let mut target = Target::new(&arguments.json)?;
    target.write_or_rescue(&files::json(&saved)?)?;
    println!("\nsaved to {}", arguments.json.display());
    let run = Run::of_sum("sprt", &arguments.play, [&saved.a, &saved.b], &saved.conditions);
    let counts = Counts { games: saved.games, distinct: Some(saved.distinct_games), seconds: saved.seconds };
    let Saved { pentanomial, wins, draws, losses, llr, verdict, .. } = saved;
    let path = register::path(&outcomes, sprt);
    let games = [wins, draws, losses];
    run.end(None, true, counts, Found::Test(register::Test { pentanomial, games, sprt, llr, verdict, path }));
    Ok(())
}

impl Part {
    fn read(path: &Path) -> Result<Part> {
        let saved: Saved = files::read_json(path)?;
        let bad = || Failure::file("merge", path, "its list of games is damaged");
        let outcomes = pairs::from_text(&saved.results).ok_or_else(bad)?;
        let prints = Fingerprints::from_text(&saved.fingerprints).ok_or_else(bad)?;
        if let Some(doubt) = &saved.doubt {
            return Err(Failure::file("merge", path, format!("its games are not to be trusted: {doubt}")));
        }
        if matches!(saved.verdict, Some(Verdict::H0 | Verdict::H1)) {
            eprintln!(
                "gannet-lab: {} ended when it was decided by itself; a sum of such tests errs more often than --alpha and \
                 --beta say. Play the pieces with --fixed, and merge them as often as you like",
                path.display()
            );
        }
        Ok(Part { path: path.to_path_buf(), saved, outcomes, prints })
    }

    /// Refuses a test of other engines. The same engine built for another machine is another program, and has the same bench.
    fn refuse_others(&self, other: &Part) -> Result<()> {
        for side in 0..2 {
            let [ours, theirs] = [self, other].map(|part| part.saved.engines[side].as_str());
            let [(our_name, our_sum), (name, sum)] = [ours, theirs].map(parts_of);
            let benches = [self, other].map(|part| part.saved.benches[side]);
            let same_program = our_sum == sum || benches[0].is_some() && benches[0] == benches[1];
            if our_name != name || !same_program {
                let letter = ["A", "B"][side];
                return Err(Failure::file(
                    "merge",
                    &other.path,
                    format!("its {letter} is '{theirs}'; in {} it is '{ours}'", self.path.display()),
                ));
            }
        }
        Ok(())
    }

    fn piece(&self) -> Piece {
        let games = self.outcomes.len() as u64;
        let prints = merge::prints(&self.prints, games / 2);
        Piece { name: self.path.display().to_string(), conditions: self.saved.conditions.clone(), games, prints }
    }
}

/// What an engine is called without its folder, and the sum over its program.
fn parts_of(identity: &str) -> (Vec<&str>, &str) {
    let (name, sum) = identity.rsplit_once(" [").unwrap_or((identity, ""));
    let words = name.split_whitespace().map(|word| word.rsplit(['/', '\\']).next().unwrap_or(word));
    (words.collect(), sum)
}

/// The sum of the tests: its games, and what is written to disk.
fn sum(parts: &[Part], whole: &Whole, sprt: Option<Sprt>) -> (Vec<Outcome>, Saved) {
    let (mut outcomes, mut score, prints) = (Vec::new(), Score::default(), Fingerprints::default());
    for &(part, pair) in &whole.pairs {
        for game in 2 * pair..2 * pair + 2 {
            let outcome = parts[part].outcomes[game];
            prints.take(outcomes.len() as u64, &parts[part].prints, game as u64);
            outcomes.push(outcome);
            score.add(outcome);
        }
    }
    let (pairs, [losses, draws, wins], games) = (score.pairs, score.games, score.total());
    let (elo, normalised) = (pairs.elo(), pairs.normalised_elo());
    let first = &parts[0].saved;
    let saved = Saved {
        a: first.a.clone(),
        b: first.b.clone(),
        engines: first.engines.clone(),
        benches: first.benches,
        conditions: whole.conditions.clone(),
        games,
        // Pieces may have some of them in common.
        openings: 0,
        distinct_games: prints.distinct(games),
        wins,
        draws,
        losses,
        pentanomial: pairs.0,
        elo: elo.value,
        elo_error: elo.error,
        normalised_elo: normalised.value,
        normalised_elo_error: normalised.error,
        superiority_percent: pairs.superiority(),
        faults: score.faults,
        sprt,
        llr: sprt.map(|sprt| sprt.llr(&pairs)),
        verdict: sprt.map(|sprt| sprt.verdict(&pairs)),
        doubt: None,
        seconds: parts.iter().map(|part| part.saved.seconds).sum(),
        results: pairs::to_text(&outcomes),
        ahead: Default::default(),
        ahead_pgn: Default::default(),
        pgn: None,
        fingerprints: prints.text(),
    };
    (outcomes, saved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_no_part_of_an_engine() {
        let of = |identity| parts_of(identity);
        assert_eq!(of("/home/a/fish --quiet Hash=2 [0a1b2c3d]"), (vec!["fish", "--quiet", "Hash=2"], "0a1b2c3d]"));
        assert_eq!(of("/home/a/fish x [1]").0, of("C:\\b\\fish x [2]").0);
        assert_ne!(of("/home/a/fish x").0, of("/home/a/fish y").0);
        assert_eq!(of("this build"), (vec!["this", "build"], ""));
    }
}
