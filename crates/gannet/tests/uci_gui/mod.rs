//! A small GUI for tests: starts the built program, talks to it, and fails instead of waiting for ever.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use chess::{Board, Game, parse_uci};
use uci::client::{BestMove, Client, Ending, Silence};
use uci::{Bound, Info, Shown};

/// Nothing that a test asks for takes this long, even on a machine that is busy with other things.
pub const LIMIT: Duration = Duration::from_secs(20);

pub const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
pub const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The program, seen from a GUI.
pub struct Gui {
    client: Client,
}

/// What one `go` brought.
pub struct Answer {
    /// The lines before the best move, other than `readyok`.
    pub lines: Vec<String>,
    pub best: String,
    pub ponder: Option<String>,
}

impl Gui {
    /// Starts the program.
    pub fn start() -> Gui {
        Gui::start_with(&[])
    }

    /// Starts the program with arguments.
    pub fn start_with(arguments: &[&str]) -> Gui {
        Gui::start_in(arguments, &[])
    }

    /// Starts the program with arguments, in this environment.
    pub fn start_in(arguments: &[&str], environment: &[(&str, &str)]) -> Gui {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
        command.args(arguments).env_remove("GANNET_EXPOSE").envs(environment.iter().copied()).stderr(Stdio::piped());
        Gui { client: Client::start(&mut command, || false).expect("the program starts") }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends anything.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.client.send_bytes(bytes, Instant::now() + LIMIT).expect("the program reads");
    }

    /// The next line, which must come in time.
    pub fn line(&mut self) -> String {
        self.line_within(LIMIT).expect("a line comes in time")
    }

    /// The next line, if there is one in time.
    pub fn line_within(&mut self, limit: Duration) -> Option<String> {
        match self.client.receive(Instant::now() + limit) {
            Ok(line) => Some(line),
            Err(Silence::Stalled) => None,
            Err(_) => panic!("{}", self.client.last_words()),
        }
    }

    /// Every line up to and with the first that is so.
    pub fn lines_until(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| is_last(line)) {
            match self.line_within(LIMIT) {
                Some(line) => lines.push(line),
                None => panic!("the expected line does not come after {lines:#?}"),
            }
        }
        lines
    }

    /// Sends commands and waits until they have been carried out. Returns what was said.
    pub fn tell(&mut self, commands: &[&str]) -> Vec<String> {
        for command in commands {
            self.send(command);
        }
        self.send("isready");
        let mut lines = self.lines_until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// Says `uci` and returns the options, as they stand after `option name`.
    pub fn options(&mut self) -> Vec<String> {
        self.send("uci");
        let lines = self.lines_until(|line| line == "uciok");
        lines.iter().filter_map(|line| line.strip_prefix("option name ")).map(str::to_string).collect()
    }

    /// Waits for the best move.
    pub fn answer(&mut self) -> Answer {
        let mut lines = self.lines_until(|line| line.starts_with("bestmove"));
        let last = lines.pop().expect("the best move");
        lines.retain(|line| line != "readyok");
        let BestMove { best, ponder } = BestMove::parse(&last).expect("a best move");
        let written = ponder.as_ref().map_or(String::new(), |ponder| format!(" ponder {ponder}"));
        assert_eq!(last, format!("bestmove {best}{written}"));
        Answer { lines, best, ponder }
    }

    /// Sends a `go` and waits for the best move.
    pub fn go(&mut self, command: &str) -> Answer {
        self.send(command);
        self.answer()
    }

    /// Nothing is said for a while.
    pub fn assert_silent(&mut self, time: Duration) {
        if let Some(line) = self.line_within(time) {
            panic!("unexpected: {line}");
        }
    }

    /// No best move comes while the program is asked this often whether it is ready.
    pub fn assert_no_best_move(&mut self, times: usize) {
        for _ in 0..times {
            std::thread::sleep(Duration::from_millis(5));
            let lines = self.tell(&[]);
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
        }
    }

    /// The number of the process.
    pub fn process(&self) -> u32 {
        self.client.process()
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.client.close_input();
    }

    /// How long the program takes to end, and how it ends. Nothing may have been said on the error output.
    pub fn end(&mut self) -> (Duration, ExitStatus) {
        let Ending { took, status, errors } = self.client.end(LIMIT).expect("the program ends");
        assert_eq!(errors, "", "the error output is silent");
        (took, status)
    }

    /// What was said and not yet read, once the program has ended.
    pub fn rest(mut self) -> Vec<String> {
        self.client.rest(LIMIT)
    }

    /// `quit`, and the program ends well.
    pub fn quit(mut self) {
        self.send("quit");
        assert!(self.end().1.success());
    }
}

