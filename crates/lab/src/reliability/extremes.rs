//! Positions and settings at the edge of what there is: nothing to move, too much to move, drawn already, tables from
//! tiny to impossible, many more threads than cores.

use chess::{Board, Game};

use super::talk::{Talk, position};
use super::trials::{self, Tally, Verdict};
use super::{Context, lines};
use crate::rng::Rng;

pub const ROOTS: &str = "roots that are mated, stalemated, drawn by repetition, by fifty moves or by material, and roots \
    with 218 moves, under every form of `go`: one best move, legal, or `0000` where there is none";
pub const HASH: &str = "`Hash` from 1 MiB to a tebibyte, set and searched with: up to 512 MiB it is accepted, above that \
    accepted or refused with a message (which of the two is up to the system); what is accepted is there, by what the system \
    tells of the process; either way the next search is sound";
pub const THREADS: &str = "searches with 64 and more threads, stopped after a moment: one legal best move";

const FENS: [&str; 14] = [
    // Mated, twice; stalemated, twice.
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
    // Fifty moves have passed, or are about to, or passed with a mate on the board.
    "8/8/4k3/8/8/3RK3/8/8 w - - 100 90",
    "8/8/4k3/8/8/3RK3/8/8 w - - 99 90",
    "8/8/4k3/8/8/3RK3/8/8 b - - 65535 4294967295",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 100 90",
    // Nothing to mate with.
    "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
    "8/8/4k3/8/5n2/4K3/8/8 w - - 0 1",
    // More moves than anywhere else.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    // A single move.
    "7k/8/8/8/8/8/6q1/7K w - - 0 1",
    // Two checkers.
    "4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1",
];

const FORMS: [&str; 8] = [
    "go depth 3",
    "go nodes 500",
    "go movetime 5",
    "go wtime 20 btime 20",
    "go mate 1 depth 3",
    "go infinite\nstop",
    "go ponder depth 2\nponderhit",
    "go depth 2 infinite\nstop",
];

pub fn roots(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        1,
        || context.start(),
        |talk, index| {
            let mut rng = Rng::new(context.seed, index);
            let game = match rng.below(FENS.len() + 1) {
                at if at < FENS.len() => Game::new(Board::from_fen(FENS[at]).map_err(|error| error.to_string())?),
                _ => repeated()?,
            };
            let (form, lines) = (FORMS[rng.below(FORMS.len())], 1 + rng.below(2) * rng.below(256));
            let setting = format!("setoption name MultiPV value {lines}");
            talk.tell(&[&setting, &position(&game)])?;
            let told = |fault: String| format!("{form} in {}: {fault}", game.board().fen());
            talk.go(form).and_then(|answer| answer.legal(&game)).map_err(told)?;
            talk.settled().map_err(told)
        },
    );
}

/// A game in which the position has come for the third time.
fn repeated() -> Result<Game, String> {
    let mut game = Game::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
        let mv = chess::parse_uci(game.board(), text).map_err(|error| error.to_string())?;
        game.play(mv);
    }
    Ok(game)
}

/// In MiB. The last two are more than most machines have, and whether they can be had is up to the system.
const SIZES: [u64; 8] = [1, 2, 3, 33, 100, 512, 1 << 16, 1 << 20];
/// These can be had everywhere.
const MODEST: u64 = 512;
/// Smaller tables are in memory as a whole after `ucinewgame`; larger ones as far as they are used.
const TOUCHED: u64 = 64;

pub fn hash(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        1,
        || context.start(),
        |talk, index| {
            let size = SIZES[(index % SIZES.len() as u64) as usize];
            let lines = talk.tell(&[&format!("setoption name Hash value {size}")])?;
            let told = |fault: String| format!("Hash {size}: {fault}");
            let accepted = accepted(size, &lines).map_err(told)?;
            if size > MODEST {
                tally.count(&format!("Hash {size} {}", if accepted { "accepted" } else { "refused" }), 1);
            }
            if accepted {
                in_use(talk, size).map_err(told)?;
            }
            let answer = talk.go("go depth 5").map_err(told)?;
            let game = Game::default();
            answer.legal(&game).and_then(|()| lines::check(&answer.lines, &answer.best, &game, 1)).map_err(told)?;
            talk.settled()
        },
    );
}

/// Whether a table of this size was accepted, going by what was said: nothing, or that it cannot be had.
fn accepted(size: u64, lines: &[String]) -> Result<bool, String> {
    let refusal = format!("info string error: cannot allocate a hash table of {size} MiB");
    match lines {
        [] => Ok(true),
        [line] if size > MODEST && line.starts_with(&refusal) => Ok(false),
        _ => Err(format!("said {lines:?}")),
    }
}

/// Demands that the engine has the memory for such a table, where the system tells.
fn in_use(talk: &mut Talk, size: u64) -> Verdict {
    let mut kind = "VmSize";
    if size < TOUCHED {
        talk.tell(&["ucinewgame"])?;
        kind = "VmRSS";
    }
    match talk.memory(kind) {
        Some(memory) if memory < size => Err(format!("accepted, but {kind} is {memory} MiB")),
        _ => Ok(()),
    }
}

pub fn threads(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        1,
        || context.start(),
        |talk, index| {
            let threads = [64, 64, 64, 256][(index % 4) as usize];
            talk.tell(&[&format!("setoption name Threads value {threads}"), "ucinewgame"])?;
            let began = std::time::Instant::now();
            let form = ["go movetime 50", "go wtime 500 btime 500", "go depth 4", "go infinite\nstop"]
                [(index / 4 % 4) as usize];
            let answer = talk.go(form)?;
            tally.time("answers", began.elapsed());
            answer.legal(&Game::default())?;
            talk.settled()
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_tables_may_be_refused_and_with_a_message() {
        let refusal =
            |size: u64| format!("info string error: cannot allocate a hash table of {size} MiB; the old one is kept");
        assert_eq!(accepted(1, &[]), Ok(true));
        assert_eq!(accepted(1 << 20, &[]), Ok(true));
        assert_eq!(accepted(1 << 20, &[refusal(1 << 20)]), Ok(false));
        for (size, lines) in [
            (1, vec![refusal(1)]),
            (1 << 20, vec![refusal(1)]),
            (1 << 20, vec!["info string no".to_string()]),
            (1 << 20, vec![refusal(1 << 20); 2]),
        ] {
            assert!(accepted(size, &lines).is_err(), "{size} {lines:?}");
        }
    }
}
