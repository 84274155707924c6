//! What an engine says while it searches, checked as a strict match program does: every field there and whole, every move
//! legal, none after the end of the game, mates as long as they are said to be, several lines in order and none missing at
//! the end, and the best move that of the last exact line.

use chess::{Game, Score, parse_uci};
use uci::{Bound, Info, Shown};

use super::trials::Verdict;

/// Checks all lines of one search of this game, in which so many lines were wanted (no more than moves were allowed), and
/// the best move that it ended with.
pub fn check(said: &[String], best: &str, game: &Game, wanted: usize) -> Verdict {
    let most = game.board().legal_moves().len().min(wanted);
    let mut exact = None;
    // The lines of one depth, and the first one of those before, if these were all there.
    let (mut group, mut head): (Vec<Said>, Option<Said>) = (Vec::new(), None);
    for line in said.iter().filter(|line| !line.starts_with("info string")) {
        let info = Said::read(line).ok_or_else(|| format!("not a line of analysis: {line}"))?;
        info.follow(game).map_err(|fault| format!("{fault}: {line}"))?;
        in_order(group.last().filter(|before| before.rank < most), &info)
            .map_err(|fault| format!("{fault}: {line}"))?;
        if info.rank == 1 {
            let whole = group.len() == most;
            head = group.drain(..).next().filter(|_| whole);
            exact = if info.bound { exact } else { info.moves.first().cloned() };
        }
        group.push(info);
    }
    match exact {
        None => Err("no exact line".to_string()),
        Some(first) if first == best => all_there(&group, head.as_ref(), most),
        Some(first) => Err(format!("best move {best}, but the last exact line began with {first}")),
    }
}

/// Whether the last lines are as many as there should be.
fn all_there(last: &[Said], head: Option<&Said>, most: usize) -> Verdict {
    let same = |head: &Said, info: &Said| head.depth == info.depth && head.moves.first() == info.moves.first();
    match last {
        _ if last.len() == most => Ok(()),
        // All were there, but the first had a mate that its moves did not show, and is said again without.
        [only] if !only.bound && head.is_some_and(|head| head.bound && same(head, only)) => Ok(()),
        _ => Err(format!("{} lines at the end, expected {most}", last.len())),
    }
}

/// Whether a line may come after another one, or be the first of a depth if there is none before.
fn in_order(before: Option<&Said>, info: &Said) -> Verdict {
    match before {
        Some(before) if info.rank != before.rank + 1 => Err(format!("line {} after {}", info.rank, before.rank)),
        Some(before) if info.depth != before.depth => Err(format!("depth {} after {}", info.depth, before.depth)),
        Some(before) if info.worth() > before.worth() => Err("a better line after a worse one".to_string()),
        None if info.rank != 1 => Err(format!("line {} where the first was expected", info.rank)),
        _ => Ok(()),
    }
}

/// A line of analysis in which every field is there.
struct Said {
    depth: u32,
    rank: usize,
    score: Shown,
    bound: bool,
    moves: Vec<String>,
}

impl Said {
    /// Reads a line in which every field must be there and every number whole.
    fn read(line: &str) -> Option<Said> {
        let info = Info::parse(line)?;
        let whole = info.seldepth.is_some() && info.time.is_some() && info.hashfull.is_some();
        (whole && info.nodes.is_some() && info.nps.is_some() && !info.pv.is_empty()).then_some(())?;
        let bound = info.bound != Bound::Exact;
        Some(Said { depth: info.depth?, rank: info.multipv? as usize, score: info.score?, bound, moves: info.pv })
    }

    /// What the score says, as a number that grows with it.
    fn worth(&self) -> Score {
        self.score.into()
    }

