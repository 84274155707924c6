//! Memory: what the engine takes beyond its table and network, and whether that grows from game to game.

use chess::Game;

use super::Context;
use super::talk::{Talk, position};
use super::trials::{self, Tally};
use crate::rng::Rng;

pub const WHAT: &str = "games of 40 moves at 300 nodes a move with `ucinewgame` between them, in one process with `Hash` 64: \
    resident memory at most Hash + network + 64 MiB, and at most 4 MiB more after the last game than after the first tenth";

const HASH: u64 = 64;
const NETWORK: u64 = 1;
const REST: u64 = 64;
const GROWTH: u64 = 4;

/// The engine, and what it took early on.
struct Games {
    talk: Talk,
    early: Option<u64>,
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let start = || {
        let mut talk = context.start()?;
        talk.tell(&[&format!("setoption name Hash value {HASH}"), "setoption name Threads value 2"])?;
        Ok(Games { talk, early: None })
    };
    trials::run(tally, trials, 1, start, |games, index| {
        let mut rng = Rng::new(context.seed, index);
        let mut game = crate::book::random_opening(&mut rng, 8, false);
        games.talk.tell(&["ucinewgame"])?;
        for _ in 0..80 {
            if !game.board().has_legal_moves() || game.is_threefold() || game.is_fifty_moves() {
                break;
            }
            play(&mut games.talk, &mut game)?;
        }
        let Some(now) = resident(games.talk.process()) else { return Ok(()) };
        if now > HASH + NETWORK + REST {
            return Err(format!("{now} MiB resident"));
        }
        // The table comes into memory when it is first written to, or cleared.
        if index >= trials / 10 + 2 {
            let early = *games.early.get_or_insert(now);
            if now > early + GROWTH {
                return Err(format!("grew from {early} to {now} MiB"));
            }
        }
        if index + 1 == trials {
            tally.note(format!("{now} MiB resident at the end, {} early on", games.early.unwrap_or(now)));
        }
        Ok(())
    });
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
