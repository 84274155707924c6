//! What the search finds, as lines: `info …` and `bestmove …` for programs, a table for people.
//!
//! No variation is printed unchecked: it is cut before the first illegal move and where the game has ended, counting
//! the moves before the search. Scores are shown normalised ([`engine::wdl`]); inside the search they never are.
//! The last exact line of a search begins with its best move: programs take score and variation from there.

mod table;

use std::time::Duration;

use chess::{Board, Game, Move, Score, san};
use engine::syzygy::Notice;
use engine::variation::{is_counted, playable, uncounted};
use engine::wdl::{FITTED, Model};
use engine::{Bound, Line, Outcome, Reporter};
use uci::Info;

use crate::output::{inform, say};

/// Whom to write for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Programs.
    Uci,
    /// People.
    Table,
}

impl Style {
    /// The last line of a search: the best move, and the reply to it that is expected.
    pub fn best_move(self, board: &Board, best: Move, reply: Option<Move>, chess960: bool) -> String {
        let after = board.after(best);
        let reply = reply.filter(|&reply| after.is_legal(reply));
        match self {
            Style::Uci => {
                let ponder = reply.map_or(String::new(), |reply| format!(" ponder {}", chess::uci(reply, chess960)));
                format!("bestmove {}{ponder}", chess::uci(best, chess960))
            }
            Style::Table => {
                let expected = reply.map_or(String::new(), |reply| format!(" (expects {})", san(&after, reply)));
                format!("best move: {}{expected}", san(board, best))
            }
        }
    }

    /// The last line of a search that has no move to give.
    pub fn no_move(self) -> String {
        match self {
            Style::Uci => "bestmove 0000".to_string(),
            Style::Table => "best move: none".to_string(),
        }
    }
}

/// Prints the lines of one search and remembers the last one that counts.
pub struct Printer {
    /// Whether chances to win, draw and lose go with scores.
    pub show_wdl: bool,
    /// What scores are worth.
    pub model: &'static Model,
    game: Game,
    chess960: bool,
    style: Style,
    multi_pv: usize,
    last: Option<LastExact>,
    /// The first move of the last line that was shown as exact.
    exact: Option<Move>,
}

/// The last line of the best move that was not a bound to the search.
struct LastExact {
    pv: Vec<Move>,
    score: Score,
    seldepth: usize,
    hashfull: usize,
    tbhits: u64,
    /// Of every move or of none.
    known: bool,
}

impl Printer {
    /// For a search of the current position of a game.
    pub fn new(game: Game, chess960: bool, style: Style, multi_pv: usize) -> Printer {
        Printer { show_wdl: false, model: &FITTED, game, chess960, style, multi_pv, last: None, exact: None }
    }

    /// The last words of a search: another line where the best move is not that of the last line, as happens when a
    /// search is stopped or another thread knows better; then, to be printed when it is due, the best move.
    pub fn conclude(&mut self, outcome: &Outcome, time: Duration, evaluation: Score) -> String {
        let Some(best) = outcome.best else {
            match self.style {
                Style::Uci => {
                    // The game is over: there are no chances any more, only the result.
                    let result = if outcome.score.is_mate() { [0, 0, 1000] } else { [0, 1000, 0] };
                    let (score, wdl) = (Some(outcome.score.into()), self.show_wdl.then_some(result));
                    say(Info { depth: Some(0), score, wdl, ..Info::default() });
                }
                Style::Table if outcome.score.is_mate() => say("checkmate: there is no move"),
                Style::Table => say("stalemate: there is no move"),
            }
            return self.style.no_move();
        };
        // All lines of one depth were shown, and the one shown first is the answer.
        let shown = self.last.as_ref().filter(|_| self.multi_pv > 1).map(|last| &last.pv[..]);
        let (chosen, reply) = match shown {
            Some([first, rest @ ..]) if *first != best => (*first, rest.first().copied()),
            _ => (best, outcome.ponder),
        };
        if self.exact != Some(chosen) {
            self.close(chosen, outcome, time, evaluation);
        }
        self.style.best_move(self.game.board(), chosen, reply, self.chess960)
    }

    /// An exact line for the best move, where the last one is not exact or not of this move.
    fn close(&mut self, best: Move, outcome: &Outcome, time: Duration, evaluation: Score) {
        let last = self.last.as_ref();
        let (seldepth, hashfull, tbhits) = last.map_or((1, 0, 0), |last| (last.seldepth, last.hashfull, last.tbhits));
        let known = last.is_some_and(|last| last.known);
        let shown = last.filter(|last| last.pv.first() == Some(&best)).map(|last| (last.score, &last.pv));
        let (score, pv) = shown.unwrap_or((outcome.score, &outcome.pv));
        // A move that was never searched has no score of its own.
        let score = if score > -Score::MATE { score } else { evaluation };
        let (pv, mated) = playable(&self.game, pv);
        let score = if is_counted(score, &pv, mated) { score } else { uncounted(score) };
        let (depth, nodes) = (outcome.depth.max(1), outcome.nodes);
        let (multipv, bound) = (1, Bound::Exact);
        self.line(&Line { depth, seldepth, multipv, score, known, bound, nodes, time, hashfull, tbhits, pv: &pv });
    }
}

