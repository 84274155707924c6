//! A bare king is mated within fifty moves, against the best defence that a search finds: by the engine from random
//! positions, and even by the weakest player. LONE_KING_GAMES=30 plays so many games of each ending.

use chess::{Board, Color, Game, Move};

use engine::strength::{Chance, Player, Strength};
use engine::{Control, Engine, Limits, NoClock, Silent, Source};

/// Plays to the end with White's moves from `attack`; the number of moves to mate.
fn mate(fen: &str, mut attack: impl FnMut(&Game) -> Option<Move>) -> Option<usize> {
    let mut game = Game::new(Board::from_fen(fen).expect(fen));
    let (mut defender, control) = (Engine::new(2).expect("memory"), Control::default());
    let defence = Limits { nodes: Some(3000), ..Limits::default() };
    while game.board().has_legal_moves()
        && !game.is_threefold()
        && !game.is_fifty_moves()
        && !game.board().is_insufficient_material()
    {
        let mv = if game.board().side_to_move() == Color::White {
            attack(&game)
        } else {
            defender.search(&game, &defence, &control, &NoClock, &mut Silent).best
        };
        assert!(mv.is_some_and(|mv| game.play(mv)), "{}", game.board().fen());
    }
    game.board().is_checkmate().then_some(game.moves().len().div_ceil(2))
}

/// White's king and these pieces on random squares against a king that stands next to none of them.
fn random_position(pieces: &str, seed: &mut u64) -> String {
    loop {
        let mut squares = ['1'; 64];
        let mut places = Vec::new();
        for piece in "kK".chars().chain(pieces.chars()) {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let place = (*seed >> 33) as usize % 64;
            squares[place] = piece;
            places.push(place);
        }
        let near = |place: &&usize| (*place % 8).abs_diff(places[0] % 8).max((*place / 8).abs_diff(places[0] / 8)) < 2;
        let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
        let fen = format!("{} w - - 0 1", rows.join("/"));
        let board = Board::from_fen(&fen);
        let whole = board.as_ref().is_ok_and(|board| board.occupied().len() as usize == places.len());
        if whole
            && places.iter().skip(1).all(|place| !near(&place))
            && !board.is_ok_and(|b| b.is_insufficient_material())
        {
            return fen;
        }
    }
}

/// Plays an ending from random positions with 20 000 nodes a move, with the network and without by turns.
fn mates_at_random(pieces: &str) {
    let games = std::env::var("LONE_KING_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (mut seed, mut moves) = (2026, Vec::new());
    for game in 0..games {
        let fen = random_position(pieces, &mut seed);
        let mut attacker = Engine::new(4).expect("memory");
        attacker.set_evaluation(if game % 2 == 0 { Source::default() } else { Source::Bootstrap });
        let attack = |game: &Game| attacker.search(game, &limits, &Control::default(), &NoClock, &mut Silent).best;
        let found = mate(&fen, attack);
        assert!(found.is_some(), "no mate from {fen}");
        moves.extend(found);
    }
    println!("K{pieces} against K: {games} of {games} won, most moves {:?}", moves.iter().max());
}

#[test]
fn random_queen() {
    mates_at_random("Q");
}

#[test]
fn random_rook() {
    mates_at_random("R");
}

#[test]
fn random_bishops() {
    mates_at_random("BB");
}

#[test]
fn random_bishop_and_knight() {
    mates_at_random("BN");
}

/// The score of two knights alone is a draw, and so are the scores of what cannot mate at all.
#[test]
fn what_cannot_win_is_a_draw() {
    for drawn in ["KNN5", "KB6", "KN6", "KB1B4"] {
        let fen = format!("8/8/8/3k4/8/8/8/{drawn} w - - 0 1");
        let game = Game::new(Board::from_fen(&fen).expect("legal"));
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let mut engine = Engine::new(2).expect("memory");
        let outcome = engine.search(&game, &limits, &Control::default(), &NoClock, &mut Silent);
        assert!(outcome.score.0.abs() <= 30, "{drawn}: {:?}", outcome.score);
    }
}

fn mates(fens: &[&str]) {
    for fen in fens {
        let mut engine = Engine::new(2).expect("memory");
        let (limits, control) = (Limits::default(), Control::default());
        let mut weakest = Player { strength: Strength::new(Strength::MIN), chance: Chance::new(1) };
        let moves =
            mate(fen, |game| engine.search_as(&mut weakest, game, &limits, &control, &NoClock, &mut Silent).best);
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

#[test]
fn bishop_and_knight() {
    mates(&["8/8/4k3/8/8/8/8/2B1K1N1 w - - 0 1", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1", "k7/8/8/8/8/2B5/8/K4N2 w - - 0 1"]);
}
