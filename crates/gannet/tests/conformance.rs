//! What GUIs, match programs and test frameworks check or take for granted, in their order and spelling: every line by
//! its grammar, nothing after a best move, options as listed, positions in every spelling, carriage returns.

mod uci_gui;

use std::time::{Duration, Instant};

use chess::{Game, parse_uci};
use uci_gui::{Answer, Gui, KIWIPETE, MATED, game};

/// Every option that is not a switch or a number of the search, in the spelling that programs use.
const OPTIONS: [&str; 17] = [
    "Hash",
    "Clear Hash",
    "Threads",
    "Ponder",
    "MultiPV",
    "Move Overhead",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_AnalyseMode",
    "EvalFile",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "SyzygyProbeLimit",
    "Syzygy50MoveRule",
    "Expose",
];

/// Reads an `info` line word by word: known words only, each once, each with the values that belong to it.
fn assert_grammar(line: &str) {
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("info"), "{line}");
    let mut seen = Vec::new();
    let number = |text: Option<&str>| {
        let whole = text.is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty());
        assert!(whole, "a whole number is missing: {line}");
    };
    while let Some(word) = words.next() {
        assert!(!seen.contains(&word), "{word} twice: {line}");
        seen.push(word);
        match word {
            "string" => return,
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time" => number(words.next()),
            "score" => {
                assert!(matches!(words.next(), Some("cp" | "mate")), "{line}");
                let value = words.next().and_then(|text| text.parse::<i32>().ok());
                assert!(value.is_some_and(|value| value.abs() <= 32_000), "{line}");
            }
            "lowerbound" | "upperbound" => assert!(seen.contains(&"score"), "{line}"),
            "wdl" => (0..3).for_each(|_| number(words.next())),
            "pv" => {
                assert!(seen.contains(&"depth") && seen.contains(&"score"), "{line}");
                let moves: Vec<_> = words.by_ref().collect();
                assert!(!moves.is_empty() && moves.iter().all(|text| (4..=5).contains(&text.len())), "{line}");
            }
            _ => panic!("{word} is no word of UCI: {line}"),
        }
    }
}

/// A search whose every line is well written, whose best move is right, and after which nothing is said.
fn search(gui: &mut Gui, go: &str, game: &Game) -> Answer {
    let answer = gui.go(go);
    answer.lines.iter().for_each(|line| assert_grammar(line));
    answer.check(game);
    assert_eq!(gui.tell(&[]), [""; 0], "nothing comes after the best move of {go}");
    answer
}

fn played(moves: &str) -> Game {
    let mut game = Game::default();
    for text in moves.split_whitespace() {
        let mv = parse_uci(game.board(), text).expect(text);
        assert!(game.play(mv));
    }
    game
}

#[test]
fn options_can_be_set_to_everything_they_offer() {
    let mut gui = Gui::start();
    let split = |line: &String| line.split_once(" type ").map(|(name, kind)| (name.to_string(), kind.to_string()));
    let few: Vec<_> = gui.options().iter().filter_map(split).map(|(name, _)| name).collect();
    assert_eq!(few, OPTIONS, "what users need, and nothing else");
    gui.tell(&["setoption name Expose value true"]);
    let all: Vec<_> = gui.options().iter().filter_map(split).collect();
    let options: Vec<(&str, Vec<&str>)> =
        all.iter().map(|(name, kind)| (name.as_str(), kind.split(' ').collect())).collect();
    assert_eq!(options.iter().map(|(name, _)| *name).take(OPTIONS.len()).collect::<Vec<_>>(), OPTIONS);
    assert!(options.len() > 150, "the switches and numbers of the search");
    let mut names: Vec<_> = options.iter().map(|(name, _)| name.to_lowercase()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), options.len(), "names differ in more than their letters' size");
    for (name, kind) in &options {
        let values = match kind[..] {
            ["check", "default", default] => vec!["true", "false", default],
            // A thousand threads and a tebibyte are another test's business.
            ["spin", "default", default, "min", min, "max", _] if ["Hash", "Threads"].contains(name) => {
                vec![min, default]
            }
            ["spin", "default", default, "min", min, "max", max] => vec![min, max, default],
            ["string", "default", default] => vec![default],
            ["button"] => vec![],
            _ => panic!("{name}: {kind:?}"),
        };
        let mut commands: Vec<_> = values.iter().map(|value| format!("setoption name {name} value {value}")).collect();
        match values.last() {
            Some(value) => commands.push(format!("setoption name {} value {value}", name.to_uppercase())),
            None => commands.push(format!("setoption name {}", name.to_lowercase())),
        }
        for command in &commands {
            assert_eq!(gui.tell(&[command]), [""; 0], "{command}");
        }
    }
    // Everything is at its default again, and plays as on the first day.
    let mut fresh = Gui::start();
    let (ours, theirs) = (gui.go("go nodes 3000"), fresh.go("go nodes 3000"));
    assert_eq!((ours.best.as_str(), ours.nodes()), (theirs.best.as_str(), theirs.nodes()));
    fresh.quit();
    gui.quit();
}

