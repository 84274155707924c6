//! `go`: its words in any order and number, and the limits that follow from them.
//!
//! Words it does not know are named, and skipped, as UCI asks: whoever plays gets his move. Where nothing else limits the search
//! the command is void instead, for `go dpeth 5` is not meant to think for ever; so is one whose word needs a number and has
//! none.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use chess::{Board, Color, Move};

use crate::position::{Spelling, parse_move};

/// Positions are counted so many plies ahead at most; nobody will see the end of that.
pub const MAX_PERFT: u32 = 99;

/// What a best move has to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hold {
    /// `ponderhit` (or `stop`).
    pub ponder: bool,
    /// `stop`.
    pub infinite: bool,
}

/// How time limits a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Time {
    /// Not at all.
    #[default]
    Unlimited,
    /// It has so long.
    Move(Duration),
    /// There are clocks.
    Clock {
        /// White's clock and Black's, as far as they were told.
        remaining: [Option<Duration>; 2],
        /// What each gains with a move.
        increments: [Duration; 2],
        /// Moves until more time comes, if any does.
        moves_to_go: Option<NonZeroU32>,
    },
}

impl Time {
    /// What a side has left, and what it gains with a move. One whose clock was not told has as much as the other one; if
    /// neither was, but anything else about time, there is none left.
    pub fn of(remaining: [Option<Duration>; 2], increments: [Duration; 2], side: Color) -> (Duration, Duration) {
        let (own, other) = (remaining[side as usize], remaining[!side as usize]);
        (own.or(other).unwrap_or_default(), increments[side as usize])
    }
}

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Whether the best move must wait, and for what.
    pub hold: Hold,
    /// Count positions to this depth instead of searching; at most [`MAX_PERFT`].
    pub perft: Option<u32>,
    /// Words that it does not know.
    pub unknown: Vec<String>,
    /// No other moves are searched, if there are any here; not looked at yet.
    pub moves: Vec<String>,
    /// Plies, at most `i32::MAX`.
    pub depth: Option<NonZeroU32>,
    /// Nodes.
    pub nodes: Option<NonZeroU64>,
    /// A mate in so many moves is looked for, at most `i32::MAX`.
    pub mate: Option<NonZeroU32>,
    /// Time; unlimited where the search is infinite.
    pub time: Time,
}

/// A `go` that cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGo {
    /// Why not.
    pub error: GoError,
    /// What its answer has to wait for all the same.
    pub hold: Hold,
}

/// Why a `go` cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoError {
    /// A word needs a number after it.
    NotNumber(String, String),
    /// None of the moves that were to be searched is legal.
    NoMoves,
    /// A word is not known, and nothing else limits the search.
    Unknown(String),
    /// A move to be searched is not legal, and nothing else limits the search: it may have been meant as a limit.
    Illegal(String),
}

impl fmt::Display for GoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoError::NotNumber(word, got) => write!(f, "go {word} expects a whole number, got '{got}'"),
            GoError::NoMoves => f.write_str("none of the searchmoves is legal here"),
            GoError::Unknown(word) => {
                write!(
                    f,
                    "go does not know '{word}', and nothing else limits the search; it knows {}",
                    KEYWORDS.join(" ")
                )
            }
            GoError::Illegal(text) => {
                write!(f, "searchmoves: '{text}' is not a legal move here, and nothing else limits the search")
            }
        }
    }
}

