//! Every line of many searches, move by move.

use chess::Game;

use super::Context;
use super::talk::position;
use super::trials::{self, Tally};
use super::{lines, material};
use crate::book::random_opening;
use crate::rng::Rng;

pub const WHAT: &str = "searches of random positions, of their endgames and of mates, some with several lines or threads, \
    some in Chess960, a third with endgame tables where there are some: every field there and whole, every move of every \
    line legal and none after mate, stalemate, a third repetition, fifty moves or with nothing to mate with, exact mates \
    in N with a line of 2N − 1 plies (2N for the other side) that ends in mate, several lines of one depth and in order, the \
    last of them as many as were asked for or as there are moves, the best move that of the last exact line; one in eight \
    with `searchmoves`, and no other move";

/// Mates of known length, and other positions in which there is a mate.
const MATES: &str = include_str!(env!("GANNET_MATES"));

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let mates = mates();
    trials::run(
        tally,
        trials,
        1,
        || context.start(),
        |talk, index| {
            let mut rng = Rng::new(context.seed, index);
            let chess960 = index % 5 == 4;
            let game = match index % 3 {
                0 if !mates.is_empty() && !chess960 => mates[rng.below(mates.len())].clone(),
                // Long random games have few men left, are near repetitions and near the fifty-move rule.
                1 => random_opening(&mut rng, 200, chess960),
                _ => random_opening(&mut rng, 20, chess960),
            };
            let tables = context.syzygy.as_ref().filter(|_| index / 3 % 3 == 0);
            // Half of those are in the tables already.
            let game = match tables {
                Some(_) if rng.below(2) == 0 => Game::new(playable(&mut rng)),
                _ => game,
            };
            tally.count("with tables", tables.is_some().into());
            let wanted = if rng.below(3) == 0 { 2 + rng.below(4) } else { 1 };
            let threads = if rng.below(4) == 0 { 3 } else { 1 };
            talk.tell(&[
                &format!("setoption name UCI_Chess960 value {chess960}"),
                &format!("setoption name MultiPV value {wanted}"),
                &format!("setoption name Threads value {threads}"),
                &match tables {
                    Some(folder) => format!("setoption name SyzygyPath value {}", folder.display()),
                    None => "setoption name SyzygyPath value <empty>".to_string(),
                },
                &position(&game),
            ])?;
            let go = match rng.below(3) {
                0 => format!("go depth {}", 1 + rng.below(9)),
                1 => format!("go nodes {}", 1 + rng.below(30_000)),
                _ => format!("go movetime {}", 1 + rng.below(30)),
            };
            let allowed = if rng.below(8) == 0 { some_moves(&mut rng, &game, chess960) } else { Vec::new() };
            let (go, wanted) = match allowed.len() {
                0 => (go, wanted),
                moves => (format!("{go} searchmoves {}", allowed.join(" ")), wanted.min(moves)),
            };
            let answer = talk.go(&go)?;
            let verdict = answer
                .legal(&game)
                .and_then(|()| lines::check(&answer.lines, &answer.best, &game, wanted))
                .and_then(|()| match allowed.is_empty() || allowed.contains(&answer.best) {
                    true => Ok(()),
                    false => Err(format!("{} was not allowed", answer.best)),
                });
            verdict.map_err(|fault| format!("{go} in {}: {fault}", game.board().fen()))
        },
    );
}

/// Positions in which there is a mate.
fn mates() -> Vec<Game> {
    let lines = MATES.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| crate::book::board_of(line).ok().map(Game::new)).collect()
}

/// One to four moves, each named once.
fn some_moves(rng: &mut Rng, game: &Game, chess960: bool) -> Vec<String> {
    let legal = game.board().legal_moves();
    let chosen = (0..1 + rng.below(4)).filter_map(|_| legal.get(rng.below(legal.len().max(1))));
    let mut moves: Vec<String> = chosen.map(|&mv| chess::uci(mv, chess960).to_string()).collect();
    moves.sort();
    moves.dedup();
    moves
}

/// A position of few men in which there is a move.
fn playable(rng: &mut Rng) -> chess::Board {
    loop {
        let board = material::any_position(rng, 4);
        if board.has_legal_moves() {
            return board;
        }
    }
}
