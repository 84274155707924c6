//! What files hold in the wild, and what becomes of it.

use super::*;

fn games(text: &str) -> Vec<Record> {
    Reader::new(text.as_bytes(), 0).collect()
}

fn lengths(text: &str) -> Vec<usize> {
    games(text).iter().map(|game| game.main.plies.len()).collect()
}

#[test]
fn comments_marks_and_variations_stay_where_they_were() {
    let games = games(
        "[White \"A\"]\n[Result \"1-0\"]\n{first} 1.e4! $14 {[%eval 0.3] best} (1. d4 d5 (1... Nf6 {or} 2. c4) 2. c4) \
         ({so} 1. c4 *) {after} 1... e5 2. 0-0 ( 1-0",
    );
    let [game] = &games[..] else { panic!("{games:?}") };
    assert_eq!((game.main.plies.len(), game.result.as_str(), game.broken.is_some()), (2, "1-0", true));
    let [first, second] = &game.main.plies[..] else { panic!() };
    assert_eq!((&game.main.opening[..], &first.marks[..]), (&["first".to_string()][..], &[1, 14][..]));
    assert_eq!(first.comments, ["best", "after"]);
    assert!(second.comments.is_empty());
    let [queen, english] = &first.variations[..] else { panic!("{first:?}") };
    assert_eq!((queen.plies.len(), english.plies.len()), (3, 1));
    assert_eq!(queen.plies[1].variations[0].plies[0].comments, ["or"]);
    assert_eq!(english.opening, ["so"]);
    let verbatim = Reader::new(b"1. e4 {[%eval 0.3] best} *", 0).verbatim().next().expect("a game");
    assert_eq!(verbatim.main.plies[0].comments, ["[%eval 0.3] best"]);
}

#[test]
fn games_begin_with_tags_and_end_with_results() {
    assert_eq!(
        lengths("1. e4 e5 1/2-1/2 1. d4 *\n[Event \"x\"]\n1. c4\n[Event \"y\"]\n\n[Event \"z\"]\n*"),
        [2, 1, 1, 0, 0]
    );
    assert_eq!(lengths(""), []);
    assert_eq!(lengths(" \n \n"), []);
    assert_eq!(lengths("\n\n1. e4\n\n\n1... e5 {x}\n\n"), [2]);
    assert_eq!(lengths("[Event x] 1. e4 e5 {[%clk 1]"), [2]);
    let between = games("{a} [White \"x\"]\n; b\n[Black \"y\"]\n{c} 1. e4 * {d}\n\n[Event \"z\"]\n1. d4 d5 *");
    let told: Vec<_> = between.iter().map(|game| (game.main.opening.concat(), game.main.plies.len())).collect();
    assert_eq!(told, [("abc".to_string(), 1), ("d".to_string(), 2)]);
}

#[test]
fn comments_are_no_games() {
    let comments = |text: &str| games(text).iter().map(|game| last_comments(game).concat()).collect::<Vec<_>>();
    assert_eq!(comments("1. d4 *\n1. e4 {a} *\n{b}\n; c\n% d\n\n"), ["", "abc"]);
    assert_eq!(comments("[Event \"x\"]\n*\n{the end}"), ["the end"]);
    assert_eq!(lengths("1. e4 e4 *\n{of a broken game}"), [1]);
    assert_eq!(lengths("{a}\n; b"), []);
    // What is not closed may have swallowed games, and is told with the game that is there.
    let open = games("1. e4 *\n{a\n\n[Event \"2\"]\n1. d4 d5 *\n{b 1. c4 *");
    let told: Vec<_> = open.iter().map(|game| (game.main.plies.len(), game.faults.concat())).collect();
    let fault =
        |place: &str, text: &str| format!("game {place}: the comment '{text}' is never closed, expected a '}}'");
    assert_eq!(told, [(1, String::new()), (2, fault("2, at 1.", "a") + &fault("2, at 2.", "b 1. c4 *"))]);
    assert_eq!(games("{a 1. c4 *").len(), 1);
}

/// The comments after the last move, or those of a game without moves.
fn last_comments(game: &Record) -> &[String] {
    game.main.plies.last().map_or(&game.main.opening, |ply| &ply.comments)
}

