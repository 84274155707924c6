//! The state machine of search control, round after round: exactly one best move for each `go`, whatever comes when.

use std::time::{Duration, Instant};

use chess::Game;

use super::talk::Talk;
use super::trials::{self, Tally, Verdict};
use super::{Context, lines};
use crate::book::random_opening;
use crate::rng::Rng;

pub const GO_STOP: &str = "`go` of every kind, and `stop` after 0 to 7 ms: exactly one legal best move each";
pub const INFINITE_QUIT: &str = "`go infinite` and `quit`, each in a new process: gone within 200 ms with exactly one \
    best move";
pub const PONDER_HIT: &str =
    "`go ponder` and `ponderhit`, or in one of four `stop`: no best move before, exactly one after";
pub const GO_GO: &str = "`go` while a search is running: exactly one best move for each of the two";
pub const SET_OPTION: &str = "`setoption`, and in two of seven `position` or `ucinewgame`, during a search: no best move \
    for it, exactly one after `stop` or the next `go`, and then the option set: with `MultiPV` N the next search has N \
    lines, with `Threads` N it has N threads, with `Hash` N there are N MiB in memory after `ucinewgame` (the last two \
    where the system tells); after `position` the next search is of that position";
pub const IS_READY: &str = "`isready` during searches with 1 to 64 threads, and in one of four right after `setoption` for \
    `Threads` up to 64, `Hash` up to 256 MiB, `ucinewgame` and `Clear Hash`: answered within 100 ms, the search undisturbed";

/// After so many rounds it is checked that nothing is left over, and a new position is set.
const LEG: u64 = 25;

