//! Writing: whole lines, flushed one by one, from whichever thread has something to say. When nobody reads any more,
//! the program ends: on a failed write, and without one too, since a search may have nothing to say for a long time.

use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
#[cfg(all(unix, feature = "full"))]
use std::time::Duration;

/// Whether a person reads, on a terminal, and no program has said `uci`.
static PERSON: AtomicBool = AtomicBool::new(false);

/// Writes for a person from now on, or for a program.
pub fn write_for(person: bool) {
    PERSON.store(person, Relaxed);
}

/// Goes up when a write begins and when it ends: odd while one is under way.
static WRITES: AtomicUsize = AtomicUsize::new(0);

/// Writes a line, or several.
pub fn say(text: impl fmt::Display) {
    let line = format!("{text}\n");
    let mut output = io::stdout().lock();
    WRITES.fetch_add(1, Relaxed);
    if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
        leave();
    }
    WRITES.fetch_add(1, Relaxed);
}

/// A write that takes as long as this, while nobody reads, is stuck.
#[cfg(all(unix, feature = "full"))]
const STUCK: Duration = Duration::from_millis(80);

/// Starts a thread that ends the program when a write is stuck: the pipe is full, and nobody empties it. For a program
/// that has been told to leave, but whose every thread may be waiting to be read.
#[cfg(all(unix, feature = "full"))]
pub fn leave_when_stuck() {
    const LOOKS: u32 = 8;
    // Files and sockets have nothing that can be seen to wait in them. In a pipe it grows less as soon as somebody reads,
    // while the writer goes on only when there is room for a good deal.
    let unread = || rustix::io::ioctl_fionread(io::stdout()).ok().filter(|&bytes| bytes > 0);
    let wait = move || {
        let look = || (WRITES.load(Relaxed), unread());
        let (mut same, mut last) = (0, look());
        while same < LOOKS {
            std::thread::sleep(STUCK / LOOKS);
            let now = look();
            same = if now == last && now.0 % 2 == 1 && now.1.is_some() { same + 1 } else { 0 };
            last = now;
        }
        leave()
    };
    // Without the thread it leaves when it is read.
    let _ = std::thread::Builder::new().name("stuck".into()).spawn(wait);
}

/// Where the system does not tell what is unread, it leaves when it is read.
#[cfg(not(all(unix, feature = "full")))]
pub fn leave_when_stuck() {}

/// The longest complaint, in characters.
const COMPLAINT: usize = 300;

/// Set by the first complaint.
static COMPLAINED: AtomicBool = AtomicBool::new(false);

/// Whether anything was wrong with the input so far.
pub fn has_complained() -> bool {
    COMPLAINED.load(Relaxed)
}

/// Tells what was wrong with the input.
pub fn complain(error: impl fmt::Display) {
    COMPLAINED.store(true, Relaxed);
    inform(format_args!("error: {error}"));
}

/// Tells something in words; a program has to be told that it is words.
pub fn inform(text: impl fmt::Display) {
    let prefix = if PERSON.load(Relaxed) { "" } else { "info string " };
    say(format_args!("{prefix}{}", tame(&text.to_string())));
}

/// What was wrong is often quoted, and may be long, or mean something to a terminal.
fn tame(text: &str) -> String {
    let mut tame: String =
        text.chars().take(COMPLAINT).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if text.chars().nth(COMPLAINT).is_some() {
        tame.push('…');
    }
    tame
}

/// Nobody is left to be told anything.
fn leave() -> ! {
    std::process::exit(0)
}

/// Starts a thread that ends the program when the other end of the output closes.
#[cfg(all(unix, feature = "full"))]
pub fn watch() {
    use rustix::event::{PollFd, PollFlags, poll};
    let wait = || loop {
        let output = io::stdout();
        // Asked for nothing, the system still tells of errors and hang-ups, and of nothing else.
        let mut descriptors = [PollFd::new(&output, PollFlags::empty())];
        match poll(&mut descriptors, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => leave(),
            // It cannot be watched; a write will tell.
            Err(_) => return,
        }
    };
    // Without the thread a write will tell.
    let _ = std::thread::Builder::new().name("output".into()).spawn(wait);
}

/// Where the system offers nothing to wait for, a write will tell.
#[cfg(not(all(unix, feature = "full")))]
pub fn watch() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_short_and_plain() {
        assert_eq!(tame("no option is named 'é'"), "no option is named 'é'");
        assert_eq!(tame("a\u{1b}[2Jb"), "a\u{fffd}[2Jb");
        assert_eq!(tame(&"é".repeat(COMPLAINT)), "é".repeat(COMPLAINT));
        assert_eq!(tame(&"x".repeat(1 << 20)).chars().count(), COMPLAINT + 1);
    }
}
