//! The limits of a search that follow from a `go`, here, in this position and with these options.

use chess::{Board, Move};
use engine::{Limits, TimeLimit};
use uci::{Go, Time};

use crate::options::Settings;

/// How deep a mate in so many moves is looked for where nothing else ends the search: twice its plies, and ten more.
fn deep_enough(moves: i32) -> i32 {
    moves.saturating_mul(4).saturating_add(8)
}

/// The limits of the search of these moves in this position.
pub fn limits(go: &Go, board: &Board, moves: Vec<Move>, settings: &Settings) -> Limits {
    let small = |number: std::num::NonZeroU32| i32::try_from(number.get()).unwrap_or(i32::MAX);
    let mut limits = Limits {
        depth: go.depth.map(small),
        nodes: go.nodes.map(u64::from),
        mate: go.mate.map(small),
        time: match go.time {
            Time::Unlimited => TimeLimit::None,
            Time::Move(time) => TimeLimit::MoveTime(time),
            Time::Clock { remaining, increments, moves_to_go } => {
                let (remaining, increment) = Time::of(remaining, increments, board.side_to_move());
                TimeLimit::Clock { remaining, increment, moves_to_go: moves_to_go.map(u32::from) }
            }
        },
        overhead: settings.overhead,
        moves,
        multi_pv: settings.multi_pv,
        ..Limits::default()
    };
    let other = limits.depth.is_some() || limits.nodes.is_some() || limits.time != TimeLimit::None;
    if let Some(moves) = limits.mate.filter(|_| !other && !go.hold.infinite) {
        // There may be no such mate, and then there would be no end.
        limits.depth = Some(deep_enough(moves));
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use uci::Command;

    fn of(text: &str) -> Limits {
        let Command::Go(Ok(go)) = Command::parse(&format!("go {text}")) else { panic!("{text}") };
        limits(&go, &Board::start(), Vec::new(), &Settings::default())
    }

    #[test]
    fn what_was_asked_for_limits_the_search() {
        let all = of("depth 7 nodes 5 mate 2 movetime 9");
        assert_eq!((all.depth, all.nodes, all.mate), (Some(7), Some(5), Some(2)));
        assert_eq!(all.time, TimeLimit::MoveTime(Duration::from_millis(9)));
        let clock = of("wtime 8 btime 9 winc 7 binc 5 movestogo 3").time;
        let (remaining, increment) = (Duration::from_millis(8), Duration::from_millis(7));
        assert_eq!(clock, TimeLimit::Clock { remaining, increment, moves_to_go: Some(3) });
        assert!(!of("").is_limited());
    }

    #[test]
    fn a_mate_is_not_looked_for_for_ever() {
        assert_eq!((of("mate 3").depth, of("mate 99999999999").depth), (Some(20), Some(i32::MAX)));
        assert_eq!((of("mate 3 nodes 5").depth, of("infinite mate 3").depth), (None, None));
    }
}
