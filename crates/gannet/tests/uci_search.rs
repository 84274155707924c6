//! Searches of every kind, seen from a GUI: what `go` understands, and what the lines in answer look like.

mod uci_gui;

use std::time::{Duration, Instant};

use chess::{Game, parse_uci};
use uci::Shown;
use uci_gui::{Gui, KIWIPETE, game};

#[test]
fn every_form_of_go_plays() {
    let mut gui = Gui::start();
    for command in [
        "go depth 5",
        "go nodes 500",
        "go movetime 20",
        "go movetime 0",
        "go movetime -5",
        "go wtime 100",
        "go btime 100",
        "go wtime 100 btime 100 winc 10 binc 10",
        "go wtime 100 btime 100 movestogo 1",
        "go movestogo 40 binc 0 btime 200 winc 0 wtime 200",
        "go wtime -100 btime -100",
        "go wtime 0 btime 0",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go winc 5",
        "go movestogo 10",
        "go depth 4 wtime 10000 btime 10000",
        "go depth 0",
        "go depth 99999999999 nodes 100",
        "go nodes 0",
        "go nodes 99999999999999999999 depth 3",
        "go movetime 10 searchmoves e2e4 d2d4",
        "go searchmoves d2d4 depth 3",
        "go unknown words depth 3 and more",
        "go DEPTH depth 2",
    ] {
        let start = Instant::now();
        let answer = gui.go(command);
        assert!(start.elapsed() < Duration::from_secs(3), "{command} took {:?}", start.elapsed());
        answer.check(&Game::default());
        assert!(!answer.variations().is_empty(), "{command} shows a line");
    }
    gui.quit();
}

#[test]
fn bad_forms_of_go_give_no_move() {
    let mut gui = Gui::start();
    for command in ["go depth", "go depth five", "go wtime btime 100", "go nodes -", "go searchmoves e2e5", "go perft"]
    {
        let answer = gui.go(command);
        assert_eq!(answer.best, "0000", "{command}");
        assert!(answer.lines.iter().any(|line| line.starts_with("info string error: ")), "{command}");
        assert!(answer.variations().is_empty());
    }
    gui.go("go depth 3").check(&Game::default());
    gui.quit();
}

#[test]
fn depth_and_nodes_are_kept() {
    let mut gui = Gui::start();
    let depths: Vec<_> = gui.go("go depth 7").variations().iter().map(|info| info.depth).collect();
    assert_eq!(depths, (1..=7).collect::<Vec<_>>(), "an exact line for each depth");
    gui.tell(&["ucinewgame"]);
    let first = gui.go("go nodes 1000");
    gui.tell(&["ucinewgame"]);
    let second = gui.go("go nodes 1000");
    assert!(first.nodes() <= 1000);
    assert_eq!((first.nodes(), &first.best), (second.nodes(), &second.best), "the same search again");
    let shape = |answer: &uci_gui::Answer| {
        answer
            .variations()
            .iter()
            .map(|info| (info.depth, info.score, info.nodes, info.pv.join(" ")))
            .collect::<Vec<_>>()
    };
    assert_eq!(shape(&first), shape(&second));
    for nodes in [3000, 12345, 60_000] {
        let last = gui.go(&format!("go nodes {nodes}")).variations().last().map(|info| info.nodes);
        assert_eq!(last, Some(nodes), "the last line counts every node");
    }
    gui.quit();
}

#[test]
fn moves_that_were_not_searched_show_no_mates() {
    let mut gui = Gui::start();
    for lines in [1, 3] {
        gui.tell(&[&format!("setoption name MultiPV value {lines}")]);
        for nodes in 1..60 {
            gui.tell(&["ucinewgame"]);
            let answer = gui.go(&format!("go nodes {nodes}"));
            answer.check(&Game::default());
            let variations = answer.variations();
            assert!(
                !variations.is_empty() && variations.iter().all(|info| matches!(info.score, Shown::Centipawns(_))),
                "{variations:#?}"
            );
        }
    }
    gui.quit();
}

