//! `gannet-lab match`: a round robin or a gauntlet of engines, with a table of ratings at its end.

mod journal;
mod table;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::arguments::{GameArguments, LimitArguments, PAIRED, with_costs};
use crate::book::Book;
use crate::competitor::{self, Competitor};
use crate::failure::{Failure, Result};
use crate::files::{self, Target};
use crate::pairs::{self, Outcome, Played};
use crate::player::{Limit, Player};
use crate::pool::{self, Jobs, Rest, Stop};
use crate::progress::Progress;
use crate::register::{Counts, Found, Run};
use crate::runner::{Conditions, Record};
use crate::sheet::{self, Games};
use journal::{Earlier, Identity, Journal};
use table::Table;

const EXAMPLES: &str = "\
Examples:
  gannet-lab match --engine name=New --engine \"name=Fish cmd=stockfish opt=Skill Level=5\" \\
                   --tc 8+0.08 --games 100 --pgn games.pgn
      this build against another engine; an engine without cmd= is this build
  gannet-lab match --gauntlet --engine cmd=./gannet --engine cmd=./rival1 --engine cmd=./rival2 \\
                   --tc 10+0.1 --games 200
      the first engine against each of the others
  gannet-lab match --engine name=On --engine \"name=Off opt=UseNullMove=false\" --nodes 25000 \\
                   --json match.json --pgn match.pgn
      Ctrl-C saves; add --resume to go on, with more --games if you like

The parts of an engine are name=, cmd= and opt=, in any order; all may have spaces. A word with a =
in it that belongs to a command goes in quotes unless it begins with a dash: cmd=env \"A=1\" ./fish
With hash= and one of nodes=, depth=, movetime= and tc= an engine has a table or a limit of its own.

--games counts the games of each pairing. Time losses, illegal moves, crashes and stalls lose the
game and are counted for each engine; an engine that crashed is started again.

Exit status: 0 when all games are played, 1 they could not be, or too many were lost on time or by
crashes to be trusted, 2 bad arguments, 130 interrupted before that, with everything saved and shown.";

/// Let engines play each other: round robin or gauntlet
#[derive(Args, Clone, Debug)]
#[command(after_help = with_costs(EXAMPLES))]
pub struct Arguments {
    /// An engine: parts of name=… cmd=… opt=Name=value,… hash=MiB and nodes=…, depth=…, movetime=… or tc=… (two or more)
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,
    /// Only the first engine against each of the others
    #[arg(long)]
    gauntlet: bool,
    /// Games of each pairing; they come in pairs, an odd number is taken as one more
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = PAIRED)]
    games: u64,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the table to this file, and what is needed to go on
    #[arg(long, value_name = "FILE", default_value = "gannet-lab-match.json")]
    json: PathBuf,
    /// Go on with the match that --json has saved
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    limit: LimitArguments,
    #[command(flatten)]
    play: GameArguments,
}

/// Everything a worker needs to know.
struct Match {
    names: Vec<String>,
    competitors: Vec<Competitor>,
    pairings: Vec<(usize, usize)>,
    book: Book,
    conditions: Conditions,
}

/// The engines that a worker has started so far.
type Started = HashMap<usize, Box<dyn Player>>;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.limit.settle(arguments.play.threads())?;
    let common = |own: Option<Limit>| arguments.play.common(own.unwrap_or(arguments.limit.limit()));
    let (mut names, mut competitors) = (Vec::new(), Vec::new());
    for line in &arguments.engines {
        let (name, competitor) = Competitor::parse(line, common)?;
        if names.contains(&name) {
            return Err(Failure::arguments(format!("two engines are called '{name}': give one of them another name=")));
        }
        // Whoever cannot be started is found out now, not after an hour.
        drop(competitor.start()?);
        names.push(name);
        competitors.push(competitor);
    }
    if names.len() < 2 {
        return Err(Failure::arguments("a match takes two engines: --engine … --engine …"));
    }
    let pairings = pairings(names.len(), arguments.gauntlet);
    for &(first, second) in &pairings {
        let (first, second) = (&competitors[first], &competitors[second]);
        competitor::tell_twins(first, second, arguments.limit.limit(), arguments.play.node_jitter);
    }
    let set = Match {
        names,
        competitors,
        pairings,
        book: arguments.play.openings()?,
        conditions: arguments.play.conditions(arguments.limit.limit())?,
    };
    play(arguments, &set)
}

/// Who meets whom.
fn pairings(players: usize, gauntlet: bool) -> Vec<(usize, usize)> {
    let firsts = if gauntlet { 0..1 } else { 0..players };
    firsts.flat_map(|first| (first + 1..players).map(move |second| (first, second))).collect()
}