#[test]
fn a_match_program_finds_nothing_to_complain_about() {
    let mut gui = Gui::start();
    let start = Game::default();
    gui.send_bytes(b"uci\r\n");
    let lines = gui.lines_until(|line| line == "uciok");
    assert!(lines.iter().all(|line| !line.is_empty() && !line.contains('\r')));
    gui.send_bytes(
        b"isready\r\nsetoption name Hash value 8\r\nsetoption name Threads value 2\r\nucinewgame\r\nisready\r\n",
    );
    assert_eq!([gui.line(), gui.line()], ["readyok", "readyok"]);
    // A game that goes on, told from the start each time, as both sides, without `ucinewgame` in between.
    gui.send_bytes(b"position startpos\r\n");
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 winc 100",
        "go btime 100 binc 100",
        "go wtime 100 winc 100 btime 100 binc 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go depth 5",
        "go nodes 1000",
        "go movetime 30",
        "go wtime 1000 btime 1000 movestogo 10\r",
    ] {
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3"] {
            let position =
                if moves.is_empty() { "position startpos".into() } else { format!("position startpos moves {moves}") };
            gui.send(&position);
            search(&mut gui, go, &played(moves));
        }
    }
    // Several lines, chances, bounds: with every extra that a line can have.
    gui.tell(&[
        "setoption name MultiPV value 3",
        "setoption name UCI_ShowWDL value true",
        "ucinewgame",
        "position startpos",
    ]);
    search(&mut gui, "go depth 9", &start);
    gui.tell(&["setoption name MultiPV value 1", &format!("position fen {KIWIPETE}")]);
    search(&mut gui, "go depth 11", &game(KIWIPETE));
    gui.tell(&[&format!("position fen {MATED}")]);
    let answer = gui.go("go depth 5");
    answer.lines.iter().for_each(|line| assert_grammar(line));
    assert_eq!((answer.best.as_str(), gui.tell(&[]).len()), ("0000", 0));
    gui.quit();
}

/// What a tournament program goes through before it lets an engine take part, step by step.
#[test]
fn a_tournament_program_lets_it_take_part() {
    const BLUNDERED: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
    const OPENED: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let mut gui = Gui::start();
    gui.send("uci");
    gui.lines_until(|line| line == "uciok");
    assert_eq!(gui.tell(&[]), [""; 0]);
    gui.send("uci");
    let identity = gui.lines_until(|line| line == "uciok");
    for word in ["name", "author"] {
        let named = identity.iter().find_map(|line| line.strip_prefix("id ")?.strip_prefix(word));
        assert!(named.is_some_and(|name| !name.trim().is_empty()), "id {word}: {identity:#?}");
    }
    assert_eq!(gui.tell(&["ucinewgame"]), [""; 0]);
    assert_eq!(gui.tell(&["position startpos"]), [""; 0]);
    // An exact score, and whole numbers where numbers belong, in time, whichever clock is told and in which order.
    let mut think = |position: &str, game: Game, go: &str| {
        assert_eq!(gui.tell(&[position]), [""; 0]);
        let answer = search(&mut gui, go, &game);
        let last = answer.last_exact().unwrap_or_else(|| panic!("no exact score: {:#?}", answer.lines));
        let numbers = last.time.is_some() && last.nps.is_some() && last.nodes.is_some() && last.depth.is_some();
        assert!(numbers && last.score.is_some(), "{last}");
    };
    think(&format!("position fen {BLUNDERED}"), game(BLUNDERED), "go wtime 100");
    let opened = format!("position fen {OPENED}");
    think(&opened, game(OPENED), "go btime 100");
    think(&opened, game(OPENED), "go wtime 100 winc 100 btime 100 binc 100");
    think(&opened, game(OPENED), "go btime 100 binc 100 wtime 100 winc 100");
    assert_eq!(gui.tell(&["ucinewgame"]), [""; 0]);
    let mut think = |position: &str, game: Game| {
        assert_eq!(gui.tell(&[position]), [""; 0]);
        search(&mut gui, "go wtime 100 btime 100", &game);
    };
    think("position startpos", Game::default());
    think("position startpos moves e2e4 e7e5", played("e2e4 e7e5"));
    gui.quit();
}

