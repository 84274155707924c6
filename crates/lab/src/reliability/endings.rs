//! Elementary endings from random positions: whoever has queen, rook, two bishops, or bishop and knight against a bare king
//! mates it before the fifty-move rule ends the game; weak players too, with whom people end their games.

use std::fmt;
use std::time::{Duration, Instant};

use chess::{Board, Color, Game, Square};
use engine::strength::Strength;
use engine::syzygy::{Tables, Wdl};

use super::Context;
use super::material;
use super::talk::{Talk, position};
use super::trials::{self, Tally, Verdict};
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "queen, rook, two bishops, bishop and knight against a bare king, from random positions, White to move, \
    against the engine's own defence at 3000 nodes: mate within fifty moves at 20 000 nodes a move without tables, with \
    tables where there are some, and all but bishop and knight also with `UCI_Elo` at eight values from the lowest to the \
    highest, with a clock of 1 s + 10 ms (that it is kept is the games' business) and with other forms of `go`: `movetime \
    1`, `depth 1`, `depth 4`, `nodes 1`, `nodes 500`, and a clock of 100 ms at every move";

const ENDINGS: [&str; 4] = ["KQvK", "KRvK", "KBBvK", "KBNvK"];

/// How weak players are asked for a move. The first is a clock that runs.
const FORMS: [&str; 7] = [
    "go wtime 1000 btime 1000 winc 10 binc 10",
    "go movetime 1",
    "go depth 1",
    "go depth 4",
    "go nodes 1",
    "go nodes 500",
    "go wtime 100 btime 100",
];

/// How many values of `UCI_Elo` there are.
const LEVELS: i32 = 8;

/// How White plays.
#[derive(Clone, Copy, PartialEq)]
enum Attack {
    Plain,
    Tables,
    /// At this level, asked in this form.
    Weak(i32, &'static str),
}

impl Attack {
    /// What is set for it.
    fn elo(self) -> Option<i32> {
        let Attack::Weak(level, _) = self else { return None };
        Some(Strength::MIN + (Strength::MAX - Strength::MIN) * level / (LEVELS - 1))
    }

    /// The command for a move, with so much left on the clock.
    fn go(self, clock: Duration) -> String {
        match self {
            Attack::Weak(_, form) if form == FORMS[0] => form.replacen("1000", &clock.as_millis().to_string(), 1),
            Attack::Weak(_, form) => form.to_string(),
            Attack::Plain | Attack::Tables => "go nodes 20000".to_string(),
        }
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attack::Plain => f.write_str("without tables"),
            Attack::Tables => f.write_str("with tables"),
            Attack::Weak(_, form) => write!(f, "at {} Elo, {form}", self.elo().unwrap_or_default()),
        }
    }
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let tables = context.syzygy.as_deref().and_then(|folder| Tables::open(&folder.display().to_string()).0);
    let tasks = tasks(tables.is_some());
    if tables.is_none() {
        tally.note("without tables only (--syzygy FOLDER)".to_string());
    }
    let start = || Ok([context.start()?, context.start()?]);
    trials::run(tally, trials, pool::default_threads(), start, |talks, index| {
        let mut rng = Rng::new(context.seed, index);
        let (men, attack) = task(&tasks, index);
        let board = won(&mut rng, men, tables.as_ref());
        let fen = board.fen();
        let moves = play(context, talks, board, attack).map_err(|fault| format!("{attack}, {fen}: {fault}"))?;
        tally.most(&format!("most moves to mate in {men}"), moves);
        Ok(())
    });
}

/// Every ending and how it is played, weak players at the lowest level.
fn tasks(tables: bool) -> Vec<(&'static str, Attack)> {
    let strong = [Attack::Plain, Attack::Tables].into_iter().filter(|attack| tables || *attack != Attack::Tables);
    let mut tasks = Vec::new();
    for attack in strong.chain(FORMS.map(|form| Attack::Weak(0, form))) {
        let endings = ENDINGS.iter().filter(|&&men| men != "KBNvK" || !matches!(attack, Attack::Weak(..)));
        tasks.extend(endings.map(|&men| (men, attack)));
    }
    tasks
}

