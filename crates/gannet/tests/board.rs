//! The built program from outside: `gannet board`, driven as a browser does it, and as nobody should.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server on a free port, ended with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start() -> Server {
        Server::start_on(0)
    }

    fn start_on(port: u16) -> Server {
        Server::start_with(port, Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// With the games of this file; in a folder none are kept.
    fn start_with(port: u16, games: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gannet"))
            .args(["board", "--hash", "1", "--port", &port.to_string()])
            .arg("--games")
            .arg(games)
            .stderr(Stdio::null())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let port = line.split_once("http://127.0.0.1:").and_then(|(_, rest)| rest.split('/').next()?.parse().ok());
        Server { child, port: port.unwrap_or_else(|| panic!("no address in '{line}'")) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(8))).expect("set");
        stream
    }

    /// Sends these bytes; the number and the text of the answer, 0 and nothing if there is none.
    fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // A server that has heard enough may close before everything is sent.
        let _ = stream.write_all(bytes);
        answer(stream)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", self.port).as_bytes())
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        self.send(format!("{head}{body}").as_bytes())
    }

    /// Asks for a search until the answer contains a text so many times.
    fn ask_until(&self, body: &str, times: usize, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            let (status, text) = self.post("/search", body);
            assert_eq!(status, 200, "{text}");
            if text.matches(wanted).count() == times {
                return text;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "{text}");
            sleep(Duration::from_millis(20));
        }
    }

    /// How many searches are running.
    fn searches(&self) -> usize {
        let (_, text) = self.get("/status");
        let number = text.split_once("\"searches\":").and_then(|(_, rest)| rest.split(',').next()?.parse().ok());
        number.unwrap_or_else(|| panic!("{text}"))
    }
}

fn answer(mut stream: TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok()).unwrap_or(0);
    (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_string()))
}