#[test]
fn time_is_kept() {
    let mut gui = Gui::start();
    for (command, least, most) in [
        ("go movetime 200", 150, 450),
        ("go wtime 300 btime 300", 0, 500),
        ("go wtime 60000 btime 50 winc 0 binc 0 movetime 50", 20, 350),
    ] {
        let start = Instant::now();
        gui.go(command).check(&Game::default());
        let time = start.elapsed();
        assert!(time >= Duration::from_millis(least), "{command}: {time:?}");
        assert!(time < Duration::from_millis(most + 1500), "{command}: {time:?}");
        if time > Duration::from_millis(most) {
            println!("{command}: {time:?} on a busy machine");
        }
    }
    gui.quit();
}

#[test]
fn mates_are_found_and_shown_to_the_end() {
    let mut gui = Gui::start();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ] {
        gui.tell(&["ucinewgame", &format!("position fen {fen}")]);
        let answer = gui.go(&format!("go mate {moves}"));
        answer.check(&game(fen));
        let variations = answer.variations();
        let last = variations.last().expect("a line");
        assert_eq!(last.score, Shown::Mate(moves), "{fen}");
        assert_eq!(last.pv.len() as i32, 2 * moves - 1);
    }
    gui.quit();
}

/// Without any other limit the search for a mate ends by itself, and says what its answer means.
#[test]
fn a_mate_that_is_not_there_is_given_up() {
    let mut gui = Gui::start();
    for (fen, moves) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
        ("8/8/4k3/8/8/3PK3/8/8 w - - 0 1", 3),
        // Mated oneself, which is none either.
        ("7k/8/8/8/8/r7/1q6/7K w - - 0 1", 2),
    ] {
        gui.tell(&[&format!("position fen {fen}")]);
        let answer = gui.go(&format!("go mate {moves}"));
        answer.check(&game(fen));
        let told = answer.lines.iter().find(|line| line.contains(&format!("no mate in {moves} found up to depth")));
        assert!(told.is_some_and(|line| line.starts_with("info string ")), "{fen}: {:#?}", answer.lines);
    }
    // One that is there ends the search as soon as it is found, and nothing else is said.
    gui.tell(&["position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1"]);
    let answer = gui.go("go mate 2");
    assert!(!answer.lines.iter().any(|line| line.contains("string")), "{:#?}", answer.lines);
    assert_eq!(answer.variations().last().map(|info| info.score), Some(Shown::Mate(2)));
    // Whoever says how long to look is believed, and an infinite search waits for stop.
    gui.tell(&["ucinewgame", "position fen 8/8/4k3/8/8/3PK3/8/8 w - - 0 1"]);
    assert_eq!(gui.go("go mate 1 depth 15").variations().last().map(|info| info.depth), Some(15));
    gui.tell(&["position startpos"]);
    gui.send("go infinite mate 1");
    gui.assert_no_best_move(10);
    gui.go("stop").check(&Game::default());
    gui.quit();
}

#[test]
fn several_lines_come_in_order() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name MultiPV value 4"]);
    let answer = gui.go("go depth 6");
    answer.check(&Game::default());
    let variations = answer.variations();
    assert_eq!(variations.len(), 24);
    for (depth, lines) in variations.chunks(4).enumerate() {
        assert!(lines.iter().all(|info| info.depth as usize == depth + 1));
        assert_eq!(lines.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(lines.is_sorted_by(|a, b| a.value() >= b.value()), "{lines:?}");
        let mut moves: Vec<_> = lines.iter().map(|info| &info.pv[0]).collect();
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 4, "each with a move of its own");
    }
    // Fewer legal moves than lines.
    gui.tell(&["setoption name MultiPV value 256", "position fen 7k/8/8/8/8/8/8/K6R b - - 0 1"]);
    let variations = gui.go("go depth 4").variations();
    assert_eq!(variations.iter().map(|info| info.multipv).max(), Some(2));
    assert_eq!(variations.len(), 8);
    // Stopped at any moment, the best move is the one that was shown first.
    // Where the first iteration is broken off there are as many.
    gui.tell(&[&format!("position fen {KIWIPETE}")]);
    for nodes in [1, 20, 500] {
        let variations = gui.go(&format!("go nodes {nodes}")).variations();
        assert!(variations.iter().map(|info| info.multipv).eq(1..=48), "{nodes} nodes");
    }
    gui.tell(&["setoption name MultiPV value 3", &format!("position fen {KIWIPETE}")]);
    for pause in 0..20 {
        gui.send("go infinite");
        std::thread::sleep(Duration::from_millis(pause));
        gui.go("stop").check(&game(KIWIPETE));
    }
    gui.quit();
}

