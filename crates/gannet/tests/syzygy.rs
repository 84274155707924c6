//! Endgame tables, seen from a GUI: options, messages, scores. The tables are looked for in `../shared/syzygy` beside
//! the repository; without them only the messages are tested.

mod uci_gui;

use std::path::Path;
use std::process::Command;

use uci_gui::Gui;

const MATE_FAR_AWAY: &str = "position fen 8/8/8/3k4/8/8/8/K1B1N3 w - - 0 1";

#[test]
fn the_options_are_there() {
    let mut gui = Gui::start();
    gui.send("uci");
    let lines = gui.lines_until(|line| line == "uciok");
    for expected in [
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    gui.quit();
}

#[test]
fn what_is_wrong_with_a_path_is_said_and_the_game_goes_on() {
    let mut gui = Gui::start();
    assert_eq!(gui.tell(&["setoption name SyzygyPath value <empty>", "setoption name SyzygyPath value"]), [""; 0]);
    let lines = gui.tell(&["setoption name SyzygyPath value /no/such folder"]);
    assert!(lines[0].starts_with("info string error: cannot read the tables in '/no/such folder': "), "{lines:?}");
    assert_eq!(lines[1..], ["info string error: there are no Syzygy tables in '/no/such folder'"]);
    gui.send(MATE_FAR_AWAY);
    gui.send("go nodes 1000");
    assert_ne!(gui.answer().best, "0000");
    gui.quit();
}

#[test]
fn known_positions_are_shown_as_won() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if !folder.is_dir() {
        return eprintln!("there are no tables in {}: not tested", folder.display());
    }
    let spaced = std::env::temp_dir().join(format!("gannet tables {}", std::process::id()));
    std::fs::create_dir_all(&spaced).expect("a folder");
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KBNvK"] {
        for kind in ["rtbw", "rtbz"] {
            let file = format!("{name}.{kind}");
            std::fs::copy(folder.join(&file), spaced.join(&file)).expect("copied");
        }
    }
    let mut gui = Gui::start();
    let lines = gui.tell(&[&format!("setoption name SyzygyPath value {}", spaced.display())]);
    assert_eq!(lines[0], "info string 6 WDL and 6 DTZ tables found, up to 4 men");
    assert_eq!(lines[1], "info string 29 of the 30 WDL tables of 4 men are missing");
    let score = |gui: &mut Gui| {
        gui.send(MATE_FAR_AWAY);
        gui.send("go nodes 1000");
        gui.answer().lines.pop().expect("a line")
    };
    let line = score(&mut gui);
    assert!(line.contains(" score cp 20000 ") && !line.contains(" tbhits 0 "), "{line}");
    gui.tell(&["setoption name SyzygyProbeLimit value 3"]);
    let line = score(&mut gui);
    assert!(!line.contains(" score cp 20000 "), "{line}");
    gui.tell(&["setoption name UCI_ShowWDL value true"]);
    gui.send("position fen 8/8/8/4k3/8/8/4P3/4K3 b - - 0 1");
    gui.send("go nodes 1000");
    let line = gui.answer().lines.pop().expect("a line");
    assert!(line.contains(" score cp 0 wdl 0 1000 0 "), "{line}");
    gui.quit();
    let _ = std::fs::remove_dir_all(spaced);
}

#[test]
fn damaged_tables_are_told_from_good_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if !folder.is_dir() {
        return eprintln!("there are no tables in {}: not tested", folder.display());
    }
    let tables = |path: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_gannet")).arg("tables").arg(path).output().expect("it starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (status, text) = tables(&folder);
    assert!(status == Some(0) && text.ends_with(" passed, 0 failed\n"), "{text}");

    let copies = std::env::temp_dir().join(format!("gannet damaged tables {}", std::process::id()));
    std::fs::create_dir_all(&copies).expect("a folder");
    let mut content = std::fs::read(folder.join("KQvK.rtbw")).expect("a table");
    std::fs::write(copies.join("KQvK.rtbw"), &content).expect("written");
    content[100] ^= 1;
    std::fs::write(copies.join("KRvK.rtbw"), &content).expect("written");
    std::fs::write(copies.join("KBvK.rtbw"), &content[1..]).expect("written");
    let (status, text) = tables(&copies);
    assert!(status == Some(1) && text.ends_with("\n1 passed, 2 failed\n"), "{text}");
    assert!(text.contains("KRvK.rtbw: damaged: its checksum is wrong\n"), "{text}");
    assert!(text.contains("KBvK.rtbw: 271 bytes is not the length of a table; it may be incomplete\n"), "{text}");

    let _ = std::fs::remove_dir_all(&copies);
    assert_eq!(tables(&copies).0, Some(2), "nothing there");
}
