//! Lag: what a move costs the clock beyond the search, measured from one `go` of a game to the next. A busy machine, a slow
//! GUI or a network may need more than the engine can know otherwise.

use std::time::Duration;

use chess::{Game, Move};
use engine::TimeLimit;

/// One move in so many is what the average remembers.
const WEIGHT: f64 = 8.0;

/// A single wait counts as so much at most, in seconds.
const MOST: f64 = 0.2;

/// What is known of the lag.
#[derive(Default)]
pub struct Lag {
    last: Option<LastMove>,
    /// In seconds. Clocks are told in whole milliseconds, so a single measurement may be below zero.
    average: f64,
}

/// The last move that was asked for with a clock.
struct LastMove {
    start: u64,
    moves: Vec<Move>,
    /// Seconds that the clock would show after a move that took no time.
    clock: f64,
    /// Seconds that the search took, once it is over.
    took: Option<f64>,
}

impl Lag {
    /// Takes note of a `go`, and gives the lag of a move.
    pub fn asked(&mut self, game: &Game, time: TimeLimit, pondering: bool) -> Duration {
        let TimeLimit::Clock { remaining, increment, .. } = time else {
            self.last = None;
            return Duration::ZERO;
        };
        if let Some(lag) = self.last.take().and_then(|last| last.lag(game, remaining.as_secs_f64())) {
            self.average += (lag.min(MOST) - self.average) / WEIGHT;
        }
        // What `go ponder` tells is not the clock that the thinking begins with.
        self.last = (!pondering).then(|| LastMove {
            start: game.start().key(),
            moves: game.moves().to_vec(),
            clock: (remaining + increment).as_secs_f64(),
            took: None,
        });
        Duration::from_secs_f64(self.average.max(0.0))
    }

    /// Takes note of the answer, and how long the search for it took.
    pub fn answered(&mut self, took: Duration) {
        if let Some(last) = &mut self.last {
            last.took = Some(took.as_secs_f64());
        }
    }
}

impl LastMove {
    /// The lag of this move, from the clock at the next one; nothing if that is not a move later in the same game, or more
    /// time was added meanwhile.
    fn lag(self, game: &Game, clock: f64) -> Option<f64> {
        let next = game.moves().len() == self.moves.len() + 2
            && game.start().key() == self.start
            && game.moves().starts_with(&self.moves);
        self.took.map(|took| self.clock - took - clock).filter(|&lag| next && lag > -0.002)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    fn game(plies: usize) -> Game {
        let mut game = Game::default();
        for text in MOVES.iter().cycle().take(plies) {
            let mv = chess::parse_uci(game.board(), text).expect(text);
            game.play(mv);
        }
        game
    }

    fn clock(remaining: u64) -> TimeLimit {
        let (remaining, increment) = (Duration::from_millis(remaining), Duration::from_millis(10));
        TimeLimit::Clock { remaining, increment, moves_to_go: None }
    }

    /// Plays moves of 20 ms each, after each of which the clock shows so much more; gives the lag, in milliseconds.
    fn measure(lag: &mut Lag, change: impl Fn(u64) -> i64) -> u128 {
        let mut remaining = 100_000;
        for turn in 0..50 {
            lag.asked(&game(2 * turn as usize), clock(remaining), false);
            lag.answered(Duration::from_millis(20));
            remaining = remaining.saturating_add_signed(change(turn));
        }
        lag.asked(&game(100), clock(remaining), false).as_millis()
    }

    #[test]
    fn it_is_what_the_clock_lost_beyond_the_search() {
        let mut lag = Lag::default();
        assert_eq!(measure(&mut lag, |_| -10), 0);
        assert_eq!(measure(&mut lag, |_| -17), 6);
        assert_eq!(measure(&mut lag, |_| -10), 0);
        assert_eq!(measure(&mut lag, |turn| if turn % 2 == 0 { -12 } else { -11 }), 1);
        assert_eq!(measure(&mut lag, |_| -1500), 199);
    }

    #[test]
    fn what_tells_nothing_is_left_out() {
        let mut lag = Lag::default();
        // More time was added.
        assert_eq!(measure(&mut lag, |turn| if turn % 3 == 0 { 5000 } else { -10 }), 0);
        let mut ask = |plies, time, pondering, answer: bool| {
            let found = lag.asked(&game(plies), time, pondering);
            if answer {
                lag.answered(Duration::ZERO);
            }
            found > Duration::ZERO
        };
        assert!(!ask(0, clock(1000), false, false));
        assert!(!ask(2, clock(500), false, true), "never answered");
        assert!(!ask(6, clock(400), false, true), "another game");
        assert!(!ask(8, TimeLimit::None, false, true), "no clock");
        assert!(!ask(8, clock(1000), true, true));
        assert!(!ask(10, clock(300), false, true), "pondering");
        assert!(ask(12, clock(200), false, true));
    }
}
