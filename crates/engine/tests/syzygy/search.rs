//! How the search uses what the tables know.

use super::*;
use chess::Score;

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).expect(fen))
}

#[test]
fn known_positions_below_the_root_decide() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    // Five men: White takes the pawn and wins, or it promotes.
    let won = game("8/8/8/3k4/4p3/8/8/KR3B2 w - - 0 1");
    let (outcome, listener) = search(&mut engine, &won, &nodes(50_000));
    assert!(outcome.score.is_decisive() && outcome.score.0 > 0 && listener.tbhits > 0, "{:?}", outcome.score);
    // Whoever takes, rook against bishop is a draw and all that is left.
    let drawn = game("8/8/8/8/2k5/1r6/8/KBN5 b - - 0 1");
    let (outcome, listener) = search(&mut engine, &drawn, &nodes(50_000));
    assert!(outcome.score.0.abs() < 500 && listener.tbhits > 0, "{:?}", outcome.score);
    engine.syzygy_mut().probe_limit = 0;
    engine.new_game();
    assert_eq!(search(&mut engine, &won, &nodes(10_000)).1.tbhits, 0);
    // From this depth on none of the largest is asked; three men still are.
    engine.syzygy_mut().probe_limit = 7;
    engine.syzygy_mut().probe_depth = 100;
    engine.new_game();
    let few = search(&mut engine, &won, &nodes(10_000)).1.tbhits;
    engine.syzygy_mut().probe_depth = 1;
    engine.new_game();
    assert!(search(&mut engine, &won, &nodes(10_000)).1.tbhits > few);
}

#[test]
fn the_fifty_move_rule_can_be_set_aside() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    // Mate takes about thirty moves; the clock leaves time for ten.
    let late = game("8/8/8/3k4/8/8/8/K1B1N3 w - - 80 100");
    let dtz = oracle(&folder).probe_dtz(&position(late.board())).expect("known").ignore_rounding().0;
    assert!(dtz > 21, "{dtz}");
    assert_eq!(search(&mut engine, &late, &nodes(500)).0.score, Score(1));
    engine.syzygy_mut().fifty_move_rule = false;
    assert_eq!(search(&mut engine, &late, &nodes(500)).0.score, Score::tablebase_win_in(0));
    let lost = game("8/8/8/3k4/8/8/8/K1B1N3 b - - 60 100");
    assert!(search(&mut engine, &lost, &nodes(500)).0.score.0 <= -Score::WIN_BOUND.0);
    engine.syzygy_mut().fifty_move_rule = true;
    assert_eq!(search(&mut engine, &lost, &nodes(500)).0.score, Score(-1));
}

#[test]
fn more_lines_show_worse_moves_with_their_scores() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    let mut random = Random(99);
    for _ in 0..40 * factor() {
        let board = random.any_position();
        let count = board.legal_moves().len();
        if count == 0 {
            continue;
        }
        let limits = Limits { depth: Some(3), multi_pv: 256, ..Limits::default() };
        let (outcome, listener) = search(&mut engine, &Game::new(board.clone()), &limits);
        let ranks: Vec<_> = listener.lines.iter().map(|line| line.0).collect();
        assert_eq!(ranks, (1..=count).collect::<Vec<_>>(), "{}", board.fen());
        assert!(listener.lines.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{:?}", listener.lines);
        assert_eq!(listener.lines[0].1, outcome.score);
        assert_eq!(listener.tbhits, count as u64);
    }
}

#[test]
fn only_wanted_moves_are_ranked() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    let game = game("8/8/8/3k4/8/8/4R3/K7 w - - 0 1");
    let blunder = chess::parse_uci(game.board(), "e2e5").expect("legal");
    let limits = Limits { moves: vec![blunder], depth: Some(4), ..Limits::default() };
    let (outcome, _) = search(&mut engine, &game, &limits);
    assert_eq!((outcome.best, outcome.score), (Some(blunder), Score::DRAW));
}

#[test]
fn threads_share_the_tables() {
    let Some(folder) = folder() else { return };
    let mut engine = engine(&folder);
    engine.set_threads(4);
    let limits = Limits { depth: Some(14), ..Limits::default() };
    let (outcome, listener) = search(&mut engine, &game("8/8/8/3k4/4p3/8/8/KR3B2 w - - 0 1"), &limits);
    assert!(outcome.score.is_decisive() && listener.tbhits > 100 && listener.notices.is_empty());
}

/// What the position is worth if the game is a draw once the clock says 100 and nobody is mated, by trying everything:
/// the plies to mate, positive if the side to move mates.
fn by_trying(board: &Board) -> Option<i32> {
    if board.is_checkmate() {
        return Some(0);
    } else if board.halfmove_clock() >= 100 || !board.has_legal_moves() || board.is_insufficient_material() {
        return None;
    }
    let results = board.legal_moves().iter().map(|&mv| by_trying(&board.after(mv))).collect::<Vec<_>>();
    // Mated after a move that mates in 0, 2, … plies; saved by any move after which nobody mates.
    let wins = results.iter().flatten().filter(|&&plies| plies <= 0).map(|plies| 1 - plies).min();
    wins.or_else(|| {
        let losses: Option<Vec<i32>> = results.into_iter().collect();
        losses.and_then(|losses| losses.into_iter().max()).map(|plies| -1 - plies)
    })
}

#[test]
fn the_last_plies_before_the_fifty_move_rule_are_exact() {
    let Some(folder) = folder() else { return };
    let (mut engine, mut random) = (engine(&folder), Random(50));
    let mut counts = [0; 3];
    while counts[0] < 40 * factor() || counts[2] < 40 * factor() {
        let men = ["KQvK", "KRvK"][random.below(2)];
        let board = random.position(men);
        let clock = 97 + random.below(3);
        let board = Board::from_fen(&board.fen().replace(" 0 1", &format!(" {clock} 80"))).expect("legal");
        if !board.has_legal_moves() {
            continue;
        }
        let (expected, game) = (by_trying(&board), Game::new(board.clone()));
        // Most are drawn.
        if expected.is_none() && random.below(20) > 0 {
            continue;
        }
        engine.new_game();
        let found = search(&mut engine, &game, &Limits { depth: Some(8), ..Limits::default() }).0.score;
        match expected {
            Some(plies @ 1..) => assert_eq!(found, Score::mate_in(plies as usize), "{}", board.fen()),
            Some(plies) => assert_eq!(found, Score::mated_in(-plies as usize), "{}", board.fen()),
            None => assert!(found.0.abs() <= 1, "{}: {found:?}", board.fen()),
        }
        counts[(1 + expected.map_or(0, i32::signum)) as usize] += 1;
    }
}
