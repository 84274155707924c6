//! `genfens`, as a test framework calls it.

mod uci_gui;

use std::collections::HashSet;

use chess::Board;
use uci_gui::Gui;

/// What the program prints for a command given as an argument.
fn openings(command: &str) -> Vec<String> {
    let mut gui = Gui::start_with(&[command, "quit"]);
    gui.end();
    gui.rest()
}

#[test]
fn the_seed_decides_the_openings() {
    let lines = openings("genfens 20 seed 3 book None");
    assert_eq!(lines.len(), 20);
    for line in &lines {
        let fen = line.strip_prefix("info string genfens ").expect(line);
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let board = Board::from_fen(fen).expect(fen);
        assert!(board.has_legal_moves());
        assert_eq!(board.fullmove_number(), 5, "eight or nine plies");
    }
    assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 20);
    assert_eq!(lines, openings("genfens 20 seed 3 book None"));
    assert_ne!(lines, openings("genfens 20 seed 4 book None"));
}

#[test]
fn books_are_begun_from_and_bad_ones_complained_about() {
    let path = std::env::temp_dir().join(format!("gannet-genfens-{}.epd", std::process::id()));
    let name = path.to_str().expect("a plain name");
    let after_e4_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    std::fs::write(&path, format!("{after_e4_e5}\n")).expect("written");
    let lines = openings(&format!("genfens 5 seed 1 book {name}"));
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.ends_with(" 4")), "four or five plies later: {lines:?}");

    // One bad line is no reason to refuse the good ones.
    std::fs::write(&path, format!("# a remark\nrubbish\n{after_e4_e5}\n")).expect("written");
    let all = openings(&format!("genfens 5 seed 1 book {name}"));
    let (told, same): (Vec<_>, Vec<_>) = all.into_iter().partition(|line| !line.starts_with("info string genfens "));
    assert_eq!(same, lines);
    assert!(told.len() == 1 && told[0].contains("line 2") && told[0].contains("passed over"), "{told:?}");

    std::fs::write(&path, "rubbish\n").expect("written");
    let lines = openings(&format!("genfens 5 seed 1 book {name}"));
    assert!(lines.len() == 1 && lines[0].contains("line 1"), "{lines:?}");
    std::fs::remove_file(&path).expect("cleaned up");
    let lines = openings(&format!("genfens 5 seed 1 book {name}"));
    assert!(lines.len() == 1 && lines[0].contains("cannot read book"), "{lines:?}");
}

#[test]
fn openings_are_judged_by_the_evaluation_that_is_loaded() {
    let path = std::env::temp_dir().join(format!("gannet genfens {}.epd", std::process::id()));
    let name = path.to_str().expect("a plain name");
    // A rook is half of what the bootstrap evaluation would refuse; the network takes such a game for decided.
    std::fs::write(&path, "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1\n").expect("written");
    let openings = |evaluation: &str| {
        let option = format!("setoption name EvalFile value {evaluation}");
        let mut gui = Gui::start_with(&[&option, &format!("genfens 3 seed 1 book {name}"), "quit"]);
        gui.end();
        gui.rest()
    };
    let (network, bootstrap) = (openings("<empty>"), openings("<bootstrap>"));
    assert_eq!((network.len(), bootstrap.len()), (3, 3), "{network:?} {bootstrap:?}");
    assert_ne!(network, bootstrap);
    std::fs::remove_file(&path).expect("cleaned up");
}
