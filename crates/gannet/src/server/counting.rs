//! Jobs that count and give no best move: perft, bench and the speed test. All of them end early on `stop`.

use std::time::{Duration, Instant};

use chess::{Board, uci};
use engine::{Control, Engine, Limits, Params, Silent, TimeLimit};
use uci::SpeedTest;

use crate::bench;
use crate::output::{complain, inform, say};

/// Below this depth a count is short enough not to be asked whether it should stop.
const SHORT: u32 = 3;

/// Counts positions below each move, and in all.
pub fn perft(board: &Board, depth: u32, chess960: bool, control: &Control) {
    let mut total = u64::from(depth == 0);
    let moves = if depth == 0 { Default::default() } else { board.legal_moves() };
    for &mv in &moves {
        let Some(nodes) = count(&board.after(mv), depth - 1, control) else {
            return inform("stopped before the count was complete");
        };
        say(format_args!("{}: {nodes}", uci(mv, chess960)));
        total += nodes;
    }
    say(format_args!("\nNodes searched: {total}"));
}

/// The count; none if it was told to stop.
fn count(board: &Board, depth: u32, control: &Control) -> Option<u64> {
    if depth <= SHORT {
        return (!control.is_stopped()).then(|| chess::perft(board, depth));
    }
    board.legal_moves().iter().map(|&mv| count(&board.after(mv), depth - 1, control)).sum()
}

/// The bench with these parameters, on an engine of its own, which evaluates with the network of this build: the
/// number names a version of the program. (`gannet bench --option EvalFile=FILE` asks for another one.)
pub fn bench(depth: i32, params: Params, control: &Control) {
    let result = fresh(bench::HASH, 1, params).and_then(|mut engine| bench::measure(&mut engine, depth, control));
    match result {
        // Half a count must not be taken for the name of a version.
        Ok(_) if control.is_stopped() => inform("stopped before the bench was complete"),
        Ok(total) => say(total),
        Err(message) => complain(message),
    }
}

/// Searches the positions of the bench, each for its share of the time, and tells the speed.
pub fn speed_test(test: SpeedTest, params: Params, control: &Control) {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = test.threads.unwrap_or_else(cores);
    let hash = test.hash.unwrap_or(64 * threads);
    let seconds = test.seconds.unwrap_or(20) as u64;
    let mut engine = match fresh(hash, threads, params) {
        Ok(engine) => engine,
        Err(message) => return complain(message),
    };
    say(format_args!("{threads} threads, {hash} MiB, {seconds} seconds"));
    let games = match bench::games() {
        Ok(games) => games,
        Err(message) => return complain(message),
    };
    let share = Duration::from_secs(seconds) / games.len().max(1) as u32;
    let limits = Limits { time: TimeLimit::MoveTime(share), ..Limits::default() };
    let start = Instant::now();
    let mut nodes = 0;
    for game in games.iter().take_while(|_| !control.is_stopped()) {
        nodes += engine.search_here(game, &limits, control, &Instant::now(), &mut Silent).nodes;
    }
    say(bench::Total { nodes, time: start.elapsed() });
}

fn fresh(hash: usize, threads: usize, params: Params) -> Result<Engine, String> {
    let mut engine = Engine::new(hash).map_err(|error| error.to_string())?;
    engine.set_threads(threads);
    *engine.params_mut() = params;
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_until_it_is_stopped() {
        let control = Control::default();
        assert_eq!(count(&Board::start(), 5, &control), Some(4_865_609));
        control.stop();
        assert_eq!(count(&Board::start(), 5, &control), None);
        assert_eq!(count(&Board::start(), 1, &control), None);
    }
}