#[test]
fn the_page_is_served_and_needs_nothing_from_elsewhere() {
    let server = Server::start();
    let (status, page) = server.get("/");
    assert!(status == 200 && page.starts_with("<!doctype html>"));
    let mut size = page.len();
    for path in [
        "style.css",
        "icon.svg",
        "app.js",
        "board.js",
        "analysis.js",
        "memory.js",
        "moves.js",
        "review.js",
        "server.js",
        "sound.js",
        "tree.js",
    ] {
        let (status, text) = server.get(&format!("/{path}?again"));
        assert_eq!(status, 200, "{path}");
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http://") && !text.contains("https://") && !text.contains("//cdn"), "{path}");
        size += text.len();
    }
    assert!(size < 120_000, "{size} bytes");
    let head = server.send(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(head, (200, String::new()));
    assert_eq!(server.get("/../Cargo.toml").0, 404);
    assert!(server.get("/status").1.contains("\"name\":\"Gannet "));
}

#[test]
fn the_rules_are_told() {
    let server = Server::start();
    let (status, text) = server.post("/game", "moves e2e4 e7e5 Nf3");
    assert_eq!(status, 200, "{text}");
    assert!(text.contains(r#"{"uci":"g1f3","san":"Nf3","#) && text.contains(r#""end":null"#), "{text}");
    assert_eq!(text.matches(r#""legal":"#).count(), 4);
    let (status, text) = server.post("/game", "moves f2f3 e7e5 g2g4 d8h4");
    assert!(status == 200 && text.contains(r#""check":"e1","legal":[]"#), "{text}");
    assert!(text.contains(r#""end":{"result":"0-1","reason":"checkmate"}"#), "{text}");
    let (status, text) = server.post("/move", "moves e2e4 e7e5 Nf3");
    assert!(status == 200 && text.starts_with(r#"{"uci":"g1f3","san":"Nf3","fen":"rnbqkbnr/"#), "{text}");
    let (status, text) = server.post("/game", "start 0");
    assert!(status == 200 && text.contains("bbqnnrkr/") && text.contains(r#""chess960":true"#), "{text}");
    let (status, text) = server.post("/import", "1. e4 {best by test} e5 2. Ke2 *");
    assert!(status == 200 && text.contains(r#""san":"Ke2""#), "{text}");
    let two = "1. e4 (1. d4 $14 {or so}) *\n\n1. c4 1-0";
    let (status, text) = server.post("/import/2", two);
    assert!(status == 200 && text.contains(r#""san":"c4""#) && text.contains(r#""number":2,"count":2"#), "{text}");
    let (status, text) = server.post("/import", two);
    assert!(status == 200 && text.contains(r#""marks":[14],"comments":["or so"]"#), "{text}");
    assert_eq!(server.post("/import/x", two), (400, "'x' is no number of a game".to_string()));
    for (body, reason) in [
        ("moves e2e5", "1.e2e5 is not a legal move here"),
        ("moves e2e4 hello", "1...hello is not written like a move"),
        ("start 960", "expected a number from 0 to 959"),
        ("start 8/8/8/8/8/8/8/8 w - - 0 1", "bad FEN"),
        ("color red", "'color' is not known here, expected start, moves"),
    ] {
        let (status, text) = server.post("/game", body);
        assert!(status == 400 && text.contains(reason), "{body}: {status} {text}");
    }
}

#[test]
fn gannet_plays_and_two_pages_do_not_disturb_each_other() {
    let server = Server::start();
    let analysis = "page one\naim analyse\nlines 3\nmoves e2e4";
    let first = server.ask_until(analysis, 3, r#""score":"#);
    assert!(first.contains(r#""done":false"#), "{first}");
    let strong = server.ask_until("page two\naim play\ntime 100\nmoves f2f3 e7e5 g2g4", 1, r#""done":true"#);
    assert!(strong.contains(r#""best":"d8h4""#) && strong.contains(r#""score":"-#1""#), "{strong}");
    let weak = server.ask_until("page two\naim play\ntime 100\nelo 800", 1, r#""done":true"#);
    assert!(!weak.contains(r#""best":null"#), "{weak}");
    // In Chess960 castling is the king taking its rook.
    let body = "page two\naim play\ntime 50\nstart 4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    server.ask_until(body, 1, r#""done":true"#);
    assert!(server.post("/search", analysis).1.contains(r#""done":false"#) && server.searches() == 1);
    assert_eq!(server.post("/search", "page one\naim rest"), (200, "{}".to_string()));
    let start = Instant::now();
    while server.searches() > 0 {
        assert!(start.elapsed() < Duration::from_secs(3), "it does not take until the page is missed");
    }
    for (body, reason) in [
        ("page one\naim analyse\nlines 9", "lines is '9', expected a number from 1 to 5"),
        ("page one\naim play\ntime 9999999", "expected a number from 50 to 60000"),
        ("aim analyse\nlines 1", "page is ''"),
        ("page one\naim play\ntime 100\nmoves f2f3 e7e5 g2g4 d8h4", "the game is over"),
    ] {
        let (status, text) = server.post("/search", body);
        assert!(status == 400 && text.contains(reason), "{body}: {status} {text}");
    }
}

#[test]
fn a_search_ends_when_its_page_has_gone_and_no_page_gets_more_than_there_is() {
    let server = Server::start();
    let body = |page: usize| format!("page {page}\naim analyse\nlines 1");
    for page in 0..8 {
        assert_eq!(server.post("/search", &body(page)).0, 200);
    }
    let (status, text) = server.post("/search", &body(8));
    assert!(status == 503 && text.contains("all 8 engines are searching"), "{status} {text}");
    // Five say that they go, two go without a word, and one stays.
    for page in 3..8 {
        assert_eq!(server.post("/search", &format!("page {page}\naim rest")).0, 200);
    }
    let start = Instant::now();
    while server.searches() > 1 {
        assert!(start.elapsed() < Duration::from_secs(15));
        assert_eq!(server.post("/search", &body(0)).0, 200);
        sleep(Duration::from_millis(100));
    }
    assert!(start.elapsed() > Duration::from_secs(2), "a page that is slow has not gone");
    assert_eq!(server.post("/search", &body(8)).0, 200);
    assert_eq!(server.searches(), 2);
}

#[test]
fn games_are_kept_from_one_server_to_the_next() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("games-{}.sqlite", std::process::id()));
    let server = Server::start_with(0, &file);
    let nothing = (200, "{}".to_string());
    assert_eq!(server.post("/keep", "key one\n\n[White \"A\"]\n\n1. e4 (1. d4) e5 *\n"), nothing);
    assert_eq!(server.post("/keep", "key two\n\n[White \"B\"]\n\n1. c4 *\n"), nothing);
    drop(server);
    let server = Server::start_with(0, &file);
    let (status, text) = server.post("/games", "search a");
    assert!(status == 200 && text.starts_with(r#"{"count":1,"from":0,"games":[{"key":"one","#), "{text}");
    let (status, text) = server.post("/kept", "key one");
    assert!(status == 200 && text.contains(r#""san":"d4""#) && text.contains(r#""tags":[["White","A"]]"#), "{text}");
    let (status, text) = server.get("/games.pgn");
    assert_eq!((status, text.as_str()), (200, "[White \"A\"]\n\n1. e4 (1. d4) e5 *\n\n[White \"B\"]\n\n1. c4 *\n\n"));
    assert_eq!(server.post("/forget", "key one"), nothing);
    assert_eq!(server.post("/kept", "key one"), (400, "this game is not kept any more".to_string()));
    assert!(server.post("/keep", "key \n\n1. e4 *").1.starts_with("key is ''"));
    // One can play without, too.
    let (status, text) = Server::start().post("/games", "");
    assert!(status == 400 && text.starts_with("no games are kept: "), "{text}");
    std::fs::remove_file(file).expect("it is there");
}

#[test]
fn a_page_goes_on_with_a_server_started_anew() {
    let server = Server::start();
    let port = server.port;
    let body = "page a\naim analyse\nlines 2\nmoves d2d4";
    server.ask_until(body, 2, r#""score":"#);
    drop(server);
    let server = Server::start_on(port);
    assert_eq!(server.port, port);
    server.ask_until(body, 2, r#""score":"#);
}

#[test]
fn bad_requests_are_answered_with_a_reason() {
    let server = Server::start();
    let long = "x".repeat(20_000);
    let large = "y".repeat(70_000);
    let requests: [(u16, String); 18] = [
        (400, "hello\r\n\r\n".into()),
        (400, "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n".into()),
        (431, format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "A: b\r\n".repeat(100))),
        (403, "GET / HTTP/1.1\r\n\r\n".into()),
        (403, "GET / HTTP/1.1\r\nHost: board.example\r\n\r\n".into()),
        (403, "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://board.example\r\n\r\n".into()),
        (403, "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n".into()),
        (400, "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n".into()),
        (404, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        (405, "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        (405, "GET /search HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        (405, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".into()),
        (411, "POST /game HTTP/1.1\r\nHost: localhost\r\n\r\n".into()),
        (400, "POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n".into()),
        (413, format!("POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n{large}")),
        (413, format!("POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", "9".repeat(60))),
        (431, format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n")),
        (501, "POST /game HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".into()),
    ];
    for (expected, request) in &requests {
        let (status, reason) = server.send(request.as_bytes());
        let shown: String = request.chars().take(80).collect();
        assert!(status == *expected && !reason.is_empty(), "{shown}: {status} {reason}");
    }
    let (status, reason) = server.send(b"POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n\xff\xfe");
    assert!(status == 400 && reason == "the body is not UTF-8");
    // Beginnings of requests, whose senders leave.
    let whole = "POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nmoves e2e4";
    for end in 0..whole.len() {
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..end]).expect("sent");
        stream.shutdown(Shutdown::Write).expect("shut");
        assert_eq!(answer(stream).0, 0);
    }
    assert_eq!(server.send(whole.as_bytes()).0, 200);
}

#[test]
fn neither_many_nor_slow_clients_keep_others_waiting() {
    let server = Server::start();
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHo").expect("sent");
    let crowd: Vec<_> = (0..40).map(|_| server.connect()).collect();
    let start = Instant::now();
    assert_eq!(server.get("/status").0, 200);
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let port = server.port;
            std::thread::spawn(move || {
                for _ in 0..25 {
                    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
                    let request = "POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nmoves e2e4";
                    stream.write_all(request.as_bytes()).expect("sent");
                    assert_eq!(answer(stream).0, 200);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("every request is answered"));
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert_eq!(answer(slow).0, 408);
    drop(crowd);
    // More than there may be: the oldest have to go, and the newest is served.
    let crowd: Vec<_> = (0..300).map(|_| server.connect()).collect();
    let start = Instant::now();
    assert_eq!(server.get("/status").0, 200);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    drop(crowd);
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gannet"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

#[test]
fn a_port_in_use_is_told() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let output = run(&["board", "--port", &port]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains(&format!("port {port} of 127.0.0.1 is in use")), "{text}");
    assert!(!run(&["board", "--address", "everywhere"]).status.success());
}

#[cfg(unix)]
/// The signal of `kill`: where tests are run in the background, that of Ctrl-C may be ignored.
#[test]
fn a_signal_ends_it_at_once() {
    let mut server = Server::start();
    server.ask_until("page a\naim analyse\nlines 1", 1, r#""done":false"#);
    let start = Instant::now();
    let sent = Command::new("kill").arg(server.child.id().to_string()).status().expect("kill is there");
    assert!(sent.success());
    while server.child.try_wait().expect("it can be asked").is_none() {
        assert!(start.elapsed() < Duration::from_secs(3), "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_scripts_are_javascript() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/board/page");
    for name in [
        "app.js",
        "board.js",
        "analysis.js",
        "clock.js",
        "editor.js",
        "games.js",
        "memory.js",
        "moves.js",
        "review.js",
        "server.js",
        "sound.js",
        "tree.js",
    ] {
        let text = std::fs::File::open(format!("{folder}/{name}")).expect(name);
        let node = Command::new("node").args(["--input-type=module", "--check", "-"]).stdin(text).output();
        // Nobody needs it to build or run Gannet.
        let Ok(output) = node else { return eprintln!("node is not there; the scripts are not checked") };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
