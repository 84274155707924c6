//! The built program from outside: `gannet analyse`. What it writes is read by another reader than its own.
//!
//! Tests look at the structure, not at scores: those change with every network.

use std::io::{BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use chess::{Board, Move, parse_san};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

/// Black's third move is a trap; White falls into it twice, and is mated by a knight.
const TRAP: &str = "[White \"A\"]\n[Black \"B \\\"x\\\"\"]\n[ECO \"C50\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 \
    {a trap} (3... Bc5 4. c3 (4. O-O Nf6) 4... Nf6) 4. Nxe5! Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

fn start(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    command.arg("analyse").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Feeds the program a file.
fn analyse(input: &[u8], arguments: &[&str]) -> Output {
    let mut child = start(arguments).spawn().expect("the program starts");
    // It may have refused its arguments by now.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// What the other reader found in a game.
#[derive(Default)]
struct Seen {
    tags: Vec<(String, String)>,
    /// The positions on the way, the last move of each line that is open, and the main line first.
    lines: Vec<(Board, Board)>,
    moves: Vec<Move>,
    marks: Vec<(usize, u8)>,
    comments: Vec<(usize, String)>,
    variations: usize,
    variation_moves: usize,
}

struct Walker;

impl Visitor for Walker {
    type Tags = Seen;
    type Movetext = Seen;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(Seen::default())
    }

    fn tag(&mut self, seen: &mut Seen, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        let value = value.decode_utf8_lossy().into_owned();
        seen.tags.push((String::from_utf8_lossy(name).into_owned(), value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut seen: Seen) -> ControlFlow<Seen, Seen> {
        let fen = seen.tags.iter().find(|(name, _)| name == "FEN");
        let board = fen.map_or_else(Board::start, |(_, fen)| Board::from_fen(fen).expect(fen));
        seen.lines.push((board.clone(), board));
        ControlFlow::Continue(seen)
    }

    fn san(&mut self, seen: &mut Seen, san: SanPlus) -> ControlFlow<Seen> {
        let main = seen.lines.len() == 1;
        let (board, before) = seen.lines.last_mut().expect("a line");
        let text = san.to_string();
        let mv = parse_san(board, &text).unwrap_or_else(|error| panic!("{text} in {} is {error}", board.fen()));
        assert_eq!(chess::san(board, mv), text);
        *before = board.clone();
        board.make(mv);
        if main {
            seen.moves.push(mv)
        } else {
            seen.variation_moves += 1
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, seen: &mut Seen, Nag(mark): Nag) -> ControlFlow<Seen> {
        if seen.lines.len() == 1 {
            seen.marks.push((seen.moves.len(), mark));
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, seen: &mut Seen, comment: RawComment<'_>) -> ControlFlow<Seen> {
        if seen.lines.len() == 1 {
            let text = String::from_utf8_lossy(comment.as_bytes()).replace('\n', " ");
            seen.comments.push((seen.moves.len(), text));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, seen: &mut Seen) -> ControlFlow<Seen, Skip> {
        let (_, before) = seen.lines.last().expect("a line");
        seen.lines.push((before.clone(), before.clone()));
        seen.variations += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, seen: &mut Seen) -> ControlFlow<Seen> {
        seen.lines.pop();
        assert!(!seen.lines.is_empty(), "a variation too many is closed");
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, seen: Seen) -> Seen {
        assert_eq!(seen.lines.len(), 1, "a variation is not closed");
        seen
    }
}

/// The games of a PGN text, each move of which is checked.
fn read(text: &str) -> Vec<Seen> {
    let mut reader = Reader::build(text.as_bytes()).set_supported_comment_length(10_000).finish();
    reader.read_games(&mut Walker).collect::<Result<_, _>>().expect("PGN")
}

/// A file name that nobody else uses, removed again.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        Temporary(std::env::temp_dir().join(format!("gannet-analyse-{}-{name}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_game_is_annotated() {
    let output = analyse(TRAP.as_bytes(), &["--nodes", "5000"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    let text = stdout(&output);
    let games = read(&text);
    let [game] = &games[..] else { panic!("{} games", games.len()) };
    let names: Vec<_> = game.tags.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "Opening", "Annotator"]);
    assert_eq!(
        (game.tags[5].1.as_str(), game.tags[9].1.as_str()),
        ("B \"x\"", concat!("Gannet ", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(game.moves.len(), 14);
    for ply in 1..14 {
        let evaluated = game.comments.iter().any(|(at, text)| *at == ply && text.starts_with("[%eval "));
        assert!(evaluated, "no evaluation after ply {ply}: {text}");
    }
    // 5. Nxf7 gives the game away, which networks may call a mistake or a blunder; the file called 4. Nxe5 good, which nobody
    // else does.
    let bad = |ply| game.marks.contains(&(ply, 2)) || game.marks.contains(&(ply, 4));
    assert!(bad(9) && !game.marks.contains(&(7, 1)), "{:?}", game.marks);
    assert!(game.comments.iter().any(|(at, text)| *at == 9 && text.contains("Better is 5.")), "{text}");
    assert!(game.comments.iter().any(|(at, text)| *at == 6 && text == "a trap"), "{text}");
    assert!(game.comments.iter().any(|(at, text)| *at == 14 && text == "Checkmate."), "{text}");
    assert!(game.comments.iter().any(|(at, text)| *at == 14 && text.contains("Critical move: 5. Nxf7.")), "{text}");
    assert!(game.variations >= 4 && game.variation_moves >= 8, "two of the file and two more at least: {text}");
    assert!(text.contains("4... Nf6"), "variations of the file stay: {text}");
    assert!(text.lines().all(|line| line.chars().count() <= 82), "{text}");
    assert_eq!(stdout(&analyse(TRAP.as_bytes(), &["--nodes", "5000"])), text, "nodes repeat exactly");
    let again = stdout(&analyse(text.as_bytes(), &["--nodes", "2000", "--clean"]));
    assert!(read(&again)[0].moves == game.moves && !again.contains("a trap") && !again.contains("4. O-O"), "{again}");
}

#[test]
fn other_starts_other_chess_and_unfinished_games_are_annotated() {
    let input = "[FEN \"6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30\"]\n[SetUp \"1\"]\n30. h3 h6 *\n\n\
        [Variant \"Chess960\"]\n[FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1\"]\n1. O-O O-O-O 2. d3 *\n\n\
        [FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n1. Qf7 *\n\n\
        [White \"nobody\"]\n\n*\n";
    let output = analyse(input.as_bytes(), &["--depth", "6"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let games = read(&text);
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 3, 1, 0], "{text}");
    assert_eq!(games[0].marks, [(1, 4)], "{text}");
    assert!(text.replace('\n', " ").contains("Misses mate in 1 on the back rank: 30. Rb8#."), "{text}");
    assert!(games[1].moves[0].is_castle() && games[1].moves[1].is_castle());
    assert!(games[2].marks.contains(&(1, 4)) && text.contains("Stalemate."), "{text}");
}

#[test]
fn broken_games_are_named_and_the_others_done() {
    let input = b"[Event \"1\"]\n1. e4 e5 2. Nf6 Nc6 1-0\n\n[Event \"2\"]\n1. d4 {M\xfcller} d5 *\n\n\
        [Event \"3\"]\n1. c4 -- *\n\n[Event \"4\"]\n1. e4 {never closed\n\n[Event \"5\"]\n[FEN \"8/8\"]\n1. e4 *\n\n[Event \"6\"]\n1. a3 *\n";
    let output = analyse(input, &["--nodes", "300"]);
    assert_eq!(output.status.code(), Some(1));
    let (text, errors) = (stdout(&output), stderr(&output));
    for part in [
        "game 1: 2.Nf6 is not a legal move here",
        "game 3: 1...-- is a null move",
        "game 4, at 1...: the comment",
        "game 5: the FEN '8/8'",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    assert_eq!(errors.lines().count(), 4, "{errors}");
    assert!(text.contains("Müller") && text.replace('\n', " ").contains("Broken off: game 1"), "{text}");
    let events = text.lines().filter(|line| line.starts_with("[Event")).count();
    assert_eq!(events, 6);
    let only = analyse(input, &["--nodes", "300", "--games", "6"]);
    assert!(only.status.success() && only.stderr.is_empty());
    assert_eq!(read(&stdout(&only)).len(), 1);
}

#[test]
fn garbage_is_refused_politely() {
    for (input, status) in
        [(&b""[..], 2), (b"\n \n", 2), (b"hello world", 1), (&[0, 255, 254, b'{', 7], 1), (b"((((", 1), (b"*", 0)]
    {
        let output = analyse(input, &["--nodes", "100"]);
        assert_eq!(output.status.code(), Some(status), "{input:?}: {}", stderr(&output));
        assert_eq!(status == 0, output.stderr.is_empty(), "{input:?}: {}", stderr(&output));
    }
    let huge =
        [b"1. e4 {".to_vec(), b"x".repeat(3 << 20), b"} e5 ".to_vec(), b"(1... d5) ".repeat(50_000), b"*".to_vec()]
            .concat();
    let output = analyse(&huge, &["--nodes", "100"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for arguments in [
        &["no-such-file.pgn"][..],
        &["--moves", "e4", "e4"],
        &["--nodes", "0"],
        &["--games", "0"],
        &["--syzygy", "nowhere"],
    ] {
        let output = analyse(b"*", arguments);
        assert!(output.status.code() == Some(2) && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let file = Temporary::new("whole.pgn");
    std::fs::write(&file.0, "old").expect("room");
    assert_eq!(analyse(b"", &["--output", file.path()]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&file.0).ok().as_deref(), Some("old"));
    let output = analyse(b"1. e4 *", &["--nodes", "100", "--output", file.path()]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
    assert_eq!(read(&std::fs::read_to_string(&file.0).expect("written")).len(), 1);
    let name = file.0.file_name().expect("a name").to_string_lossy().into_owned();
    let left = std::fs::read_dir(std::env::temp_dir()).expect("readable").flatten();
    let left: Vec<_> = left
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|other| other.starts_with(&name))
        .collect();
    assert_eq!(left, [name]);
    let nowhere = analyse(b"1. e4 *", &["--nodes", "100", "--output", "/no/such/folder/x.pgn"]);
    assert!(nowhere.status.code() == Some(2) && stderr(&nowhere).contains("/no/such/folder/x.pgn"));
    // Games that are not there are not written, and that is told.
    let absent = analyse(b"1. e4 *", &["--games", "2-", "--output", file.path()]);
    assert!(absent.status.code() == Some(2) && stderr(&absent).contains("one game"), "{}", stderr(&absent));
    assert_eq!(read(&std::fs::read_to_string(&file.0).expect("still there")).len(), 1);
}

/// A link stays a link, the file behind it keeps its mode, and of a report there is as much as of the games.
#[cfg(unix)]
#[test]
fn links_are_followed_and_modes_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let (file, link) = (Temporary::new("target.pgn"), Temporary::new("link.pgn"));
    std::fs::write(&file.0, "old").expect("room");
    std::fs::set_permissions(&file.0, std::fs::Permissions::from_mode(0o640)).expect("ours");
    symlink(&file.0, &link.0).expect("room");
    let (page, graph) = (Temporary::new("report.html"), Temporary::new("course.svg"));
    let arguments = ["--nodes", "100", "--output", link.path(), "--html", page.path(), "--graph", graph.path()];
    let output = analyse(b"1. Sf3 Sf6 2. e4 e5 3. Lc4 Lc5 4. 0-0 *\n\n[White \"x\"]\n1. e4 *", &arguments);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
    assert!(std::fs::symlink_metadata(&link.0).expect("there").is_symlink());
    assert_eq!(std::fs::metadata(&file.0).expect("there").permissions().mode() & 0o777, 0o640);
    assert_eq!(read(&std::fs::read_to_string(&file.0).expect("written"))[0].moves.len(), 7);
    let text = std::fs::read_to_string(&page.0).expect("written");
    assert!(text.ends_with("</html>\n") && text.matches("class=\"game\"").count() == 2, "{text}");
    assert!(
        std::fs::read_to_string(&graph.0).is_ok_and(|text| text.starts_with("<svg ") && text.ends_with("</svg>\n"))
    );
    // Without --output the games are not written at all.
    let output = analyse(b"1. e4 *", &["--nodes", "100", "--html", page.path()]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
}

/// The result does not depend on how many positions are searched at once, nor on the games before.
#[test]
fn a_game_gets_the_same_verdicts_on_any_number_of_cores() {
    let two = format!("{TRAP}\n{TRAP}");
    let text = stdout(&analyse(two.as_bytes(), &["--nodes", "2000", "--threads", "3"]));
    let games: Vec<_> = text.split("[Event ").filter(|game| !game.is_empty()).collect();
    assert_eq!((games.len(), games[0].trim_end()), (2, games[1].trim_end()));
    let one = stdout(&analyse(TRAP.as_bytes(), &["--nodes", "2000", "--threads", "1"]));
    assert_eq!(one.trim_end(), format!("[Event {}", games[0].trim_end()));
}

#[test]
fn a_position_is_explained() {
    let fork = ["--fen", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "--nodes", "20000", "--lines", "2"];
    let text = stdout(&analyse(b"", &fork));
    assert!(text.contains("Nc7+ forks the rook on a8 and the king and wins the rook on a8"), "{text}");
    assert!(text.contains("\n2. "), "{text}");
    let text = stdout(&analyse(b"", &["--moves", "f3 e5", "g2g4", "--nodes", "1000"]));
    assert!(text.contains("Black to move. Black mates in 1.") && text.contains("2... Qh4#"), "{text}");
    let text = stdout(&analyse(b"", &["--moves", "f3", "e5", "g4", "Qh4"]));
    assert!(text.ends_with("Checkmate.\n"), "{text}");
}

/// Waits until the program catches Ctrl-C, which on a busy machine may take a while; before that, it would be ended by it.
#[cfg(unix)]
fn wait_for_handler(process: u32) {
    const SIGINT: u64 = 1 << 1;
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & SIGINT != 0)
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        match catches() {
            Some(true) => return,
            Some(false) => std::thread::sleep(Duration::from_millis(10)),
            // Only Linux tells.
            None => return std::thread::sleep(Duration::from_millis(500)),
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_whole_games() {
    let file = Temporary::new("interrupted.pgn");
    std::fs::write(&file.0, "old").expect("room");
    let mut child = start(&["--movetime", "60000", "--output", file.path()]).spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(TRAP.as_bytes()).expect("the program reads");
    wait_for_handler(child.id());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(std::fs::read_to_string(&file.0).ok().as_deref(), Some("old"), "no game was finished");

    let input = format!("1. f3 e5 *\n\n{TRAP}");
    let mut child = start(&["--movetime", "300"]).spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program reads");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    output.read_line(&mut text).expect("the first game");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    output.read_to_string(&mut text).expect("the rest");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(read(&text).len(), 1, "{text}");
}
