//! A game in numbers: for each player the errors, the points given away, and how accurate the moves were.

use std::fmt::Write;

use chess::Color;

use super::accuracy::{Measure, counts, measure};
use super::clock::shown;
use super::explain::numbered;
use super::judge::Judgement;
use super::verdict::Verdict;
use pgn::record::Record;

/// One player's moves. Those without a choice do not count, nor those in positions that were lost already.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Tally {
    /// How many are `?!`.
    pub inaccuracies: usize,
    /// How many are `?`.
    pub mistakes: usize,
    /// How many are `??`.
    pub blunders: usize,
    /// Points given away.
    pub loss: f64,
    /// How well they were played.
    pub measure: Measure,
}

impl Tally {
    fn add(&mut self, found: &Judgement) {
        if !counts(found) {
            return;
        }
        self.loss += found.loss;
        match found.verdict {
            Verdict::Inaccuracy => self.inaccuracies += 1,
            Verdict::Mistake => self.mistakes += 1,
            Verdict::Blunder => self.blunders += 1,
            Verdict::Fine | Verdict::Only | Verdict::Brilliant => {}
        }
    }
}

/// A game in numbers.
pub struct Summary {
    /// White's and Black's.
    pub tallies: [Tally; 2],
    /// The move that cost most, with its number, if one was criticised.
    pub critical: Option<String>,
    /// White's and Black's move that took longest, and its seconds, where the file has clocks.
    pub thought: [Option<(String, f64)>; 2],
}

impl Summary {
    /// Of a game whose moves have been judged.
    pub fn of(record: &Record, judgements: &[Judgement]) -> Summary {
        let mut summary = Summary { tallies: [Tally::default(); 2], critical: None, thought: [None, None] };
        let mut board = record.start.clone();
        let mut worst = 0.0;
        let (first, [own, other]) = (board.side_to_move(), measure(judgements));
        summary.tallies[first.index()].measure = own;
        summary.tallies[(!first).index()].measure = other;
        for (ply, found) in record.main.plies.iter().zip(judgements) {
            summary.tallies[board.side_to_move().index()].add(found);
            if found.verdict.is_error() && found.loss > worst {
                worst = found.loss;
                summary.critical = Some(numbered(&board, ply.mv));
            }
            board.make(ply.mv);
        }
        summary
    }

    /// As a comment at the end of the game.
    pub fn comment(&self) -> String {
        let mut text = String::new();
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let tally = &self.tallies[color.index()];
            if tally.measure.moves > 0 {
                // Writing to a string cannot fail.
                let _ = write!(
                    text,
                    "{name}: accuracy {:.0}%, {:.0} centipawns lost a move, {}, {}, {}. ",
                    tally.measure.accuracy,
                    tally.measure.centipawns,
                    counted(tally.inaccuracies, "inaccuracy", "inaccuracies"),
                    counted(tally.mistakes, "mistake", "mistakes"),
                    counted(tally.blunders, "blunder", "blunders"),
                );
            }
            if let Some((mv, seconds)) = &self.thought[color.index()] {
                let _ = write!(text, "Longest thought: {mv}, {}. ", shown(*seconds));
            }
        }
        if let Some(critical) = &self.critical {
            let _ = write!(text, "Critical move: {critical}.");
        }
        text.trim_end().to_string()
    }

    /// As a table for a terminal.
    pub fn table(&self, record: &Record) -> String {
        let mut text = format!(
            "game {}: {} - {}, {}\n         moves   ?!    ?   ??  centipawns/move  accuracy",
            record.number,
            record.tag("White").unwrap_or("?"),
            record.tag("Black").unwrap_or("?"),
            record.result
        );
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let tally = &self.tallies[color.index()];
            let _ = write!(
                text,
                "\n  {name}  {:>5} {:>4} {:>4} {:>4}  {:>15.0}  {:>7.0}%",
                tally.measure.moves,
                tally.inaccuracies,
                tally.mistakes,
                tally.blunders,
                tally.measure.centipawns,
                tally.measure.accuracy
            );
        }
        if let Some(critical) = &self.critical {
            let _ = write!(text, "\n  critical move: {critical}");
        }
        text
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}
