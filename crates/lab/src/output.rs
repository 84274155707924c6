//! Printing as everywhere, except that output which cannot be written loses nothing. When nobody reads any more, as in
//! `gannet-lab suite … | head -1`, a command ends as after Ctrl-C, saves what it has, and says no word. When the disk is
//! full, it goes on, saves, and says so at its end.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::pool;

/// What the shell shows for a program that a closed pipe has ended: not done, and not wrong either.
const NOBODY_READS: u8 = 141;

/// Whether a pipe was closed at its other end.
static UNREAD: AtomicBool = AtomicBool::new(false);
/// Why something else could not be written.
static FAILED: OnceLock<String> = OnceLock::new();

/// Takes the place of the macro of the standard library, which panics.
#[cfg(not(test))]
macro_rules! println {
    () => { println!("") };
    ($($text:tt)*) => { $crate::output::line(&mut std::io::stdout().lock(), format_args!($($text)*)) };
}

/// Takes the place of the macro of the standard library, which panics.
#[cfg(not(test))]
macro_rules! eprintln {
    () => { eprintln!("") };
    ($($text:tt)*) => { $crate::output::line(&mut std::io::stderr().lock(), format_args!($($text)*)) };
}

/// Writes a line.
#[cfg_attr(test, allow(dead_code, reason = "tests print as tests do"))]
pub fn line(output: &mut impl Write, text: Arguments<'_>) {
    // Whole, so that lines of several processes do not mix.
    let Err(error) = output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush()) else { return };
    if error.kind() != ErrorKind::BrokenPipe {
        FAILED.get_or_init(|| error.to_string());
        return;
    }
    UNREAD.store(true, Relaxed);
    if !pool::ask_to_end() {
        // There is nothing to save.
        std::process::exit(i32::from(NOBODY_READS));
    }
}

/// What the program ends with if its output could not be written; tells why, where that can be told.
pub fn status() -> Option<u8> {
    if UNREAD.load(Relaxed) {
        return Some(NOBODY_READS);
    }
    let error = FAILED.get()?;
    // Where it is the error output that has failed, nothing can be told.
    let _ = writeln!(std::io::stderr(), "gannet-lab: cannot write to the output: {error}");
    Some(1)
}
