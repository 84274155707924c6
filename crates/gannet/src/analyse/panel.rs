//! Several engines that answer questions about positions, as many at a time as there are engines. Every question gets an
//! empty table and an engine with one thread, so that an answer depends on nothing but its question: not on how many engines
//! there are, and not on what was asked before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use chess::{Board, Game, Move};
use engine::STACK_SIZE;

use super::searcher::{Finding, Searcher};

/// So many answers are kept, for games that begin alike.
const KEPT: usize = 20_000;
/// What is remembered is the openings: later positions do not come again.
const KEPT_PLIES: usize = 40;
/// Up to here the fifty-move rule is far away, and the clock does not make two positions of one.
const FAR_FROM_FIFTY: u16 = 40;

/// How hard to look.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effort {
    /// What anybody sees.
    Glance,
    /// What every position gets.
    Usual,
    /// What a verdict rests on.
    Thorough,
}

/// What is to be found out.
#[derive(Clone)]
pub struct Question {
    /// The position, and how the game came there.
    pub game: Game,
    /// Whether nothing was played after it.
    pub last: bool,
    /// How hard to look.
    pub effort: Effort,
    /// How many lines.
    pub lines: usize,
    /// A move that does not count.
    pub without: Option<Move>,
}

impl Question {
    /// What a position is worth.
    pub fn about(game: Game, effort: Effort) -> Question {
        Question { game, last: false, effort, lines: 1, without: None }
    }

    /// The same question without what does not matter: moves before the position count only where one of its recent
    /// positions has been there twice.
    fn simplified(mut self, men: u32) -> Question {
        let board = self.game.board();
        let clock = board.halfmove_clock();
        let matters = self.game.history().has_repeated(board) || self.game.is_threefold();
        if matters || clock > FAR_FROM_FIFTY || board.occupied().len() <= men {
            return self;
        }
        if let Some(board) = without_clock(board) {
            self.game = Game::new(board);
        }
        self
    }

    /// What tells it from other questions; nothing where the way to the position counts, or where it will not come again.
    fn name(&self, ply: usize) -> Option<String> {
        (self.game.moves().is_empty() && ply <= KEPT_PLIES).then(|| {
            format!("{} {} {:?} {} {:?}", self.game.board().fen(), self.last, self.effort, self.lines, self.without)
        })
    }
}

/// The position as if a pawn had just moved.
fn without_clock(board: &Board) -> Option<Board> {
    let fen = board.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    *fields.get_mut(4)? = "0";
    *fields.get_mut(5)? = "1";
    Board::from_fen(&fields.join(" ")).ok().filter(|other| other.key() == board.key())
}

/// The engines, and what they have answered.
pub struct Panel {
    searchers: Vec<Searcher>,
    known: HashMap<String, Vec<Finding>>,
}

impl Panel {
    /// Of at least one engine.
    pub fn new(searchers: Vec<Searcher>) -> Panel {
        Panel { searchers, known: HashMap::new() }
    }

    /// The engines.
    pub fn searchers(&mut self) -> &mut [Searcher] {
        &mut self.searchers
    }

    /// Whether the user has had enough. What is found from then on is worth nothing.
    pub fn is_interrupted(&self) -> bool {
        self.searchers.first().is_none_or(Searcher::is_interrupted)
    }

    /// The answers, in the order of the questions; none if the user has had enough. `progress` is called for each.
    pub fn answer(
        &mut self,
        questions: Vec<Question>,
        progress: &mut (dyn FnMut() + Send),
    ) -> Option<Vec<Vec<Finding>>> {
        let men = self.searchers.first().map_or(0, |searcher| searcher.men);
        let named = questions.into_iter().map(|question| {
            let ply = question.game.moves().len();
            let question = question.simplified(men);
            (question.name(ply), question)
        });
        let named: Vec<(Option<String>, Question)> = named.collect();
        let answers: Vec<Mutex<Option<Vec<Finding>>>> = named
            .iter()
            .map(|(name, _)| Mutex::new(name.as_ref().and_then(|name| self.known.get(name).cloned())))
            .collect();
        let (next, progress) = (AtomicUsize::new(0), Mutex::new(progress));
        let work = |searcher: &mut Searcher| {
            while let Some((slot, (_, question))) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                answers.get(index).zip(named.get(index))
            } {
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                if slot.is_none() && !searcher.is_interrupted() {
                    *slot = Some(searcher.answer(question));
                }
                (progress.lock().unwrap_or_else(PoisonError::into_inner))();
            }
        };
        std::thread::scope(|scope| {
            let mut searchers = self.searchers.iter_mut();
            let first = searchers.next();
            for searcher in searchers.take(named.len().saturating_sub(1)) {
                let builder = std::thread::Builder::new().name("analysis".into()).stack_size(STACK_SIZE);
                // Where there is no thread to be had, the others do the work.
                let _ = builder.spawn_scoped(scope, || work(searcher));
            }
            first.map(work);
        });
        let answers = answers.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
        let answers: Vec<Vec<Finding>> = answers.collect::<Option<_>>()?;
        if self.is_interrupted() {
            return None;
        }
        for ((name, _), answer) in named.into_iter().zip(&answers) {
            if let Some(name) = name.filter(|_| self.known.len() < KEPT) {
                self.known.insert(name, answer.clone());
            }
        }
        Some(answers)
    }
}
