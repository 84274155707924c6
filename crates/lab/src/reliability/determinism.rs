//! The same search twice, in two processes, must say the same word for word, times aside.

use super::Context;
use super::talk::position;
use super::trials::{self, Tally};
use crate::book::random_opening;
use crate::rng::Rng;

pub const WHAT: &str = "a node budget from 100 to 200 000, a third of them with several lines, a third in Chess960, in two \
    processes, and again after `ucinewgame`: the same lines, times aside, and the same best move. (`make check-bench` \
    compares the bench with the one of the history; the arithmetic of every instruction set is compared by unit tests)";

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let start = || Ok([context.start()?, context.start()?]);
    trials::run(tally, trials, 1, start, |pair, index| {
        let mut rng = Rng::new(context.seed, index);
        let chess960 = index % 3 == 1;
        let lines = if index % 3 == 2 { 2 + rng.below(3) } else { 1 };
        // Even on a scale of factors.
        let nodes = (100.0 * 2000f64.powf(rng.unit())) as u64;
        let game = random_opening(&mut rng, 10, chess960);
        let commands = [
            format!("setoption name UCI_Chess960 value {chess960}"),
            format!("setoption name MultiPV value {lines}"),
            "ucinewgame".to_string(),
            position(&game),
        ];
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let mut said = Vec::new();
        let [a, b] = pair;
        for talk in [a, b] {
            for _ in 0..2 {
                talk.tell(&commands)?;
                let answer = talk.go(&format!("go nodes {nodes}"))?;
                let lines: Vec<String> = answer.lines.iter().map(|line| timeless(line)).collect();
                said.push((answer.best, lines));
            }
        }
        match said.iter().position(|other| *other != said[0]) {
            None => Ok(()),
            Some(at) => Err(format!("{nodes} nodes, {lines} lines, {}: {at} differs", game.board().fen())),
        }
    });
}

/// A line of analysis without what depends on the clock.
fn timeless(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "time" || word == "nps" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_left_out() {
        assert_eq!(timeless("info depth 1 nps 33 nodes 4 time 0 pv e2e4"), "info depth 1 nodes 4 pv e2e4");
    }
}
