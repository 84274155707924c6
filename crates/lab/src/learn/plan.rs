//! How large the next generation is, which data it learns from, and how wide its network is.

use super::state::{Generation, State};

/// When a ladder ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// After so many hours of work.
    Hours(f64),
    /// With so many positions.
    Positions(u64),
    /// With so many generations.
    Generations(u32),
}

/// What the next generation is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Next {
    /// So many positions; None: as many as there is time for.
    pub positions: Option<u64>,
    /// In seconds of the ladder.
    pub until: Option<f64>,
    /// The hours that it was planned for.
    pub hours: Option<f64>,
}

impl Next {
    /// So many, however long it takes.
    pub fn counted(positions: u64) -> Next {
        Next { positions: Some(positions), until: None, hours: None }
    }
}

/// The share of the time that is left in which a generation may play; training and matches need the rest.
const PLAYING: f64 = 0.75;
/// Where less than this share of the hours is left, nothing is begun.
const TOO_LATE: f64 = 0.1;
/// A generation takes what would be less than this share of itself along.
const REMAINDER: f64 = 0.5;

/// The next generation; None if the goal is reached. `first` and `growth` are the sizes of generations.
pub fn next(goal: Goal, state: &State, first: u64, growth: f64) -> Option<Next> {
    let done = state.generations.len();
    let size = (first as f64 * growth.powi(done as i32)).min(1e15) as u64;
    match goal {
        Goal::Generations(count) => (done < count as usize).then_some(Next::counted(size)),
        Goal::Positions(all) => {
            let left = all.saturating_sub(state.positions());
            let takes_all = left as f64 <= size as f64 * (1.0 + REMAINDER);
            (left > 0).then_some(Next::counted(if takes_all { left } else { size }))
        }
        Goal::Hours(hours) => within(hours, state, size, growth),
    }
}

/// The next generation where time is what ends the ladder.
fn within(hours: f64, state: &State, size: u64, growth: f64) -> Option<Next> {
    let now = state.spent.seconds;
    let left = 3600.0 * hours - now;
    if left <= TOO_LATE * 3600.0 * hours || was_last(state, hours) {
        return None;
    }
    let until = Some(now + PLAYING * left);
    let cost = seconds_a_position(state).map(|each| each * size as f64);
    // Whether there would be time for a good part of another one after it.
    let is_last = cost.is_some_and(|cost| left <= cost * (1.0 + REMAINDER * growth));
    Some(Next { positions: (!is_last).then_some(size), until, hours: Some(hours) })
}

/// Whether the last generation took all the time there was; with more hours than it knew of there is more.
fn was_last(state: &State, hours: f64) -> bool {
    let last = state.generations.last().filter(|last| last.stopped_by_time());
    last.and_then(|last| last.hours).is_some_and(|planned| hours <= planned)
}

/// When the last generation began.
fn begin_of_last(state: &State) -> f64 {
    let before = state.generations.len().checked_sub(2).and_then(|index| state.generations[index].spent);
    before.map_or(0.0, |spent| spent.seconds)
}

/// What a position of the last generation has taken, with training and match.
fn seconds_a_position(state: &State) -> Option<f64> {
    let last = state.generations.last()?;
    let seconds = last.spent?.seconds - begin_of_last(state);
    Some(seconds / last.positions.filter(|&positions| positions > 0)? as f64)
}

impl Generation {
    /// Whether it was time that ended its games.
    pub fn stopped_by_time(&self) -> bool {
        self.until.is_some() && self.wanted.is_none_or(|wanted| self.played.is_some_and(|played| played < wanted))
    }
}

/// The generations to learn from: the newest, and of those before it the newest as long as all of them together have no more
/// positions than it. `sizes` are positions by generation, the oldest first; returned are their places.
pub fn window(sizes: &[u64]) -> Vec<usize> {
    let Some(newest) = sizes.len().checked_sub(1) else { return Vec::new() };
    let mut taken = vec![newest];
    let mut older = 0;
    for (place, &size) in sizes[..newest].iter().enumerate().rev() {
        older += size;
        if older > sizes[newest] {
            break;
        }
        taken.push(place);
    }
    taken.reverse();
    taken
}

/// How a network is made from so many positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// From so many positions on.
    pub from: u64,
    /// Neurons a side.
    pub hidden: usize,
    /// King buckets.
    pub kings: &'static str,
    /// Positions a step: with few positions there are to be steps enough.
    pub batch: u32,
    /// The share of the games that is held out: with few of them there are to be some.
    pub held: f64,
}

/// With too few positions a wider network learns them by heart; docs/networks.md has what was measured.
const RUNGS: [Rung; 6] = [
    Rung { from: 0, hidden: 64, kings: "1", batch: 2048, held: 0.01 },
    Rung { from: 1_000_000, hidden: 128, kings: "1", batch: 4096, held: 0.01 },
    Rung { from: 5_000_000, hidden: 256, kings: "1", batch: 8192, held: 0.01 },
    Rung { from: 30_000_000, hidden: 384, kings: "1", batch: 16_384, held: 0.01 },
    Rung { from: 40_000_000, hidden: 512, kings: "1", batch: 16_384, held: 0.01 },
    Rung { from: 100_000_000, hidden: 768, kings: "4", batch: 16_384, held: 0.01 },
];

/// There are at least so many steps in an epoch.
const STEPS: u64 = 64;

