//! What the search promises, whatever its parameters: the same nodes every time, legal moves, exact limits, and that
//! every switch does what it says.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use chess::{Board, Game, Score};
use engine::{Clock, Control, Engine, Limits, Line, NoClock, Outcome, ParamValue, Params, Reporter, Silent, TimeLimit};

/// A few positions of every sort: opening, tactics, endgames, in check, Chess960.
const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/6b1/3nkp2/1R5p/8/r2N4/2PB2PP/5K2 w - - 4 40",
    "r1b1k2r/p3qp2/2p2nn1/3p2N1/1b1Q1B2/2N5/1PP1PPB1/R4KR1 w kq - 4 20",
    "8/1p3k2/p1p5/P1P2pp1/1P3p2/5P2/5KP1/8 w - - 0 1",
    "3rk3/8/8/8/8/8/3PPP2/3QK3 b - - 0 1",
    "nrkbqnbr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRKBQNBR w HBhb - 0 2",
    "8/8/8/4k3/8/2KQN3/8/8 w - - 0 1",
    "1r2r1k1/5ppp/p2b4/2q5/2pNn3/P3P1Pb/2P1NR1P/R1B1Q1K1 w - - 2 22",
    "rn3r2/pbppq1p1/1p2pN2/6k1/3P2N1/3B4/PPP2PPP/R3K2R w KQ - 0 1",
];

fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> Outcome {
    let game = Game::new(Board::from_fen(fen).expect(fen));
    engine.search(&game, limits, &Control::default(), &NoClock, &mut Silent)
}

/// The nodes of a small bench with these options.
fn bench(options: &[(&str, &str)], depth: i32) -> u64 {
    let mut engine = Engine::new(4).expect("memory");
    for (name, value) in options {
        engine.params_mut().set(name, value).expect("known option");
    }
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    POSITIONS
        .iter()
        .map(|fen| {
            engine.new_game();
            search(&mut engine, fen, &limits).nodes
        })
        .sum()
}

#[test]
fn one_thread_is_deterministic() {
    assert_eq!(bench(&[], 10), bench(&[], 10));
}

#[test]
fn the_caller_needs_no_stack() {
    let search = || {
        let mut engine = Engine::new(1).expect("memory");
        search(&mut engine, POSITIONS[0], &Limits { depth: Some(8), ..Limits::default() })
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(search).expect("thread");
    assert!(thread.join().expect("no panic").best.is_some());
}

#[test]
fn node_limits_are_exact() {
    let mut engine = Engine::new(4).expect("memory");
    for nodes in [1, 2, 50, 1000, 1023, 1024, 1025, 30_000] {
        engine.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = search(&mut engine, POSITIONS[1], &limits);
        assert_eq!(outcome.nodes, nodes);
        assert!(outcome.best.is_some());
    }
}

#[test]
fn countermoves_without_bonus_are_no_countermoves() {
    assert_eq!(bench(&[("CountermoveBonus", "0")], 10), bench(&[("UseCountermoves", "false")], 10));
    assert_ne!(bench(&[], 10), bench(&[("UseCountermoves", "false")], 10));
}

#[test]
fn the_ranked_picker_in_parity_mode_is_the_ordinary_one() {
    let parity = [("UseRankedMovePicker", "true"), ("RankedMovePicker_parity", "1")];
    assert_eq!(bench(&parity, 10), bench(&[], 10));
    assert_ne!(bench(&parity[..1], 10), bench(&[], 10));
}

#[test]
fn every_switch_changes_the_search() {
    let mut switches = Vec::new();
    Params::default().visit(&mut |param| {
        if let ParamValue::Switch { value, .. } = param.value {
            switches.push((param.name, !*value));
        }
    });
    let base = bench(&[], 12);
    let same: Mutex<Vec<String>> = Mutex::default();
    let todo = Mutex::new(switches);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((name, value)) = todo.lock().expect("no panic").pop() else { break };
                    if bench(&[(&name, &value.to_string())], 12) == base {
                        same.lock().expect("no panic").push(name);
                    }
                }
            });
        }
    });
    // Time management only acts on a clock, which a bench has not.
    assert_eq!(same.into_inner().expect("no panic"), ["UseTimeManagement"]);
}

