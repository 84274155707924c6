//! Driving an engine in a process of its own. It may crash, hang, not read or talk nonsense: nothing here waits for it without
//! end, and it is ended with all that it has started.
//!
//! ```no_run
//! use std::process::Command;
//! use std::time::{Duration, Instant};
//! use uci::client::Client;
//!
//! let soon = || Instant::now() + Duration::from_secs(5);
//! let mut engine = Client::start(&mut Command::new("gannet"), || false)?;
//! let options = engine.handshake(soon())?;
//! println!("{} options", options.len());
//! let answer = engine.go("go movetime 1000", soon(), |line| println!("{line}"))?;
//! println!("plays {}", answer.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod group;

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

pub use self::group::{Group, end_all};
use crate::Declared;

/// How often somebody who waits for an engine looks whether to go on waiting.
const GLANCE: Duration = Duration::from_millis(50);
/// How often somebody looks whether an engine has made room in a full pipe.
const FULL: Duration = Duration::from_millis(2);
/// How often somebody looks whether an engine has ended.
const END: Duration = Duration::from_millis(1);
/// How long an engine that has closed its output is given to end.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// Longer lines come in pieces.
const MAX_LINE: u64 = 1 << 16;
/// So many lines may wait to be heard; after that the engine waits until somebody listens.
const UNHEARD: usize = 4096;

/// Why nothing more is heard of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It has ended or closed its pipes.
    Gone,
    /// It did not answer, or not read, in time.
    Stalled,
    /// Whoever was waiting was asked to wait no longer.
    Interrupted,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Silence::Gone => "the engine has gone",
            Silence::Stalled => "the engine has not answered in time",
            Silence::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Silence {}

/// What a `go` is answered with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BestMove {
    /// The move, as it was written; empty if there was none.
    pub best: String,
    /// The reply that is expected.
    pub ponder: Option<String>,
}

impl BestMove {
    /// Reads a line; none if it is another one.
    pub fn parse(line: &str) -> Option<BestMove> {
        let mut words = line.split_whitespace();
        if words.next() != Some("bestmove") {
            return None;
        }
        let best = words.next().unwrap_or_default().to_string();
        let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next()).map(str::to_string);
        Some(BestMove { best, ponder })
    }
}

/// How an engine has ended.
#[derive(Debug)]
pub struct Ending {
    /// How long that took.
    pub took: Duration,
    /// With what status.
    pub status: ExitStatus,
    /// What it said on its error output, if that was listened to.
    pub errors: String,
}

/// A running engine, which ends with this.
pub struct Client {
    group: Group,
    input: Option<ChildStdin>,
    errors: Option<ChildStderr>,
    lines: Receiver<String>,
    interrupted: fn() -> bool,
}

