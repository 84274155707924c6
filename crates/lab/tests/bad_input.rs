//! Whatever is wrong with what the user gives, the message names what and where, and nothing already played is lost.

mod common;

use std::path::Path;

use common::{errors, field, games, lab, read, scratch};

/// What makes one side of a test another engine.
const OFF: &str = "UseNullMove=false";

/// Commands that must fail with this status, or any, and with a message that names something.
fn all_fail(expected: Option<i32>, cases: &[(Vec<&str>, &str)]) {
    for (arguments, named) in cases {
        let output = lab(arguments);
        let (message, status) = (errors(&output), output.status);
        assert!(!status.success() && message.contains(named), "{arguments:?}: {message}");
        assert!(expected.is_none_or(|code| status.code() == Some(code)), "{arguments:?}: {status}");
        assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
}

#[test]
fn bad_arguments_are_named() {
    all_fail(
        Some(2),
        &[
            (vec!["reliability", "--engine", ".", "--minutes", "5"], "--results"),
            (vec!["sprt", "--a", "NoSuch=1"], "NoSuch"),
            (vec!["sprt", "--a", "UseNullMove=perhaps"], "UseNullMove"),
            (vec!["sprt", "--a", "Hash=8"], "--hash is the table of every engine"),
            (vec!["match", "--engine", "name=A", "--engine", "name=B opt=Threads=2"], "--concurrency"),
            (vec!["sprt", "--elo0", "5", "--elo1", "0"], "--elo0"),
            (vec!["sprt", "--alpha", "0.7"], "--alpha"),
            (vec!["sprt", "--tc", "fast"], "fast"),
            (vec!["sprt", "--b", OFF, "--json", "x.svg"], "x.svg: the result and its plot"),
            (vec!["sprt", "--elo1", "1e308"], "between -300 and 300"),
            (vec!["sprt", "--patience", "18446744073709551615"], "from 1 to 86400"),
            (vec!["sprt", "--engine-a", "\"fish"], "not closed"),
            (
                vec!["match", "--engine", "name=A", "--engine", "name=B", "--json", "m", "--pgn", "m"],
                "the table and the games",
            ),
            (vec!["spsa", "--tune", "NullMove", "--state", "s.txt"], "s.txt: the state and the new values"),
            (vec!["sprt", "--nodes", "10", "--games", "2"], "name both: --a \"\" --b \"\""),
            (vec!["sprt", "--a", "UseNullMove=true", "--games", "2"], "A and B are the same engine"),
            (vec!["sprt", "--games", "0"], "whole number from 1"),
            (vec!["match", "--engine", "name=A", "--games", "18446744073709551615"], "whole number from 1"),
            (vec!["match", "--engine", "name=A"], "two engines"),
            (vec!["reliability", "--engine", ".", "--only", "nothing"], "nothing"),
            (vec!["match", "--engine", "name=A", "--engine", "name=A"], "'A'"),
            (vec!["match", "--engine", "name=A", "--engine", "stockfish"], "'stockfish'"),
            (vec!["match", "--engine", "name=A", "--engine", "name=B opt=NoSuch=1"], "NoSuch"),
            (
                vec!["match", "--engine", "name=A", "--engine", "name=B opts=UseNullMove=false"],
                "name=, cmd=, opt=, hash= or a limit",
            ),
            (vec!["ablate", "--only", "Nothing", "--out", "/no/such/page.md"], "Nothing"),
            (vec!["spsa", "--tune", "Nothing"], "Nothing"),
            (vec!["spsa", "--tune", "NullMove", "--with", OFF], "UseNullMove is false, so it decides nothing"),
            (vec!["spsa"], "<--tune <NAMES>|--inputs <FILE>|--apply <FOLDER>>"),
            (vec!["spsa", "--tune", "NullMove", "--inputs", "x"], "cannot be used with"),
            (vec!["spsa", "--apply", "x", "--resume"], "cannot be used with"),
            (vec!["openings", "--least", "9", "--most", "8", "--out", "x"], "--least 9"),
        ],
    );
}

#[test]
fn bad_files_are_named() {
    let file = |name: &str, text: &str| {
        let path = scratch(name);
        std::fs::write(&path, text).expect("room");
        path.to_string_lossy().into_owned()
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let book = file("bad.epd", &format!("{start}\nnonsense\n"));
    let rubbish = file("rubbish.epd", "# a remark\nnonsense\n");
    let empty = file("empty.epd", "\n# nothing\n");
    let pgn = file("bad.pgn", "1. e4 e5 2. Ke3 *");
    let no_moves = file("empty.pgn", "");
    let open = file("open.pgn", "1. e4 e5 *\n1. d4 {a comment 1. c4 *\n");
    let shuffled = file("shuffled.epd", &format!("{start}\nrk5r/8/8/8/8/8/8/RK5R w KQkq -\n"));
    let json = file("bad.json", "{ \"a\": 1 }");
    let folder = env!("CARGO_TARGET_TMPDIR");
    let play = ["match", "--engine", "name=A", "--engine", "name=B", "--games", "2", "--nodes", "10"];
    let and = |more: &[&'static str]| [&play[..], more].concat();
    all_fail(
        None,
        &[
            (vec!["reliability", "--engine", "/no/such/engine"], "/no/such/engine"),
            (vec!["reliability", "--engine", ".", "--syzygy", "/no/such/tables"], "/no/such/tables"),
            (
                vec!["reliability", "--engine", ".", "--syzygy", concat!(env!("CARGO_MANIFEST_DIR"), "/src")],
                "no Syzygy tables",
            ),
            (vec!["sprt", "--b", OFF, "--resume"], "gannet-lab-sprt.json"),
            (
                vec!["sprt", "--b", OFF, "--book", &shuffled],
                "shuffled.epd: rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1 can castle in Chess960",
            ),
            (
                vec!["sprt", "--b", OFF, "--book", &open],
                "open.pgn, game 2, at 1...: the comment 'a comment 1. c4 *' is never closed",
            ),
            (vec!["sprt", "--b", OFF, "--book", "/no/such/book"], "/no/such/book"),
            (vec!["sprt", "--b", OFF, "--book", &rubbish], "rubbish.epd, line 2"),
            (vec!["sprt", "--b", OFF, "--book", &empty], "empty.epd"),
            (vec!["sprt", "--b", OFF, "--book", &pgn], "bad.pgn, game 1: 2.Ke3 is not a legal move here"),
            (vec!["sprt", "--b", OFF, "--book", &no_moves], "empty.pgn"),
            (vec!["sprt", "--b", OFF, "--book", folder], folder),
            (vec!["wdl", "/no/such/games"], "/no/such/games"),
            (vec!["wdl", &book], "0 positions in 0 games"),
            (vec!["wdl", &book, "--net", "/no/such/net"], "/no/such/net"),
            (vec!["sprt", "--b", OFF, "--json", "/no/such/folder/x.json"], "/no/such/folder/x.json"),
            (vec!["sprt", "--b", OFF, "--json", folder], folder),
            (vec!["sprt", "--b", OFF, "--json", &json, "--resume"], "bad.json"),
            (vec!["sprt", "--b", OFF, "--json", "/no/such/x.json", "--resume"], "/no/such/x.json"),
            (vec!["sprt", "--b", OFF, "--syzygy", "/no/such/tables"], "/no/such/tables"),
            (and(&["--json", "/no/such/x.json"]), "/no/such/x.json"),
            (and(&["--pgn", "/no/such/x.pgn"]), "/no/such/x.pgn"),
            ([&play[..], &["--json", &json, "--resume"]].concat(), "bad.json"),
            (vec!["suite", "/no/such/suite", "--nodes", "1"], "/no/such/suite"),
            (vec!["suite", &book, "--nodes", "1"], "bad.epd"),
            (vec!["ablate", "--out", "/no/such/page.md"], "/no/such/page"),
            (vec!["ablate", "--out", "x.md", "--json", &json], "bad.json"),
            (vec!["spsa", "--inputs", &book], "line 1"),
            (vec!["spsa", "--tune", "NullMove", "--state", "/no/such/x.json"], "/no/such/x.json"),
            (vec!["openings", "--count", "1", "--out", "/no/such/book"], "/no/such/book"),
        ],
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// An engine that is a shell script: what it does for each line it reads.
    fn engine(name: &str, cases: &str) -> String {
        let program = format!(
            "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo option name Skill type spin default 9 min 0 max 20; echo option name Book type check; echo uciok;; isready) echo readyok;; quit) exit;; {cases} esac; done\n"
        );
        script(name, &program, 0o755)
    }

    fn script(name: &str, text: &str, mode: u32) -> String {
        let path = scratch(name);
        std::fs::write(&path, text).expect("room");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("ours");
        path.to_string_lossy().into_owned()
    }

    #[test]
    fn engines_that_cannot_play_are_named() {
        let plain = script("plain-file", "#!/bin/sh\n", 0o644);
        let text = script("text-file", "no program", 0o755);
        let deaf = script("deaf-engine", "#!/bin/sh\ncat > /dev/null\n", 0o755);
        let gone = script("gone-engine", "#!/bin/sh\nexit 3\n", 0o755);
        let babbler = script("babbling-engine", "#!/bin/sh\nyes nonsense\n", 0o755);
        let poor = engine("poor-engine", "");
        let second = format!("name=X cmd={plain}");
        let wrong = format!("name=X cmd={poor} opt=Contempt=3");
        let high = format!("name=X cmd={poor} opt=Skill=high");
        all_fail(
            None,
            &[
                (vec!["sprt", "--engine-a", "/no/such/engine"], "/no/such/engine: cannot be started"),
                (vec!["sprt", "--engine-a", &plain], "plain-file: cannot be started"),
                (vec!["sprt", "--engine-a", &text], "text-file: cannot be started"),
                (vec!["sprt", "--engine-b", &deaf, "--startup", "1"], "deaf-engine: no uciok within 1 seconds"),
                (vec!["sprt", "--engine-b", &gone], "gone-engine: it ended before it said uciok"),
                (vec!["sprt", "--engine-b", &babbler, "--startup", "1"], "babbling-engine: no uciok"),
                (
                    vec!["sprt", "--engine-a", &poor, "--a", "Contempt=3"],
                    "no option named 'Contempt'; it has Skill, Book",
                ),
                (
                    vec!["sprt", "--engine-a", &poor, "--a", "Skill=21"],
                    "poor-engine: option Skill cannot be set to '21': expected a whole number from 0 to 20",
                ),
                (vec!["sprt", "--engine-b", &poor, "--b", "Book=perhaps"], "expected true or false"),
                (vec!["match", "--engine", "name=A", "--engine", &second], "plain-file: cannot be started"),
                (vec!["match", "--engine", "name=A", "--engine", &wrong], "no option named 'Contempt'"),
                (vec!["match", "--engine", "name=A", "--engine", &high], "option Skill cannot be set to 'high'"),
            ],
        );
    }

    /// Whoever does not answer has not solved the position, and Ctrl-C does not wait for him.
    #[test]
    fn engines_that_say_nothing_solve_nothing() {
        let silent = format!("cmd={}", engine("silent-solver", "go*) ;;"));
        let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd");
        let arguments =
            ["suite", suite, "--nodes", "100", "--engine", &silent, "--concurrency", "32", "--patience", "1"];
        let told = String::from_utf8_lossy(&lab(&arguments).stdout).into_owned();
        assert!(told.contains("(stalled)") && told.contains("solved 0 of 58 (0.0 %)\n"), "{told}");
        let mut long = common::program();
        let mut long =
            long.args(&arguments[..arguments.len() - 2]).stdout(std::process::Stdio::piped()).spawn().expect("it runs");
        // A moment longer, so that the engines think.
        let began = std::time::Instant::now();
        common::wait_until_caught(&mut long, || began.elapsed() > std::time::Duration::from_secs(2));
        let began = std::time::Instant::now();
        let interrupted = std::process::Command::new("kill").args(["-INT", &long.id().to_string()]).status();
        assert!(interrupted.is_ok_and(|status| status.success()));
        assert_eq!(long.wait().ok().and_then(|status| status.code()), Some(130));
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    }

    /// Whoever plays badly loses its games, is counted, and the match goes on.
    #[test]
    fn engines_that_play_nonsense_lose() {
        for (name, cases, fault) in [
            ("illegal", "go*) echo bestmove e2e5;;", "illegal_moves"),
            ("garbage", "go*) head -c 100000 /dev/urandom; echo; echo bestmove rubbish;;", "illegal_moves"),
            ("crashing", "go*) exit;;", "disconnects"),
            ("silent", "go*) ;;", "stalls"),
        ] {
            let (json, pgn) = (scratch(&format!("{name}.json")), scratch(&format!("{name}.pgn")));
            let cmd = format!("name={name} cmd={}", engine(&format!("{name}-engine"), cases));
            let output = lab(&[
                "match",
                "--engine",
                &cmd,
                "--engine",
                "name=Good",
                "--nodes",
                "50",
                "--games",
                "4",
                "--patience",
                "1",
                "--faults",
                "100",
                "--json",
                &json.to_string_lossy(),
                "--pgn",
                &pgn.to_string_lossy(),
            ]);
            assert!(output.status.success(), "{name}: {}", errors(&output));
            let players = field(&json, "players");
            assert_eq!((&players[0]["name"], &players[0]["wins"]), (&"Good".into(), &4.into()), "{name}");
            assert_eq!(players[1]["faults"][fault], 4, "{name}: {players}");
            assert_eq!(games(&pgn), 4);
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(told.contains("pairs [2, 0, 0, 0, 0], Elo no estimate"), "{told}");
        }
        let cmd = engine("illegal-engine-2", "go*) echo bestmove e2e5;;");
        let output = lab(&["sprt", "--engine-a", &cmd, "--nodes", "50", "--fixed", "--games", "2"]);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("A lost 2 by illegal moves"), "{told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let refuge = |message: &str| {
        let place = message.split("it is in ").nth(1).and_then(|rest| rest.split(" instead").next());
        std::path::PathBuf::from(place.unwrap_or_else(|| panic!("no place is named: {message}")).trim())
    };
    let output = lab(&["sprt", "--b", OFF, "--fixed", "--games", "5", "--nodes", "50", "--json", "/dev/full"]);
    let message = errors(&output);
    assert!(!output.status.success() && message.contains("cannot write /dev/full: No space left"), "{message}");
    let kept = refuge(&message);
    // Five come as three pairs.
    assert_eq!(field(&kept, "games"), 6);
    let _ = std::fs::remove_file(kept);

    // Games that cannot be written are in the state, from which they are written later.
    let json = scratch("full.json");
    let j = json.to_string_lossy().into_owned();
    let play =
        ["match", "--engine", "name=A", "--engine", "name=B opt=UseKillers=false", "--nodes", "50", "--games", "4"];
    let output = lab(&[&play[..], &["--json", &j, "--pgn", "/dev/full"]].concat());
    let message = errors(&output);
    assert!(!output.status.success() && message.contains("/dev/full") && message.contains("full.json"), "{message}");
    assert!(read(&json).matches("[Event ").count() == 4, "{}", read(&json));
    let pgn = scratch("room.pgn");
    let output = lab(&[&play[..], &["--json", &j, "--resume", "--pgn", &pgn.to_string_lossy()]].concat());
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(games(&pgn), 4);

    // Where the state cannot be written either, it is kept elsewhere with the games.
    let output = lab(&[&play[..], &["--json", "/dev/full", "--pgn", "/dev/../dev/full"]].concat());
    let message = errors(&output);
    assert!(!output.status.success() && message.contains("/dev/full"), "{message}");
    let kept = refuge(&message);
    assert_eq!(read(&kept).matches("[Event ").count(), 4);
    let _ = std::fs::remove_file(kept);
}

/// `gannet-lab … | head -1`: whatever prints, prints for nobody without a word, on either output.
#[test]
fn nobody_has_to_read_the_output() {
    use std::process::Stdio;
    let epd = scratch("unread.epd");
    std::fs::write(&epd, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 bm Ra8#;\n").expect("written");
    let (epd, book) = (epd.to_string_lossy(), scratch("unread-book.epd"));
    let book = book.to_string_lossy();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "sprt"],
        &["suite", &epd, "--nodes", "100"],
        &["match", "--engine", "name=A", "--engine", "name=B", "--games", "2", "--nodes", "20"],
        &["sprt", "--a", "UseNullMove=false", "--games", "2", "--nodes", "20"],
        &["openings", "--count", "2", "--out", &book],
        &["net", "verify"],
        &["sprt", "--tc", "fast"],
        &["suite", "/no/such/file.epd", "--nodes", "1"],
    ] {
        let closed = || {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            writer
        };
        let mut command = common::program();
        let output =
            command.args(arguments).stdin(Stdio::null()).stdout(closed()).output().expect("the laboratory runs");
        assert!(
            !errors(&output).contains("panicked") && output.status.code() != Some(101),
            "{arguments:?}: {output:?}"
        );
        let mut command = common::program();
        let status = command.args(arguments).stdin(Stdio::null()).stdout(closed()).stderr(closed()).status();
        assert!(status.is_ok_and(|status| status.code().is_some_and(|code| code != 101)), "{arguments:?}");
    }
}

/// What was found is saved before or after it is printed, and whether or not that succeeds.
#[cfg(target_os = "linux")]
#[test]
fn results_are_saved_even_if_they_cannot_be_printed() {
    use std::process::Stdio;
    let epd = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd");
    for closed in [true, false] {
        let file = |name: &str| scratch(&format!("{closed}-{name}")).to_string_lossy().into_owned();
        let [suite, play, test, tuning] = ["suite.json", "match.json", "sprt.json", "spsa.json"].map(file);
        let tune = ["spsa", "--tune", "NullMove", "--pairs", "3", "--nodes", "20"];
        for (arguments, result) in [
            (vec!["suite", epd, "--nodes", "100", "--json", &suite], &suite),
            (
                vec![
                    "match", "--engine", "name=A", "--engine", "name=B", "--games", "2", "--nodes", "20", "--json",
                    &play,
                ],
                &play,
            ),
            (vec!["sprt", "--a", OFF, "--games", "2", "--nodes", "20", "--json", &test], &test),
            ([&tune[..], &["--state", &tuning]].concat(), &tuning),
        ] {
            let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
            let output: Stdio = if closed { std::io::pipe().expect("a pipe").1.into() } else { full().into() };
            let mut command = common::program();
            let done = command.args(&arguments).stdin(Stdio::null()).stdout(output).output().expect("it runs");
            let expected = if closed { (141, "") } else { (1, "cannot write to the output: No space left") };
            assert_eq!(done.status.code(), Some(expected.0), "{arguments:?}: {}", errors(&done));
            assert!(errors(&done).contains(expected.1), "{arguments:?}: {}", errors(&done));
            assert!(std::fs::metadata(result).is_ok_and(|data| data.len() > 0), "{arguments:?}");
        }
        [&test, &play].iter().for_each(|path| assert_eq!(field(Path::new(path), "games"), 2, "{path}"));
        assert!(Path::new(&tuning).with_extension("svg").exists());
    }
}
