//! From the clock to a budget: how long to plan for a move, and when to stop whatever happens.

use std::time::Duration;

use chess::Board;

use super::TimeManagement;
use crate::base::{Limits, TimeLimit};

/// When to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// No new iteration after this, stretched or shrunk by what the search sees.
    pub soft: Option<Duration>,
    /// Stop in mid-search at this.
    pub hard: Option<Duration>,
    /// Whether the soft limit may be stretched.
    pub elastic: bool,
}

/// Even with no time at all, a move takes this.
const LEAST: Duration = Duration::from_millis(1);

/// So many overheads stay on the clock, but at most four fifths of what is left: on a busy machine a program may not be
/// let run for some tens of milliseconds, and a clock that has dwindled to less than that is lost by accident.
const RESERVE: u32 = 5;

/// Where new time comes after a number of moves it is more: what is left then is not lost, and the last move before it has
/// nothing else to fall back on.
const SESSION_RESERVE: u32 = 20;

/// Where a move gives back less than the overhead, the difference is kept back for so many moves. More would be safer
/// still, but costs strength where the clock is short: with 50 it was 125 Elo at one second for the game.
const HORIZON: u32 = 14;

/// Where moves have cost the clock more than they gave back, besides the search, the difference is kept back for so many
/// moves: this has been measured, and the game may be long.
const LAG_HORIZON: u32 = 50;

/// As long as that is not much, so many overheads, it is kept back for four times as many moves.
const LAG_RESERVE: u32 = 30;

/// The increment is planned with in full where the clock stands so many overheads above its reserve, below that in
/// proportion: on a busy machine a move can cost more than it was given, and then the clock dwindles to nothing.
const REFILL: u32 = 10;

/// After so many moves a game is no nearer to its end than it was.
const LONG_GAME: u32 = 100;

