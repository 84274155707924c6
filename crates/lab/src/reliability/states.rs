//! The state machine of search control, round after round: exactly one best move for each `go`, whatever comes when.

use std::time::{Duration, Instant};

use chess::Game;

use super::Context;
use super::talk::Talk;
use super::trials::{self, Tally, Verdict};
use crate::rng::Rng;

pub const GO_STOP: &str = "`go` of every kind, and `stop` after 0 to 7 ms: exactly one legal best move each";
pub const INFINITE_QUIT: &str = "`go infinite` and `quit`, each in a new process: gone within 200 ms with a best move";
pub const PONDER_HIT: &str = "`go ponder` and `ponderhit` or `stop`: no best move before, exactly one after";
pub const GO_GO: &str = "`go` while a search is running: exactly one best move for each of the two";
pub const SET_OPTION: &str = "`setoption`, `position` and `ucinewgame` during a search: exactly one best move, and the \
    option set";
pub const IS_READY: &str = "`isready` during searches with 1 to 64 threads, and right after `setoption` for `Threads` up to \
    64, `Hash` up to 256 MiB and `Clear Hash`: answered within 100 ms, the search undisturbed";

/// After so many rounds it is checked that nothing is left over, and a new position is set.
const LEG: u64 = 25;

/// Makes rounds with one engine that lasts.
fn rounds(context: &Context, trials: u64, tally: &Tally, round: impl Fn(&mut Talk, &Game, &mut Rng) -> Verdict + Sync) {
    let start = || context.start().map(|talk| (talk, Game::default()));
    trials::run(tally, trials, 1, start, |(talk, game), index| {
        let mut rng = Rng::new(context.seed, index);
        if index % LEG == 0 {
            talk.settled()?;
            *game = crate::book::random_opening(&mut rng, 12, false);
            talk.send(&super::talk::position(game))?;
        }
        round(talk, game, &mut rng)
    });
}

fn pause(rng: &mut Rng) {
    if rng.below(3) > 0 {
        std::thread::sleep(Duration::from_micros(rng.below(7000) as u64));
    }
}

pub fn go_stop(context: &Context, trials: u64, tally: &Tally) {
    const FORMS: [&str; 7] =
        ["go", "go infinite", "go depth 3", "go movetime 5", "go nodes 2000", "go wtime 50 btime 50", "go mate 2"];
    rounds(context, trials, tally, |talk, game, rng| {
        talk.send(FORMS[rng.below(FORMS.len())])?;
        pause(rng);
        let began = Instant::now();
        let answer = talk.go("stop")?;
        tally.time("best move after stop", began.elapsed());
        answer.legal(game)
    });
}

pub fn infinite_quit(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        1,
        || Ok(()),
        |(), index| {
            let mut rng = Rng::new(context.seed, index);
            let mut talk = context.start()?;
            talk.tell(&[])?;
            talk.send("go infinite")?;
            pause(&mut rng);
            talk.send("quit")?;
            let limit = context.patience(Duration::from_millis(200));
            tally.time("gone after quit", talk.wait(limit)?);
            talk.answer()?.legal(&Game::default())
        },
    );
}

pub fn ponder_hit(context: &Context, trials: u64, tally: &Tally) {
    const FORMS: [&str; 4] =
        ["go ponder depth 2", "go ponder movetime 2", "go ponder wtime 60 btime 60", "go ponder nodes 100"];
    rounds(context, trials, tally, |talk, game, rng| {
        talk.send(FORMS[rng.below(FORMS.len())])?;
        pause(rng);
        let early = talk.tell(&[])?;
        if early.iter().any(|line| line.starts_with("bestmove")) {
            return Err("a best move before ponderhit".to_string());
        }
        let answer = talk.go(if rng.below(3) > 0 { "ponderhit" } else { "stop" })?;
        // Too late, and without effect.
        talk.send(if rng.below(2) == 0 { "ponderhit" } else { "stop" })?;
        answer.legal(game)
    });
}

pub fn go_go(context: &Context, trials: u64, tally: &Tally) {
    const FORMS: [&str; 4] = ["go infinite", "go", "go ponder wtime 50 btime 50", "go depth 2"];
    rounds(context, trials, tally, |talk, game, rng| {
        talk.send(FORMS[rng.below(FORMS.len())])?;
        pause(rng);
        talk.send("go depth 2")?;
        talk.answer()?.legal(game)?;
        talk.answer()?.legal(game)
    });
}

pub fn set_option(context: &Context, trials: u64, tally: &Tally) {
    rounds(context, trials, tally, |talk, game, rng| {
        talk.send("go infinite")?;
        pause(rng);
        let again = super::talk::position(game);
        let command = match rng.below(7) {
            0 => format!("setoption name Hash value {}", 1 + rng.below(16)),
            1 => format!("setoption name Threads value {}", 1 + rng.below(4)),
            2 => format!("setoption name MultiPV value {}", 1 + rng.below(4)),
            3 => "setoption name Clear Hash".to_string(),
            4 => "ucinewgame".to_string(),
            5 => "setoption name Hash value nonsense".to_string(),
            _ => again,
        };
        let lines = talk.tell(&[&command])?;
        let best: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
        let complaints = lines.iter().filter(|line| line.starts_with("info string error")).count();
        if best.len() != 1 || complaints != usize::from(command.ends_with("nonsense")) {
            return Err(format!("{command}: {} best moves, {complaints} complaints", best.len()));
        }
        talk.go("go depth 1")?.legal(game)
    });
}

pub fn is_ready(context: &Context, trials: u64, tally: &Tally) {
    let limit = context.patience(Duration::from_millis(100));
    rounds(context, trials, tally, |talk, game, rng| {
        let (what, time) = match rng.below(3) {
            0 => after_setting(talk, rng)?,
            _ => during_search(talk, game, rng)?,
        };
        tally.time(&what, time);
        if time > limit { Err(format!("{what}: after {time:?}")) } else { Ok(()) }
    });
}

/// Asks whether the engine is ready right after something that may take it long was set.
fn after_setting(talk: &mut Talk, rng: &mut Rng) -> Result<(String, Duration), String> {
    let (what, command) = match rng.below(3) {
        0 => ("Threads", format!("setoption name Threads value {}", [1, 2, 8, 64][rng.below(4)])),
        1 => ("Hash", format!("setoption name Hash value {}", [1, 16, 64, 256][rng.below(4)])),
        _ => ("Clear Hash", "setoption name Clear Hash".to_string()),
    };
    // Something to clear.
    talk.go("go nodes 2000")?;
    let began = Instant::now();
    let lines = talk.tell(&[&command])?;
    let time = began.elapsed();
    if lines.is_empty() { Ok((format!("readyok after {what}"), time)) } else { Err(format!("{command}: {lines:?}")) }
}

/// Asks during a search, which goes on.
fn during_search(talk: &mut Talk, game: &Game, rng: &mut Rng) -> Result<(String, Duration), String> {
    let threads = [1, 1, 2, 8, 8, 64][rng.below(6)];
    talk.tell(&[&format!("setoption name Threads value {threads}")])?;
    talk.send("go infinite")?;
    pause(rng);
    let began = Instant::now();
    let lines = talk.tell(&[])?;
    let time = began.elapsed();
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err("isready ended the search".to_string());
    }
    talk.go("stop")?.legal(game)?;
    let many = if threads > 8 { "64" } else { "up to 8" };
    Ok((format!("readyok during a search with {many} threads"), time))
}
