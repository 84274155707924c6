//! Reading commands: a thread of its own turns bytes into lines, so that input never waits for a search.
//!
//! Whatever arrives is tolerated: text that is not UTF-8, carriage returns, NULs, a byte order mark, a last line
//! without an end, and lines of any length (those beyond [`MAX_LINE`] are not kept, only noted).

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::time::Instant;

use uci::Command;

use super::searcher::Finished;
use crate::output;

/// The longest line that is listened to, in bytes: a game of several thousand moves fits many times over.
pub const MAX_LINE: usize = 4 << 20;

/// What the front waits for.
pub enum Event {
    /// A line of input.
    Command {
        /// What it means.
        command: Command,
        /// When it came; the time of a search counts from here.
        at: Instant,
    },
    /// A line that was longer than [`MAX_LINE`].
    LineTooLong,
    /// No more input will come.
    EndOfInput,
    /// The search thread has done its job.
    Finished(Finished),
}

/// Starts the thread that reads standard input and sends what it finds.
pub fn start(events: Sender<Event>) -> io::Result<()> {
    let builder = std::thread::Builder::new().name("input".into());
    let read = move || {
        let mut gui = Gui::default();
        read_all(&mut io::stdin().lock(), &mut |event| {
            if gui.leaves_with(&event) {
                output::leave_when_stuck();
            }
            events.send(event).is_ok()
        });
    };
    builder.spawn(read).map(|_| ())
}

/// Whoever is at the other end, as far as it matters for leaving. Once a program has left, nothing it is told matters;
/// others may be slow readers who want every line.
#[derive(Default)]
struct Gui {
    /// Whether it has said `uci`, as programs do.
    program: bool,
    /// Whether it has asked for something that `quit` waits for.
    patient: bool,
    left: bool,
}

impl Gui {
    /// Whether it leaves with this, and has not yet.
    fn leaves_with(&mut self, event: &Event) -> bool {
        let leaves = match event {
            Event::Command { command: Command::Uci, .. } => {
                self.program = true;
                false
            }
            Event::Command { command, .. } => {
                self.patient |= matches!(
                    command,
                    Command::Wait | Command::Bench(_) | Command::Perft(_) | Command::SpeedTest(_) | Command::GenFens(_)
                );
                *command == Command::Quit
            }
            Event::EndOfInput => true,
            Event::LineTooLong | Event::Finished(_) => false,
        };
        leaves && self.program && !self.patient && !std::mem::replace(&mut self.left, true)
    }
}

/// Sends every line, understood, and then the end, until the receiver has gone. An input that cannot be read has ended.
fn read_all(input: &mut impl BufRead, send: &mut dyn FnMut(Event) -> bool) {
    while let Ok(Some(line)) = next_line(input) {
        let at = Instant::now();
        let event = line.map_or(Event::LineTooLong, |line| Event::Command { command: Command::parse(&line), at });
        if !send(event) {
            return;
        }
    }
    send(Event::EndOfInput);
}

/// The next line without its end, or nothing in place of one that is longer than [`MAX_LINE`]; none at the end of input.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Option<String>>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if chunk.is_empty() && line.is_empty() && !too_long {
            return Ok(None);
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        too_long |= line.len() + part.len() > MAX_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let (used, ended) = (part.len() + usize::from(end.is_some()), end.is_some() || chunk.is_empty());
        input.consume(used);
        if ended {
            return Ok(Some((!too_long).then(|| clean(&line))));
        }
    }
}

/// The text of a line, without what some shells and programs wrap around it.
fn clean(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.chars().filter(|&c| c != '\0' && c != '\u{feff}').collect::<String>().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_not_waited_for_when_they_leave() {
        let leaves = |lines: &[&str]| {
            let mut gui = Gui::default();
            let event = |text: &&str| match *text {
                "<end>" => Event::EndOfInput,
                text => Event::Command { command: Command::parse(text), at: Instant::now() },
            };
            lines.iter().filter(|text| gui.leaves_with(&event(text))).count()
        };
        assert_eq!(leaves(&["uci", "go infinite", "quit now", "quit"]), 1);
        assert_eq!(leaves(&["uci", "go infinite", "<end>"]), 1);
        assert_eq!(leaves(&["uci", "quit", "<end>"]), 1);
        assert_eq!(leaves(&["go infinite", "quit"]), 0);
        assert_eq!(leaves(&["go infinite", "<end>"]), 0);
        assert_eq!(leaves(&["wait", "uci", "quit"]), 0);
        assert_eq!(leaves(&["uci", "genfens 5 seed 1 book None", "quit"]), 0);
    }

    #[test]
    fn every_line_is_sent_and_then_the_end() {
        let mut events = Vec::new();
        read_all(&mut &b"isready\nwait now"[..], &mut |event| {
            events.push(event);
            true
        });
        let is =
            |event: &Event, expected: Command| matches!(event, Event::Command { command, .. } if *command == expected);
        assert!(is(&events[0], Command::IsReady) && is(&events[1], Command::Wait));
        assert!(matches!(events[2..], [Event::EndOfInput]));
    }

    fn lines(input: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        // A tiny buffer, so that lines come in pieces.
        let mut reader = io::BufReader::with_capacity(3, input);
        while let Some(line) = next_line(&mut reader).expect("memory") {
            found.push(line.unwrap_or("<too long>".to_string()));
        }
        found.push("<end>".to_string());
        found
    }

    #[test]
    fn lines_come_as_they_are_meant() {
        assert_eq!(lines(b""), ["<end>"]);
        assert_eq!(lines(b"uci\r\n\nis\0ready\n"), ["uci", "", "isready", "<end>"]);
        assert_eq!(lines(b"\xef\xbb\xbfuci\nquit"), ["uci", "quit", "<end>"]);
        assert_eq!(lines(b"\xff\xfe go\n"), ["\u{fffd}\u{fffd} go", "<end>"]);
    }

    #[test]
    fn endless_lines_are_not_kept() {
        let mut input = vec![b'x'; MAX_LINE + 1];
        input.extend_from_slice(b"\nisready\n");
        assert_eq!(lines(&input), ["<too long>", "isready", "<end>"]);
        assert_eq!(lines(&vec![b'x'; MAX_LINE + 1]), ["<too long>", "<end>"]);
        assert_eq!(lines(&vec![b'x'; MAX_LINE])[0].len(), MAX_LINE);
    }
}