impl std::error::Error for GoError {}

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Go {
    /// Reads the words after `go`.
    pub(crate) fn parse(words: &[&str]) -> Result<Go, BadGo> {
        // Also where the other words cannot be read.
        let hold = Hold { ponder: words.contains(&"ponder"), infinite: words.contains(&"infinite") };
        let bad = |error| BadGo { error, hold };
        let mut go = Go { hold, ..Go::default() };
        let mut clock = ClockWords::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            match *word {
                "ponder" | "infinite" => {}
                "searchmoves" => {
                    let end = rest.iter().position(|word| KEYWORDS.contains(word)).unwrap_or(rest.len());
                    go.moves.extend(rest[..end].iter().map(ToString::to_string));
                    rest = &rest[end..];
                }
                word if KEYWORDS.contains(&word) => {
                    let value = number(word, rest.first().copied()).map_err(bad)?;
                    rest = &rest[1..];
                    go.take(word, value, &mut clock);
                }
                word => {
                    go.unknown.push(word.to_string());
                    // The number after it belongs to it.
                    if let [text, after @ ..] = rest
                        && text.parse::<f64>().is_ok()
                    {
                        rest = after;
                    }
                }
            }
        }
        go.time = clock.time().filter(|_| !hold.infinite).unwrap_or_default();
        match go.unknown.first().filter(|_| !go.is_limited()) {
            Some(word) => Err(bad(GoError::Unknown(word.clone()))),
            None => Ok(go),
        }
    }

    /// Takes a number that stands behind a word.
    fn take(&mut self, word: &str, value: i64, clock: &mut ClockWords) {
        let small = |value: i64| NonZeroU32::new(value.clamp(1, i64::from(i32::MAX)) as u32);
        match word {
            "depth" => self.depth = small(value),
            "nodes" => self.nodes = NonZeroU64::new(value.max(1) as u64),
            "mate" => self.mate = small(value),
            "perft" => self.perft = Some(value.clamp(0, MAX_PERFT.into()) as u32),
            "movetime" => clock.move_time = Some(milliseconds(value)),
            "movestogo" => clock.moves_to_go = Some(value),
            "wtime" => clock.remaining[0] = Some(milliseconds(value)),
            "btime" => clock.remaining[1] = Some(milliseconds(value)),
            "winc" => clock.increments[0] = Some(milliseconds(value)),
            "binc" => clock.increments[1] = Some(milliseconds(value)),
            _ => {}
        }
    }

    /// Whether it says when to end, be it `infinite`.
    fn is_limited(&self) -> bool {
        let limits = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || self.perft.is_some();
        limits || self.hold != Hold::default() || self.time != Time::Unlimited
    }

    /// The moves to search in this position, all if there are none, and those of `searchmoves` that are not legal there.
    pub fn legal_moves(&self, board: &Board, spelling: Spelling) -> Result<(Vec<Move>, Vec<&str>), GoError> {
        let (mut moves, mut illegal) = (Vec::new(), Vec::new());
        for text in &self.moves {
            match parse_move(board, text, spelling) {
                Ok(mv) => moves.push(mv),
                Err(_) => illegal.push(text.as_str()),
            }
        }
        match illegal.first() {
            Some(_) if moves.is_empty() => Err(GoError::NoMoves),
            Some(text) if !self.is_limited() => Err(GoError::Illegal(text.to_string())),
            _ => Ok((moves, illegal)),
        }
    }
}

/// What is said about time.
#[derive(Default)]
struct ClockWords {
    move_time: Option<Duration>,
    remaining: [Option<Duration>; 2],
    increments: [Option<Duration>; 2],
    moves_to_go: Option<i64>,
}

impl ClockWords {
    /// What follows from it, if anything was said. The time for a move counts more than clocks do.
    fn time(self) -> Option<Time> {
        let ClockWords { move_time, remaining, increments, moves_to_go } = self;
        let told = remaining.iter().chain(&increments).any(Option::is_some) || moves_to_go.is_some();
        let clock = || Time::Clock {
            remaining,
            increments: increments.map(Option::unwrap_or_default),
            moves_to_go: moves_to_go.and_then(|moves| NonZeroU32::new(moves.clamp(0, 10_000) as u32)),
        };
        move_time.map(Time::Move).or_else(|| told.then(clock))
    }
}

/// A number, however large; fractions are dropped.
fn number(word: &str, text: Option<&str>) -> Result<i64, GoError> {
    let text = text.unwrap_or_default();
    let parsed = text.parse().or_else(|_| text.parse::<f64>().map(|number| number as i64));
    parsed
        .ok()
        .filter(|_| text.contains(|c: char| c.is_ascii_digit()))
        .ok_or_else(|| GoError::NotNumber(word.to_string(), text.to_string()))
}