fn play(arguments: &Arguments, set: &Match) -> Result<()> {
    let (mut journal, earlier) = open_journal(arguments, set)?;
    let with_pgn = arguments.pgn.is_some() || earlier.pgn.is_some();
    let prints = Arc::clone(&earlier.fingerprints);
    let mut table = Table::new(&set.names, &set.pairings);
    for (game, &outcome) in earlier.results.iter().enumerate() {
        table.add(place(set, game as u64).pairing, outcome);
    }
    let sides: Vec<_> = set.names.iter().map(String::as_str).zip(&set.competitors).collect();
    let rules = if arguments.gauntlet { "gauntlet" } else { "round robin" };
    let run = Run::begin("match", &arguments.play, arguments.limit.limit(), &sides, rules)?.resumed(arguments.resume);
    pool::catch_interrupts()?;
    let last = arguments.games * set.pairings.len() as u64;
    let first = table.games().min(last);
    let mut done = earlier.ahead;
    done.retain(|&game, _| game >= first && game < last);
    let mut progress = Progress::new(BAR, "", last, first);
    let trust = arguments.play.trust();
    let Rest { waiting, failure } = pool::run_and_keep(
        Jobs {
            range: if table.doubt(&trust).is_some() { first..first } else { first..last },
            done,
            threads: arguments.play.threads(),
        },
        || Ok(Started::new()),
        |started, game, stop| {
            let record = play_game(set, started, game, stop)?;
            Ok(record.map(|record| {
                prints.note(game, &record.game);
                let pgn = if with_pgn { game_text(arguments, set, game, &record) } else { String::new() };
                Played { outcome: Outcome::of(game, &record), pgn }
            }))
        },
        |game, played| {
            table.add(place(set, game).pairing, played.outcome);
            journal.add(&played, &table);
            progress.show(table.games(), "games: ", || table.line());
            if table.doubt(&trust).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.clear();
    let failure = table.doubt(&trust).or(failure);
    if table.games() == 0 && waiting.is_empty() && (failure.is_some() || journal.target().holds_another()) {
        // There is nothing to take the place of an earlier result.
        return failure.map_or_else(|| pool::end(false), Err);
    }
    println!("{}", table.text());
    let early = pool::interrupted() || failure.is_some();
    let seconds = journal.seconds();
    journal.close(&table, &waiting)?;
    let (games, distinct) = (table.games(), Some(prints.distinct(table.games())));
    let found = Found::Standings(table.registered());
    run.end(failure.as_ref(), games >= last, Counts { games, distinct, seconds }, found);
    if early && table.games() < last {
        println!("to go on: the same command with --json {} --resume", arguments.json.display());
    }
    failure.map_or_else(|| pool::end(table.games() >= last), Err)
}

/// Where the match is kept, and what there was of it before.
fn open_journal<'a>(arguments: &Arguments, set: &'a Match) -> Result<(Journal<'a>, Earlier)> {
    let (identity, path) = (identity(arguments, set)?, arguments.json.as_path());
    if let Some(pgn) = &arguments.pgn {
        files::distinct(&[("the table", path), ("the games", pgn)])?;
    }
    let target = if arguments.resume { Target::of_resumed(path)? } else { Target::new(path)? };
    let earlier = if arguments.resume { Earlier::read(path, &identity)? } else { Earlier::default() };
    let games = Games::open(arguments.pgn.as_deref(), earlier.pgn.as_ref())?;
    Ok((Journal::new(identity, target, games, &earlier, &set.book), earlier))
}

/// What makes this match the one it is.
fn identity(arguments: &Arguments, set: &Match) -> Result<Identity> {
    let prints: Vec<String> = set.competitors.iter().map(Competitor::fingerprint).collect::<Result<_>>()?;
    let engines = set.names.iter().cloned().zip(prints).collect();
    let conditions = arguments.play.describe(arguments.limit.limit());
    Ok(Identity { engines, gauntlet: arguments.gauntlet, conditions })
}

/// Where a game stands in the match.
struct Place {
    pairing: usize,
    /// The number of the game among those of its pairing.
    game: u64,
}

/// The place of a game by its number. Both games of a pair come together, and all pairings of a round before the next.
fn place(set: &Match, number: u64) -> Place {
    let (pair, count) = (number / 2, set.pairings.len() as u64);
    Place { pairing: (pair % count) as usize, game: pair / count * 2 + number % 2 }
}

fn play_game(set: &Match, started: &mut Started, number: u64, stop: &Stop) -> Result<Option<Record>> {
    let Place { pairing, game } = place(set, number);
    let (first, second) = set.pairings[pairing];
    let mut take = |player: usize| match started.remove(&player) {
        Some(engine) => Ok(engine),
        None => set.competitors[player].start(),
    };
    let (mut a, mut b) = (take(first)?, take(second)?);
    let record = pairs::play(&set.book, game, a.as_mut(), b.as_mut(), &set.conditions, stop)?;
    started.insert(first, a);
    started.insert(second, b);
    Ok(record)
}

fn game_text(arguments: &Arguments, set: &Match, number: u64, record: &Record) -> String {
    let Place { pairing, game } = place(set, number);
    let (first, second) = set.pairings[pairing];
    let (white, black) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
    let header = sheet::Header {
        white: &set.names[white],
        black: &set.names[black],
        round: format!("{}.{}", game / 2 + 1, game % 2 + 1),
        limit: arguments.limit.limit(),
        chess960: arguments.play.chess960,
    };
    sheet::write(record, &header)
}

/// How the bar of a match looks.
const BAR: &str = "{bar:30} {pos}/{len} {elapsed_precise}, {eta} left\n{wide_msg}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_as_asked() {
        assert_eq!(pairings(3, false), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairings(3, true), [(0, 1), (0, 2)]);
    }
}
