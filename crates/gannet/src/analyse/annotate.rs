//! What was found, put into the game: evaluations, marks, reasons, and the lines that should have been played.

use chess::{Board, Move};

use super::explain::{Case, evaluation, numbered, only_move};
use super::judge::Judgement;
use super::record::{DUBIOUS, GOOD, Line, Record};
use super::searcher::{Ending, Finding};
use super::summary::Summary;

/// Variations are shown this far, a mate to its end if that is not much further.
const VARIATION: usize = 8;
/// A mate is shown up to this many plies.
const MATE_VARIATION: usize = 16;

/// Writes down what was found about a game.
pub fn annotate(record: &mut Record, judgements: &[Judgement], summary: &Summary) {
    let mut game = record.game_at(0);
    let mut answer: Option<Line> = None;
    let length = record.main.plies.len();
    for (index, (ply, found)) in record.main.plies.iter_mut().zip(judgements).enumerate() {
        let board = game.board().clone();
        let mut after = game.clone();
        after.play(ply.mv);
        let mut words = Vec::new();
        words.extend(evaluation(&found.left, after.board().side_to_move()).map(|text| format!("[%eval {text}]")));
        if let Some(mark) = found.verdict.mark() {
            // What is said of the quality of the move in the file gives way to what was found.
            ply.marks.retain(|mark| !(GOOD..=DUBIOUS).contains(mark));
            ply.marks.insert(0, mark);
        }
        if found.verdict.is_error() {
            words.push(Case { game: &game, played: ply.mv, judgement: found }.text());
            answer = None;
            ply.variations.insert(0, variation(&board, &found.best));
        } else if let Some(line) = answer.take().filter(|line| line.plies.first().map(|first| first.mv) != Some(ply.mv))
        {
            ply.variations.insert(0, line);
        }
        if let Some(second) = &found.second {
            words.push(only_move(&board, second));
        }
        let last = index + 1 == length;
        if found.verdict.is_error() {
            // What refutes the move stands beside the answer in the game, or here if there was none.
            answer = Some(variation(after.board(), &found.left)).filter(|line| !line.plies.is_empty());
            if last && let Some(line) = &answer {
                words.push(format!("It goes on {}.", text(after.board(), line)));
            }
        }
        words.extend(Ending::of(&after, last).map(|ending| ending.text().to_string()));
        if !words.is_empty() {
            ply.comments.insert(0, words.join(" "));
        }
        game = after;
    }
    record.closing.extend(Some(summary.comment()).filter(|text| !text.is_empty()));
    let fault = record.broken.as_ref().map(|fault| format!("Broken off: {}", fault.replace(['{', '}'], " ")));
    record.closing.extend(fault);
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

/// A line as text.
fn text(board: &Board, line: &Line) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for (index, ply) in line.plies.iter().enumerate() {
        let white = board.side_to_move() == chess::Color::White;
        words.push(if white || index == 0 { numbered(&board, ply.mv) } else { chess::san(&board, ply.mv) });
        board.make(ply.mv);
    }
    words.join(" ")
}
