//! The commands of the command line. Each has a module with its arguments and its work.

use std::ffi::OsStr;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{analyse, bench, board, params, perft};

const AFTER_HELP: &str = "\
Without arguments Gannet reads UCI commands from its input, as chess programs expect.
Arguments that name no command of this list are run as UCI commands, one an argument.

Examples:
  gannet analyse game.pgn                          annotate the moves of a game
  gannet perft 6                                   count the positions six plies from the start
  gannet perft --suite suites/perft-standard.epd   check a whole list of known counts
  gannet board --open                              play and analyse in the browser
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
    Params(params::Arguments),
    Perft(Box<perft::Arguments>),
}

/// Whether the first argument is for the command line parser rather than for UCI.
pub fn is_command(first: &OsStr) -> bool {
    let text = first.to_string_lossy();
    text.starts_with('-')
        || text == "help"
        || Cli::command()
            .get_subcommands()
            .any(|command| command.get_name_and_visible_aliases().contains(&text.as_ref()))
}

/// Runs the command that the arguments name. On bad arguments, says what was wrong and exits.
pub fn run() -> ExitCode {
    match Cli::parse().command {
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Board(arguments) => board::run(&arguments),
        Command::Params(params::Arguments {}) => params::run(),
        Command::Perft(arguments) => perft::run(&arguments),
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
        for text in ["perft", "analyze", "help", "--help", "-V", "--nonsense"] {
            assert!(is_command(OsStr::new(text)), "{text}");
        }
        for text in ["uci", "go perft 3", "position startpos", "perf", ""] {
            assert!(!is_command(OsStr::new(text)), "{text}");
        }
    }
}
