//! Games from known positions against the best defence the tables know.

use super::*;
use chess::Move;
use shakmaty_syzygy::{AmbiguousWdl, Wdl};

/// The defence: whatever puts off the end of the line longest.
fn best_defence(oracle: &Tablebase<Chess>, board: &Board) -> Option<Move> {
    let plies = |mv: Move| {
        let after = board.after(mv);
        let result = -oracle.probe_wdl_after_zeroing(&position(&after)).expect("complete tables");
        let length = oracle.probe_dtz(&position(&after)).expect("complete tables").ignore_rounding().0;
        // To have one's king mated now is the worst; a capture that still loses is not much of a delay.
        (result, if after.halfmove_clock() == 0 { 0 } else { length })
    };
    board.legal_moves().iter().copied().max_by_key(|&mv| plies(mv))
}

/// A reply that brings a position back, if there is one.
fn repetition(game: &Game) -> Option<Move> {
    let repeats = |mv: &Move| {
        let mut game = game.clone();
        game.play(*mv) && game.history().repetitions(game.board()) > 0
    };
    game.board().legal_moves().iter().copied().find(repeats)
}

/// Plays a won position to its end: the moves it took, or what happened instead.
fn win(engine: &mut Engine, oracle: &Tablebase<Chess>, start: Board, limit: u64) -> Result<u32, &'static str> {
    let mut game = Game::new(start);
    let winner = game.board().side_to_move();
    engine.new_game();
    for ply in 0.. {
        let board = game.board();
        if board.is_checkmate() {
            return if board.side_to_move() != winner { Ok(ply / 2 + 1) } else { Err("mated") };
        } else if board.is_stalemate() {
            return Err("stalemate");
        } else if game.is_fifty_moves() {
            return Err("fifty moves");
        } else if game.is_threefold() {
            return Err("repetition");
        } else if board.is_insufficient_material() {
            return Err("nothing left");
        }
        let mv = if board.side_to_move() == winner {
            search(engine, &game, &nodes(limit)).0.best
        } else {
            // With an even number of nodes the defence goes back and forth where it can.
            let seeks_repetition = limit.is_multiple_of(2);
            repetition(&game).filter(|_| seeks_repetition).or_else(|| best_defence(oracle, board))
        };
        assert!(mv.is_some_and(|mv| game.play(mv)));
    }
    Err("endless")
}

/// A position that the side to move wins in time.
fn won_position(random: &mut Random, oracle: &Tablebase<Chess>, name: &str, clock: usize) -> Board {
    loop {
        let board = random.position(name);
        let board = random.with_clock(&board, clock);
        let won = board.side_to_move() == Color::White
            && oracle.probe_wdl(&position(&board)).is_ok_and(|wdl| wdl == AmbiguousWdl::Win);
        if won {
            return board;
        }
    }
}

#[test]
fn won_endings_are_won_within_fifty_moves() {
    let Some(folder) = folder() else { return };
    let (mut engine, oracle) = (engine(&folder), oracle(&folder));
    let mut random = Random(2024);
    for name in ["KQvK", "KRvK", "KBNvK", "KBBvK", "KPvK", "KQvKR", "KQvKP", "KRvKN", "KRPvK", "KNPvK"] {
        for (limit, clock) in [(1, 1), (2, 1), (100, 1), (101, 100), (102, 100)] {
            let (games, mut most) = (2 * factor(), 0);
            for _ in 0..games {
                let start = won_position(&mut random, &oracle, name, clock);
                match win(&mut engine, &oracle, start.clone(), limit) {
                    Ok(moves) => most = most.max(moves),
                    Err(what) => panic!("{name}, {limit} nodes: {what} from {}", start.fen()),
                }
            }
            eprintln!("{name:5} {limit:3} nodes, clock below {clock:3}: {games} of {games} won, most moves {most}");
        }
    }
}

/// The same without the distances: the tables only say which moves do not spoil it, the search has to find the way.
#[test]
fn results_alone_are_enough_for_easy_wins() {
    let Some(folder) = folder() else { return };
    let results = std::env::temp_dir().join(format!("gannet-results-only-{}", std::process::id()));
    std::fs::create_dir_all(&results).expect("a folder");
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKP"] {
        let file = format!("{name}.rtbw");
        std::fs::copy(folder.join(&file), results.join(&file)).expect("copied");
    }
    let oracle = oracle(&folder);
    let mut engine = Engine::new(4).expect("memory");
    engine.syzygy_mut().set_path(&results.display().to_string());
    let notices = engine.syzygy_mut().take_notices();
    assert!(notices.iter().any(|notice| notice.to_string().contains("29 of the 30 WDL tables")), "{notices:?}");
    let mut random = Random(5);
    for name in ["KQvK", "KPvK", "KQvKP"] {
        for _ in 0..factor() {
            let start = won_position(&mut random, &oracle, name, 1);
            let result = win(&mut engine, &oracle, start.clone(), 3001);
            assert!(result.is_ok(), "{name}: {result:?} from {}", start.fen());
        }
    }
    assert_eq!(engine.syzygy_mut().take_notices(), []);
    let _ = std::fs::remove_dir_all(results);
}

/// What a position is worth to the side to move, the clock included: 1, 0, -1, or unknown on the very edge.
fn worth(oracle: &Tablebase<Chess>, board: &Board) -> Option<i32> {
    if board.is_checkmate() {
        return Some(-1);
    }
    if board.halfmove_clock() >= 100 {
        return Some(0);
    }
    let wdl = oracle.probe_wdl(&position(board)).expect("complete tables").unambiguous()?;
    Some(match wdl {
        Wdl::Win => 1,
        Wdl::Loss => -1,
        _ => 0,
    })
}

#[test]
fn no_win_and_no_draw_is_thrown_away() {
    let Some(folder) = folder() else { return };
    let (mut engine, oracle) = (engine(&folder), oracle(&folder));
    let mut random = Random(31);
    let mut counts = [0; 3];
    for _ in 0..1500 * factor() {
        let board = random.any_position();
        let board = random.with_clock(&board, 100);
        if !board.has_legal_moves() {
            continue;
        }
        let (outcome, _) = search(&mut engine, &Game::new(board.clone()), &nodes(30));
        let after = board.after(outcome.best.expect("a move"));
        if let (Some(before), Some(now)) = (worth(&oracle, &board), worth(&oracle, &after)) {
            counts[(before + 1) as usize] += 1;
            assert_eq!(before, -now, "{} {:?}", board.fen(), outcome.best);
            assert_eq!(before, if outcome.score.is_decisive() { outcome.score.0.signum() } else { 0 });
        }
    }
    eprintln!("losses, draws, wins kept: {counts:?}");
}

/// What the search can do without tables: a report, not a promise.
#[test]
#[ignore = "takes minutes; prints a report"]
fn mates_without_tables() {
    let Some(folder) = folder() else { return };
    let oracle = oracle(&folder);
    let mut engine = Engine::new(16).expect("memory");
    let mut random = Random(77);
    for name in ["KQvK", "KRvK", "KBBvK", "KBNvK"] {
        let games = 5 * factor();
        let mut results = std::collections::BTreeMap::new();
        let mut most = 0;
        for _ in 0..games {
            let start = won_position(&mut random, &oracle, name, 1);
            match win(&mut engine, &oracle, start, 20_001) {
                Ok(moves) => most = most.max(moves),
                Err(what) => *results.entry(what).or_insert(0) += 1,
            }
        }
        let lost: i32 = results.values().sum();
        eprintln!("{name:5} 20001 nodes: {} of {games} won, most moves {most}; {results:?}", games as i32 - lost);
    }
}
