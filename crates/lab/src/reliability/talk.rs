//! A conversation with a running engine, in which nothing is waited for without end and everything unexpected is a
//! fault that is put into words.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use chess::{Game, parse_uci};

/// Nothing that is asked of an engine here takes so long.
const LIMIT: Duration = Duration::from_secs(60);

/// A running engine.
pub struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    errors: Option<ChildStderr>,
    lines: Receiver<String>,
}

/// What one `go` brought.
pub struct Answer {
    /// The lines before the best move, other than `readyok`.
    pub lines: Vec<String>,
    /// The best move.
    pub best: String,
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
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the laboratory, not for its engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut bytes = Vec::new();
            while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
                bytes.clear();
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Talk { input: child.stdin.take(), errors: child.stderr.take(), child, lines })
    }

    /// A number that the system knows of its process, where it tells: `VmRSS`, `Threads` and such.
    pub fn status(&self, name: &str) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
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
        let input = self.input.as_mut().ok_or("the input is closed")?;
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.map_err(|_| self.gone())
    }

    /// Why nothing more is heard.
    fn gone(&mut self) -> String {
        std::thread::sleep(Duration::from_millis(50));
        let status = self.child.try_wait().ok().flatten();
        let mut text = String::new();
        if status.is_some() {
            let _ = self.errors.take().map(|mut errors| errors.read_to_string(&mut text));
        }
        format!("the engine has gone ({status:?}): {}", text.trim())
    }

    /// The next line, if it comes in time.
    pub fn line_within(&mut self, limit: Duration) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// Every line up to and with the first that is so.
    pub fn until(&mut self, is_last: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + LIMIT;
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| is_last(line)) {
            let line = self.line_within(deadline.saturating_duration_since(Instant::now()))?;
            lines.push(line.ok_or_else(|| format!("nothing more after {:?}", lines.last()))?);
        }
        Ok(lines)
    }

    /// Sends commands and waits until they have been carried out. Returns what was said.
    pub fn tell(&mut self, commands: &[&str]) -> Result<Vec<String>, String> {
        for command in commands {
            self.send(command)?;
        }
        self.send("isready")?;
        let mut lines = self.until(|line| line == "readyok")?;
        lines.pop();
        Ok(lines)
    }

    /// Waits for the best move.
    pub fn answer(&mut self) -> Result<Answer, String> {
        let mut lines = self.until(|line| line.starts_with("bestmove"))?;
        let last = lines.pop().unwrap_or_default();
        lines.retain(|line| line != "readyok");
        let best = last.split(' ').nth(1).unwrap_or_default().to_string();
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
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(1)) {
            lines.push(line);
        }
        lines
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process to end, and well; how long that took.
    pub fn wait(&mut self, limit: Duration) -> Result<Duration, String> {
        wait(&mut self.child, self.errors.take(), limit)
    }

    /// `quit`, and it ends well.
    pub fn quit(mut self) -> Result<(), String> {
        self.send("quit")?;
        self.wait(LIMIT).map(|_| ())
    }
}

/// Waits for a process to end without an error and without a word on the error output; how long that took.
pub fn wait(child: &mut Child, errors: Option<ChildStderr>, limit: Duration) -> Result<Duration, String> {
    let began = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if began.elapsed() > limit => return Err(format!("still there after {limit:?}")),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(error.to_string()),
        }
    };
    let (time, mut text) = (began.elapsed(), String::new());
    if let Some(mut errors) = errors {
        let _ = errors.read_to_string(&mut text);
    }
    if status.success() && text.is_empty() { Ok(time) } else { Err(format!("left with {status}: {}", text.trim())) }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
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
    let mut text = format!("position fen {}", game.start().shredder_fen());
    for (index, &mv) in game.moves().iter().enumerate() {
        text += if index == 0 { " moves " } else { " " };
        text += &chess::uci(mv, true).to_string();
    }
    text
}