impl Reporter for Printer {
    fn line(&mut self, line: &Line<'_>) {
        let (pv, mated) = playable(&self.game, line.pv);
        let board = self.game.board();
        let shown =
            Line { score: self.model.normalise(line.score, board), bound: honest_bound(line, &pv, mated), ..*line };
        match self.style {
            Style::Uci => {
                let wdl = self.show_wdl.then(|| self.model.wdl_known(line.score, line.known, board));
                say(info(&shown, wdl, &pv, self.chess960));
            }
            Style::Table => {
                if self.last.is_none() {
                    say(table::HEADING);
                }
                say(table::row(&shown, board, &pv));
            }
        }
        if line.is_exact_best() {
            let &Line { score, seldepth, hashfull, tbhits, known, .. } = line;
            if shown.is_exact_best() {
                self.exact = pv.first().copied();
            }
            self.last = Some(LastExact { pv, score, seldepth, hashfull, tbhits, known });
        }
    }

    fn notice(&mut self, notice: &Notice) {
        inform(notice);
    }

    fn missing_threads(&mut self, missing: usize, asked: usize) {
        inform(format_args!("error: there is no memory for {missing} of {asked} threads; the others search"));
    }
}

/// What a score says. A mate that the variation does not show, as when a search is stopped at the wrong moment, is
/// no more than a bound: people and programs count the moves.
fn honest_bound(line: &Line<'_>, pv: &[Move], mated: bool) -> Bound {
    match line.bound {
        Bound::Exact if is_counted(line.score, pv, mated) => Bound::Exact,
        Bound::Exact if line.score > Score::DRAW => Bound::Lower,
        Bound::Exact => Bound::Upper,
        bound => bound,
    }
}

/// A line for programs.
fn info(line: &Line<'_>, wdl: Option<[u16; 3]>, pv: &[Move], chess960: bool) -> Info {
    Info {
        depth: u32::try_from(line.depth).ok(),
        seldepth: u32::try_from(line.seldepth).ok(),
        multipv: u32::try_from(line.multipv).ok(),
        score: Some(line.score.into()),
        bound: match line.bound {
            Bound::Lower => uci::Bound::Lower,
            Bound::Upper => uci::Bound::Upper,
            Bound::Exact | Bound::None => uci::Bound::Exact,
        },
        wdl,
        nodes: Some(line.nodes),
        nps: Some(per_second(line.nodes, line.time)),
        hashfull: u32::try_from(line.hashfull).ok(),
        tbhits: Some(line.tbhits),
        time: Some(line.time),
        pv: pv.iter().map(|&mv| chess::uci(mv, chess960).to_string()).collect(),
    }
}

/// Nodes per second, as a whole number.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::parse_uci;

    #[test]
    fn people_and_programs_read_different_words() {
        let board = Board::start();
        let [e4, d4] = ["e2e4", "d2d4"].map(|text| parse_uci(&board, text).expect("legal"));
        let e5 = parse_uci(&board.after(e4), "e7e5").expect("legal");
        assert_eq!(Style::Uci.best_move(&board, e4, Some(e5), false), "bestmove e2e4 ponder e7e5");
        assert_eq!(Style::Table.best_move(&board, e4, Some(e5), false), "best move: e4 (expects e5)");
        // A reply that is none is not told.
        assert_eq!(Style::Uci.best_move(&board, e4, Some(d4), false), "bestmove e2e4");
        assert_eq!(Style::Table.best_move(&board, e4, Some(d4), false), "best move: e4");
        assert_eq!([Style::Uci, Style::Table].map(Style::no_move), ["bestmove 0000", "best move: none"]);
    }

    #[test]
    fn lines_are_written_as_uci_wants_them() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
        let castle = parse_uci(&board, "e1g1").expect("legal");
        let mut line = Line {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            score: Score(-12),
            known: false,
            bound: Bound::Exact,
            nodes: 3000,
            time: Duration::from_micros(1_500_000),
            hashfull: 7,
            tbhits: 2,
            pv: &[],
        };
        assert_eq!(
            info(&line, None, &[castle], false).to_string(),
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 3000 nps 2000 hashfull 7 tbhits 2 time 1500 pv e1g1"
        );
        assert!(info(&line, Some([1, 2, 997]), &[], false).to_string().contains(" score cp -12 wdl 1 2 997 nodes "));
        line.score = Score::mate_in(1);
        assert_eq!(honest_bound(&line, &[castle], true), Bound::Exact);
        assert_eq!(honest_bound(&line, &[castle], false), Bound::Lower);
        assert_eq!(honest_bound(&line, &[], false), Bound::Lower);
        line.score = Score::mated_in(2);
        assert_eq!(honest_bound(&line, &[castle], true), Bound::Upper);
        assert_eq!(honest_bound(&line, &[castle, castle], true), Bound::Exact);
        line.bound = Bound::Lower;
        line.score = Score::mate_in(3);
        assert_eq!(honest_bound(&line, &[castle], false), Bound::Lower);
        assert!(info(&line, None, &[castle], true).to_string().contains(" score mate 2 lowerbound nodes "));
        assert!(info(&line, None, &[castle], true).to_string().ends_with(" pv e1h1"));
        assert!(info(&line, None, &[], true).to_string().ends_with(" time 1500"));
        line.time = Duration::ZERO;
        assert!(per_second(line.nodes, line.time) > 0);
    }
}