    /// Plays the line.
    fn follow(&self, game: &Game) -> Verdict {
        let mut game = game.clone();
        for (index, text) in self.moves.iter().enumerate() {
            // Whoever asks for a move where the game is over gets one.
            if index > 0 && game.outcome().is_some_and(|outcome| outcome.winner().is_none()) {
                return Err(format!("{text} after the end of the game"));
            }
            // After mate and stalemate nothing is legal.
            let mv = parse_uci(game.board(), text).map_err(|error| format!("{text} is {error}"))?;
            game.play(mv);
        }
        let Shown::Mate(moves) = self.score else { return Ok(()) };
        if self.bound {
            return Ok(());
        }
        let plies = (2 * i64::from(moves) - i64::from(moves > 0)).unsigned_abs();
        if self.moves.len() as u64 != plies {
            return Err(format!("a mate of {plies} plies with a line of {}", self.moves.len()));
        }
        if game.board().is_checkmate() { Ok(()) } else { Err("a mate that does not end in mate".to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    const HEAD: &str = "info depth 1 seldepth 1 multipv 1 score";
    const TAIL: &str = "nodes 1 nps 1 hashfull 0 time 0 pv";

    fn verdict(game: &Game, score: &str, moves: &str) -> Verdict {
        let best = moves.split(' ').next().unwrap_or_default();
        check(&[format!("{HEAD} {score} {TAIL} {moves}")], best, game, 1)
    }

    #[test]
    fn good_lines_pass_and_bad_ones_do_not() {
        let game = Game::default();
        assert_eq!(verdict(&game, "cp 3", "e2e4 e7e5"), Ok(()));
        for (score, moves) in [("cp 3", "e2e4 e2e4"), ("mate 1", "e2e4"), ("cp 1.5", "e2e4"), ("cp 1", "")] {
            assert!(verdict(&game, score, moves).is_err(), "{score} {moves}");
        }
        let line = format!("{HEAD} cp 3 {TAIL} d2d4");
        assert!(check(&[line], "e2e4", &game, 1).is_err_and(|fault| fault.starts_with("best move e2e4")));
        assert_eq!(check(&[], "e2e4", &game, 1), Err("no exact line".to_string()));
        // A second line where one was wanted.
        let line = format!("{HEAD} cp 3 {TAIL} e2e4").replace("multipv 1", "multipv 2");
        assert!(check(&[line], "e2e4", &game, 1).is_err_and(|fault| fault.starts_with("line 2 where")));
    }

    #[test]
    fn several_lines_are_of_one_depth_and_in_order() {
        let game = Game::default();
        let all = |lines: &[(u32, u32, &str, &str)]| {
            let said = lines.iter().map(|(depth, rank, score, mv)| {
                format!("info depth {depth} seldepth 1 multipv {rank} score {score} {TAIL} {mv}")
            });
            check(&said.collect::<Vec<_>>(), "e2e4", &game, 2)
        };
        assert_eq!(
            all(&[(2, 1, "cp 5", "d2d4"), (2, 2, "cp 5", "e2e4"), (3, 1, "cp 9", "e2e4"), (3, 2, "cp 1", "d2d4")]),
            Ok(())
        );
        for (bad, fault) in [
            ([(2, 1, "cp 5", "e2e4"), (3, 1, "cp 9", "e2e4")], "line 1 after 1"),
            ([(1, 1, "cp 5", "e2e4"), (1, 1, "cp 9", "e2e4")], "line 1 after 1"),
            ([(2, 1, "cp 5", "e2e4"), (3, 2, "cp 1", "d2d4")], "depth 3 after 2"),
            ([(2, 1, "cp 5", "e2e4"), (2, 2, "cp 6", "d2d4")], "a better line"),
            ([(2, 2, "cp 5", "e2e4"), (2, 2, "cp 5", "d2d4")], "line 2 where"),
        ] {
            assert!(all(&bad).is_err_and(|text| text.starts_with(fault)), "{bad:?}");
        }
        // The last lines are all there.
        let few = Err("1 lines at the end, expected 2".to_string());
        assert_eq!(all(&[(1, 1, "cp 5", "e2e4")]), few);
        let whole = [(2, 1, "mate 3 lowerbound", "e2e4"), (2, 2, "cp 1", "d2d4")];
        let and = |last| all(&[whole[0], whole[1], last]);
        assert_eq!(and((2, 1, "cp 999", "e2e4")), Ok(()));
        assert_eq!(and((3, 1, "cp 999", "e2e4")), few);
        assert_eq!(all(&[(2, 1, "cp 9", "e2e4"), whole[1], (2, 1, "cp 999", "e2e4")]), few);
        // There is only one move.
        let one = Game::new(Board::from_fen("7k/8/8/8/8/8/1r6/K7 w - - 0 80").expect("legal"));
        assert_eq!(check(&[format!("{HEAD} cp 0 {TAIL} a1b2")], "a1b2", &one, 4), Ok(()));
    }

    #[test]
    fn mates_are_as_long_as_they_are_said_to_be() {
        let game = Game::new(Board::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1").expect("legal"));
        assert_eq!(verdict(&game, "mate 2", "a2a7 h8g8 b1b8"), Ok(()));
        assert_eq!(
            verdict(&game, "mate 3", "a2a7 h8g8 b1b8").err().as_deref().map(|text| &text[..16]),
            Some("a mate of 5 plie")
        );
        assert!(verdict(&game, "mate 2", "a2a7 h8g8").is_err());
        // A bound promises no line, but what there is of it has to be legal; and it is not exact.
        let lines = ["mate 3 lowerbound", "cp 5"].map(|score| format!("{HEAD} {score} {TAIL} a2a7"));
        assert_eq!(check(&lines, "a2a7", &game, 1), Ok(()));
        assert_eq!(check(&lines[..1], "a2a7", &game, 1), Err("no exact line".to_string()));
        assert!(verdict(&game, "mate 3 lowerbound", "a2a2").is_err_and(|fault| fault.starts_with("a2a2 is")));
        assert!(verdict(&game, "mate 2", "a2a7 h8g8 b1b8 g8h8").is_err());
    }

    #[test]
    fn lines_end_with_the_game() {
        let game = Game::new(Board::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 99 80").expect("legal"));
        assert_eq!(verdict(&game, "cp 3", "a2a7"), Ok(()));
        assert!(verdict(&game, "cp 3", "a2a7 h8g8").is_err_and(|fault| fault.starts_with("h8g8 after the end")));
        let bare = Game::new(Board::from_fen("7k/8/8/8/8/8/r7/K7 w - - 0 80").expect("legal"));
        assert!(verdict(&bare, "cp 0", "a1a2 h8g8").is_err_and(|fault| fault.starts_with("h8g8 after the end")));
    }
}