#[test]
fn what_is_wrong_is_named() {
    let faults = |text: &str| games(text).into_iter().flat_map(|game| game.faults).collect::<Vec<_>>();
    assert_eq!(
        faults("1. e4 e5 1. O-O zz 1-0 1. d4 d5 *"),
        ["game 1: 2.O-O is not a legal move here; the rest is left out"]
    );
    for (text, parts) in [
        ("*\n1. e4 e4", "game 2: 1...e4 is not"),
        ("1. e4 -- 2. d4", "null move"),
        ("1. e4 (1. d9 d5) e5", "in a variation"),
        ("1. e4 {x", "never closed"),
        ("[FEN \"8/8\"]\n1. e4", "FEN '8/8'"),
        ("[Variant \"Atomic\"]\n1. e4", "'Atomic'"),
        ("[White\n1. e4", "'[White'"),
        ("[FEN \"7k/8/8/8/8/8/8/R6K b - - 0 40\"\n40... Kg7", "is no tag, expected [Name"),
        ("\u{1b}2J", "\u{fffd}"),
        ("1. e4 $99999 e5", "'$99999' is no mark"),
    ] {
        let found = faults(text);
        assert!(found.len() == 1 && found[0].contains(parts), "{text}: {found:?}");
    }
    assert!(faults("1. e4 (1. d4 -- 2. c4) 1... e5").is_empty(), "null moves are common in variations");
    assert_eq!(lengths("1. e4 e4 1. c4 (x) {1-0} * 1. d4 *"), [1, 1]);
}

#[test]
fn only_a_lost_position_breaks_a_game() {
    let good = "[FEN \"7k/8/8/8/8/8/8/R6K b - - 0 40\"]\n";
    for (text, plies, faults) in [
        ("[FEN x]\n1. e4 e5".to_string(), 0, 1),
        ("[fen\"x]\n1. e4 e5".to_string(), 0, 1),
        ("[ FEN 8/8 ]\n1. e4 e5".to_string(), 0, 1),
        ("[FENCE 3]\n1. e4 e5".to_string(), 2, 1),
        ("[FEN_X 3]\n1. e4 e5".to_string(), 2, 1),
        ("[\n1. e4 e5".to_string(), 2, 1),
        (format!("[FEN x]\n{good}40... Kg7"), 1, 1),
        (format!("{good}[FEN x]\n40... Kg7"), 1, 1),
        (format!("[FEN x]\n{good}1. e4"), 0, 2),
        ("[FEN x]\n[FEN \"8/8\"]\n1. e4".to_string(), 0, 2),
    ] {
        let games = games(&text);
        let told: Vec<_> = games.iter().map(|game| (game.main.plies.len(), game.faults.len())).collect();
        assert_eq!(told, [(plies, faults)], "{text}: {games:?}");
    }
}

#[test]
fn moves_are_read_in_every_usual_form() {
    for text in
        ["1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "1 e4 1…e5 2 … Nf3", "e2e4 e7e5 g1f3", "1. e4 $ e5 $65536 2. Ng1f3!"]
    {
        let games = games(text);
        assert!(games.len() == 1 && games[0].main.plies.len() == 3 && games[0].broken.is_none(), "{text}: {games:?}");
    }
}

#[test]
fn nothing_breaks_the_reader() {
    for depth in [10, MAX_NESTING, 1000, 100_000] {
        let text = format!("1. e4 {}{} 1... e5 *", "(1. d4 ".repeat(depth), ")".repeat(depth));
        assert_eq!(lengths(&text), [2], "{depth}");
        assert_eq!(lengths(&format!("1. e4 {}", "(1. d4 ".repeat(depth))), [1], "{depth}");
        assert_eq!(lengths(&format!("1. e4 {} e5", ")".repeat(depth))), [2], "{depth}");
    }
    let pieces =
        ["{", "}", "(", ")", "[", "]", "1.", "e4", "e5", "\"", "\n", "$3", "*", "é", "\\", ";", "%", "[FEN \"x\"]"];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            text.push(' ');
        }
        let _ = games(&text);
    }
}

#[test]
fn other_starts_and_other_chess_are_read() {
    assert_eq!(lengths("[FEN \"7k/8/8/8/8/8/8/R6K b - - 0 40\"]\n40... Kg7 41. Ra7+ *"), [2]);
    let chess960 = "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n9. O-O O-O *";
    let games = games(chess960);
    assert!(games[0].faults.len() <= 1 && games[0].start.castling().all_rooks().len() == 4, "{:?}", games[0].faults);
    let three_check = b"[Variant \"Three-check\"]\n1. e4 e5 2. Bxf7 *";
    let lengths = |reader: Reader| reader.map(|game| game.main.plies.len()).collect::<Vec<_>>();
    assert_eq!(lengths(Reader::new(three_check, 0)), [0]);
    assert_eq!(lengths(Reader::new(three_check, 0).verbatim()), [2]);
    let moves = Reader::new(b"40... Kg7 41. Ra7+ * 1. e4", 0).moves_from(games[0].start.clone());
    assert_eq!((moves.main.plies.len(), moves.broken.and_then(|broken| broken.word).as_deref()), (0, Some("Kg7")));
}