impl Client {
    /// Starts a program. Its error output is listened to if the command says that it is piped; whoever waits for anything asks
    /// `interrupted` now and then whether to wait no longer.
    pub fn start(command: &mut Command, interrupted: fn() -> bool) -> io::Result<Client> {
        let mut group = Group::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let (Some(input), Some(output)) = (group.leader.stdin.take(), group.leader.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let errors = group.leader.stderr.take();
        // Elsewhere whoever writes to a full pipe waits until the engine reads.
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&input, true)?;
        let (sender, lines) = mpsc::sync_channel(UNHEARD);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut bytes = Vec::new();
            while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
                bytes.clear();
                if sender.send(line).is_err() {
                    // Whoever was to listen has gone, and the pipe closes.
                    break;
                }
            }
        });
        Ok(Client { group, input: Some(input), errors, lines, interrupted })
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.group.leader.id()
    }

    /// Says a line. An engine that does not read is waited for only so long: a pipe holds some pages of text and no more.
    pub fn send(&mut self, line: &str, until: Instant) -> Result<(), Silence> {
        self.send_bytes(format!("{line}\n").as_bytes(), until)
    }

    /// Says anything.
    pub fn send_bytes(&mut self, mut bytes: &[u8], until: Instant) -> Result<(), Silence> {
        let input = self.input.as_mut().ok_or(Silence::Gone)?;
        while !bytes.is_empty() {
            match input.write(bytes) {
                Ok(0) => return Err(Silence::Gone),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(Silence::Gone),
                Err(_) if (self.interrupted)() => return Err(Silence::Interrupted),
                Err(_) if Instant::now() >= until => return Err(Silence::Stalled),
                Err(_) => std::thread::sleep(FULL),
            }
        }
        Ok(())
    }

    /// Waits for a line.
    pub fn receive(&mut self, until: Instant) -> Result<String, Silence> {
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                // Even if there is more to read: whoever babbles without end has stalled too.
                return Err(Silence::Stalled);
            }
            match self.lines.recv_timeout(wait.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if (self.interrupted)() => return Err(Silence::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for the first line that means something, and passes on those before it.
    pub fn wait_for<T>(
        &mut self,
        until: Instant,
        mut meaning: impl FnMut(&str) -> Option<T>,
        mut heard: impl FnMut(String),
    ) -> Result<T, Silence> {
        loop {
            let line = self.receive(until)?;
            match meaning(&line) {
                Some(found) => return Ok(found),
                None => heard(line),
            }
        }
    }

    /// Says `uci` and returns the options.
    pub fn handshake(&mut self, until: Instant) -> Result<Vec<Declared>, Silence> {
        self.send("uci", until)?;
        let mut options = Vec::new();
        self.wait_for(until, is("uciok"), |line| {
            options.extend(line.trim().strip_prefix("option name ").map(Declared::parse));
        })?;
        Ok(options)
    }

    /// Waits until everything sent has been carried out, and passes on what was said meanwhile.
    pub fn ready(&mut self, until: Instant, heard: impl FnMut(String)) -> Result<(), Silence> {
        self.send("isready", until)?;
        self.wait_for(until, is("readyok"), heard)
    }

    /// Sends a `go`, or what ends one, waits for the best move and passes on what was said meanwhile.
    pub fn go(&mut self, command: &str, until: Instant, heard: impl FnMut(String)) -> Result<BestMove, Silence> {
        self.send(command, until)?;
        self.answer(until, heard)
    }

    /// Waits for the best move and passes on what was said meanwhile.
    pub fn answer(&mut self, until: Instant, heard: impl FnMut(String)) -> Result<BestMove, Silence> {
        self.wait_for(until, BestMove::parse, heard)
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// What was said and not yet heard, once the engine has ended.
    pub fn rest(&mut self, patience: Duration) -> Vec<String> {
        std::iter::from_fn(|| self.lines.recv_timeout(patience).ok()).collect()
    }

    /// Why nothing more is heard of it, in words: how it has ended, and what it said on its error output.
    pub fn last_words(&mut self) -> String {
        match self.end(LAST_WORDS) {
            Some(Ending { status, errors, .. }) => format!("the engine has gone ({status}): {}", errors.trim()),
            None => "the engine has closed its output".to_string(),
        }
    }

    /// Waits for the engine to end by itself, all that it has started left as it is; false if it has not in this time.
    pub fn wait(&mut self, patience: Duration) -> bool {
        self.group.wait(patience)
    }

    /// Waits for the engine to end by itself, and tells how it did; none if it has not in this time.
    pub fn end(&mut self, patience: Duration) -> Option<Ending> {
        Ending::of(&mut self.group.leader, &mut self.errors, patience)
    }
}

impl Ending {
    /// Waits for a process to end by itself; none if it has not in this time.
    pub fn of(child: &mut Child, errors: &mut Option<ChildStderr>, patience: Duration) -> Option<Ending> {
        let began = Instant::now();
        let status = loop {
            match child.try_wait().ok()? {
                Some(status) => break status,
                None if began.elapsed() > patience => return None,
                None => std::thread::sleep(END),
            }
        };
        let (took, mut bytes) = (began.elapsed(), Vec::new());
        let _ = errors.take().map(|mut errors| errors.read_to_end(&mut bytes));
        Some(Ending { took, status, errors: String::from_utf8_lossy(&bytes).into_owned() })
    }

    /// How long it took, if it was a good end: no error, and not a word about any.
    pub fn good(self) -> Result<Duration, String> {
        let Ending { took, status, errors } = self;
        if status.success() && errors.is_empty() {
            Ok(took)
        } else {
            Err(format!("left with {status}: {}", errors.trim()))
        }
    }
}

/// Whether a line is this word.
fn is(word: &'static str) -> impl Fn(&str) -> Option<()> {
    move |line| (line.trim() == word).then_some(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An engine that is a shell script: what it does for each line it reads.
    fn script(cases: &str) -> Client {
        let program = format!(
            "while read line; do case \"$line\" in uci) echo option name Hash type spin default 4 min 1 max 8; echo uciok;; isready) echo readyok;; quit) exit;; {cases} esac; done"
        );
        Client::start(Command::new("sh").args(["-c", &program]), || false).expect("a shell")
    }

    fn within(time: u64) -> Instant {
        Instant::now() + Duration::from_millis(time)
    }

    #[test]
    fn a_conversation() {
        let mut engine = script("go*) echo info depth 1 pv e2e4; echo bestmove e2e4 ponder e7e5;;");
        let options = engine.handshake(within(60_000)).expect("an answer");
        assert_eq!(options.iter().map(|option| option.name.as_str()).collect::<Vec<_>>(), ["Hash"]);
        let mut said = Vec::new();
        let answer = engine.go("go depth 1", within(60_000), |line| said.push(line)).expect("a move");
        assert_eq!((answer.best.as_str(), answer.ponder.as_deref()), ("e2e4", Some("e7e5")));
        assert_eq!(said, ["info depth 1 pv e2e4"]);
        assert_eq!(engine.send("quit", within(60_000)), Ok(()));
        assert!(engine.end(Duration::from_secs(60)).is_some_and(|ending| ending.status.success()));
        assert_eq!(engine.ready(within(60_000), drop), Err(Silence::Gone));
    }

    #[test]
    fn nobody_is_waited_for_without_end() {
        let go = |cases: &str| script(cases).go("go", within(300), drop).map(|answer| answer.best);
        assert_eq!(go("go) exit;;"), Err(Silence::Gone));
        assert_eq!(go("go) ;;"), Err(Silence::Stalled));
        assert_eq!(go("go) yes info depth 1;;"), Err(Silence::Stalled));
        let mut engine = Client::start(Command::new("sh").args(["-c", "sleep 100"]), || true).expect("a shell");
        assert_eq!(engine.receive(within(60_000)), Err(Silence::Interrupted));
    }

    /// A pipe is full after a while; nobody waits for ever until there is room.
    #[test]
    fn an_engine_that_does_not_read_has_stalled() {
        let mut engine = script("hold) sleep 100;;");
        let began = Instant::now();
        assert_eq!(engine.send("hold", within(1000)), Ok(()));
        assert_eq!(engine.send(&"x".repeat(1 << 20), within(300)), Err(Silence::Stalled));
        assert!(began.elapsed() >= Duration::from_millis(300) && began.elapsed() < Duration::from_secs(60));
        // One that is slow is not faulted.
        let mut engine = script("hold) sleep 1;;");
        assert_eq!(engine.send("hold", within(1000)), Ok(()));
        assert_eq!(engine.send(&"x ".repeat(100_000), within(60_000)), Ok(()));
        assert_eq!(engine.ready(within(60_000), drop), Ok(()));
    }

    #[test]
    fn best_moves_are_read() {
        let read = |line: &str| BestMove::parse(line).map(|answer| (answer.best, answer.ponder.unwrap_or_default()));
        let moves = |best: &str, ponder: &str| Some((best.to_string(), ponder.to_string()));
        assert_eq!(read("bestmove e2e4 ponder e7e5"), moves("e2e4", "e7e5"));
        assert_eq!([read("bestmove (none)"), read("bestmove")], [moves("(none)", ""), moves("", "")]);
        assert_eq!([read("bestmover e2e4"), read("info bestmove")], [None, None]);
    }
}
