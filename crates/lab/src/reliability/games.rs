//! Games under clocks, twice as many at a time as there are cores, so that each engine has half a core at best. Time
//! losses, illegal moves, stalls and disconnections are faults.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::Context;
use super::trials::Tally;
use crate::book::Book;
use crate::competitor::{Common, Competitor};
use crate::failure::Result;
use crate::pairs;
use crate::player::{Limit, TimeControl};
use crate::pool::{self, Jobs};
use crate::runner::{Conditions, Reason};

pub const WHAT: &str = "games of the engine against itself, twice as many at a time as there are cores; faults are time \
    losses (by more than 50 ms, measured outside), illegal moves, stalls and disconnections";

/// How far beyond its clock a player may go: with half a core for each engine the system alone needs some time.
const MARGIN: Duration = Duration::from_millis(50);

pub fn move_time(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, Limit::MoveTime(Duration::from_millis(10)), false);
}

pub fn blitz(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, clock(200, 20, None), false);
}

pub fn bullet(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, clock(1000, 10, None), false);
}

pub fn sudden_death(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, clock(1000, 0, None), false);
}

pub fn sessions(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, clock(10_000, 0, Some(40)), false);
}

pub fn chess960(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, clock(500, 10, None), true);
}

fn clock(base: u64, increment: u64, moves: Option<u32>) -> Limit {
    let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
    Limit::Clock(TimeControl { base, increment, moves })
}

fn run(context: &Context, trials: u64, tally: &Tally, limit: Limit, chess960: bool) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| longest_stall(&over));
        if let Err(failure) = play(context, trials, tally, limit, chess960) {
            tally.add(Err(failure.to_string()));
        }
        over.store(true, Relaxed);
        if let Ok(stall) = watch.join() {
            tally.note(format!("the machine stood still for up to {stall:.1?}"));
        }
    });
}

/// How long the machine kept this thread waiting at worst while it had a little work to do. What the engines lose that
/// way is not their fault, and a time loss on a machine that stalls for longer than a clock can bear says nothing.
fn longest_stall(over: &AtomicBool) -> Duration {
    let (mut least, mut most) = (Duration::MAX, Duration::ZERO);
    while !over.load(Relaxed) {
        let began = Instant::now();
        for number in 0..500_000_u64 {
            black_box(number);
        }
        let time = began.elapsed();
        (least, most) = (least.min(time), most.max(time));
        std::thread::sleep(Duration::from_millis(5));
    }
    most.saturating_sub(least)
}

fn play(context: &Context, trials: u64, tally: &Tally, limit: Limit, chess960: bool) -> Result<()> {
    let common = Common { hash: 8, chess960, patience: Duration::from_secs(60), startup: Duration::from_secs(60) };
    let engine = context.engine.to_string_lossy();
    let competitor = Competitor::process(&engine, "", &common)?;
    let book =
        if chess960 { Book::Random { seed: context.seed, plies: 6, chess960 } } else { Book::built_in(context.seed)? };
    // No adjudication: endgames and bare kings are where engines go wrong.
    let conditions = Conditions { limit, margin: MARGIN, adjudication: None, max_plies: 600, tables: None };
    let threads = 2 * pool::default_threads();
    let jobs = Jobs { range: 0..trials, done: Default::default(), threads };
    pool::run(
        jobs,
        || Ok([competitor.start()?, competitor.start()?]),
        |[a, b], job, stop| Ok(pairs::play(&book, job, a.as_mut(), b.as_mut(), &conditions, stop)),
        |job, record| {
            let verdict = match &record.reason {
                Reason::TimeLoss | Reason::Fault(_) => {
                    Err(format!("game {job}: {} after {} plies", record.reason, record.game.moves().len()))
                }
                _ => Ok(()),
            };
            if let Limit::MoveTime(limit) = limit {
                let latest = record.thoughts.iter().map(|thought| thought.time).max().unwrap_or_default();
                tally.time("latest move of a game after its time", latest.saturating_sub(limit));
            }
            tally.add(verdict);
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}