/// The rung for so many positions.
pub fn rung(positions: u64) -> Rung {
    let rung = RUNGS.into_iter().rfind(|rung| rung.from <= positions).unwrap_or(RUNGS[0]);
    let batch = rung.batch.min((positions / STEPS).clamp(1, 1 << 20) as u32);
    Rung { batch, held: if positions < 50_000 { 0.1 } else { rung.held }, ..rung }
}

/// The rungs, or what was asked for instead of them.
pub fn rungs_in_words(hidden: Option<usize>, kings: Option<&str>) -> String {
    match (hidden, kings) {
        (Some(hidden), kings) => format!("networks: {hidden} neurons a side, king buckets {}", kings.unwrap_or("1")),
        (None, kings) => {
            let rungs = RUNGS.iter().map(|rung| {
                let kings = kings.unwrap_or(rung.kings);
                let buckets = if kings == "1" { String::new() } else { format!(" with king buckets {kings}") };
                format!("{}{buckets} from {}", rung.hidden, rung.from)
            });
            format!("networks, by positions: {}", rungs.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::Spent;
    use super::*;

    /// 500 seconds.
    const HOURS: f64 = 500.0 / 3600.0;

    fn done(number: u32, positions: u64, seconds: f64, until: Option<f64>) -> Generation {
        let next = Next { positions: Some(positions), until, hours: until.map(|_| HOURS) };
        Generation {
            played: Some(positions),
            positions: Some(positions),
            promoted: Some(true),
            spent: Some(Spent { seconds, cpu_seconds: seconds }),
            ..Generation::new(number, 0, 200, next, String::new())
        }
    }

    fn state(generations: Vec<Generation>) -> State {
        let spent = generations.last().and_then(|last| last.spent).unwrap_or_default();
        let start = "<bootstrap>".to_string();
        State { version: 1, start, start_net: 0, seed: 1, generations, look_back: None, spent }
    }

    #[test]
    fn the_newest_is_at_least_half_of_the_window() {
        assert_eq!(window(&[]), Vec::<usize>::new());
        assert_eq!(window(&[5]), [0]);
        assert_eq!(window(&[1, 2, 4, 8]), [0, 1, 2, 3], "each twice the one before: nothing is left out");
        assert_eq!(window(&[5, 5, 5]), [1, 2]);
        assert_eq!(window(&[9, 1, 2]), [1, 2]);
        assert_eq!(window(&[9, 1]), [1]);
        for sizes in [[7u64, 3, 9, 4, 30], [1, 1, 1, 1, 1], [10, 20, 5, 40, 38]] {
            let taken = window(&sizes);
            let sum: u64 = taken.iter().map(|&place| sizes[place]).sum();
            assert!(2 * sizes[4] >= sum && taken.last() == Some(&4), "{sizes:?}: {taken:?}");
        }
    }

    #[test]
    fn counted_goals_do_not_look_at_the_clock() {
        let mut state = state(vec![done(1, 100, 50.0, None), done(2, 210, 1e9, None)]);
        let sized = |positions| Some(Next::counted(positions));
        assert_eq!(next(Goal::Generations(3), &state, 100, 2.0), sized(400));
        assert_eq!(next(Goal::Generations(2), &state, 100, 2.0), None);
        assert_eq!(next(Goal::Positions(10_000), &state, 100, 2.0), sized(400));
        // Less than half of it would be left for another one.
        assert_eq!(next(Goal::Positions(900), &state, 100, 2.0), sized(590));
        assert_eq!(next(Goal::Positions(310), &state, 100, 2.0), None);
        state.spent.seconds = 0.0;
        assert_eq!(next(Goal::Generations(3), &state, 100, 2.0), sized(400));
    }

    #[test]
    fn hours_end_with_a_generation_that_takes_what_is_left() {
        let begun = state(Vec::new());
        let whole = Next { positions: Some(100), until: Some(2700.0), hours: Some(1.0) };
        assert_eq!(next(Goal::Hours(1.0), &begun, 100, 2.0), Some(whole));
        // A position takes a second: the second generation 200, and there is time for more after it.
        let second = state(vec![done(1, 100, 100.0, Some(2700.0))]);
        let found = next(Goal::Hours(1.0), &second, 100, 2.0);
        assert_eq!(found, Some(Next { positions: Some(200), until: Some(100.0 + 0.75 * 3500.0), hours: Some(1.0) }));
        // With 400 seconds it takes all of them.
        let found = next(Goal::Hours(HOURS), &second, 100, 2.0).expect("there is time");
        assert_eq!(found.positions, None);
        assert!(found.until.is_some_and(|until| (until - 400.0).abs() < 1e-6), "{found:?}");
        // And after that it is over, however much time it has left; with more hours it goes on.
        let mut last = done(2, 150, 420.0, found.until);
        last.wanted = None;
        let over = state(vec![done(1, 100, 100.0, Some(375.0)), last]);
        assert_eq!(next(Goal::Hours(HOURS), &over, 100, 2.0), None);
        assert!(next(Goal::Hours(2.0), &over, 100, 2.0).is_some());
    }

    #[test]
    fn wider_with_more_positions() {
        assert_eq!([0, 999_999, 1_000_000, 41_000_000].map(|positions| rung(positions).hidden), [64, 64, 128, 512]);
        let tiny = rung(2500);
        assert_eq!((tiny.batch, tiny.held, rung(250_000).batch, rung(250_000).held), (39, 0.1, 2048, 0.01));
        assert!(RUNGS.is_sorted_by_key(|rung| rung.from) && RUNGS.is_sorted_by_key(|rung| rung.hidden));
        assert!(rungs_in_words(None, None).contains("768 with king buckets 4 from 100000000"));
    }
}
