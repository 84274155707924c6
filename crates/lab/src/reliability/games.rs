//! Games under clocks, as a rule twice as many at a time as there are cores, so that each engine has half a core at best.
//! Time losses, illegal moves, stalls, disconnections and wrong lines of analysis are faults.

use std::hint::black_box;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use chess::{Game, Score};

use super::trials::{Tally, Verdict};
use super::{Context, lines};
use crate::book::Book;
use crate::competitor::{Common, Competitor};
use crate::failure::{Failure, Result};
use crate::pairs;
use crate::player::{Fault, Go, Heard, Limit, Player, Thought, TimeControl};
use crate::pool::{self, Jobs};
use crate::process::Process;
use crate::runner::{Conditions, Reason, Record};

pub const WHAT: &str = "games of the engine against itself, twice as many at a time as there are cores; faults are moves \
    that come after the clock has run out (measured outside, no margin), illegal moves, stalls, disconnections, a line of \
    analysis that `variations` would not let pass, and two mates that contradict each other";

pub const MOVE_TIME: &str = "the same with 10 ms for each move instead of a clock, one game at a time for each core; a fault \
    is also a move that takes longer (no margin); moves of games without any thinking that take longer are counted beside it";

pub const SESSIONS: &str = "the same, but three times as many games at a time as there are cores";

/// How games are played.
struct Rules {
    limit: Limit,
    chess960: bool,
    /// How much later than allowed a move may come.
    margin: Duration,
    /// Games at a time for each core.
    crowd: usize,
}

impl Rules {
    fn new(context: &Context, limit: Limit) -> Rules {
        // A test is not to fail because other work on the machine has kept it waiting.
        let margin = if context.short { Duration::from_millis(50) } else { Duration::ZERO };
        Rules { limit, chess960: false, margin, crowd: 2 }
    }
}

/// The time of a move is shorter than what a program has to wait for its turn on a core that it shares, so there is a core
/// for each game; and what the machine itself is late by is measured without any thinking.
pub fn move_time(context: &Context, trials: u64, tally: &Tally) {
    let time = Duration::from_millis(10);
    let rules = |limit| Rules { crowd: 1, ..Rules::new(context, limit) };
    run(context, trials, tally, &rules(Limit::MoveTime(time)));
    let rules = rules(Limit::Nodes(1));
    let control = play(context, 0..trials, &rules, |_, record, _| {
        let late = record.thoughts.iter().filter(|thought| thought.time > time).count();
        tally.count("moves without any thinking", record.thoughts.len() as u64);
        tally.count("of these later than that", late as u64);
    });
    if let Err(failure) = control {
        tally.add(Err(failure.to_string()));
    }
}

pub fn blitz(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, &Rules::new(context, clock(200, 20, None)));
}

pub fn bullet(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, &Rules::new(context, clock(1000, 10, None)));
}

pub fn sudden_death(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, &Rules::new(context, clock(1000, 0, None)));
}

pub fn sessions(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, &Rules { crowd: 3, ..Rules::new(context, clock(10_000, 0, Some(40))) });
}

pub fn chess960(context: &Context, trials: u64, tally: &Tally) {
    run(context, trials, tally, &Rules { chess960: true, ..Rules::new(context, clock(500, 10, None)) });
}

fn clock(base: u64, increment: u64, moves: Option<u32>) -> Limit {
    let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
    Limit::Clock(TimeControl { base, increment, moves, scale: None, rate: None })
}

fn run(context: &Context, trials: u64, tally: &Tally, rules: &Rules) {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| longest_stall(&over));
        let range = tally.first()..trials.max(tally.first());
        let played = play(context, range, rules, |job, record, verdict| {
            count(tally, record);
            tally.add(verdict.map_err(|fault| format!("game {job}: {fault}")));
        });
        if let Err(failure) = played {
            tally.add(Err(failure.to_string()));
        }
        over.store(true, Relaxed);
        if let Ok(stall) = watch.join() {
            tally.most("µs that the machine stood still at most", stall.as_micros() as u64);
        }
    });
}

/// How long the machine kept this thread waiting at worst, when it woke up or while it had a little work to do. What the
/// engines lose that way is not their fault, and a time loss on a machine that stalls for longer than a clock can bear
/// says nothing.
fn longest_stall(over: &AtomicBool) -> Duration {
    let (mut least, mut most) = (Duration::MAX, Duration::ZERO);
    while !over.load(Relaxed) {
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        for number in 0..500_000_u64 {
            black_box(number);
        }
        let time = began.elapsed();
        (least, most) = (least.min(time), most.max(time));
    }
    most.saturating_sub(least)
}

