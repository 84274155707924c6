//! Memory: what the engine takes beyond its table and network, and whether that grows from game to game.

use chess::Game;

use super::Context;
use super::talk::{Talk, position};
use super::trials::{self, Tally, Verdict};
use crate::rng::Rng;

pub const WHAT: &str = "games of 40 moves at 300 nodes a move with `ucinewgame` between them. Half of them, 1000 of 2000, one \
    process plays, with 1 thread and `Hash` 1; after an interruption a new process plays again what the old one had \
    played. The other half are played by processes with 1, 2, 8 and 64 threads, by turns with `Hash` 64 and `Hash` 1. \
    Resident memory at most Hash + network + 64 MiB (and 3 more for every core beyond 16 that is used); and with `Hash` 1, \
    where the table is soon in memory as a whole, at most 4 MiB more after any later game than after the first tenth";

/// The table to stay within bounds with, and the one to see growth with: how much of a large one is in memory changes
/// from game to game, since it is cleared by giving its pages back.
const HASHES: [u64; 2] = [64, 1];
const REST: u64 = 64;
const GROWTH: u64 = 4;
/// Nodes a thread to begin with.
const WARMING: usize = 50_000;
/// Who plays the next game; many threads play few, because each of their moves wakes them all.
const THREADS: [usize; 20] = [1, 2, 8, 64, 1, 2, 1, 2, 1, 8, 2, 1, 2, 1, 2, 8, 1, 2, 1, 2];

/// The games of an engine with so many threads and such a table: how many there were, and what it took early on.
struct Games {
    threads: usize,
    hash: u64,
    played: u64,
    early: Option<u64>,
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let half = trials / 2;
    let early = half / 10 + 2;
    let empty = || Ok(Vec::<(Talk, Games)>::new());
    trials::run(tally, trials, 1, empty, |all, index| {
        let (turn, (threads, hash)) = if index < half { (index, (1, 1)) } else { (index - half, others(index - half)) };
        let at = match all.iter().position(|(_, games)| (games.threads, games.hash) == (threads, hash)) {
            Some(at) => at,
            // Those that play no game this time are not started.
            None => {
                let mut fresh = start(context, threads, hash)?;
                // What another run has left is played again: all these games are to be of one process.
                let before = if index < half && index == tally.first() { index } else { 0 };
                for turn in 0..before {
                    one_game(context, &mut fresh, turn, turn >= early)?;
                }
                all.push(fresh);
                all.len() - 1
            }
        };
        let now = one_game(context, &mut all[at], index, turn >= early)?;
        judge(tally, &all[at].1, now)
    });
}

/// Who plays in the second half: threads and table.
fn others(turn: u64) -> (usize, u64) {
    let turn = turn as usize;
    (THREADS[turn / HASHES.len() % THREADS.len()], HASHES[turn % HASHES.len()])
}

fn start(context: &Context, threads: usize, hash: u64) -> Result<(Talk, Games), String> {
    let mut talk = context.start()?;
    talk.tell(&[&format!("setoption name Hash value {hash}"), &format!("setoption name Threads value {threads}")])?;
    // What a thread remembers comes into memory page by page. A long search has most of it there; a second one, where
    // some threads have come too late for the first.
    for _ in 0..2 {
        talk.go(&format!("go nodes {}", WARMING * threads))?;
    }
    Ok((talk, Games { threads, hash, played: 0, early: None }))
}

/// Whether what is taken now is little enough, and no more than early on.
fn judge(tally: &Tally, games: &Games, now: u64) -> Verdict {
    let &Games { threads, hash, played, early } = games;
    tally.most(&format!("MiB resident with Hash {hash:>2} and {threads:>2} threads"), now);
    tally.most("MiB grown since early on", now.saturating_sub(early.unwrap_or(now)));
    tally.most("games of one process", played);
    // Each core that is used has tables of its own.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let extra = 3 * threads.min(cores).saturating_sub(16) as u64;
    let network = (engine::Source::embedded_file().len() as u64).div_ceil(1 << 20);
    match early {
        _ if now > hash + network + REST + extra => {
            Err(format!("{now} MiB resident with Hash {hash} and {threads} threads"))
        }
        Some(early) if now > early + GROWTH => {
            Err(format!("grew from {early} to {now} MiB with Hash {hash} and {threads} threads"))
        }
        _ => Ok(()),
    }
}

/// Plays a game of the engine against itself; what it takes afterwards, 0 where the system does not tell. The first that
/// counts is kept.
fn one_game(context: &Context, (talk, games): &mut (Talk, Games), index: u64, counts: bool) -> Result<u64, String> {
    let mut rng = Rng::new(context.seed, index);
    let mut game = crate::book::random_opening(&mut rng, 8, false);
    talk.tell(&["ucinewgame"])?;
    for _ in 0..80 {
        if game.outcome().is_some() {
            break;
        }
        play(talk, &mut game)?;
    }
    let now = talk.memory("VmRSS").unwrap_or(0);
    games.played += 1;
    if games.hash == 1 && counts {
        games.early.get_or_insert(now);
    }
    Ok(now)
}

fn play(talk: &mut Talk, game: &mut Game) -> Result<(), String> {
    talk.send(&position(game))?;
    let answer = talk.go("go nodes 300")?;
    let mv = chess::parse_uci(game.board(), &answer.best).map_err(|error| format!("{} is {error}", answer.best))?;
    game.play(mv);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_and_greed_are_faults() {
        let tally = Tally::new("test", 1);
        let verdict = |hash, early, now| judge(&tally, &Games { threads: 1, hash, played: 9, early }, now);
        assert_eq!(verdict(1, Some(11), 11 + GROWTH), Ok(()));
        assert!(verdict(1, Some(11), 12 + GROWTH).is_err_and(|fault| fault.starts_with("grew from 11")));
        assert_eq!(verdict(64, None, 64 + REST), Ok(()));
        assert!(verdict(1, None, 64 + 2 * REST).is_err_and(|fault| fault.contains("MiB resident")));
        assert!(tally.notes().contains(&"games of one process: 9".to_string()));
    }

    #[test]
    fn everybody_plays() {
        let all: std::collections::BTreeSet<_> = (0..40).map(others).collect();
        assert_eq!(all.len(), 8);
    }
}
