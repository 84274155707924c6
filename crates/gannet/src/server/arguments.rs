//! UCI commands as arguments of the program. A shell takes them apart at spaces, so whoever forgets the quotes gives other
//! commands than he means: nothing is run unless every argument is a command.

use uci::is_keyword;

/// Finds the first argument that is no command and says what to do about it.
pub fn check(arguments: &[String]) -> Result<(), String> {
    let lines = || arguments.iter().flat_map(|argument| argument.lines());
    let first_word = |line: &str| line.split_ascii_whitespace().next().map(str::to_string);
    let Some(unknown) = lines().filter_map(first_word).find(|word| !is_keyword(word)) else {
        return Ok(());
    };
    let shown: String = unknown.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let starts_well = lines().next().and_then(first_word).is_some_and(|word| is_keyword(&word));
    if starts_well {
        Err(format!(
            "unknown command '{shown}'; each argument is one command, so a command of several words needs quotes: \
             gannet \"go depth 10\""
        ))
    } else {
        Err(format!("unknown command '{shown}'; see gannet --help, and for UCI commands start gannet and type help"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(arguments: &[&str]) -> Result<(), String> {
        check(&arguments.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn every_argument_is_a_command() {
        assert_eq!(checked(&["position startpos", " go depth 5", "", "isready\nquit"]), Ok(()));
        let forgotten = checked(&["go", "depth", "5"]).expect_err("no command");
        assert!(forgotten.contains("'depth'") && forgotten.contains("quotes"), "{forgotten}");
        let unknown = checked(&["analysis\u{7}", "game.pgn"]).expect_err("no command");
        assert!(unknown.contains("'analysis\u{fffd}'") && unknown.contains("--help"), "{unknown}");
    }
}