/// Makes rounds with one engine that lasts.
fn rounds(
    context: &Context,
    trials: u64,
    tally: &Tally,
    round: impl Fn(&mut Talk, &mut Game, &mut Rng) -> Verdict + Sync,
) {
    let start = || context.start().map(|talk| (talk, Game::default()));
    trials::run(tally, trials, 1, start, |(talk, game), index| {
        let mut rng = Rng::new(context.seed, index);
        if index % LEG == 0 {
            talk.settled()?;
            *game = random_opening(&mut rng, 12, false);
            talk.send(&super::talk::position(game))?;
        }
        round(talk, game, &mut rng)?;
        // Nobody comes after the last one who would see what is left over.
        if index + 1 == trials { talk.settled() } else { Ok(()) }
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
            talk.answer()?.legal(&Game::default())?;
            let rest = talk.rest();
            match rest.iter().find(|line| line.starts_with("bestmove")) {
                None => Ok(()),
                Some(line) => Err(format!("one more: {line}")),
            }
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
        let hit = rng.below(4) > 0;
        tally.count("with ponderhit", hit.into());
        let answer = talk.go(if hit { "ponderhit" } else { "stop" })?;
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

/// What is done to the engine while it searches.
#[derive(Clone, Copy)]
enum Change {
    Hash(u64),
    Threads(u64),
    Lines(usize),
    ClearHash,
    NewGame,
    Nonsense,
    Position,
}

impl Change {
    fn random(rng: &mut Rng) -> Change {
        match rng.below(7) {
            0 => Change::Hash([1, 2, 16, 48][rng.below(4)]),
            1 => Change::Threads([1, 2, 4, 8][rng.below(4)]),
            2 => Change::Lines(1 + rng.below(4)),
            3 => Change::ClearHash,
            4 => Change::NewGame,
            5 => Change::Nonsense,
            _ => Change::Position,
        }
    }

    /// As a command; a new position is that of this game.
    fn command(self, game: &Game) -> String {
        match self {
            Change::Hash(size) => format!("setoption name Hash value {size}"),
            Change::Threads(threads) => format!("setoption name Threads value {threads}"),
            Change::Lines(lines) => format!("setoption name MultiPV value {lines}"),
            Change::ClearHash => "setoption name Clear Hash".to_string(),
            Change::NewGame => "ucinewgame".to_string(),
            Change::Nonsense => "setoption name Hash value nonsense".to_string(),
            Change::Position => super::talk::position(game),
        }
    }
}

pub fn set_option(context: &Context, trials: u64, tally: &Tally) {
    rounds(context, trials, tally, |talk, game, rng| {
        let before = 1 + rng.below(4);
        talk.tell(&[&format!("setoption name MultiPV value {before}")])?;
        talk.send("go infinite")?;
        pause(rng);
        let change = Change::random(rng);
        let next = if let Change::Position = change { random_opening(rng, 12, false) } else { game.clone() };
        let command = change.command(&next);
        tally.count("with setoption", command.starts_with("setoption").into());
        // A search that is over and held no longer has the engine: then what is to be said is said at once.
        let mut lines = talk.tell(&[&command])?;
        if lines.iter().any(|line| line.starts_with("bestmove")) {
            return Err(format!("{command}: a best move before stop"));
        }
        // Another search does as well.
        let another = rng.below(2) == 0;
        if another {
            talk.send("go depth 1")?;
        } else {
            talk.send("stop")?;
        }
        let first = talk.answer()?;
        first.legal(game).map_err(|fault| format!("{command}: {fault}"))?;
        lines.extend(first.lines);
        if another {
            let second = talk.answer()?;
            second.legal(&next).map_err(|fault| format!("{command}, then go: {fault}"))?;
            lines.extend(second.lines);
        }
        lines.extend(talk.tell(&[])?);
        let complaints = lines.iter().filter(|line| line.starts_with("info string error")).count();
        if complaints != usize::from(matches!(change, Change::Nonsense)) {
            return Err(format!("{command}: {complaints} complaints"));
        }
        let wanted = if let Change::Lines(lines) = change { lines } else { before };
        let answer = talk.go("go depth 1")?;
        let checked = answer.legal(&next).and_then(|()| lines::check(&answer.lines, &answer.best, &next, wanted));
        checked
            .and_then(|()| in_force(context, talk, change, &next))
            .map_err(|fault| format!("{command}: {fault} ({})", next.board().fen()))?;
        *game = next;
        Ok(())
    });
}

/// Demands that what was set is so, where it can be seen from outside.
fn in_force(context: &Context, talk: &mut Talk, change: Change, game: &Game) -> Verdict {
    match change {
        Change::Hash(size) => {
            // Then all of a small table is in memory.
            talk.tell(&["ucinewgame"])?;
            match talk.memory("VmRSS") {
                Some(resident) if resident < size => Err(format!("{resident} MiB in memory")),
                _ => Ok(()),
            }
        }
        Change::Threads(threads) => {
            // A search that finds a mate is soon over, and its threads with it; this one is not.
            talk.send("position startpos")?;
            talk.send("go infinite")?;
            let (began, limit) = (Instant::now(), context.patience(Duration::from_secs(1)));
            let few = |talk: &Talk| talk.status("Threads").filter(|&there| there < threads);
            while few(talk).is_some() && began.elapsed() < limit {
                std::thread::sleep(Duration::from_millis(1));
            }
            let verdict = few(talk).map_or(Ok(()), |there| Err(format!("{there} threads in a search")));
            talk.go("stop")?;
            talk.send(&super::talk::position(game))?;
            verdict
        }
        _ => Ok(()),
    }
}

pub fn is_ready(context: &Context, trials: u64, tally: &Tally) {
    let limit = context.patience(Duration::from_millis(100));
    rounds(context, trials, tally, |talk, game, rng| {
        let searching = rng.below(4) > 0;
        tally.count("during a search", searching.into());
        let (what, time) = if searching { during_search(talk, game, rng)? } else { after_setting(talk, rng)? };
        tally.time(&what, time);
        if time > limit { Err(format!("{what}: after {time:?}")) } else { Ok(()) }
    });
}

/// Asks whether the engine is ready right after something that may take it long was set.
fn after_setting(talk: &mut Talk, rng: &mut Rng) -> Result<(String, Duration), String> {
    let (what, command) = match rng.below(4) {
        0 => ("Threads", format!("setoption name Threads value {}", [1, 2, 8, 64][rng.below(4)])),
        1 => ("Hash", format!("setoption name Hash value {}", [1, 16, 63, 256][rng.below(4)])),
        2 => ("ucinewgame", "ucinewgame".to_string()),
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