/// A time that may be negative or absurd.
fn milliseconds(value: i64) -> Duration {
    const YEAR: i64 = 365 * 24 * 3600 * 1000;
    Duration::from_millis(value.clamp(0, YEAR) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Go, BadGo> {
        Go::parse(&text.split_ascii_whitespace().collect::<Vec<_>>())
    }

    fn go(text: &str) -> Go {
        parse(text).expect(text)
    }

    fn clock(remaining: [Option<u64>; 2], increments: [u64; 2], moves_to_go: u32) -> Time {
        Time::Clock {
            remaining: remaining.map(|time| time.map(Duration::from_millis)),
            increments: increments.map(Duration::from_millis),
            moves_to_go: NonZeroU32::new(moves_to_go),
        }
    }

    #[test]
    fn any_order_and_any_subset() {
        assert_eq!(go("wtime 100").time, clock([Some(100), None], [0, 0], 0));
        assert_eq!(go("btime 100").time, clock([None, Some(100)], [0, 0], 0));
        assert_eq!(go("binc 5 movestogo 3 winc 7 btime 9 wtime 8").time, clock([Some(8), Some(9)], [7, 5], 3));
        assert_eq!(go("wtime -50 btime 100 winc -1").time, clock([Some(0), Some(100)], [0, 0], 0));
        assert_eq!(go("winc 20").time, clock([None; 2], [20, 0], 0));
        assert_eq!(go("movestogo 0 wtime 5").time, clock([Some(5), None], [0, 0], 0));
        assert_eq!(go("wtime 12.9").time, clock([Some(12), None], [0, 0], 0));
        assert_eq!(go("movetime 50 wtime 5").time, Time::Move(Duration::from_millis(50)));
        assert_eq!(go("movetime -1").time, Time::Move(Duration::ZERO));
        assert_eq!(go("infinite wtime 5").time, Time::Unlimited);
        assert_eq!(go(""), Go::default());
        let all = go("searchmoves e2e4 d2d4 foo depth 7 nodes 99999999999999999999 bar mate 2");
        let numbers = (all.depth.map(u32::from), all.nodes.map(u64::from), all.mate.map(u32::from));
        assert_eq!((numbers, all.moves.len()), ((Some(7), Some(i64::MAX as u64), Some(2)), 3));
        assert_eq!((go("depth -3").depth, go("nodes 0").nodes), (NonZeroU32::new(1), NonZeroU64::new(1)));
    }

    #[test]
    fn a_side_has_its_own_clock_or_the_other_ones() {
        let [short, long, zero] = [5, 9, 0].map(Duration::from_millis);
        let of = |white, black, side| Time::of([white, black], [short, zero], side);
        assert_eq!(of(Some(long), Some(short), Color::White), (long, short));
        assert_eq!(of(Some(long), Some(short), Color::Black), (short, zero));
        assert_eq!(of(Some(long), None, Color::Black), (long, zero));
        assert_eq!(of(None, None, Color::White), (zero, short));
    }

    #[test]
    fn what_holds_the_best_move() {
        assert_eq!(go("ponder wtime 5").hold, Hold { ponder: true, infinite: false });
        assert_eq!(go("depth 5 infinite").hold, Hold { ponder: false, infinite: true });
        assert_eq!(go("depth 5").hold, Hold::default());
        assert_eq!(parse("depth x ponder").map_err(|bad| bad.hold), Err(Hold { ponder: true, infinite: false }));
    }

    #[test]
    fn bad_ones_are_refused() {
        for text in ["depth", "depth x", "wtime btime 5", "nodes inf", "movetime nan", "perft", "depth 5 mate"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let moves =
            |text: &str| go(text).legal_moves(&Board::start(), Spelling::Coordinates).map(|(moves, _)| moves.len());
        assert_eq!(moves("searchmoves e2e5 e7e5"), Err(GoError::NoMoves));
        assert_eq!(moves("searchmoves e2e4 dpeth 5"), Err(GoError::Illegal("dpeth".to_string())));
        assert_eq!(moves("searchmoves e2e4 e2e5 nodes 5"), Ok(1));
    }

    #[test]
    fn unknown_words_are_named_and_never_searched_on_for_ever() {
        let unknown = |text: &str| parse(text).map(|go| go.unknown).map_err(|bad| bad.error);
        for (text, word) in
            [("dpeth 5", "dpeth"), ("infinte", "infinte"), ("5", "5"), ("searchmove e2e4", "searchmove")]
        {
            assert_eq!(unknown(text), Err(GoError::Unknown(word.to_string())), "{text}");
        }
        let words = |words: &[&str]| Ok(words.iter().map(ToString::to_string).collect());
        assert_eq!(unknown("dpeth 5 movetime 9"), words(&["dpeth"]));
        assert_eq!(unknown("wtime 9 hurry up 3"), words(&["hurry", "up"]));
        for text in ["depth 5 6", "perft 3 x", "infinite x", "ponder x", "mate 3 x", "movestogo 3 x"] {
            assert_eq!(unknown(text).map(|words| words.len()), Ok(1), "{text}");
        }
    }
}
