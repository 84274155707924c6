//! The engine as analysis uses it: a position goes in, what it is worth and the best line come out.

use std::sync::Arc;
use std::time::Instant;

use chess::{Board, Game, Move, Outcome, Score};
use engine::syzygy::Notice;
use engine::variation::{is_counted, playable, uncounted};
use engine::wdl::Model;
use engine::{Bound, Control, Engine, Limits, Line, OutOfMemory, Reporter, TimeLimit};

use super::panel::{Effort, Question};

/// How deep a glance is, which tells moves that are easy to find.
const GLANCE_DEPTH: i32 = 5;
/// A verdict rests on searches of so many times the usual nodes or time.
const THOROUGH: u32 = 5;
/// Or of so many plies more.
const THOROUGH_PLIES: i32 = 3;

/// The chances in a position that is certainly a draw.
const DRAWN: [u16; 3] = [0, 1000, 0];

/// What is known of a position, for the side to move.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The score as the search has it. A mate is counted to its end by the line.
    pub score: Score,
    /// Wins, draws and losses in per mille.
    pub wdl: [u16; 3],
    /// The score as it is shown.
    pub shown: Score,
    /// Whether endgame tables know the result.
    pub known: bool,
    /// The best line, up to the end of the game at most.
    pub line: Vec<Move>,
}

impl Finding {
    fn new(model: &Model, board: &Board, score: Score, known: bool, line: Vec<Move>) -> Finding {
        let (wdl, shown) = (model.wdl_known(score, known, board), model.normalise(score, board));
        Finding { score, wdl, shown, known, line }
    }

    /// Of a position that nobody has looked at.
    pub fn unknown() -> Finding {
        Finding { score: Score::DRAW, wdl: DRAWN, shown: Score::DRAW, known: false, line: Vec::new() }
    }

    /// The points that the side to move can expect: wins and half the draws, from 0 to 1.
    pub fn expected(&self) -> f64 {
        let [win, draw, _] = self.wdl.map(f64::from);
        (win + draw / 2.0) / 1000.0
    }

    /// The same for the other side, of a position a ply earlier from which this move led here.
    pub fn before(&self, mv: Move) -> Finding {
        // A mate is a ply further away.
        let distance = if self.score.is_mate() { self.score.0.signum() } else { 0 };
        let back = |score: Score| -(score - distance);
        let [win, draw, loss] = self.wdl;
        let line = std::iter::once(mv).chain(self.line.iter().copied()).collect();
        Finding { score: back(self.score), wdl: [loss, draw, win], shown: back(self.shown), known: self.known, line }
    }
}

/// How a game has ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// It has no move.
    Stalemate,
    /// Nobody can mate any more.
    Material,
    /// The position is there for the third time.
    Repetition,
    /// Fifty moves without a capture or pawn move.
    FiftyMoves,
}

impl Ending {
    /// How the game has ended, if it has. Draws that somebody has to claim count only if nothing was played after them.
    pub fn of(game: &Game, last: bool) -> Option<Ending> {
        let outcome = if last { game.outcome() } else { game.board().outcome() };
        outcome.map(|outcome| match outcome {
            Outcome::Checkmate(_) => Ending::Checkmate,
            Outcome::Stalemate => Ending::Stalemate,
            Outcome::InsufficientMaterial => Ending::Material,
            Outcome::Threefold => Ending::Repetition,
            Outcome::FiftyMoves => Ending::FiftyMoves,
        })
    }

    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Ending::Checkmate => "Checkmate.",
            Ending::Stalemate => "Stalemate.",
            Ending::Material => "Drawn: nobody can mate any more.",
            Ending::Repetition => "Drawn: the position is there for the third time.",
            Ending::FiftyMoves => "Drawn: fifty moves without a capture or pawn move.",
        }
    }
}

/// Keeps the last lines of a search that are no bounds.
#[derive(Default)]
struct Listener {
    lines: Vec<(Score, Vec<Move>)>,
    /// Whether endgame tables know the result, of every move.
    known: bool,
    notices: Vec<Notice>,
}

impl Reporter for Listener {
    fn line(&mut self, line: &Line<'_>) {
        if line.bound != Bound::Exact {
            return;
        }
        if line.multipv == 1 {
            self.lines.clear();
        }
        self.lines.push((line.score, line.pv.to_vec()));
        self.known = line.known;
    }

    fn notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }
}

/// An engine, and how long it may look at a position.
pub struct Searcher {
    engine: Engine,
    /// For a glance: a small table is empty sooner.
    glancer: Engine,
    limits: Limits,
    control: Arc<Control>,
    /// The most men of a position that endgame tables know; 0 without tables.
    pub men: u32,
    /// What there was to tell of the tables.
    pub notices: Vec<Notice>,
}