#[test]
fn weaker_players_follow_the_protocol() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name UCI_LimitStrength value true", "setoption name Threads value 2"]);
    let mut openings = std::collections::HashSet::new();
    for elo in [800, 1000, 1500, 2200] {
        assert_eq!(gui.tell(&[&format!("setoption name UCI_Elo value {elo}")]), [""; 0]);
        for command in ["go depth 20", "go movetime 50", "go wtime 1000 btime 1000", "go nodes 100", "go"] {
            let answer = gui.go(command);
            answer.check(&Game::default());
            assert_eq!(answer.variations().len(), 1, "{command}: {:?}", answer.lines);
            openings.insert(answer.best);
        }
        gui.send("go infinite");
        gui.assert_no_best_move(3);
        gui.go("stop").check(&Game::default());
        gui.tell(&["position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]);
        assert_eq!(gui.go("go depth 3").best, "0000");
        gui.tell(&["position startpos"]);
    }
    assert!(openings.len() > 2, "always {openings:?}");
    assert!(gui.tell(&["setoption name UCI_Elo value 100"])[0].contains("UCI_Elo expects a whole number from"));
    // Analysis is of full strength.
    gui.tell(&["setoption name UCI_AnalyseMode value true"]);
    // A line for each depth, and one more where another thread has found something better.
    assert!(gui.go("go depth 6").variations().len() >= 6);
    gui.quit();
}

/// Programs skip lines that are bounds: there is one that is not, of the move played, whatever is broken off where.
#[test]
fn weak_players_mating_show_exact_lines() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1600"]);
    for fen in [
        "8/1R6/8/6R1/8/2k5/6K1/8 w - - 0 1",
        "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
        "8/8/3k4/8/8/8/2B1B3/4K3 w - - 0 1",
        "8/8/8/8/1k6/8/P7/K7 w - - 0 1",
    ] {
        for command in ["go wtime 60000 btime 60000", "go nodes 300", "go nodes 3000", "go nodes 10000"] {
            for _ in 0..3 {
                gui.tell(&["ucinewgame", &format!("position fen {fen}")]);
                let answer = gui.go(command);
                answer.check(&game(fen));
                assert!(answer.last_exact().is_some(), "{fen}, {command}: {:#?}", answer.lines);
            }
        }
    }
    gui.quit();
}

#[test]
fn weak_players_show_as_many_lines_as_asked_for() {
    let mut gui = Gui::start();
    gui.tell(&["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 900"]);
    for lines in [1, 3, 5] {
        gui.tell(&[&format!("setoption name MultiPV value {lines}")]);
        for _ in 0..5 {
            let answer = gui.go("go");
            answer.check(&Game::default());
            let shown: Vec<_> = answer.variations().iter().map(|info| info.multipv).collect();
            assert_eq!(shown, (1..=lines).collect::<Vec<_>>());
            let others: Vec<_> = answer.variations().iter().skip(1).map(|info| info.value()).collect();
            assert!(others.is_sorted_by(|a, b| a >= b), "{:#?}", answer.lines);
        }
    }
    gui.quit();
}

