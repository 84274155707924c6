//! Writing: whole lines, flushed one by one, from whichever thread has something to say. When nobody reads any more, the
//! program ends: on a failed write, and without one too, since a search may have nothing to say for a long time.

use std::fmt;
use std::io::{self, Write};

/// Writes a line, or several.
pub fn say(text: impl fmt::Display) {
    let line = format!("{text}\n");
    let mut output = io::stdout().lock();
    if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
        leave();
    }
}

/// Tells what was wrong with the input.
pub fn complain(error: impl fmt::Display) {
    say(format_args!("info string error: {error}"));
}

/// Nobody is left to be told anything.
fn leave() -> ! {
    std::process::exit(0)
}

/// Starts a thread that ends the program when the other end of the output closes.
#[cfg(unix)]
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
#[cfg(not(unix))]
pub fn watch() {}
