//! The Universal Chess Interface, so far only enough of it to say who this is.

use std::io::{self, BufRead, IsTerminal, Write};

const GREETING: &str = concat!(
    "Gannet ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. Licence: ",
    env!("CARGO_PKG_LICENSE"),
    ".\nIt does not play over UCI yet. Type help to see what there is, quit to leave."
);

const HELP: &str = "\
uci       who this is
isready   answers readyok
help      this list
quit      leave

From the shell: gannet perft 6 counts positions, gannet --help tells the rest.";

/// What to do after a command.
enum Next {
    Continue,
    Quit,
}

/// Runs the commands given as arguments, in order; with none, those that come from the input.
pub fn run(arguments: &[String]) -> io::Result<()> {
    let (input, mut output) = (io::stdin(), io::stdout());
    for command in arguments {
        if let Next::Quit = answer(command, true, &mut output)? {
            break;
        }
    }
    if !arguments.is_empty() {
        return Ok(());
    }
    let talkative = input.is_terminal() && output.is_terminal();
    if talkative {
        writeln!(output, "{GREETING}")?;
    }
    // Bytes, not `lines`: text that is not UTF-8 must not end the program.
    for line in input.lock().split(b'\n') {
        if let Next::Quit = answer(&String::from_utf8_lossy(&line?), talkative, &mut output)? {
            break;
        }
    }
    Ok(())
}

/// Answers one command. UCI wants unknown ones ignored; a `talkative` engine tells a person about them.
fn answer(command: &str, talkative: bool, output: &mut impl Write) -> io::Result<Next> {
    match command.split_ascii_whitespace().next() {
        Some("uci") => {
            writeln!(output, "id name Gannet {}", env!("CARGO_PKG_VERSION"))?;
            writeln!(output, "id author {}", env!("CARGO_PKG_AUTHORS"))?;
            writeln!(output, "uciok")?;
        }
        Some("isready") => writeln!(output, "readyok")?,
        Some("help") => writeln!(output, "{HELP}")?,
        Some("quit") => return Ok(Next::Quit),
        Some(word) if talkative => {
            writeln!(output, "info string error: unknown command {word}; try help")?;
        }
        _ => {}
    }
    output.flush()?;
    Ok(Next::Continue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(command: &str, talkative: bool) -> String {
        let mut output = Vec::new();
        assert!(answer(command, talkative, &mut output).is_ok());
        String::from_utf8_lossy(&output).into_owned()
    }

    #[test]
    fn says_who_it_is() {
        let text = reply("uci", false);
        assert!(text.starts_with("id name Gannet "));
        assert!(text.ends_with("uciok\n"));
        assert!(text.lines().all(|line| !line.is_empty()));
        assert_eq!(reply("  isready \r", false), "readyok\n");
    }

    #[test]
    fn ignores_what_it_does_not_know() {
        assert_eq!(reply("xyzzy", false), "");
        assert_eq!(reply("", true), "");
        assert!(reply("xyzzy", true).contains("unknown command xyzzy"));
    }
}
