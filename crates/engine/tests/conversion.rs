//! Even the weakest player mates a bare king, against the best defence that a search finds, within fifty moves.

use chess::{Board, Game};
use engine::strength::{Chance, Strength};
use engine::{Control, Engine, Limits, NoClock, Silent};

/// Plays to the end; the number of moves to mate.
fn mate(fen: &str, elo: i32) -> Option<usize> {
    let mut game = Game::new(Board::from_fen(fen).expect(fen));
    let (mut attacker, mut defender) = (Engine::new(2).expect("memory"), Engine::new(2).expect("memory"));
    let (limits, control) = (Limits::default(), Control::default());
    let defence = Limits { nodes: Some(3000), ..Limits::default() };
    let mut chance = Chance::new(1);
    while game.board().has_legal_moves() && !game.is_threefold() && !game.is_fifty_moves() {
        let outcome = if game.moves().len().is_multiple_of(2) {
            attacker.search_as(Strength::new(elo), &mut chance, &game, &limits, &control, &NoClock)
        } else {
            defender.search(&game, &defence, &control, &NoClock, &mut Silent)
        };
        assert!(game.play(outcome.best.expect("there are moves")));
    }
    game.board().is_checkmate().then_some(game.moves().len().div_ceil(2))
}

fn mates(fens: &[&str]) {
    for fen in fens {
        let moves = mate(fen, Strength::MIN);
        println!("{fen}: {moves:?} moves");
        assert!(moves.is_some(), "no mate from {fen}");
    }
}

#[test]
fn queen() {
    mates(&["8/8/4k3/8/8/8/8/Q3K3 w - - 0 1", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "4K3/8/3k4/8/8/8/8/6Q1 w - - 0 1"]);
}

#[test]
fn rook() {
    mates(&["8/8/4k3/8/8/8/8/R3K3 w - - 0 1", "8/8/8/3k4/8/8/8/K6R w - - 0 1", "7R/8/8/2k5/8/8/6K1/8 w - - 0 1"]);
}

#[test]
fn two_bishops() {
    mates(&["8/8/4k3/8/8/8/8/2B1KB2 w - - 0 1", "8/8/8/3k4/8/8/8/KBB5 w - - 0 1", "8/5k2/8/8/8/2B5/8/K4B2 w - - 0 1"]);
}
