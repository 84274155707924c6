//! Elementary endings from random positions: whoever has queen, rook, two bishops, or bishop and knight against a bare king
//! mates it before the fifty-move rule ends the game; weak players too, with whom people end their games.

use std::fmt;
use std::time::{Duration, Instant};

use chess::{Board, Color, Game, Square};
use engine::syzygy::{Tables, Wdl};

use super::Context;
use super::material;
use super::talk::{Talk, position};
use super::trials::{self, Tally, Verdict};
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "queen, rook, two bishops, bishop and knight against a bare king, from random positions, White to move, \
    against the engine's own defence at 3000 nodes: mate within fifty moves at 20 000 nodes a move without tables, with \
    tables where there are some, and all but bishop and knight also with `UCI_Elo` 800, 1500 and 2550 and a clock of 1 s + \
    10 ms (that the clock is kept is the games' business)";

const ENDINGS: [&str; 4] = ["KQvK", "KRvK", "KBBvK", "KBNvK"];

/// How White plays.
#[derive(Clone, Copy, PartialEq)]
enum Attack {
    Plain,
    Tables,
    Elo(u32),
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attack::Plain => f.write_str("without tables"),
            Attack::Tables => f.write_str("with tables"),
            Attack::Elo(elo) => write!(f, "at {elo} Elo"),
        }
    }
}

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let tables = context.syzygy.as_deref().and_then(|folder| Tables::open(&folder.display().to_string()).0);
    let mut tasks = Vec::new();
    for attack in [Attack::Plain, Attack::Tables, Attack::Elo(800), Attack::Elo(1500), Attack::Elo(2550)] {
        let endings = ENDINGS.iter().filter(|&&men| men != "KBNvK" || !matches!(attack, Attack::Elo(_)));
        tasks.extend(endings.map(|&men| (men, attack)));
    }
    if tables.is_none() {
        tasks.retain(|(_, attack)| *attack != Attack::Tables);
        tally.note("without tables only (--syzygy FOLDER)".to_string());
    }
    let start = || Ok([context.start()?, context.start()?]);
    trials::run(tally, trials, pool::default_threads(), start, |talks, index| {
        let mut rng = Rng::new(context.seed, index);
        // Coprime to the number of tasks either way, so that few trials are of many kinds.
        let (men, attack) = tasks[(index * 5) as usize % tasks.len()];
        let board = won(&mut rng, men, tables.as_ref());
        let fen = board.fen();
        let moves = play(context, talks, board, attack).map_err(|fault| format!("{attack}, {fen}: {fault}"))?;
        tally.most(&format!("most moves to mate in {men}"), moves);
        Ok(())
    });
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
        step(
            attacker,
            &mut game,
            &match attack {
                Attack::Elo(_) => format!("go wtime {} btime 1000 winc 10 binc 10", clock.as_millis()),
                _ => "go nodes 20000".to_string(),
            },
        )?;
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
    let elo = if let Attack::Elo(elo) = attack { Some(elo) } else { None };
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
    game.is_threefold() || game.is_fifty_moves() || game.board().is_insufficient_material()
}

fn step(talk: &mut Talk, game: &mut Game, go: &str) -> Verdict {
    talk.send(&position(game))?;
    let answer = talk.go(go)?;
    let mv = chess::parse_uci(game.board(), &answer.best).map_err(|error| format!("{} is {error}", answer.best))?;
    game.play(mv);
    Ok(())
}
