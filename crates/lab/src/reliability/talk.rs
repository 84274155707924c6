//! A conversation with a running engine, in which everything unexpected is a fault that is put into words.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chess::{Game, parse_uci};
use uci::client::{Client, Silence};

/// Nothing that is asked of an engine here takes so long.
const LIMIT: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Talk {
    client: Client,
}

/// What one `go` brought.
pub struct Answer {
    /// The lines before the best move, other than `readyok`.
    pub lines: Vec<String>,
    /// The best move.
    pub best: String,
}

/// When to wait no longer.
fn limit() -> Instant {
    Instant::now() + LIMIT
}

impl Talk {
    /// Starts the engine.
    pub fn start(engine: &Path) -> Result<Talk, String> {
        Talk::begin(Command::new(engine))
    }

    /// Starts the engine with vector arithmetic of this name, or with the one it chooses itself if the name is empty.
    pub fn start_on(engine: &Path, arithmetic: &str) -> Result<Talk, String> {
        let mut command = Command::new(engine);
        command.env("GANNET_SIMD", arithmetic);
        Talk::begin(command)
    }

    fn begin(mut command: Command) -> Result<Talk, String> {
        let client = Client::start(command.stderr(Stdio::piped()), || false);
        Ok(Talk { client: client.map_err(|error| format!("cannot be started: {error}"))? })
    }

    /// A number that the system knows of its process, where it tells: `VmRSS`, `Threads` and such.
    pub fn status(&self, name: &str) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.client.process())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Its memory in MiB, where the system tells: `VmRSS` is what it has, `VmSize` what it has asked for.
    pub fn memory(&self, name: &str) -> Option<u64> {
        self.status(name).map(|kibibytes| kibibytes.div_ceil(1024))
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), String> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends anything.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        let sent = self.client.send_bytes(bytes, limit());
        sent.map_err(|silence| self.fault(silence))
    }

    /// A silence in words.
    fn fault(&mut self, silence: Silence) -> String {
        match silence {
            Silence::Gone => self.client.last_words(),
            silence => silence.to_string(),
        }
    }

    /// The next line, if it comes in time.
    pub fn line_within(&mut self, limit: Duration) -> Result<Option<String>, String> {
        match self.client.receive(Instant::now() + limit) {
            Ok(line) => Ok(Some(line)),
            Err(Silence::Stalled) => Ok(None),
            Err(silence) => Err(self.fault(silence)),
        }
    }

    /// Every line up to and with the first that is so.
    pub fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let last =
            self.client.wait_for(limit(), |line| is_last(line).then(|| line.to_string()), |line| lines.push(line));
        match last {
            Ok(last) => lines.push(last),
            Err(Silence::Stalled) => return Err(format!("nothing more after {:?}", lines.last())),
            Err(silence) => return Err(self.fault(silence)),
        }
        Ok(lines)
    }

    /// Sends commands and waits until they have been carried out. Returns what was said.
    pub fn tell(&mut self, commands: &[&str]) -> Result<Vec<String>, String> {
        for command in commands {
            self.send(command)?;
        }
        let mut lines = Vec::new();
        let ready = self.client.ready(limit(), |line| lines.push(line));
        ready.map_err(|silence| self.fault(silence))?;
        Ok(lines)
    }

    /// Waits for the best move.
    pub fn answer(&mut self) -> Result<Answer, String> {
        let mut lines = Vec::new();
        let answer = self.client.answer(limit(), |line| lines.push(line));
        let best = answer.map_err(|silence| self.fault(silence))?.best;
        lines.retain(|line| line != "readyok");
        Ok(Answer { lines, best })
    }

    /// Sends a `go`, or what ends one, and waits for the best move.
    pub fn go(&mut self, command: &str) -> Result<Answer, String> {
        self.send(command)?;
        self.answer()
    }

    /// Demands that everything has been answered: not one best move is left over.
    pub fn settled(&mut self) -> Result<(), String> {
        let lines = self.tell(&["stop", "ponderhit", "stop"])?;
        if lines.is_empty() { Ok(()) } else { Err(format!("said without being asked: {lines:?}")) }
    }

    /// What is still to be read of a process that has gone.
    pub fn rest(&mut self) -> Vec<String> {
        self.client.rest(Duration::from_secs(1))
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.client.close_input();
    }

    /// Waits for the process to end, and well; how long that took.
    pub fn wait(&mut self, limit: Duration) -> Result<Duration, String> {
        self.client.end(limit).ok_or(format!("still there after {limit:?}"))?.good()
    }

    /// `quit`, and it ends well.
    pub fn quit(mut self) -> Result<(), String> {
        self.send("quit")?;
        self.wait(LIMIT).map(|_| ())
    }
}

impl Answer {
    /// Demands that the best move is legal; `0000` where there is none.
    pub fn legal(&self, game: &Game) -> Result<(), String> {
        if !game.board().has_legal_moves() {
            return if self.best == "0000" { Ok(()) } else { Err(format!("best move {} of none", self.best)) };
        }
        match parse_uci(game.board(), &self.best) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("best move '{}' is {error} in {}", self.best, game.board().fen())),
        }
    }
}

/// The `position` command for a game.
pub fn position(game: &Game) -> String {
    uci::position_line(game, true)
}