#[test]
fn chances_are_shown_on_request() {
    let mut gui = Gui::start();
    let scored = |gui: &mut Gui, command: &str| -> Vec<String> {
        gui.go(command).lines.into_iter().filter(|line| line.contains(" score ")).collect()
    };
    assert!(scored(&mut gui, "go depth 6").iter().all(|line| !line.contains(" wdl ")), "not by default");
    gui.tell(&["setoption name UCI_ShowWDL value true", "setoption name MultiPV value 3"]);
    let chances = |line: &str| {
        let (before, after) = line.split_once(" wdl ").unwrap_or_else(|| panic!("no chances: {line}"));
        assert!(before.contains(" score "), "{line}");
        let numbers: Vec<u32> = after.split(' ').take(3).map(|text| text.parse().expect("a number")).collect();
        assert_eq!(numbers.iter().sum::<u32>(), 1000, "{line}");
        numbers
    };
    let lines = scored(&mut gui, "go depth 6");
    assert_eq!(lines.len(), 18);
    for line in &lines {
        let [win, _, loss] = chances(line)[..] else { panic!("{line}") };
        let value = uci_gui::Said::parse(line).value();
        assert!(if value > 0 { win >= loss } else { win <= loss }, "{line}");
    }
    gui.tell(&["setoption name MultiPV value 1"]);
    for (fen, expected) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", [1000, 0, 0]),
        (uci_gui::MATED, [0, 0, 1000]),
        (uci_gui::STALEMATED, [0, 1000, 0]),
    ] {
        gui.tell(&[&format!("position fen {fen}")]);
        let lines = scored(&mut gui, "go depth 3");
        assert_eq!(chances(lines.last().expect("a line")), expected, "{fen}");
    }
    gui.quit();
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut gui = Gui::start();
    let answer = gui.go("go depth 5 searchmoves a2a3 h2h3");
    answer.check(&Game::default());
    for info in answer.variations() {
        assert!(["a2a3", "h2h3"].contains(&info.pv[0].as_str()), "{info:?}");
    }
    gui.tell(&["setoption name MultiPV value 5"]);
    let answer = gui.go("go searchmoves a2a3 e2e5 h2h3 depth 3");
    assert!(answer.lines.iter().any(|line| line.contains("error") && line.contains("'e2e5'")));
    assert_eq!(answer.variations().len(), 6);
    gui.quit();
}

#[test]
fn castling_is_written_as_the_variant_wants() {
    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    const FEN_960: &str = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let mut gui = Gui::start();
    gui.tell(&[&format!("position fen {FEN}")]);
    for text in ["e1g1", "e1h1"] {
        assert_eq!(gui.go(&format!("go depth 2 searchmoves {text}")).best, "e1g1");
    }
    gui.tell(&["setoption name UCI_Chess960 value true"]);
    for text in ["e1g1", "e1h1"] {
        let answer = gui.go(&format!("go depth 2 searchmoves {text}"));
        assert_eq!(answer.best, "e1h1");
        assert!(answer.variations().iter().all(|info| info.pv[0] == "e1h1"));
    }
    gui.tell(&[&format!("position fen {FEN_960} moves e1g1 e8b8")]);
    gui.go("go depth 4").check(&{
        let mut game = game(FEN_960);
        for text in ["e1g1", "e8b8"] {
            let mv = parse_uci(game.board(), text).expect("legal");
            assert!(game.play(mv));
        }
        game
    });
    gui.tell(&["setoption name UCI_Chess960 value false", &format!("position fen {FEN}")]);
    assert_eq!(gui.go("go depth 2 searchmoves e1h1").best, "e1g1");
    gui.quit();
}

#[test]
fn whole_games_are_well_reported() {
    let mut gui = Gui::start();
    let starts =
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", KIWIPETE, "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1"];
    for (start, threads) in starts.iter().zip([1, 2, 1]) {
        gui.tell(&["ucinewgame", &format!("setoption name Threads value {threads}")]);
        let mut game = game(start);
        let mut moves = String::new();
        while game.outcome().is_none() && game.moves().len() < 80 {
            gui.send(&format!("position fen {start} moves{moves}"));
            let answer = gui.go("go nodes 3000");
            answer.check(&game);
            let mv = parse_uci(game.board(), &answer.best).expect("legal");
            assert!(game.play(mv));
            moves = format!("{moves} {}", answer.best);
        }
    }
    gui.quit();
}

#[test]
fn draws_by_rule_end_variations() {
    let mut gui = Gui::start();
    // Two plies before the fifty-move rule, and one move before a third repetition.
    for position in [
        "fen 8/8/4k3/8/8/3RK3/8/8 w - - 97 90",
        "fen 8/8/4k3/8/8/3RK3/8/8 w - - 99 90",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    ] {
        gui.tell(&[&format!("position {position}")]);
        let words: Vec<_> = position.split(' ').collect();
        let mut game = match words[0] {
            "fen" => game(&words[1..].join(" ")),
            _ => Game::default(),
        };
        for text in words.iter().skip_while(|word| **word != "moves").skip(1) {
            let mv = parse_uci(game.board(), text).expect("legal");
            assert!(game.play(mv));
        }
        gui.go("go depth 8").check(&game);
    }
    gui.quit();
}