/// Nodes of searches against a clock, which is looked at often and moves on each time.
fn clocked(options: &[(&str, &str)]) -> u64 {
    struct Steps(AtomicU32);
    impl Clock for Steps {
        fn elapsed(&self) -> Duration {
            Duration::from_millis(2) * self.0.fetch_add(1, Relaxed)
        }
    }
    let mut engine = Engine::new(4).expect("memory");
    options.iter().for_each(|(name, value)| engine.params_mut().set(name, value).expect("known option"));
    let second = Duration::from_secs(1);
    let mut nodes = 0;
    // A mate on top, at which time is saved.
    let fens = POSITIONS.iter().chain(&["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]);
    for (fen, remaining) in fens.flat_map(|fen| [(fen, second), (fen, second / 20)]) {
        let time = TimeLimit::Clock { remaining, increment: second / 50, moves_to_go: None };
        let game = Game::new(Board::from_fen(fen).expect(fen));
        let limits = Limits { time, ..Limits::default() };
        engine.new_game();
        nodes += engine.search(&game, &limits, &Control::default(), &Steps(AtomicU32::new(0)), &mut Silent).nodes;
    }
    nodes
}

/// Nodes of several searches with one small table, in which entries grow old and make room.
fn crowded(options: &[(&str, &str)]) -> u64 {
    let mut engine = Engine::new(1).expect("memory");
    options.iter().for_each(|(name, value)| engine.params_mut().set(name, value).expect("known option"));
    let limits = Limits { depth: Some(15), ..Limits::default() };
    [0, 2, 0, 2].into_iter().map(|index: usize| search(&mut engine, POSITIONS[index], &limits).nodes).sum()
}

/// Nodes of endings against a bare king.
fn bare(options: &[(&str, &str)]) -> u64 {
    let mut engine = Engine::new(1).expect("memory");
    options.iter().for_each(|(name, value)| engine.params_mut().set(name, value).expect("known option"));
    let limits = Limits { depth: Some(10), ..Limits::default() };
    let endings =
        ["8/8/8/4k3/8/2KBN3/8/8 w - - 0 1", "8/8/8/4k3/8/2KBB3/8/8 w - - 0 1", "8/8/8/4k3/8/2KR4/P7/8 w - - 0 1"];
    endings.into_iter().map(|fen| search(&mut engine, fen, &limits).nodes).sum()
}

/// Numbers that change nothing in their suite, and why.
const WITHOUT_EFFECT: [(&str, &str); 2] = [
    ("QSearchNodeLimit", "below its first step, 1000, quiescence of these positions ends by itself"),
    (
        "RankAwareGates_smoothing",
        "second searches stay rarer here than RankAwareGates_research_max, which acts when it is less",
    ),
];

/// A number that cannot act at the defaults of the others is one that nobody can tune.
#[test]
fn every_number_changes_its_suite_or_says_why_not() {
    let mut switch = String::new();
    let mut numbers = Vec::new();
    Params::default().visit(&mut |param| match param.value {
        ParamValue::Switch { .. } => switch = param.name,
        ParamValue::Number { min, max, step, .. } => {
            numbers.push((switch.clone(), param.name, [min, max, min + step]));
        }
    });
    let idle: Mutex<Vec<String>> = Mutex::default();
    let todo = Mutex::new(numbers);
    let work = || {
        loop {
            let Some((switch, name, values)) = todo.lock().expect("no panic").pop() else { break };
            let suite = |options: &[(&str, &str)]| match &*switch {
                "UseTimeManagement" => clocked(options),
                "UseLoneKing" => bare(options),
                "UseClusteredTT" => crowded(options),
                _ => bench(options, 10),
            };
            let base = suite(&[(&switch, "true")]);
            let acts = |value: i32| suite(&[(&switch, "true"), (&name, &value.to_string())]) != base;
            if !values.into_iter().any(acts) {
                idle.lock().expect("no panic").push(name);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let mut idle = idle.into_inner().expect("no panic");
    idle.sort();
    assert_eq!(idle, WITHOUT_EFFECT.map(|(name, _)| name));
}

#[test]
fn every_switch_survives_alone_and_all_off() {
    let mut params = Params::default();
    let mut off = Vec::new();
    params.visit(&mut |param| {
        if let ParamValue::Switch { .. } = param.value {
            off.push(param.name);
        }
    });
    let all_off: Vec<(&str, &str)> = off.iter().map(|name| (name.as_str(), "false")).collect();
    assert!(bench(&all_off, 4) > 0);
    let all_on: Vec<(&str, &str)> = off.iter().map(|name| (name.as_str(), "true")).collect();
    assert!(bench(&all_on, 8) > 0);
}

#[test]
fn every_number_survives_its_extremes() {
    let mut numbers = Vec::new();
    Params::default().visit(&mut |param| {
        if let ParamValue::Number { min, max, .. } = param.value {
            numbers.push((param.name, min, max));
        }
    });
    let mut engine = Engine::new(1).expect("memory");
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    for (name, min, max) in &numbers {
        for value in [min, max] {
            *engine.params_mut() = Params::default();
            for switch in ["UseRankedMovePicker", "UseRankAwareGates", "UseMulticut", "QSearchChecks"] {
                engine.params_mut().set(switch, "true").expect("switch");
            }
            engine.params_mut().set(name, &value.to_string()).expect("in range");
            engine.new_game();
            for fen in &POSITIONS[1..4] {
                assert!(search(&mut engine, fen, &limits).best.is_some());
            }
        }
    }
}

/// Checks every line that the search reports.
struct Checker<'a> {
    game: &'a Game,
    lines: usize,
    last: Vec<(usize, Score)>,
}

impl Reporter for Checker<'_> {
    fn line(&mut self, line: &Line<'_>) {
        self.lines += 1;
        let mut board = self.game.board().clone();
        for &mv in line.pv {
            assert!(board.is_legal(mv), "{mv:?} in {}", board.fen());
            board.make(mv);
        }
        if line.multipv == 1 {
            self.last.clear();
        }
        self.last.push((line.multipv, line.score));
    }
}

#[test]
fn every_line_is_legal_and_in_order() {
    let mut engine = Engine::new(4).expect("memory");
    for fen in POSITIONS {
        let game = Game::new(Board::from_fen(fen).expect(fen));
        let mut checker = Checker { game: &game, lines: 0, last: Vec::new() };
        let limits = Limits { depth: Some(8), multi_pv: 4, ..Limits::default() };
        let outcome = engine.search(&game, &limits, &Control::default(), &NoClock, &mut checker);
        let expected = game.board().legal_moves().len().min(4);
        assert_eq!(checker.lines, 8 * expected);
        let ranks: Vec<usize> = checker.last.iter().map(|(rank, _)| *rank).collect();
        assert_eq!(ranks, (1..=expected).collect::<Vec<_>>());
        assert!(checker.last.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{:?}", checker.last);
        assert_eq!(outcome.best, outcome.pv.first().copied());
    }
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut engine = Engine::new(4).expect("memory");
    let board = Board::start();
    let wanted = chess::parse_uci(&board, "a2a3").expect("legal");
    let limits = Limits { depth: Some(6), moves: vec![wanted], ..Limits::default() };
    assert_eq!(search(&mut engine, POSITIONS[0], &limits).best, Some(wanted));
}

#[test]
fn finished_games_have_no_move() {
    let mut engine = Engine::new(1).expect("memory");
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mated = search(&mut engine, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &limits);
    assert_eq!((mated.best, mated.score), (None, Score::mated_in(0)));
    let stalemated = search(&mut engine, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &limits);
    assert_eq!((stalemated.best, stalemated.score), (None, Score::DRAW));
}

#[test]
fn many_threads_agree_on_a_clear_case() {
    let mut engine = Engine::new(4).expect("memory");
    engine.set_threads(4);
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let outcome = search(&mut engine, "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", &limits);
    assert_eq!(outcome.score, Score::mate_in(1));
}

/// Two threads that meet in the table, quickly: what a sanitizer sees first.
#[test]
fn small_searches_with_two_threads() {
    let mut engine = Engine::new(1).expect("memory");
    engine.set_threads(2);
    for fen in &POSITIONS[1..3] {
        let limits = Limits { nodes: Some(4000), ..Limits::default() };
        assert!(search(&mut engine, fen, &limits).best.is_some());
    }
}

#[test]
fn depth_without_end_and_hopeless_positions_are_survived() {
    let mut engine = Engine::new(1).expect("memory");
    for fen in ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/3k4/8/3K4/8/8 w - - 99 80", "7k/8/8/8/8/8/R7/K7 w - - 97 60"] {
        let limits = Limits { depth: Some(239), nodes: Some(200_000), ..Limits::default() };
        assert!(search(&mut engine, fen, &limits).best.is_some());
    }
}
