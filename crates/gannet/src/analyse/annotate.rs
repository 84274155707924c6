//! What was found, put into the game: evaluations, marks, reasons, and the lines that should have been played.

use chess::{Board, Game, Move};

use super::explain::{Case, evaluation, numbered, only_move};
use super::judge::Judgement;
use super::review::Review;
use super::searcher::{Ending, Finding};
use pgn::record::{DUBIOUS, GOOD, Line, Record};

/// Variations are shown this far, a mate to its end if that is not much further.
const VARIATION: usize = 8;
/// A mate is shown up to this many plies.
const MATE_VARIATION: usize = 16;

/// The answer to a bad move is shown if what was played instead cost this much, or if the reason names it.
const SHOWN_LOSS: f64 = 0.02;

/// Writes down what was found about a game.
pub fn annotate(record: &mut Record, review: &Review) {
    let mut game = record.game_at(0);
    let mut answer: Option<Answer> = None;
    let length = record.main.plies.len();
    for (index, (ply, found)) in record.main.plies.iter_mut().zip(&review.judgements).enumerate() {
        if let Some(mark) = found.verdict.mark() {
            // What is said of the quality of the move in the file gives way to what was found.
            ply.marks.retain(|mark| !(GOOD..=DUBIOUS).contains(mark));
            ply.marks.insert(0, mark);
        }
        let refutation = answer.take().filter(|answer| answer.is_shown(ply.mv, found));
        let shown = if found.verdict.is_error() {
            Some(variation(game.board(), &found.best))
        } else {
            refutation.map(|answer| answer.line)
        };
        ply.variations.splice(0..0, shown);
        let comment = comment(&mut game, ply.mv, found, index + 1 == length, &mut answer);
        ply.comments.splice(0..0, Some(comment).filter(|comment| !comment.is_empty()));
    }
    if let Some(opening) = &review.opening {
        for (name, value) in [("ECO", opening.code), ("Opening", opening.name)] {
            if record.tag(name).is_none() {
                record.tags.push((name.to_string(), value.to_string()));
            }
        }
    }
    record.closing.extend(Some(review.summary.comment()).filter(|text| !text.is_empty()));
    let fault = record.broken.as_ref().map(|broken| format!("Broken off: {}", broken.fault.replace(['{', '}'], " ")));
    record.closing.extend(fault);
}

/// How a bad move is answered best.
struct Answer {
    line: Line,
    /// Whether the reason speaks of it.
    named: bool,
}

impl Answer {
    /// Whether it is worth a variation to the move that was played.
    fn is_shown(&self, played: Move, found: &Judgement) -> bool {
        let differs = self.line.plies.first().is_some_and(|first| first.mv != played);
        differs && (self.named || found.loss >= SHOWN_LOSS)
    }
}

/// What is said of a move, which is played. What refutes it stands beside the answer in the game, or in the comment if
/// there was none.
fn comment(game: &mut Game, mv: Move, found: &Judgement, last: bool, answer: &mut Option<Answer>) -> String {
    let before = game.clone();
    game.play(mv);
    let board = game.board();
    let mut words = Vec::new();
    words.extend(evaluation(&found.left, board.side_to_move()).map(|text| format!("[%eval {text}]")));
    words.extend(found.second.as_ref().map(|second| only_move(before.board(), second)));
    if found.verdict.is_error() {
        let reason = Case { game: &before, played: mv, judgement: found }.text();
        let line = variation(board, &found.left);
        let named = found.left.line.first().is_some_and(|&reply| reason.contains(&numbered(board, reply)));
        words.push(reason);
        *answer = Some(Answer { line, named });
    }
    words.extend(Ending::of(game, last).map(|ending| ending.text().to_string()));
    words.join(" ")
}

/// A line as a variation, its first move with its evaluation.
fn variation(board: &Board, found: &Finding) -> Line {
    let length = if found.score.is_mate() && found.line.len() <= MATE_VARIATION { MATE_VARIATION } else { VARIATION };
    let moves: Vec<Move> = found.line.iter().copied().take(length).collect();
    let mut line = Line::bare(&moves);
    if let Some(first) = line.plies.first_mut() {
        first.comments.extend(evaluation(found, board.side_to_move()).map(|text| format!("[%eval {text}]")));
    }
    line
}
