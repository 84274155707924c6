//! Printing as everywhere, except that the program ends without a word when nobody reads any more, as in
//! `gannet-lab suite … | head -1`. Everything that takes long can go on from where it was.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// What the shell shows for a program that a closed pipe has ended: not done, and not wrong either.
const NOBODY_READS: i32 = 141;

/// Takes the place of the macro of the standard library, which panics.
macro_rules! println {
    () => { println!("") };
    ($($text:tt)*) => { $crate::output::line(&mut std::io::stdout().lock(), format_args!($($text)*)) };
}

/// Takes the place of the macro of the standard library, which panics.
macro_rules! eprintln {
    () => { eprintln!("") };
    ($($text:tt)*) => { $crate::output::line(&mut std::io::stderr().lock(), format_args!($($text)*)) };
}

/// Writes a line, or ends the program.
pub fn line(output: &mut impl Write, text: Arguments<'_>) {
    // Whole, so that lines of several processes do not mix.
    let Err(error) = output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush()) else { return };
    if error.kind() != ErrorKind::BrokenPipe {
        // Where it is the error output that fails, nothing can be told.
        let _ = writeln!(std::io::stderr(), "gannet-lab: cannot write what was found: {error}");
        std::process::exit(1);
    }
    std::process::exit(NOBODY_READS);
}
