//! A game in numbers: for each player the errors, the points given away, and how accurate the moves were.

use std::fmt::Write;

use chess::Color;

use super::explain::numbered;
use super::judge::{Judgement, Verdict};
use pgn::record::Record;

/// A move that costs this much counts half.
pub const HALF_LOSS: f64 = 0.10;

/// One player's moves. Those without a choice do not count.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Tally {
    /// Moves that count.
    pub moves: usize,
    /// How many are `?!`.
    pub inaccuracies: usize,
    /// How many are `?`.
    pub mistakes: usize,
    /// How many are `??`.
    pub blunders: usize,
    /// Points given away.
    pub loss: f64,
    /// The sum of what each move counts: 1 if it cost nothing.
    pub accuracy: f64,
}

impl Tally {
    fn add(&mut self, found: &Judgement) {
        if found.forced {
            return;
        }
        self.moves += 1;
        self.loss += found.loss;
        self.accuracy += (-found.loss / HALF_LOSS).exp2();
        match found.verdict {
            Verdict::Inaccuracy => self.inaccuracies += 1,
            Verdict::Mistake => self.mistakes += 1,
            Verdict::Blunder => self.blunders += 1,
            Verdict::Fine | Verdict::Only => {}
        }
    }

    /// Points given away a move.
    pub fn average_loss(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// In per cent.
    pub fn percent(&self) -> f64 {
        100.0 * self.accuracy / self.moves.max(1) as f64
    }
}

/// A game in numbers.
pub struct Summary {
    /// White's and Black's.
    pub tallies: [Tally; 2],
    /// The move that cost most, with its number, if one was criticised.
    pub critical: Option<String>,
}

impl Summary {
    /// Of a game whose moves have been judged.
    pub fn of(record: &Record, judgements: &[Judgement]) -> Summary {
        let mut summary = Summary { tallies: [Tally::default(); 2], critical: None };
        let mut board = record.start.clone();
        let mut worst = 0.0;
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
            if tally.moves > 0 {
                // Writing to a string cannot fail.
                let _ = write!(
                    text,
                    "{name}: accuracy {:.0}%, {:.3} points lost a move, {}, {}, {}. ",
                    tally.percent(),
                    tally.average_loss(),
                    counted(tally.inaccuracies, "inaccuracy", "inaccuracies"),
                    counted(tally.mistakes, "mistake", "mistakes"),
                    counted(tally.blunders, "blunder", "blunders"),
                );
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
            "game {}: {} - {}, {}\n         moves   ?!    ?   ??  loss/move  accuracy",
            record.number,
            record.tag("White").unwrap_or("?"),
            record.tag("Black").unwrap_or("?"),
            record.result
        );
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let tally = &self.tallies[color.index()];
            let _ = write!(
                text,
                "\n  {name}  {:>5} {:>4} {:>4} {:>4}  {:>9.3}  {:>7.0}%",
                tally.moves,
                tally.inaccuracies,
                tally.mistakes,
                tally.blunders,
                tally.average_loss(),
                tally.percent()
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
