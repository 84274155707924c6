//! What a search has found so far, seen from White's side, and as the page reads it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chess::{Board, Color, Game, Move, Score, san, uci};
use engine::variation::{is_counted, playable};
use engine::wdl::Model;
use engine::{Bound, Line, Reporter};

use super::game;
use crate::json;
use crate::reporter::per_second;

/// What a search has found so far. The search writes, the page asks.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Whether the search has ended.
    pub done: bool,
    /// The best move, once it has.
    pub best: Option<String>,
    depth: i32,
    seldepth: usize,
    nodes: u64,
    time: Duration,
    lines: Vec<Shown>,
}

/// A line of analysis, seen from White's side.
#[derive(Clone, Debug)]
struct Shown {
    score: String,
    /// White's wins, draws and losses in a thousand games.
    chances: [u16; 3],
    moves: Vec<Step>,
}

/// A move of a line, and the position after it.
#[derive(Clone, Debug)]
struct Step {
    uci: String,
    san: String,
    fen: String,
}

impl Progress {
    /// What the page reads.
    pub fn describe(&self) -> String {
        let step = |step: &Step| {
            json::object([
                ("uci", json::text(&step.uci)),
                ("san", json::text(&step.san)),
                ("fen", json::text(&step.fen)),
            ])
        };
        let line = |line: &Shown| {
            json::object([
                ("score", json::text(&line.score)),
                ("chances", json::list(line.chances.map(|chance| chance.to_string()))),
                ("moves", json::list(line.moves.iter().map(step))),
            ])
        };
        json::object([
            ("done", self.done.to_string()),
            ("best", self.best.as_deref().map_or("null".to_string(), json::text)),
            ("depth", self.depth.to_string()),
            ("seldepth", self.seldepth.to_string()),
            ("nodes", self.nodes.to_string()),
            ("nps", per_second(self.nodes, self.time).to_string()),
            ("lines", json::list(self.lines.iter().map(line))),
        ])
    }
}

/// Writes down what a search of a game's last position says.
pub struct Watcher {
    game: Game,
    chess960: bool,
    model: &'static Model,
    progress: Arc<Mutex<Progress>>,
}

impl Watcher {
    /// Nothing is written down yet.
    pub fn new(game: Game, model: &'static Model, progress: Arc<Mutex<Progress>>) -> Watcher {
        Watcher { chess960: game::is_chess960(game.start()), game, model, progress }
    }

    /// The search has ended.
    pub fn conclude(&self, best: Option<Move>, nodes: u64, time: Duration) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.best = best.map(|mv| uci(mv, self.chess960).to_string());
        progress.nodes = nodes;
        progress.time = time;
        progress.done = true;
    }

    fn shown(&self, line: &Line<'_>) -> Shown {
        let board = self.game.board();
        let (pv, mated) = playable(&self.game, line.pv);
        let [wins, draws, losses] = self.model.wdl_known(line.score, line.known, board);
        let white = board.side_to_move() == Color::White;
        let score = self.model.normalise(line.score, board);
        Shown {
            score: score_text(score, white, is_counted(line.score, &pv, mated)),
            chances: if white { [wins, draws, losses] } else { [losses, draws, wins] },
            moves: steps(board, &pv, self.chess960),
        }
    }
}

impl Reporter for Watcher {
    fn line(&mut self, line: &Line<'_>) {
        // A bound is followed by the score itself in a moment.
        if line.bound != Bound::Exact {
            return;
        }
        let shown = self.shown(line);
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.depth = line.depth;
        let before = if line.multipv > 1 { progress.seldepth } else { 0 };
        progress.seldepth = line.seldepth.max(before);
        progress.nodes = line.nodes;
        progress.time = line.time;
        match progress.lines.get_mut(line.multipv.saturating_sub(1)) {
            Some(place) => *place = shown,
            None => progress.lines.push(shown),
        }
    }
}

/// Seen from White's side: pawns with a sign, a mate with its distance if that is certain, or just who wins. The score
/// is that of the side to move.
fn score_text(score: Score, white: bool, counted: bool) -> String {
    let sign = if (score < Score::DRAW) == white { '-' } else { '+' };
    match score.mate_moves().filter(|_| counted) {
        Some(moves) => format!("{sign}#{}", moves.abs()),
        None if score.is_decisive() => (if sign == '+' { "1-0" } else { "0-1" }).to_string(),
        None if score == Score::DRAW => "0.00".to_string(),
        None => format!("{sign}{}.{:02}", score.0.abs() / 100, score.0.abs() % 100),
    }
}

fn steps(board: &Board, pv: &[Move], chess960: bool) -> Vec<Step> {
    let mut board = board.clone();
    let mut steps = Vec::with_capacity(pv.len());
    for &mv in pv {
        let (uci, san) = (uci(mv, chess960).to_string(), san(&board, mv));
        board.make(mv);
        steps.push(Step { uci, san, fen: board.fen() });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_for_people() {
        for (score, counted, for_white, for_black) in [
            (Score(35), true, "+0.35", "-0.35"),
            (Score(-7), true, "-0.07", "+0.07"),
            (Score(0), true, "0.00", "0.00"),
            (Score(1234), true, "+12.34", "-12.34"),
            (Score::mate_in(5), true, "+#3", "-#3"),
            (Score::mated_in(4), true, "-#2", "+#2"),
            (Score::mate_in(5), false, "1-0", "0-1"),
            (Score::tablebase_loss_in(5), true, "0-1", "1-0"),
        ] {
            assert_eq!(score_text(score, true, counted), for_white);
            assert_eq!(score_text(score, false, counted), for_black);
        }
    }

    #[test]
    fn everything_is_seen_from_whites_side() {
        let game = game::read("", "f2f3 e7e5 g2g4").expect("legal");
        let mate = chess::parse_uci(game.board(), "d8h4").expect("legal");
        let progress = Arc::<Mutex<Progress>>::default();
        let mut watcher = Watcher::new(game, &engine::wdl::FITTED, Arc::clone(&progress));
        watcher.line(&Line {
            depth: 3,
            seldepth: 4,
            multipv: 1,
            score: Score::mate_in(1),
            known: false,
            bound: Bound::Exact,
            nodes: 50,
            time: Duration::from_millis(1),
            hashfull: 0,
            tbhits: 0,
            pv: &[mate],
        });
        watcher.conclude(Some(mate), 60, Duration::from_millis(2));
        let text = progress.lock().expect("whole").describe();
        let fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let mv = format!(r##"{{"uci":"d8h4","san":"Qh4#","fen":"{fen}"}}"##);
        let line = format!(r##"{{"score":"-#1","chances":[0,0,1000],"moves":[{mv}]}}"##);
        assert_eq!(
            text,
            format!(r#"{{"done":true,"best":"d8h4","depth":3,"seldepth":4,"nodes":60,"nps":30000,"lines":[{line}]}}"#)
        );
    }
}
