//! The pipes to an engine's process: starting it, settling its options, lines to and fro.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::EngineCommand;
use super::declared::Declared;
use crate::failure::{Failure, Result};
use crate::group::Group;
use crate::player::Fault;
use crate::pool;

/// How often somebody who waits for an engine looks whether the user has asked to end.
const GLANCE: Duration = Duration::from_millis(50);
/// How often somebody looks whether an engine has made room in a full pipe.
const FULL: Duration = Duration::from_millis(2);
/// Longer lines are cut.
const MAX_LINE: u64 = 1 << 16;

/// A running process.
pub struct Link {
    /// The process, which ends with this.
    pub group: Group,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Link {
    /// Starts an engine and sets its options.
    pub fn open(command: &EngineCommand) -> Result<Link> {
        let fail = |what: String| Failure::new(format!("engine {}: {what}", command.program.display()));
        let mut link = Link::spawn(command).map_err(|error| fail(unstartable(command, &error)))?;
        let known = match link.handshake(command.startup) {
            Ok(known) => known,
            Err(fault) => {
                let hint = |text| format!("{text}; is it a UCI engine?");
                return Err(silence("uciok", &fault, command).map_or(Failure::Interrupted, |text| fail(hint(text))));
            }
        };
        for line in setting_lines(command, &known).map_err(&fail)? {
            // A failure shows when it is asked whether it is ready.
            let _ = link.send(&line, Instant::now() + command.startup);
        }
        if let Err(fault) = link.ready(command.startup) {
            let told = silence("readyok after its options were set", &fault, command);
            return Err(told.map_or(Failure::Interrupted, fail));
        }
        Ok(link)
    }

    /// Starts the program, and a thread that reads what it says.
    fn spawn(command: &EngineCommand) -> std::io::Result<Link> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Gannet lists the switches and numbers of its search on request only, and what is not listed cannot be set here.
        process.env("GANNET_EXPOSE", "1");
        let mut group = Group::spawn(&mut process)?;
        let (Some(input), Some(output)) = (group.leader.stdin.take(), group.leader.stdout.take()) else {
            return Err(std::io::Error::other("no pipes"));
        };
        // Elsewhere whoever writes to a full pipe waits until the engine reads.
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&input, true)?;
        let (sender, lines) = mpsc::sync_channel(256);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut bytes = Vec::new();
            while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim().to_string();
                bytes.clear();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Link { group, input, lines })
    }

    /// Says `uci` and returns the options.
    fn handshake(&mut self, startup: Duration) -> std::result::Result<Vec<Declared>, Fault> {
        let until = Instant::now() + startup;
        self.send("uci", until)?;
        let mut options = Vec::new();
        loop {
            let line = self.receive(until)?;
            if line == "uciok" {
                return Ok(options);
            }
            if let Some(rest) = line.strip_prefix("option name ") {
                options.push(Declared::parse(rest));
            }
        }
    }

    /// Waits until everything sent has been read.
    pub fn ready(&mut self, startup: Duration) -> std::result::Result<(), Fault> {
        let until = Instant::now() + startup;
        self.send("isready", until)?;
        while self.receive(until)? != "readyok" {}
        Ok(())
    }

    /// Says a line. An engine that does not read is waited for only so long: a pipe holds some pages of text and no more.
    pub fn send(&mut self, text: &str, until: Instant) -> std::result::Result<(), Fault> {
        let line = format!("{text}\n");
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(0) => return Err(Fault::Disconnected),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(Fault::Disconnected),
                Err(_) if pool::interrupted() => return Err(Fault::Interrupted),
                Err(_) if Instant::now() >= until => return Err(Fault::Stalled),
                Err(_) => std::thread::sleep(FULL),
            }
        }
        Ok(())
    }

    /// Waits for a line.
    pub fn receive(&mut self, until: Instant) -> std::result::Result<String, Fault> {
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                // Even if there is more to read: whoever babbles without end has stalled too.
                return Err(Fault::Stalled);
            }
            match self.lines.recv_timeout(wait.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Disconnected),
                Err(RecvTimeoutError::Timeout) if pool::interrupted() => return Err(Fault::Interrupted),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The lines that set the options of an engine, or why one cannot be set.
fn setting_lines(command: &EngineCommand, known: &[Declared]) -> std::result::Result<Vec<String>, String> {
    let find = |name: &str| known.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let set = |name: &str, value: &str| match find(name) {
        Some(option) => option.command(value),
        None => {
            let names: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
            Err(format!("it has no option named '{name}'; it has {}", names.join(", ")))
        }
    };
    let set_all = command.options.iter().map(|(name, value)| set(name, value));
    let mut lines = set_all.collect::<std::result::Result<Vec<_>, _>>()?;
    let set_alone = command.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash"));
    if let Some(option) = find("Hash").filter(|_| !set_alone) {
        lines.extend(table_line(command, option)?);
    }
    if command.chess960 {
        lines.push(set("UCI_Chess960", "true")?);
    }
    Ok(lines)
}

/// The line that sets the table of an engine. A size that nobody chose is no reason to refuse an engine: it is made to
/// fit, and where that cannot be the engine keeps its own.
fn table_line(command: &EngineCommand, option: &Declared) -> std::result::Result<Option<String>, String> {
    if command.hash_chosen {
        let hint = |error| format!("{error} (--hash, or a setting of this engine alone, says another size)");
        return option.command(&command.hash.to_string()).map(Some).map_err(hint);
    }
    let nearest = option.nearest(i64::try_from(command.hash).unwrap_or(i64::MAX));
    Ok(option.command(&nearest.to_string()).ok())
}

/// Why a program could not be started, in words that help.
fn unstartable(command: &EngineCommand, error: &std::io::Error) -> String {
    let program = &command.program;
    let bare = program.components().count() == 1 && program.is_file();
    let hint = if bare { format!("; the one in this folder is ./{}", program.display()) } else { String::new() };
    format!("cannot be started: {error}{hint}")
}

/// How an engine failed to say what was expected; None if nobody waited for it.
fn silence(expected: &str, fault: &Fault, command: &EngineCommand) -> Option<String> {
    match fault {
        Fault::Stalled => Some(format!("no {expected} within {} seconds (--startup)", command.startup.as_secs())),
        Fault::Interrupted => None,
        _ => Some(format!("it ended before it said {expected}")),
    }
}
