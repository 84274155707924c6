//! Memory: what the engine takes beyond its table and network, and whether that grows from game to game.

use chess::Game;

use super::Context;
use super::talk::{Talk, position};
use super::trials::{self, Tally};
use crate::rng::Rng;

pub const WHAT: &str = "games of 40 moves at 300 nodes a move with `ucinewgame` between them, in processes with 1, 2, 8 and 64 \
    threads, by turns with `Hash` 64 and `Hash` 1: resident memory at most Hash + network + 64 MiB (and 3 more for every core beyond 16 that is used); and with `Hash` 1, where \
    the table is soon in memory as a whole, at most 4 MiB more after the last game than after the first tenth";

/// The table to stay within bounds with, and the one to see growth with: how much of a large one is in memory changes
/// from game to game, since it is cleared by giving its pages back.
const HASHES: [u64; 2] = [64, 1];
const REST: u64 = 64;
const GROWTH: u64 = 4;
/// Nodes a thread to begin with.
const WARMING: usize = 50_000;
/// Who plays the next game; many threads play few, because each of their moves wakes them all.
const THREADS: [usize; 20] = [1, 2, 8, 64, 1, 2, 1, 2, 1, 8, 2, 1, 2, 1, 2, 8, 1, 2, 1, 2];

/// An engine with so many threads and such a table, and what it took early on.
struct Games {
    threads: usize,
    hash: u64,
    talk: Talk,
    early: Option<u64>,
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    // Those that play no game this time are not started.
    let start = |threads, hash| {
        let mut talk = context.start()?;
        talk.tell(&[&format!("setoption name Hash value {hash}"), &format!("setoption name Threads value {threads}")])?;
        // What a thread remembers comes into memory page by page. A long search has most of it there; a second one, where
        // some threads have come too late for the first.
        for _ in 0..2 {
            talk.go(&format!("go nodes {}", WARMING * threads))?;
        }
        Ok::<_, String>(Games { threads, hash, talk, early: None })
    };
    let empty = || Ok(Vec::<Games>::new());
    trials::run(tally, trials, 1, empty, |all, index| {
        let threads = THREADS[index as usize / HASHES.len() % THREADS.len()];
        let hash = HASHES[index as usize % HASHES.len()];
        let games = match all.iter().position(|games| (games.threads, games.hash) == (threads, hash)) {
            Some(at) => &mut all[at],
            None => {
                all.push(start(threads, hash)?);
                let last = all.len() - 1;
                &mut all[last]
            }
        };
        let now = one_game(context, games, index)?;
        let early = (hash == 1 && index >= trials / 10 + 2).then(|| *games.early.get_or_insert(now));
        tally.most(&format!("MiB resident with Hash {hash:>2} and {threads:>2} threads"), now);
        tally.most("MiB grown since early on", now.saturating_sub(early.unwrap_or(now)));
        // Each core that is used has tables of its own.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let extra = 3 * threads.min(cores).saturating_sub(16) as u64;
        let network = (super::networks::FILE.len() as u64).div_ceil(1 << 20);
        match early {
            _ if now > hash + network + REST + extra => {
                Err(format!("{now} MiB resident with Hash {hash} and {threads} threads"))
            }
            Some(early) if now > early + GROWTH => {
                Err(format!("grew from {early} to {now} MiB with Hash {hash} and {threads} threads"))
            }
            _ => Ok(()),
        }
    });
}

/// Plays a game of the engine against itself; what it takes afterwards, 0 where the system does not tell.
fn one_game(context: &Context, games: &mut Games, index: u64) -> Result<u64, String> {
    let mut rng = Rng::new(context.seed, index);
    let mut game = crate::book::random_opening(&mut rng, 8, false);
    games.talk.tell(&["ucinewgame"])?;
    for _ in 0..80 {
        if !game.board().has_legal_moves() || game.is_threefold() || game.is_fifty_moves() {
            break;
        }
        play(&mut games.talk, &mut game)?;
    }
    Ok(resident(games.talk.process()).unwrap_or(0))
}

fn play(talk: &mut Talk, game: &mut Game) -> Result<(), String> {
    talk.send(&position(game))?;
    let answer = talk.go("go nodes 300")?;
    let mv = chess::parse_uci(game.board(), &answer.best).map_err(|error| format!("{} is {error}", answer.best))?;
    game.play(mv);
    Ok(())
}

/// The resident memory of a process in MiB, where the system tells it.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()?.div_ceil(1024))
}
