//! The commands of the command line. Each has a module with its arguments and its work.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use uci::is_keyword;

use crate::{analyse, bench, board, ideas, params, perft, tables};

const AFTER_HELP: &str = "\
Without arguments Gannet reads UCI commands from its input, as chess programs expect.
Arguments that name no command of this list are run as UCI commands, one an argument.

Examples:
  gannet analyse game.pgn                          annotate the moves of a game
  gannet perft 6                                   count the positions six plies from the start
  gannet perft --suite suites/perft-standard.epd   check a whole list of known counts
  gannet board --open                              play and analyse in the browser
  gannet tables /tables                            check endgame tables for damage
  gannet help perft                                more about a command";

/// Gannet, a UCI chess engine
#[derive(Parser)]
#[command(name = "gannet", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(visible_alias = "analyze")]
    Analyse(Box<analyse::Arguments>),
    Bench(bench::Arguments),
    Board(board::Arguments),
    Ideas(ideas::Arguments),
    Params(params::Arguments),
    Perft(Box<perft::Arguments>),
    Tables(tables::Arguments),
}

/// Whether the arguments are for the command line parser rather than for UCI. `bench`, `help`, `params` and `perft` are words
/// of both; then the next argument decides: `bench 10` and `help perft` are of the command line, `bench` and `quit` of UCI.
pub fn is_command(arguments: &[OsString]) -> bool {
    let texts: Vec<_> = arguments.iter().map(|text| text.to_string_lossy()).collect();
    let Some(first) = texts.first() else { return false };
    let command = Cli::command();
    let known = |text: &str| command.get_subcommands().any(|it| it.get_name_and_visible_aliases().contains(&text));
    let is_uci = |text: &str| text.split_ascii_whitespace().next().is_some_and(is_keyword);
    let goes_on =
        texts.get(1).is_some_and(|next| is_uci(next) && !(first == "help" && (known(next) || next == "help")));
    first.starts_with('-') || (first == "help" || known(first)) && !(is_uci(first) && goes_on)
}

/// Runs the command that the arguments name. On bad arguments, says what was wrong and exits.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Board(arguments) => board::run(&arguments),
        Command::Ideas(ideas::Arguments {}) => ideas::run(),
        Command::Params(params::Arguments {}) => params::run(),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Tables(arguments) => tables::run(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn commands_and_options_are_told_from_uci() {
        let is_command = |texts: &[&str]| is_command(&texts.iter().map(OsString::from).collect::<Vec<_>>());
        for text in ["perft", "analyze", "tables", "help", "--help", "-V", "--nonsense"] {
            assert!(is_command(&[text]), "{text}");
        }
        for texts in
            [&["bench", "10"], &["help", "bench"], &["help", "help"], &["perft", "--suite"], &["analyse", "go"]]
        {
            assert!(is_command(texts), "{texts:?}");
        }
        for text in ["uci", "go perft 3", "position startpos", "perf", ""] {
            assert!(!is_command(&[text]), "{text}");
        }
        for texts in [&["bench", "quit"], &["help", "go depth 3"], &["params", "isready"], &["perft 3", "quit"]] {
            assert!(!is_command(texts), "{texts:?}");
        }
        assert!(!is_command(&[]));
    }
}