impl Searcher {
    /// One that looks this long at each position, until the control says stop.
    pub fn new(mebibytes: usize, limits: Limits, control: Arc<Control>) -> Result<Searcher, OutOfMemory> {
        let (engine, glancer) = (Engine::new(mebibytes)?, Engine::new(1)?);
        Ok(Searcher { engine, glancer, limits, control, men: 0, notices: Vec::new() })
    }

    /// Lets several threads look at each position.
    pub fn set_threads(&mut self, threads: usize) {
        self.engine.set_threads(threads);
    }

    /// How long to look.
    fn limits(&self, effort: Effort) -> Limits {
        let mut limits = self.limits.clone();
        match effort {
            Effort::Glance => return Limits { depth: Some(GLANCE_DEPTH), ..Limits::default() },
            Effort::Usual => {}
            Effort::Thorough => {
                limits.nodes = limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(THOROUGH)));
                limits.depth = limits.depth.map(|depth| depth + THOROUGH_PLIES);
                if let TimeLimit::MoveTime(time) = &mut limits.time {
                    *time = time.saturating_mul(THOROUGH);
                }
            }
        }
        limits
    }

    /// Answers a question with an empty table; never without a finding.
    pub fn answer(&mut self, question: &Question) -> Vec<Finding> {
        let Question { game, last, effort, lines, without } = question;
        let mut limits = self.limits(*effort);
        limits.multi_pv = *lines;
        if let Some(without) = without {
            limits.moves = game.board().legal_moves().iter().copied().filter(|mv| mv != without).collect();
        }
        if *effort == Effort::Glance {
            std::mem::swap(&mut self.engine, &mut self.glancer);
        }
        self.engine.new_game();
        let found = self.search(game, *last, &limits);
        let model = Model::of(self.engine.evaluation());
        if *effort == Effort::Glance {
            std::mem::swap(&mut self.engine, &mut self.glancer);
        }
        if found.is_empty() { vec![Finding::new(model, game.board(), Score::DRAW, false, Vec::new())] } else { found }
    }

    /// Uses the endgame tables in these folders.
    pub fn use_tables(&mut self, folders: &str) {
        let syzygy = self.engine.syzygy_mut();
        syzygy.set_path(folders);
        self.men = syzygy.tables().map_or(0, |tables| tables.men());
        self.notices = syzygy.take_notices();
    }

    /// Forgets the last game, so that what comes out does not depend on it.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Whether the user has had enough. What is found from then on is worth nothing.
    pub fn is_interrupted(&self) -> bool {
        self.control.is_stopped()
    }

    /// The best lines of a position.
    pub fn lines(&mut self, game: &Game, last: bool, count: usize) -> Vec<Finding> {
        let limits = Limits { multi_pv: count, ..self.limits.clone() };
        self.search(game, last, &limits)
    }

    /// What is found within limits. Where the game has ended, that is the result.
    fn search(&mut self, game: &Game, last: bool, limits: &Limits) -> Vec<Finding> {
        let count = limits.multi_pv;
        let model = Model::of(self.engine.evaluation());
        let board = game.board();
        if let Some(ending) = Ending::of(game, last) {
            let score = if ending == Ending::Checkmate { Score::mated_in(0) } else { Score::DRAW };
            let found = Finding::new(model, board, score, false, Vec::new());
            return vec![if ending == Ending::Checkmate { found } else { Finding { wdl: DRAWN, ..found } }];
        }
        let mut listener = Listener::default();
        let clock = Instant::now();
        let outcome = self.engine.search_here(game, limits, &self.control, &clock, &mut listener);
        self.notices.append(&mut listener.notices);
        let mut lines = listener.lines;
        // Another thread may know better than the one that reports, and a search that is cut short reports nothing.
        if count <= 1 || lines.is_empty() {
            let agrees = lines.first().is_some_and(|(_, line)| line.first() == outcome.best.as_ref());
            if !agrees && outcome.best.is_some() {
                lines = vec![(outcome.score, outcome.pv)];
            }
        }
        let found = lines.into_iter().map(|(score, line)| {
            let (line, mated) = playable(game, &line);
            // A line that was never searched has no score of its own.
            let score = if score > -Score::MATE { score } else { self.engine.evaluate(game) };
            let score = if is_counted(score, &line, mated) { score } else { uncounted(score) };
            Finding::new(model, board, score, listener.known, line)
        });
        found.take(count.max(1)).collect()
    }
}