impl Answer {
    /// The `info` lines that have a variation.
    pub fn variations(&self) -> Vec<Said> {
        self.lines.iter().filter(|line| line.contains(" pv ")).map(|line| Said::parse(line)).collect()
    }

    /// Nodes in the last line that tells them.
    pub fn nodes(&self) -> u64 {
        self.variations().last().expect("a variation").nodes
    }

    /// The last line that is no bound: programs skip bounds, and take score and variation from there. There is none if
    /// the lines were read before.
    pub fn last_exact(&self) -> Option<Info> {
        uci::last_exact(&self.lines)
    }

    /// Everything that holds for every search: lines well written, moves legal, the best move that of the last line.
    pub fn check(&self, game: &Game) {
        for line in self.lines.iter().filter(|line| line.contains(" pv ")) {
            let info = Said::parse(line);
            let mut game = game.clone();
            for (index, text) in info.pv.iter().enumerate() {
                let over = index > 0 && game.outcome().is_some();
                assert!(!over, "the game is over: {line}");
                let mv = parse_uci(game.board(), text).unwrap_or_else(|error| panic!("{text} is {error}: {line}"));
                assert!(game.play(mv));
            }
            if info.is_exact_mate {
                assert!(game.board().is_checkmate(), "no mate at the end: {line}");
            }
        }
        if let Some(last) = self.last_exact() {
            assert_eq!(last.pv[0], self.best, "the best move is that of the last line: {last}");
        }
        let board = game.board();
        let best = parse_uci(board, &self.best)
            .unwrap_or_else(|error| panic!("the best move {} is {error}: {:#?}", self.best, self.lines));
        if let Some(ponder) = &self.ponder {
            parse_uci(&board.after(best), ponder).expect("a legal reply");
        }
    }
}

/// An `info` line with a variation.
#[derive(Debug)]
pub struct Said {
    pub depth: u32,
    pub multipv: usize,
    pub score: Shown,
    pub is_exact_mate: bool,
    pub nodes: u64,
    pub pv: Vec<String>,
}

impl Said {
    /// Reads a line in which every field must be there, and every number whole.
    pub fn parse(line: &str) -> Said {
        let info = Info::parse(line).unwrap_or_else(|| panic!("no analysis: {line}"));
        assert_eq!(info.to_string(), line, "fields in the order in which they are always written");
        let all = info.seldepth.is_some() && info.nps.is_some() && info.tbhits.is_some() && info.time.is_some();
        assert!(all && info.hashfull.is_some_and(|full| full <= 1000), "{line}");
        let (Some(depth), Some(multipv), Some(score), Some(nodes)) = (info.depth, info.multipv, info.score, info.nodes)
        else {
            panic!("something is missing: {line}")
        };
        let is_exact_mate = info.bound == Bound::Exact && matches!(score, Shown::Mate(_));
        Said { depth, multipv: multipv as usize, score, is_exact_mate, nodes, pv: info.pv }
    }

    /// The number of its score.
    pub fn value(&self) -> i32 {
        match self.score {
            Shown::Centipawns(value) | Shown::Mate(value) => value,
        }
    }
}

/// The game from a position, without moves.
pub fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).expect(fen))
}

/// How soon `isready` must be answered.
pub const READY: Duration = Duration::from_millis(100);
/// What fails: the machine that runs the tests may be busy with other things.
pub const SLACK: Duration = Duration::from_secs(2);

/// Says how long things took, and fails if any took far too long.
pub fn judge(what: &str, wanted: Duration, mut times: Vec<Duration>) {
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what}: median {median:.1?}, worst {worst:.1?} of {}, wanted {wanted:?}", times.len());
    assert!(median < wanted + Duration::from_millis(300), "{what}: median {median:?}");
    assert!(worst < SLACK, "{what}: worst {worst:?}");
}

/// After everything, not one best move is left over.
pub fn assert_settled(mut gui: Gui) {
    let lines = gui.tell(&["stop", "ponderhit", "stop"]);
    assert!(lines.is_empty(), "{lines:#?}");
    gui.assert_silent(Duration::from_millis(30));
    gui.quit();
}
