//! Every line of many searches, move by move: legal, ending where the game ends, mates ending in mate, several lines in
//! order, the best move that of the last exact line.

use chess::{Game, parse_uci};

use super::Context;
use super::talk::{Answer, position};
use super::trials::{self, Tally, Verdict};
use crate::book::random_opening;
use crate::rng::Rng;

pub const WHAT: &str = "searches of random positions, of their endgames and of mates, some with several lines or threads, \
    some in Chess960: every field there and whole, every move of every line legal and none after the end of the game, \
    mate scores with lines that end in mate, lines in order, the best move that of the last exact line";

/// Mates of known length, and other positions in which there is a mate.
const MATES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/mates.epd"));

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let mates: Vec<Game> = MATES
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .filter_map(|line| crate::book::board_of(line).ok().map(Game::new))
        .collect();
    trials::run(
        tally,
        trials,
        1,
        || context.start(),
        |talk, index| {
            let mut rng = Rng::new(context.seed, index);
            let chess960 = index % 5 == 4;
            let game = match index % 3 {
                0 if !mates.is_empty() && !chess960 => mates[rng.below(mates.len())].clone(),
                // Long random games have few men left, are near repetitions and near the fifty-move rule.
                1 => random_opening(&mut rng, 200, chess960),
                _ => random_opening(&mut rng, 20, chess960),
            };
            let lines = if rng.below(3) == 0 { 2 + rng.below(4) } else { 1 };
            let threads = if rng.below(4) == 0 { 3 } else { 1 };
            talk.tell(&[
                &format!("setoption name UCI_Chess960 value {chess960}"),
                &format!("setoption name MultiPV value {lines}"),
                &format!("setoption name Threads value {threads}"),
                &position(&game),
            ])?;
            let go = match rng.below(3) {
                0 => format!("go depth {}", 1 + rng.below(9)),
                1 => format!("go nodes {}", 1 + rng.below(30_000)),
                _ => format!("go movetime {}", 1 + rng.below(30)),
            };
            let answer = talk.go(&go)?;
            check(&answer, &game, lines).map_err(|fault| format!("{go} in {}: {fault}", game.board().fen()))
        },
    );
}

fn check(answer: &Answer, game: &Game, lines: usize) -> Verdict {
    answer.legal(game)?;
    let most = game.board().legal_moves().len().min(lines);
    let (mut last, mut expected) = (None, 1);
    for line in answer.lines.iter().filter(|line| !line.starts_with("info string")) {
        let info = Info::read(line).ok_or_else(|| format!("not a line of analysis: {line}"))?;
        info.follow(game).map_err(|fault| format!("{fault}: {line}"))?;
        // The last line of a stopped search may be the first of its depth again.
        if lines > 1 && info.rank != expected && info.rank != 1 {
            return Err(format!("line {} where {expected} was expected: {line}", info.rank));
        }
        expected = if info.rank == most { 1 } else { info.rank + 1 };
        if info.rank == 1 && (!info.bound || info.mate) {
            last = info.moves.first().map(|text| text.to_string());
        }
    }
    match last {
        None => Err("no line".to_string()),
        Some(first) if first == answer.best => Ok(()),
        Some(first) => Err(format!("best move {}, but the last line began with {first}", answer.best)),
    }
}

/// A line of analysis.
struct Info<'a> {
    rank: usize,
    mate: bool,
    bound: bool,
    moves: Vec<&'a str>,
}

impl Info<'_> {
    /// Reads a line in which every field must be there and every number whole.
    fn read(line: &str) -> Option<Info<'_>> {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |name: &str| words.iter().position(|word| *word == name).map(|index| index + 1);
        for name in ["depth", "seldepth", "nodes", "nps", "hashfull", "time"] {
            words.get(at(name)?)?.parse::<u64>().ok()?;
        }
        let score = at("score")?;
        words.get(score + 1)?.parse::<i32>().ok()?;
        let mate = match *words.get(score)? {
            "mate" => true,
            "cp" => false,
            _ => return None,
        };
        let bound = words.iter().any(|word| word.ends_with("bound"));
        let moves = words.get(at("pv")?..)?.to_vec();
        (!moves.is_empty()).then_some(Info { rank: words.get(at("multipv")?)?.parse().ok()?, mate, bound, moves })
    }

    /// Plays the line.
    fn follow(&self, game: &Game) -> Verdict {
        let mut game = game.clone();
        for (index, text) in self.moves.iter().enumerate() {
            if index > 0 && (game.is_threefold() || game.is_fifty_moves()) {
                return Err(format!("{text} after the end of the game"));
            }
            let mv = parse_uci(game.board(), text).map_err(|error| format!("{text} is {error}"))?;
            game.play(mv);
        }
        if self.mate && !self.bound && !game.board().is_checkmate() {
            return Err("a mate that does not end in mate".to_string());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "info depth 1 seldepth 1 multipv 1 score";
    const TAIL: &str = "nodes 1 nps 1 hashfull 0 time 0 pv";

    fn verdict(score: &str, moves: &str) -> Verdict {
        let lines = vec![format!("{HEAD} {score} {TAIL} {moves}")];
        check(&Answer { lines, best: "e2e4".to_string() }, &Game::default(), 1)
    }

    #[test]
    fn good_lines_pass_and_bad_ones_do_not() {
        assert_eq!(verdict("cp 3", "e2e4 e7e5"), Ok(()));
        for (score, moves) in
            [("cp 3", "d2d4"), ("cp 3", "e2e4 e2e4"), ("mate 1", "e2e4"), ("cp 1.5", "e2e4"), ("cp 1", "")]
        {
            assert!(verdict(score, moves).is_err(), "{score} {moves}");
        }
    }
}