/// What is played in this trial. Steps and levels are coprime to the number of tasks, with tables 29 and else 25, so that
/// few trials are of many kinds, and every task comes at every level.
fn task(tasks: &[(&'static str, Attack)], index: u64) -> (&'static str, Attack) {
    match tasks[(index * 7) as usize % tasks.len()] {
        (men, Attack::Weak(_, form)) => (men, Attack::Weak((index % LEVELS as u64) as i32, form)),
        task => task,
    }
}

/// A position that White, to move, wins: the king stands next to no piece, and the tables say so where there are some.
fn won(rng: &mut Rng, men: &str, tables: Option<&Tables>) -> Board {
    loop {
        let board = material::position(rng, men);
        let king = board.king(Color::Black);
        let near = |square: Square| {
            let (files, ranks) = (square.file().abs_diff(king.file()), square.rank().abs_diff(king.rank()));
            files.max(ranks) < 2
        };
        let known = tables.and_then(|tables| tables.wdl(&board)).is_none_or(|wdl| wdl == Wdl::Win);
        if board.side_to_move() == Color::White
            && !board.is_insufficient_material()
            && !board.color(Color::White).into_iter().any(near)
            && known
        {
            return board;
        }
    }
}

/// Plays to the end; how many moves the mate took.
fn play(context: &Context, talks: &mut [Talk; 2], board: Board, attack: Attack) -> Result<u64, String> {
    let [attacker, defender] = talks;
    prepare(context, attacker, attack)?;
    defender.tell(&["ucinewgame"])?;
    let mut game = Game::new(board);
    let mut clock = Duration::from_secs(1);
    while game.board().has_legal_moves() && !drawn(&game) {
        if game.board().side_to_move() == Color::Black {
            step(defender, &mut game, "go nodes 3000")?;
            continue;
        }
        let began = Instant::now();
        step(attacker, &mut game, &attack.go(clock))?;
        clock = clock.saturating_sub(began.elapsed()).max(Duration::from_millis(10)) + Duration::from_millis(10);
    }
    match game.board().is_checkmate() {
        true => Ok(game.moves().len().div_ceil(2) as u64),
        false => Err(format!("no mate after {} plies, but {}", game.moves().len(), game.board().fen())),
    }
}

/// Sets the options of the attacking side.
fn prepare(context: &Context, talk: &mut Talk, attack: Attack) -> Verdict {
    let folder = context.syzygy.as_ref().filter(|_| attack == Attack::Tables);
    let folder = folder.map_or("<empty>".to_string(), |folder| folder.display().to_string());
    let elo = attack.elo();
    let lines = talk.tell(&[
        "ucinewgame",
        &format!("setoption name SyzygyPath value {folder}"),
        &format!("setoption name UCI_LimitStrength value {}", elo.is_some()),
        &format!("setoption name UCI_Elo value {}", elo.unwrap_or(1500)),
    ])?;
    match lines.iter().find(|line| line.starts_with("info string error")) {
        None => Ok(()),
        Some(line) => Err(line.clone()),
    }
}

fn drawn(game: &Game) -> bool {
    game.outcome().is_some_and(|outcome| outcome.winner().is_none())
}

fn step(talk: &mut Talk, game: &mut Game, go: &str) -> Verdict {
    talk.send(&position(game))?;
    let answer = talk.go(go)?;
    let mv = chess::parse_uci(game.board(), &answer.best).map_err(|error| format!("{} is {error}", answer.best))?;
    game.play(mv);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_comes_at_every_level() {
        for (tables, count) in [(true, 29), (false, 25)] {
            let all = tasks(tables);
            assert_eq!(all.len(), count);
            let weak = (0..count as u64 * LEVELS as u64).map(|index| task(&all, index)).filter_map(|(men, attack)| {
                let Attack::Weak(level, form) = attack else { return None };
                Some((men, level, form))
            });
            let weak: std::collections::BTreeSet<_> = weak.collect();
            assert_eq!(weak.len(), 3 * FORMS.len() * LEVELS as usize);
        }
        let clock = Duration::from_millis(70);
        assert_eq!(Attack::Weak(0, FORMS[0]).go(clock), "go wtime 70 btime 1000 winc 10 binc 10");
        assert_eq!(Attack::Weak(0, FORMS[6]).go(clock), FORMS[6]);
        let ends = [0, LEVELS - 1].map(|level| Attack::Weak(level, FORMS[1]).elo());
        assert_eq!(ends, [Some(Strength::MIN), Some(Strength::MAX)]);
    }
}