impl Budget {
    /// The budget for a move, with time kept back for everything between engine and clock.
    pub fn new(p: &TimeManagement, limits: &Limits, board: &Board) -> Budget {
        let &Limits { overhead, lag, .. } = limits;
        match limits.time {
            TimeLimit::None => Budget::default(),
            TimeLimit::MoveTime(time) => {
                let time = time.saturating_sub(overhead).max(LEAST);
                Budget { soft: None, hard: Some(time), elastic: false }
            }
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                let kept = |cost: Duration, horizon: u32| {
                    cost.saturating_sub(increment) * moves_to_go.map_or(horizon, |moves| moves.min(horizon))
                };
                let lagging = kept(lag, 4 * LAG_HORIZON).min(overhead * LAG_RESERVE).max(kept(lag, LAG_HORIZON));
                let drain = kept(overhead, HORIZON).max(lagging);
                let overheads = if moves_to_go.is_some() { SESSION_RESERVE } else { RESERVE };
                let reserve = (overhead * overheads).min(remaining / 5 * 4).max(drain.min(remaining / 16 * 15));
                let usable = remaining.saturating_sub(overhead.max(reserve)).max(LEAST);
                let hard_share = f64::from(p.hard_factor) / 100.0;
                let comfort = overhead * REFILL;
                let full = if usable < comfort { usable.div_duration_f64(comfort) } else { 1.0 };
                let given = (increment * p.increment_factor as u32 / 100).mul_f64(full);
                let planned = match moves_to_go {
                    Some(moves) => {
                        // Overhead falls due at every move, so it is kept back for each.
                        let moves = moves.clamp(1, 50);
                        let kept = remaining.saturating_sub(reserve.max(overhead * moves)).max(LEAST);
                        kept / moves + given
                    }
                    None => {
                        let moves = board.fullmove_number().min(LONG_GAME) as i32;
                        let growth = p.share_growth * moves / 100;
                        usable.mul_f64(f64::from(p.share_base + growth) / 1000.0) + given
                    }
                };
                // The last move before new time may use nearly all there is.
                let share = if moves_to_go == Some(1) { 0.9 } else { hard_share };
                let stretched = planned.saturating_mul(p.stretch_max as u32) / 100;
                let hard = usable.mul_f64(share).min(stretched).max(LEAST);
                Budget { soft: Some(planned.min(hard)), hard: Some(hard), elastic: true }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Budget {
        with_lag(remaining, increment, moves_to_go, overhead, Duration::ZERO)
    }

    fn with_lag(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64, lag: Duration) -> Budget {
        let time = TimeLimit::Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { time, overhead: Duration::from_millis(overhead), lag, ..Limits::default() };
        Budget::new(&TimeManagement::default(), &limits, &Board::start())
    }

    #[test]
    fn the_flag_never_falls_by_plan() {
        for remaining in [0, 1, 5, 10, 50, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 100, 10_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(10_000)] {
                    for overhead in [0, 10, 300] {
                        let budget = budget(remaining, increment, moves_to_go, overhead);
                        let (soft, hard) = (budget.soft.expect("clock"), budget.hard.expect("clock"));
                        assert!(soft <= hard);
                        let left = Duration::from_millis(remaining.saturating_sub(overhead));
                        assert!(hard <= left.max(LEAST), "{budget:?} with {remaining}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_dwindling_clock_keeps_a_reserve() {
        let budget = |remaining| budget(remaining, 0, None, 10);
        assert!(budget(200).hard <= Some(Duration::from_millis(150)));
        assert!(budget(60).hard <= Some(Duration::from_millis(30)));
        assert!(budget(60).soft <= Some(Duration::from_millis(2)));
        assert_eq!(budget(0).hard, Some(LEAST));
    }

    #[test]
    fn the_last_move_before_new_time_leaves_something() {
        for (remaining, left) in [(1000, 250), (300, 200), (100, 80)] {
            let hard = budget(remaining, 0, Some(1), 10).hard.expect("a clock");
            assert!(hard <= Duration::from_millis(remaining - left), "{remaining}: {hard:?}");
        }
    }

    /// Without increment every move costs the clock what lies between it and the engine, however little is thought: here a
    /// tenth of what the overhead allows for.
    #[test]
    fn sudden_death_is_survived() {
        for (start, overhead) in [(1000, 10), (300, 2), (60_000, 30)] {
            let mut remaining = Duration::from_millis(start);
            for _ in 0..100 {
                let soft = budget(remaining.as_millis() as u64, 0, None, overhead).soft.expect("a clock");
                remaining = remaining.saturating_sub(soft + Duration::from_millis(overhead) / 10);
            }
            assert!(remaining > Duration::from_millis(overhead) * 3, "{start}: {remaining:?}");
        }
    }

    /// The same where a move costs more than that, for longer, and it is known.
    #[test]
    fn sudden_death_with_lag_is_survived() {
        let survives = |known: bool| {
            let (lag, mut remaining) = (Duration::from_micros(1500), Duration::from_millis(1000));
            for _ in 0..200 {
                let told = if known { lag } else { Duration::ZERO };
                let soft = with_lag(remaining.as_millis() as u64, 0, None, 10, told).soft.expect("a clock");
                remaining = remaining.saturating_sub(soft + lag);
            }
            remaining > Duration::from_millis(5)
        };
        assert!(survives(true) && !survives(false));
    }

    /// A slow network is not to take half of the clock from the beginning.
    #[test]
    fn much_lag_is_kept_back_for_fewer_moves() {
        let soft = |lag| with_lag(60_000, 0, None, 10, Duration::from_millis(lag)).soft.expect("a clock");
        assert_eq!(soft(0) - soft(1), Duration::from_millis(60) / 25);
        assert_eq!(soft(2), soft(6));
        assert_eq!(soft(6) - soft(200), Duration::from_millis(9700) / 25);
    }

    /// A machine so busy that a move costs nearly half of the increment beyond what was planned.
    #[test]
    fn a_clock_with_an_increment_recovers() {
        let mut remaining = Duration::from_millis(40);
        for _ in 0..100 {
            let soft = budget(remaining.as_millis() as u64, 10, None, 10).soft.expect("a clock");
            remaining = remaining.saturating_sub(soft + Duration::from_millis(4)) + Duration::from_millis(10);
        }
        assert!(remaining > Duration::from_millis(80), "{remaining:?}");
    }

    #[test]
    fn where_the_increment_pays_for_the_overhead_nothing_more_is_kept_back() {
        let soft = |increment| budget(60_000, increment, None, 10).soft.expect("a clock");
        assert_eq!(
            soft(10),
            soft(0) + Duration::from_micros(7500) + Duration::from_millis(10) * (HORIZON - RESERVE) / 25
        );
    }

    #[test]
    fn a_fixed_time_is_used() {
        let time = TimeLimit::MoveTime(Duration::from_millis(100));
        let limits = Limits { time, overhead: Duration::from_millis(10), ..Limits::default() };
        let budget = Budget::new(&TimeManagement::default(), &limits, &Board::start());
        assert_eq!(budget.hard, Some(Duration::from_millis(90)));
        assert_eq!(Budget::new(&TimeManagement::default(), &Limits::default(), &Board::start()), Budget::default());
    }
}