#[test]
fn the_move_to_ponder_on_is_pondered_on() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name Ponder value true", "ucinewgame"]);
    let mut moves = String::new();
    for round in 0..6 {
        gui.send(format!("position startpos moves {moves}").trim_end_matches(" moves "));
        let answer = search(&mut gui, "go wtime 400 btime 400 winc 20 binc 20", &played(&moves));
        let Some(ponder) = answer.ponder else {
            // The opponent plays anything, and may have been mated.
            if !played(&format!("{moves} {}", answer.best)).board().has_legal_moves() {
                break;
            }
            // On a machine that is busy enough, time is up before any reply was looked at.
            let last = answer.last_exact().expect("a line");
            assert_eq!(last.depth, Some(1), "nothing to ponder on after {moves}: {:#?}", answer.lines);
            continue;
        };
        moves = format!("{moves} {} {ponder}", answer.best);
        gui.send(&format!("position startpos moves{moves}"));
        gui.send("go ponder wtime 400 btime 400 winc 20 binc 20");
        gui.assert_no_best_move(3);
        // Hit, missed, or the game is over.
        let answer = gui.go(if round % 2 == 0 { "ponderhit" } else { "stop" });
        answer.check(&played(&moves));
        moves = format!("{moves} {}", answer.best);
        // The opponent answers with anything, which soon gets him mated.
        let reply = played(&moves).board().legal_moves().first().map(|&mv| chess::uci(mv, false).to_string());
        let Some(reply) = reply else { break };
        moves = format!("{moves} {reply}");
    }
    gui.quit();
}

#[test]
fn positions_are_understood_in_every_spelling() {
    let mut gui = Gui::start();
    let mut key = |position: &str| {
        let lines = gui.tell(&[position, "d"]);
        let key = lines.iter().find(|line| line.starts_with("Key: "));
        key.unwrap_or_else(|| panic!("{position}: {lines:#?}")).clone()
    };
    for spellings in [
        &[
            "position startpos",
            "position startpos moves",
            "  position \t startpos  ",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq  -  0  1  moves",
        ][..],
        &[
            "position startpos moves e2e4",
            // The square behind the pawn means nothing where nobody can take.
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
        ],
        // X-FEN and Shredder-FEN; in X-FEN the outermost rook is meant, and an inner one is named by its file.
        &[
            "position fen nrkbqnbr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRKBQNBR w KQkq - 0 2",
            "position fen nrkbqnbr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRKBQNBR w HBhb - 0 2",
        ],
        &["position fen 1k1r1r2/8/8/8/8/8/8/1K1R1R2 w Dd - 0 1", "position fen 1k1r1r2/8/8/8/8/8/8/1K1R1R2 w dD - 0 1"],
        &[
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1",
        ],
        &["position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q", "position fen Q7/7k/8/8/8/8/8/K7 b - - 0 1"],
    ] {
        let keys: Vec<_> = spellings.iter().map(|position| key(position)).collect();
        assert!(keys.iter().all(|key| *key == keys[0]), "{spellings:?}: {keys:?}");
    }
    assert_ne!(
        key("position fen 1k1r1r2/8/8/8/8/8/8/1K1R1R2 w Dd - 0 1"),
        key("position fen 1k1r1r2/8/8/8/8/8/8/1K1R1R2 w Kk - 0 1"),
        "another rook"
    );
    gui.quit();
}

/// `isready` is answered while something is counted, and the count goes on.
#[test]
fn ready_while_counting() {
    let mut gui = Gui::start();
    for (command, last) in
        [("go perft 6", "stopped before"), ("bench 20", "stopped before"), ("speedtest 2 16 30", " nps")]
    {
        gui.send(command);
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(5));
            let start = Instant::now();
            gui.tell(&[]);
            assert!(start.elapsed() < Duration::from_secs(2), "{command}: {:?}", start.elapsed());
        }
        gui.send("stop");
        gui.lines_until(|line| line.contains(last) || line.starts_with("Nodes searched"));
    }
    search(&mut gui, "go depth 3", &Game::default());
    gui.quit();
}

/// Test frameworks run as many as there are cores, and compare.
#[test]
fn benches_at_the_same_time_count_the_same() {
    use std::process::{Command, Stdio};
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
        command.args(["bench", "7"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts")
    };
    let copies: Vec<_> = (0..4).map(|_| start()).collect();
    let last = |child: std::process::Child| {
        let text = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("UTF-8");
        let line = text.lines().last().expect("a line").to_string();
        let words: Vec<_> = line.split(' ').collect();
        let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("{line}") };
        (nodes.parse::<u64>().expect("an integer"), speed.parse::<u64>().expect("an integer")).0
    };
    let counts: Vec<_> = copies.into_iter().map(last).collect();
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}
