//! `go`: its words in any order and number, and the limits of a search that follow from them.
//!
//! Words it does not know are named, and skipped, as UCI asks: whoever plays gets his move. Where nothing else limits the search
//! the command is void instead, for `go dpeth 5` is not meant to think for ever; so is one whose word needs a number and has
//! none.

use std::fmt;
use std::time::Duration;

use chess::{Board, Color, Move};
use engine::{Limits, TimeLimit};

use super::control::Hold;
use super::position::{Spelling, parse_move};
use crate::options::Settings;

/// Positions are counted so many plies ahead at most; nobody will see the end of that.
pub const MAX_PERFT: u32 = 99;

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go<'a> {
    /// Whether the best move must wait, and for what.
    pub hold: Hold,
    /// Count positions to this depth instead of searching.
    pub perft: Option<u32>,
    /// Words that it does not know.
    pub unknown: Vec<&'a str>,
    moves: Vec<&'a str>,
    clocks: [Option<i64>; 2],
    increments: [Option<i64>; 2],
    moves_to_go: Option<i64>,
    depth: Option<i64>,
    nodes: Option<i64>,
    mate: Option<i64>,
    move_time: Option<i64>,
}

/// How deep a mate in so many moves is looked for where nothing else ends the search: twice its plies, and ten more.
fn deep_enough(moves: i32) -> i32 {
    moves.saturating_mul(4).saturating_add(8)
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

impl<'a> Go<'a> {
    /// What the best move has to wait for, also where the other words cannot be read.
    pub fn hold(words: &[&str]) -> Hold {
        Hold { ponder: words.contains(&"ponder"), infinite: words.contains(&"infinite") }
    }

    /// Reads the words after `go`.
    pub fn parse(words: &[&'a str]) -> Result<Go<'a>, GoError> {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let target = match word {
                "ponder" => {
                    go.hold.ponder = true;
                    continue;
                }
                "infinite" => {
                    go.hold.infinite = true;
                    continue;
                }
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !KEYWORDS.contains(word)) {
                        go.moves.push(text);
                    }
                    continue;
                }
                "perft" => {
                    go.perft = Some(number(word, words.next())?.clamp(0, MAX_PERFT.into()) as u32);
                    continue;
                }
                "wtime" => &mut go.clocks[0],
                "btime" => &mut go.clocks[1],
                "winc" => &mut go.increments[0],
                "binc" => &mut go.increments[1],
                "movestogo" => &mut go.moves_to_go,
                "depth" => &mut go.depth,
                "nodes" => &mut go.nodes,
                "mate" => &mut go.mate,
                "movetime" => &mut go.move_time,
                _ => {
                    go.unknown.push(word);
                    // The number after it belongs to it.
                    words.next_if(|text| text.parse::<f64>().is_ok());
                    continue;
                }
            };
            *target = Some(number(word, words.next())?);
        }
        match go.unknown.first().filter(|_| !go.is_limited()) {
            Some(word) => Err(GoError::Unknown(word.to_string())),
            None => Ok(go),
        }
    }

    /// Whether it says when to end, be it `infinite`.
    fn is_limited(&self) -> bool {
        let clocks = self.clocks.iter().chain(&self.increments).chain([&self.moves_to_go, &self.move_time]);
        let limits = [self.depth, self.nodes, self.mate];
        let other = self.perft.is_some() || self.hold.infinite || self.hold.ponder;
        other || clocks.chain(&limits).any(Option::is_some)
    }

    /// The limits of the search in this position, and the moves of `searchmoves` that are not legal there.
    pub fn limits(
        &self,
        board: &Board,
        settings: &Settings,
        spelling: Spelling,
    ) -> Result<(Limits, Vec<&'a str>), GoError> {
        let (mut moves, mut illegal): (Vec<Move>, _) = (Vec::new(), Vec::new());
        for &text in &self.moves {
            match parse_move(board, text, spelling) {
                Ok(mv) => moves.push(mv),
                Err(_) => illegal.push(text),
            }
        }
        if moves.is_empty() && !illegal.is_empty() {
            return Err(GoError::NoMoves);
        }
        if let Some(text) = illegal.first().filter(|_| !self.is_limited()) {
            return Err(GoError::Illegal(text.to_string()));
        }
        let at_least_one = |value: i64| value.clamp(1, i64::from(i32::MAX)) as i32;
        let mut limits = Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|nodes| nodes.max(1) as u64),
            mate: self.mate.map(at_least_one),
            time: self.time(board.side_to_move()),
            overhead: settings.overhead,
            moves,
            multi_pv: settings.multi_pv,
            ..Limits::default()
        };
        let other = limits.depth.is_some() || limits.nodes.is_some() || limits.time != TimeLimit::None;
        if let Some(moves) = limits.mate.filter(|_| !other && !self.hold.infinite) {
            // There may be no such mate, and then there would be no end.
            limits.depth = Some(deep_enough(moves));
        }
        Ok((limits, illegal))
    }

    /// How time limits the search. A side whose clock was not told has as much as the other one; if neither was, but
    /// anything else about time, there is none left. Clocks that have run out still leave time for a move.
    fn time(&self, side: Color) -> TimeLimit {
        if self.hold.infinite {
            return TimeLimit::None;
        }
        if let Some(time) = self.move_time {
            return TimeLimit::MoveTime(milliseconds(time));
        }
        let told = |pair: [Option<i64>; 2]| {
            let [white, black] = pair;
            if side == Color::White { (white, black) } else { (black, white) }
        };
        let ((clock, other), (increment, _)) = (told(self.clocks), told(self.increments));
        let nothing = self.clocks == [None; 2] && self.increments == [None; 2] && self.moves_to_go.is_none();
        if nothing {
            return TimeLimit::None;
        }
        TimeLimit::Clock {
            remaining: milliseconds(clock.or(other).unwrap_or(0)),
            increment: milliseconds(increment.unwrap_or(0)),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves.min(10_000) as u32),
        }
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

    fn limits(text: &str) -> Limits {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let go = Go::parse(&words).expect(text);
        go.limits(&Board::start(), &Settings::default(), Spelling::Coordinates).expect(text).0
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeLimit {
        let (remaining, increment) = (Duration::from_millis(remaining), Duration::from_millis(increment));
        TimeLimit::Clock { remaining, increment, moves_to_go }
    }

    #[test]
    fn any_order_and_any_subset() {
        assert_eq!(limits("wtime 100").time, clock(100, 0, None));
        assert_eq!(limits("btime 100").time, clock(100, 0, None));
        assert_eq!(limits("binc 5 movestogo 3 winc 7 btime 9 wtime 8").time, clock(8, 7, Some(3)));
        assert_eq!(limits("wtime -50 btime 100 winc -1").time, clock(0, 0, None));
        assert_eq!(limits("winc 20").time, clock(0, 20, None));
        assert_eq!(limits("movestogo 0 wtime 5").time, clock(5, 0, None));
        assert_eq!(limits("wtime 12.9").time, clock(12, 0, None));
        assert_eq!(limits("movetime 50 wtime 5").time, TimeLimit::MoveTime(Duration::from_millis(50)));
        assert_eq!(limits("movetime -1").time, TimeLimit::MoveTime(Duration::ZERO));
        assert_eq!(limits("infinite wtime 5").time, TimeLimit::None);
        assert_eq!(limits("").time, TimeLimit::None);
        let all = limits("searchmoves e2e4 d2d4 foo depth 7 nodes 99999999999999999999 bar mate 2");
        assert_eq!((all.depth, all.nodes, all.mate, all.moves.len()), (Some(7), Some(i64::MAX as u64), Some(2), 2));
        assert_eq!((limits("mate 3").depth, limits("mate 99999999999").depth), (Some(20), Some(i32::MAX)));
        assert_eq!((limits("mate 3 nodes 5").depth, limits("infinite mate 3").depth), (None, None));
        assert_eq!((limits("depth -3").depth, limits("nodes 0").nodes), (Some(1), Some(1)));
    }

    #[test]
    fn what_holds_the_best_move() {
        let hold = |text: &str| Go::parse(&text.split(' ').collect::<Vec<_>>()).expect(text).hold;
        assert_eq!(hold("ponder wtime 5"), Hold { ponder: true, infinite: false });
        assert_eq!(hold("depth 5 infinite"), Hold { ponder: false, infinite: true });
        assert_eq!(hold("depth 5"), Hold::default());
    }

    #[test]
    fn bad_ones_are_refused() {
        for text in ["depth", "depth x", "wtime btime 5", "nodes inf", "movetime nan", "perft", "depth 5 mate"] {
            assert!(Go::parse(&text.split(' ').collect::<Vec<_>>()).is_err(), "{text}");
        }
        let limits = |text: &'static str| {
            let go = Go::parse(&text.split(' ').collect::<Vec<_>>())?;
            go.limits(&Board::start(), &Settings::default(), Spelling::Coordinates)
        };
        assert_eq!(limits("searchmoves e2e5 e7e5").err(), Some(GoError::NoMoves));
        assert_eq!(limits("searchmoves e2e4 dpeth 5").err(), Some(GoError::Illegal("dpeth".to_string())));
        assert!(limits("searchmoves e2e4 e2e5 nodes 5").is_ok_and(|(_, illegal)| illegal == ["e2e5"]));
    }

    #[test]
    fn unknown_words_are_named_and_never_searched_on_for_ever() {
        let unknown = |text: &'static str| Go::parse(&text.split(' ').collect::<Vec<_>>()).map(|go| go.unknown);
        for (text, word) in
            [("dpeth 5", "dpeth"), ("infinte", "infinte"), ("5", "5"), ("searchmove e2e4", "searchmove")]
        {
            assert_eq!(unknown(text), Err(GoError::Unknown(word.to_string())), "{text}");
        }
        assert_eq!(unknown("dpeth 5 movetime 9"), Ok(vec!["dpeth"]));
        assert_eq!(unknown("wtime 9 hurry up 3"), Ok(vec!["hurry", "up"]));
        for text in ["depth 5 6", "perft 3 x", "infinite x", "ponder x", "mate 3 x", "movestogo 3 x"] {
            assert_eq!(unknown(text).map(|words| words.len()), Ok(1), "{text}");
        }
    }
}
