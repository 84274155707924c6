//! What a move cost. Positions are searched from the last to the first, so that the table knows how the game went on
//! when it comes to the move that led there. What a move costs is measured in expected points, not in centipawns: a pawn
//! matters when the game is level, and hardly when a queen is gone.

use chess::Move;

use super::searcher::{Finding, Searcher};
use pgn::record::{BLUNDER, DUBIOUS, GOOD, MISTAKE, Record};

/// What a move that costs this much is called, and its mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Nothing to say.
    Fine,
    /// The only good move, and not easy to see.
    Only,
    /// `?!`.
    Inaccuracy,
    /// `?`.
    Mistake,
    /// `??`.
    Blunder,
}

/// An inaccuracy costs at least this share of a point.
pub const INACCURACY_LOSS: f64 = 0.08;
/// A mistake costs at least this.
pub const MISTAKE_LOSS: f64 = 0.15;
/// A blunder costs at least this.
pub const BLUNDER_LOSS: f64 = 0.30;

impl Verdict {
    /// What a move is called that costs this many points.
    pub fn of(loss: f64) -> Verdict {
        if loss >= BLUNDER_LOSS {
            Verdict::Blunder
        } else if loss >= MISTAKE_LOSS {
            Verdict::Mistake
        } else if loss >= INACCURACY_LOSS {
            Verdict::Inaccuracy
        } else {
            Verdict::Fine
        }
    }

    /// The numeric annotation glyph.
    pub fn mark(self) -> Option<u16> {
        match self {
            Verdict::Fine => None,
            Verdict::Only => Some(GOOD),
            Verdict::Inaccuracy => Some(DUBIOUS),
            Verdict::Mistake => Some(MISTAKE),
            Verdict::Blunder => Some(BLUNDER),
        }
    }

    /// The mark as people write it.
    pub fn glyph(self) -> &'static str {
        match self {
            Verdict::Fine => "",
            Verdict::Only => "!",
            Verdict::Inaccuracy => "?!",
            Verdict::Mistake => "?",
            Verdict::Blunder => "??",
        }
    }

    /// Whether the move is criticised.
    pub fn is_error(self) -> bool {
        self >= Verdict::Inaccuracy
    }
}

/// What is known of a move that was played.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The best there was, for the side that moves. The line begins with the best move.
    pub best: Finding,
    /// What was left after the move, for the other side. The line begins with the answer.
    pub left: Finding,
    /// What the move cost, in points from 0 to 1.
    pub loss: f64,
    /// What it is called.
    pub verdict: Verdict,
    /// Whether there was no choice.
    pub forced: bool,
    /// Whether endgame tables know the position, so that its result is certain.
    pub known: bool,
    /// The best of the other moves, where that was asked.
    pub second: Option<Finding>,
}

/// Judges every move of a game. Nothing if the user has had enough. `progress` is called after each position.
pub fn judge(
    searcher: &mut Searcher,
    novice: &mut Searcher,
    record: &Record,
    progress: &mut dyn FnMut(),
) -> Option<Vec<Judgement>> {
    let plies = &record.main.plies;
    if plies.is_empty() {
        progress();
        return (!searcher.is_interrupted()).then(Vec::new);
    }
    searcher.new_game();
    let mut left = searcher.look(&record.game_at(plies.len()), true);
    progress();
    let mut judgements = Vec::with_capacity(plies.len());
    for (index, ply) in plies.iter().enumerate().rev() {
        let found = judge_move(searcher, novice, record, index, ply.mv, left);
        if searcher.is_interrupted() {
            return None;
        }
        left = found.best.clone();
        judgements.push(found);
        progress();
    }
    judgements.reverse();
    (!searcher.is_interrupted()).then_some(judgements)
}

fn judge_move(
    searcher: &mut Searcher,
    novice: &mut Searcher,
    record: &Record,
    index: usize,
    played: Move,
    left: Finding,
) -> Judgement {
    let game = record.game_at(index);
    let moves = game.board().legal_moves();
    let forced = moves.len() == 1;
    let mut best = searcher.look(&game, false);
    let known = best.known;
    let kept = 1.0 - left.expected();
    let mut loss = best.expected() - kept;
    let first = best.line.first().copied();
    if first == Some(played) || forced || first.is_none() {
        loss = 0.0;
    } else if let Some(mv) = first.filter(|_| Verdict::of(loss).is_error()) {
        // The move that was played has had a search of its own. So has the better one before anything is said.
        let mut other = game.clone();
        other.play(mv);
        best = searcher.look(&other, false).before(mv);
        loss = best.expected() - kept;
    }
    if loss < 0.0 {
        // The search of its own likes the move better than the one that was thought best.
        best = left.before(played);
    }
    let loss = loss.max(0.0);
    let mut found = Judgement { best, left, loss, verdict: Verdict::of(loss), forced, known, second: None };
    if found.best.line.first() == Some(&played) && !forced {
        found.second = only_move(searcher, novice, record, index, played, &found.best);
    }
    if found.second.is_some() {
        found.verdict = Verdict::Only;
    }
    found
}

/// The next best move, where the best one is much better, no recapture, and not what a quick look chooses.
fn only_move(
    searcher: &mut Searcher,
    novice: &mut Searcher,
    record: &Record,
    index: usize,
    played: Move,
    best: &Finding,
) -> Option<Finding> {
    let game = record.game_at(index);
    let previous = index.checked_sub(1).and_then(|index| record.main.plies.get(index));
    let recaptures = played.is_capture() && previous.is_some_and(|ply| ply.mv.to() == played.to());
    if recaptures || best.expected() < BLUNDER_LOSS {
        return None;
    }
    novice.new_game();
    if novice.look(&game, false).line.first() == Some(&played) {
        return None;
    }
    let others: Vec<Move> = game.board().legal_moves().iter().copied().filter(|&mv| mv != played).collect();
    let second = searcher.lines(&game, false, 1, &others).into_iter().next()?;
    (best.expected() - second.expected() >= BLUNDER_LOSS).then_some(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_it_costs_the_worse_it_is_called() {
        let verdicts = [0.0, 0.0799, 0.08, 0.15, 0.2999, 0.3, 1.0].map(Verdict::of);
        use Verdict::{Blunder, Fine, Inaccuracy, Mistake};
        assert_eq!(verdicts, [Fine, Fine, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
        assert_eq!(verdicts.map(Verdict::mark), [None, None, Some(6), Some(2), Some(2), Some(4), Some(4)]);
        assert!(!Verdict::Only.is_error() && Verdict::Inaccuracy.is_error());
    }
}
