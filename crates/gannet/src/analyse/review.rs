//! A reviewed game as data: what reports and pages show of it, ready to be shown. Scores and chances are White's; moves
//! and lines are there as moves and as text.
#![allow(dead_code, reason = "there is more in it than any one of its readers shows")]

use chess::{Board, Color, Game, Move, san};

use super::clock::Clocks;
use super::explain::{Case, chances, evaluation, numbered, telling};
use super::judge::Judgement;
use super::searcher::{Ending, Finding};
use super::summary::Summary;
use super::verdict::Verdict;
use crate::openings::{self, Opening};
use pgn::record::Record;

/// What was found about a game.
pub struct Review {
    /// What each move of the main line was worth.
    pub judgements: Vec<Judgement>,
    /// The same moves, ready to be shown.
    pub moves: Vec<ReviewedMove>,
    /// What the start position is worth.
    pub start: Appraisal,
    /// What the opening is called, if it has a name.
    pub opening: Option<Opening>,
    /// The game in numbers.
    pub summary: Summary,
}

/// What a position is worth, to White.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Appraisal {
    /// As PGN has it: `0.35`, `#-4`; empty where mate is on the board.
    pub text: String,
    /// The points that White can expect, from 0 to 1.
    pub expected: f64,
    /// White's wins, draws and losses in per cent; together they are 100.
    pub chances: [u16; 3],
}

/// Moves in a row from a position of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Continuation {
    /// The moves, legal one after the other.
    pub moves: Vec<Move>,
    /// The same with numbers: `24. Nf3 Nc6 25. d4`.
    pub text: String,
    /// What its first position is worth if it is played.
    pub worth: Appraisal,
}

/// What the clock of the side that moved says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockUse {
    /// Seconds left after the move.
    pub left: f64,
    /// Seconds that the move took, if that can be told.
    pub spent: Option<f64>,
}

/// One move of a reviewed game.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Color,
    /// With its number: `24. Nf3`, `24... Nf3`.
    pub numbered: String,
    /// Without: `Nf3`.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// What the position was worth with the best move.
    pub before: Appraisal,
    /// What it was worth after the move.
    pub after: Appraisal,
    /// What the move is called.
    pub verdict: Verdict,
    /// `?!`, `?`, `??`, `!`, `!!` or nothing.
    pub mark: &'static str,
    /// Points that it cost, from 0 to 1.
    pub loss: f64,
    /// Why it is criticised, and what is better, in sentences.
    pub reason: Option<String>,
    /// What should have been played instead; begins in place of the move.
    pub better: Option<Continuation>,
    /// How a criticised move is refuted; begins after the move.
    pub refutation: Option<Continuation>,
    /// The clock, if the file has it.
    pub clock: Option<ClockUse>,
    /// How the game has ended with this move, if it has.
    pub ending: Option<&'static str>,
}

impl Review {
    /// Of a game whose moves have been judged.
    pub fn of(record: &Record, judgements: Vec<Judgement>) -> Review {
        let mut game = record.game_at(0);
        let mut clocks = Clocks::new(record);
        let mut moves: Vec<ReviewedMove> = Vec::with_capacity(judgements.len());
        for (index, (ply, found)) in record.main.plies.iter().zip(&judgements).enumerate() {
            let last = index + 1 == record.main.plies.len();
            let clock = clocks.take(game.board().side_to_move(), ply);
            moves.push(ReviewedMove { clock, ..ReviewedMove::of(&mut game, ply.mv, found, last) });
        }
        let first = judgements.first().map(|found| &found.best);
        let start = first.map_or_else(Appraisal::default, |best| Appraisal::of(best, record.start.side_to_move()));
        let mut summary = Summary::of(record, &judgements);
        for found in &moves {
            if let Some(spent) = found.clock.and_then(|clock| clock.spent) {
                let longest = &mut summary.thought[found.side.index()];
                if longest.as_ref().is_none_or(|&(_, seconds)| spent > seconds) {
                    *longest = Some((found.numbered.clone(), spent));
                }
            }
        }
        Review { judgements, moves, start, opening: openings::of(record), summary }
    }
}

impl Appraisal {
    /// Of what was found for the side to move.
    pub fn of(found: &Finding, side: Color) -> Appraisal {
        let expected = found.expected();
        Appraisal {
            text: evaluation(found, side).unwrap_or_default(),
            expected: if side == Color::White { expected } else { 1.0 - expected },
            chances: chances(found, side),
        }
    }
}

impl Continuation {
    /// The line that was found for a position; nothing if it has no moves.
    fn of(board: &Board, found: &Finding) -> Option<Continuation> {
        let worth = Appraisal::of(found, board.side_to_move());
        let text = line_text(board, &found.line);
        (!found.line.is_empty()).then(|| Continuation { moves: found.line.clone(), text, worth })
    }
}

impl Continuation {
    /// As much of it as says something.
    fn cut(mut self, board: &Board, found: &Judgement) -> Continuation {
        let plies = telling(board, &found.left).len();
        self.moves.truncate(plies);
        self.text = line_text(board, &self.moves);
        self
    }
}

/// Moves with numbers.
pub fn line_text(board: &Board, line: &[Move]) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for (index, &mv) in line.iter().enumerate() {
        let white = board.side_to_move() == Color::White;
        words.push(if white || index == 0 { numbered(&board, mv) } else { san(&board, mv) });
        board.make(mv);
    }
    words.join(" ")
}

impl ReviewedMove {
    /// Of a move that has been judged, which is played.
    fn of(game: &mut Game, mv: Move, found: &Judgement, last: bool) -> ReviewedMove {
        let board = game.board().clone();
        let side = board.side_to_move();
        let error = found.verdict.is_error();
        let reason = error.then(|| Case { game, played: mv, judgement: found }.text());
        game.play(mv);
        let after = game.board();
        ReviewedMove {
            mv,
            side,
            numbered: numbered(&board, mv),
            san: san(&board, mv),
            fen: after.fen(),
            before: Appraisal::of(&found.best, side),
            after: Appraisal::of(&found.left, !side),
            verdict: found.verdict,
            mark: found.verdict.glyph(),
            loss: found.loss,
            reason,
            better: Continuation::of(&board, &found.best).filter(|_| error),
            refutation: Continuation::of(after, &found.left).filter(|_| error).map(|line| line.cut(after, found)),
            clock: None,
            ending: Ending::of(game, last).map(Ending::text),
        }
    }
}
