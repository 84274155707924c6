//! What a GUI says, and what people say to an engine beside that: a line is read once, and what it means is known from then on.

use crate::genfens::Openings;
use crate::go::{BadGo, Go, MAX_PERFT};
use crate::position::{Position, PositionError};
use crate::set_option::SetOption;

/// The first words of all commands.
const KEYWORDS: [&str; 22] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "flip",
    "wait",
    "bench",
    "perft",
    "speedtest",
    "genfens",
    "params",
    "compiler",
    "help",
];

/// Whether a command begins with this word.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// A line, understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci`: who are you, and what options do you have?
    Uci,
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `isready`: have you done all that I have said?
    IsReady,
    /// `setoption name … [value …]`.
    SetOption(SetOption),
    /// `register …`.
    Register,
    /// `ucinewgame`: what comes is of another game.
    NewGame,
    /// `position …`, or why it is none.
    Position(Result<Position, PositionError>),
    /// `go …`, or why it cannot be done; it is answered in any case.
    Go(Result<Box<Go>, BadGo>),
    /// `stop`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Picture,
    /// `eval`: tell its evaluation.
    Evaluation,
    /// `flip`: change the colours.
    Flip,
    /// `wait`: what follows waits for the end of the search.
    Wait,
    /// `bench [depth]`: from 1 to 100 plies.
    Bench(Option<u8>),
    /// `perft N`: count the positions so many plies ahead.
    Perft(u32),
    /// `speedtest [threads] [MiB] [seconds]`.
    SpeedTest(SpeedTest),
    /// `genfens …`.
    GenFens(Openings),
    /// `params`: the numbers of the search, for a tuner.
    Params,
    /// `compiler`: how was it built?
    Compiler,
    /// `help`.
    Help,
    /// A command whose arguments make no sense, and what was expected.
    Misused(String),
    /// No command; its first word.
    Unknown(String),
    /// An empty line.
    Nothing,
}

impl Command {
    /// Reads a line. UCI wants words before a command skipped.
    pub fn parse(line: &str) -> Command {
        let Some((keyword, rest)) = find_keyword(line) else {
            let word = line.split_ascii_whitespace().next();
            return word.map_or(Command::Nothing, |word| Command::Unknown(word.to_string()));
        };
        let arguments: Vec<&str> = rest.split_ascii_whitespace().collect();
        let misused = |result: Result<Command, String>| result.unwrap_or_else(Command::Misused);
        match (keyword, &arguments[..]) {
            ("uci", _) => Command::Uci,
            ("debug", arguments) => Command::Debug(!matches!(arguments, ["off", ..])),
            ("isready", _) => Command::IsReady,
            ("setoption", _) => misused(SetOption::parse(rest).map(Command::SetOption)),
            ("register", _) => Command::Register,
            ("ucinewgame", _) => Command::NewGame,
            ("position", arguments) => Command::Position(Position::parse(arguments)),
            ("go", arguments) => Command::Go(Go::parse(arguments).map(Box::new)),
            ("stop", _) => Command::Stop,
            ("ponderhit", _) => Command::PonderHit,
            ("quit", _) => Command::Quit,
            ("d", _) => Command::Picture,
            ("eval", _) => Command::Evaluation,
            ("flip", _) => Command::Flip,
            ("wait", _) => Command::Wait,
            ("bench", []) => Command::Bench(None),
            ("bench", [depth, ..]) => match depth.parse() {
                Ok(depth @ 1..=100) => Command::Bench(Some(depth)),
                _ => Command::Misused("bench expects a depth from 1 to 100".to_string()),
            },
            ("perft", arguments) => match arguments.first().map(|depth| depth.parse()) {
                Some(Ok(depth)) => Command::Perft(MAX_PERFT.min(depth)),
                _ => Command::Misused("perft expects a depth".to_string()),
            },
            ("speedtest", arguments) => misused(SpeedTest::parse(arguments).map(Command::SpeedTest)),
            ("genfens", _) => misused(Openings::parse(rest).map(Command::GenFens)),
            ("params", _) => Command::Params,
            ("compiler", _) => Command::Compiler,
            ("help", _) => Command::Help,
            (word, _) => Command::Unknown(word.to_string()),
        }
    }
}

/// The first word of a line that is the first of a command, and what follows it.
fn find_keyword(line: &str) -> Option<(&str, &str)> {
    let mut rest = line;
    loop {
        rest = rest.trim_ascii_start();
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if word.is_empty() {
            return None;
        }
        if is_keyword(word) {
            return Some((word, after));
        }
        rest = after;
    }
}

/// What a speed test is to use; what was left out is for the engine to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpeedTest {
    /// Search threads, from 1 to 1024.
    pub threads: Option<usize>,
    /// The size of the table in MiB, from 1.
    pub hash: Option<usize>,
    /// Seconds in all, from 1 to 3600.
    pub seconds: Option<usize>,
}

impl SpeedTest {
    fn parse(words: &[&str]) -> Result<SpeedTest, String> {
        let number = |index: usize, max: usize| match words.get(index) {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(number) if (1..=max).contains(&number) => Ok(Some(number)),
                _ => Err(format!(
                    "speedtest [threads] [MiB] [seconds] expects numbers from 1 to {max} here, got '{text}'"
                )),
            },
        };
        Ok(SpeedTest { threads: number(0, 1024)?, hash: number(1, 1 << 20)?, seconds: number(2, 3600)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_a_command() {
        for keyword in KEYWORDS {
            let known = |line: &str| !matches!(Command::parse(line), Command::Unknown(_) | Command::Nothing);
            assert!(known(keyword) && known(&format!("hello {keyword} 5")), "{keyword}");
        }
    }

    #[test]
    fn what_stands_around_a_command_changes_nothing() {
        for line in ["quit", " quit ", "well then quit", "quit now", "\tquit\tgo"] {
            assert_eq!(Command::parse(line), Command::Quit, "{line}");
        }
        assert_eq!(Command::parse("wait now"), Command::Wait);
        assert_eq!(Command::parse("  "), Command::Nothing);
        assert_eq!(Command::parse("stopp it"), Command::Unknown("stopp".to_string()));
        assert_eq!(Command::parse("debug"), Command::Debug(true));
        assert_eq!(Command::parse("debug off"), Command::Debug(false));
    }

    #[test]
    fn numbers_are_in_their_ranges() {
        assert_eq!(Command::parse("bench"), Command::Bench(None));
        assert_eq!(Command::parse("bench 7"), Command::Bench(Some(7)));
        assert_eq!(Command::parse("perft 4000000000"), Command::Perft(MAX_PERFT));
        let test = SpeedTest { threads: Some(2), hash: Some(16), seconds: None };
        assert_eq!(Command::parse("speedtest 2 16"), Command::SpeedTest(test));
        for line in ["bench 0", "bench 101", "bench x", "perft", "perft -1", "speedtest 0", "speedtest 1 x 1"] {
            assert!(matches!(Command::parse(line), Command::Misused(_)), "{line}");
        }
    }
}