/// Plays these games and hands each over, with what there is to say against it.
fn play(
    context: &Context,
    range: Range<u64>,
    rules: &Rules,
    mut played: impl FnMut(u64, &Record, Verdict) + Send,
) -> Result<()> {
    let &Rules { limit, chess960, margin, crowd } = rules;
    let common = Common {
        hash: 8,
        hash_chosen: true,
        chess960,
        patience: Duration::from_secs(60),
        startup: Duration::from_secs(60),
    };
    let engine = context.engine.to_string_lossy();
    let Competitor::Process(command) = Competitor::process(&engine, "", &common)? else {
        return Err(Failure::new(format!("{engine} is not a program")));
    };
    let start = || -> Result<Watched> {
        let mut process = Process::start(&command)?;
        // It has its memory then. What goes wrong here goes wrong in the first game as well, and is counted there.
        let _ = process.new_game();
        Ok(Watched { process, said: Vec::new() })
    };
    let book = if chess960 { Book::random(context.seed, 6, chess960) } else { Book::built_in(context.seed)? };
    // No adjudication: endgames and bare kings are where engines go wrong.
    let conditions = Conditions { limit, jitter: None, margin, adjudication: None, max_plies: 600, tables: None };
    let threads = (crowd * pool::default_threads()).min(range.clone().count());
    // All are there before the first clock runs: a program that starts takes the core from one that thinks.
    let ready: Result<Vec<_>> = (0..threads).map(|_| Ok([start()?, start()?])).collect();
    let ready = Mutex::new(ready?);
    let jobs = Jobs { range, done: Default::default(), threads };
    pool::run(
        jobs,
        || match ready.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            Some(pair) => Ok(pair),
            None => Ok([start()?, start()?]),
        },
        |[a, b], job, stop| {
            let record = pairs::play(&book, job, a, b, &conditions, stop)?;
            let said = [a, b].into_iter().flat_map(|player| std::mem::take(&mut player.said));
            // Here the clocks stand still.
            Ok(record.map(|record| (judge(&record, rules, said.collect()), record)))
        },
        |job, (verdict, record)| {
            played(job, &record, verdict);
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}

/// All lines that were said of a position, and how many plies led to it.
type Said = (usize, Vec<String>);

/// A player whose words are kept.
struct Watched {
    process: Process,
    said: Vec<Said>,
}

impl Player for Watched {
    fn new_game(&mut self) -> std::result::Result<(), Fault> {
        self.process.new_game()
    }

    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault> {
        let mut said = Vec::new();
        let thought = self.process.search_aloud(game, go, ear, &mut |line| said.push(format!("info {line}")));
        self.said.push((game.moves().len(), said));
        thought
    }
}

/// Whether a game ended well and all that was said in it is sound.
fn judge(record: &Record, rules: &Rules, mut said: Vec<Said>) -> Verdict {
    if let Reason::TimeLoss | Reason::Fault(_) = record.reason {
        return Err(format!("{} after {} plies", record.reason, record.game.moves().len()));
    }
    said.sort_by_key(|(plies, _)| *plies);
    let mut said = said.into_iter().peekable();
    let mut game = Game::new(record.game.start().clone());
    for (plies, &mv) in record.game.moves().iter().enumerate() {
        if let Some((_, all)) = said.next_if(|(at, _)| *at == plies) {
            let best = chess::uci(mv, rules.chess960).to_string();
            lines::check(&all, &best, &game, 1).map_err(|fault| format!("{}: {fault}", game.board().fen()))?;
        }
        game.play(mv);
    }
    contradiction(record)
}

/// No side sees a mate right after the other side has seen one of its own.
fn contradiction(record: &Record) -> Verdict {
    let mates: Vec<_> = record.thoughts.iter().map(|thought| thought.score.and_then(Score::mate_moves)).collect();
    for (index, pair) in mates.windows(2).enumerate() {
        if let [Some(first), Some(second)] = pair
            && first.signum() == second.signum()
        {
            let plies = record.opening_plies + index;
            return Err(format!("mate {first} after {plies} plies, then mate {second} from the other side"));
        }
    }
    Ok(())
}

/// Counts the moves that came after their time, however little.
fn count(tally: &Tally, record: &Record) {
    tally.count("moves", record.thoughts.len() as u64);
    tally.count("moves later than the clock allows, margin 0", record.late.len() as u64);
    record.late.iter().for_each(|&late| tally.time("late by", late));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::GameResult;

    /// The game 1. f3 e5 2. g4 Qh4#, with these scores.
    fn record(scores: [i32; 4]) -> Record {
        let mut game = Game::default();
        let thoughts = ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().zip(scores).map(|(text, score)| {
            let mv = chess::parse_uci(game.board(), text).expect(text);
            game.play(mv);
            Thought { mv, score: Some(Score(score)), depth: 1, nodes: 1, time: Duration::from_millis(9), clock: None }
        });
        let thoughts = thoughts.collect();
        let (winner, reason) = (GameResult::won_by(chess::Color::Black), Reason::Checkmate);
        Record { game, opening_plies: 0, thoughts, late: Vec::new(), winner, reason }
    }

    /// Any time will do.
    const RULES: Rules = Rules { limit: Limit::Nodes(1), chess960: false, margin: Duration::ZERO, crowd: 2 };

    #[test]
    fn what_was_said_in_a_game_is_checked() {
        let judge = |record: &Record, said| judge(record, &RULES, said);
        let (win, loss) = (Score::mate_in(1).0, Score::mated_in(2).0);
        assert_eq!(judge(&record([0, 5, loss, win]), Vec::new()), Ok(()));
        let fault = judge(&record([0, 5, win, win]), Vec::new()).expect_err("a contradiction");
        assert!(fault.starts_with("mate 1 after 2 plies"), "{fault}");
        let line = |text: &str| {
            vec![format!("info depth 1 seldepth 1 multipv 1 score cp 1 nodes 1 nps 1 hashfull 0 time 0 pv {text}")]
        };
        assert_eq!(judge(&record([0; 4]), vec![(2, line("g2g4 d8h4")), (0, line("f2f3"))]), Ok(()));
        assert!(judge(&record([0; 4]), vec![(2, line("g2g4 d8h4 e1f2"))]).is_err());
        assert!(judge(&record([0; 4]), vec![(1, line("d7d5"))]).is_err());
    }

    #[test]
    fn late_moves_are_counted() {
        let tally = Tally::new("test", 1);
        count(&tally, &Record { late: vec![Duration::from_millis(1); 2], ..record([0; 4]) });
        let notes = tally.notes();
        assert_eq!(
            notes,
            ["moves: 4", "moves later than the clock allows, margin 0: 2", "late by: median 1.0ms, worst 1.0ms"]
        );
    }
}
