//! Games that are looked at from end to end, by the same analysis as that of `gannet analyse`.
//!
//! A page asks again and again with the same words, as for a search: the first time starts the review, the others tell how
//! far it is and at last what was found. Other words of the same page take its place, and silence ends it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use chess::{Board, Color, uci};
use engine::{Control, STACK_SIZE};

use super::{game, tree};
use crate::analyse::{Judgement, Review, Reviewer, Tally};
use crate::json;
use pgn::Reader;
use pgn::record::Record;

/// So many reviews there are at most at once.
const MAX_REVIEWS: usize = 2;
/// Who has not asked for this long does not want the review any more. A page in the background may ask no more than once a
/// second.
const SILENCE: Duration = Duration::from_secs(4);

/// The reviews that are under way, or wait to be fetched.
pub struct Reviews {
    hash: usize,
    threads: usize,
    desks: Mutex<Vec<PageReview>>,
}

/// A review, and the page it is for.
struct PageReview {
    page: String,
    /// When that page asked last.
    asked: Instant,
    /// What it asked with.
    words: String,
    control: Arc<Control>,
    state: Arc<Mutex<ReviewState>>,
}

/// How far a review is.
#[derive(Clone)]
enum ReviewState {
    /// So many positions of so many.
    Under { done: usize, steps: usize },
    /// What was found, as the page reads it.
    Done(String),
    /// Why there is nothing.
    Failed(String),
}

impl Reviews {
    /// None yet; each will have a table of so many MiB, and so many threads.
    pub fn new(hash: usize, threads: usize) -> Reviews {
        Reviews { hash, threads, desks: Mutex::default() }
    }

    /// How far the review is that this page asks for with these words, which are a game as PGN and the nodes for each of its
    /// positions. Starts it, if it is not under way. On failure, why it cannot be had now.
    pub fn ask(&self, page: &str, nodes: u64, pgn: &str) -> Result<Result<String, String>, String> {
        let words = format!("{nodes} {pgn}");
        let mut desks = self.desks();
        if let Some(desk) = desks.iter_mut().find(|desk| desk.page == page && desk.words == words) {
            desk.asked = Instant::now();
            return Ok(desk.describe());
        }
        // Another question of the same page takes the place of its last one.
        desks.retain(|desk| desk.page != page || desk.leave());
        if desks.iter().filter(|desk| desk.is_under_way()).count() >= MAX_REVIEWS {
            return Err(format!("{MAX_REVIEWS} games are being reviewed for other pages; this one waits for its turn"));
        }
        let record = match Reader::new(pgn.as_bytes(), 0).next() {
            Some(record) if !record.main.plies.is_empty() => record,
            _ => return Ok(Err("there are no moves to review".to_string())),
        };
        if record.main.plies.len() > game::MAX_PLIES {
            return Ok(Err(format!("the game has more than {} moves", game::MAX_PLIES / 2)));
        }
        let state = Arc::new(Mutex::new(ReviewState::Under { done: 0, steps: record.main.plies.len() + 1 }));
        let control = Arc::<Control>::default();
        let job = ReviewJob { record, nodes, control: Arc::clone(&control), state: Arc::clone(&state) };
        let (hash, threads) = (self.hash, self.threads);
        let thread = Builder::new().name("review".into()).stack_size(STACK_SIZE);
        thread.spawn(move || job.run(hash, threads)).map_err(|error| format!("cannot start a thread: {error}"))?;
        let desk = PageReview { page: page.to_string(), asked: Instant::now(), words, control, state };
        let told = desk.describe();
        desks.push(desk);
        Ok(told)
    }

    /// Ends what is being reviewed for a page.
    pub fn rest(&self, page: &str) {
        self.desks().retain(|desk| desk.page != page || desk.leave());
    }

    /// Ends the reviews that nobody waits for.
    pub fn look_round(&self) {
        self.desks().retain(|desk| desk.asked.elapsed() < SILENCE || desk.leave());
    }

    fn desks(&self) -> MutexGuard<'_, Vec<PageReview>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageReview {
    /// Ends the review; false, as it is not to be kept.
    fn leave(&self) -> bool {
        self.control.stop();
        false
    }

    fn state(&self) -> ReviewState {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_under_way(&self) -> bool {
        matches!(self.state(), ReviewState::Under { .. })
    }

    fn describe(&self) -> Result<String, String> {
        match self.state() {
            ReviewState::Under { done, steps } => {
                Ok(json::object([("done", done.to_string()), ("steps", steps.to_string())]))
            }
            ReviewState::Done(found) => Ok(found),
            ReviewState::Failed(reason) => Err(reason),
        }
    }
}

/// A game to be reviewed.
struct ReviewJob {
    record: Record,
    nodes: u64,
    control: Arc<Control>,
    state: Arc<Mutex<ReviewState>>,
}

impl ReviewJob {
    fn run(mut self, hash: usize, threads: usize) {
        let state = Arc::clone(&self.state);
        let set = |new: ReviewState| *state.lock().unwrap_or_else(PoisonError::into_inner) = new;
        let found = catch_unwind(AssertUnwindSafe(|| self.review(hash, threads)));
        set(match found {
            Ok(Ok(found)) => ReviewState::Done(found),
            Ok(Err(reason)) => ReviewState::Failed(reason),
            Err(_) => ReviewState::Failed(
                "the review broke down; this is a fault of the engine, please report it".to_string(),
            ),
        });
    }

    fn review(&mut self, hash: usize, threads: usize) -> Result<String, String> {
        let reviewer = Reviewer::open(self.nodes, hash, threads, &self.control);
        let mut reviewer = reviewer.map_err(|error| error.to_string())?;
        let state = Arc::clone(&self.state);
        let mut step =
            |done, steps| *state.lock().unwrap_or_else(PoisonError::into_inner) = ReviewState::Under { done, steps };
        let review = reviewer.review(&mut self.record, &mut step).ok_or("the review was ended")?;
        // In the file the numbers stand behind the last move.
        if let Some(last) = self.record.main.plies.last_mut() {
            last.comments.append(&mut self.record.closing);
        }
        describe(&self.record, &review)
    }
}

/// A reviewed game as the page reads it.
fn describe(record: &Record, review: &Review) -> Result<String, String> {
    let chess960 = game::is_chess960(&record.start);
    let mut board = record.start.clone();
    let mut moves = Vec::with_capacity(review.judgements.len());
    for (ply, found) in record.main.plies.iter().zip(&review.judgements) {
        moves.push(describe_move(&board, found, chess960));
        board.make(ply.mv);
    }
    let [white, black] = review.summary.tallies.each_ref().map(describe_tally);
    Ok(json::object([
        ("game", tree::describe(record)?),
        ("moves", json::list(moves)),
        ("white", white),
        ("black", black),
        ("critical", json::text(review.summary.critical.as_deref().unwrap_or(""))),
    ]))
}

/// What a move was worth: what White could expect with the best move and after the one that was played, in per cent.
fn describe_move(board: &Board, found: &Judgement, chess960: bool) -> String {
    let percent = |expected: f64| format!("{:.1}", 100.0 * expected);
    let white = board.side_to_move() == Color::White;
    let (best, left) = (found.best.expected(), 1.0 - found.left.expected());
    let better = found.best.line.first().map_or(String::new(), |&mv| uci(mv, chess960).to_string());
    json::object([
        ("best", percent(if white { best } else { 1.0 - best })),
        ("left", percent(if white { left } else { 1.0 - left })),
        ("verdict", json::text(found.verdict.word())),
        ("better", json::text(&better)),
    ])
}

fn describe_tally(tally: &Tally) -> String {
    json::object([
        ("moves", tally.measure.moves.to_string()),
        ("inaccuracies", tally.inaccuracies.to_string()),
        ("mistakes", tally.mistakes.to_string()),
        ("blunders", tally.blunders.to_string()),
        ("accuracy", format!("{:.0}", tally.measure.accuracy)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks until there is more than a number.
    fn found(reviews: &Reviews, pgn: &str) -> String {
        let start = Instant::now();
        loop {
            let told = reviews.ask("a", 2000, pgn).expect("there is room").expect("it can be reviewed");
            if !told.starts_with(r#"{"done""#) {
                return told;
            }
            assert!(start.elapsed() < Duration::from_secs(30), "{told}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_blunder_is_named_with_what_was_better() {
        let reviews = Reviews::new(1, 1);
        let told = found(&reviews, "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
        let (game, moves) = told.split_once(r#","moves":["#).expect("both are there");
        assert!(game.contains(r#""san":"Ke7""#) && game.contains(r#""marks":[4],"comments":["[%eval #1] "#));
        let moves: Vec<_> = moves.split(r#"{"best":"#).skip(1).collect();
        assert!(moves.len() == 5 && moves[3].contains(r#""verdict":"blunder""#), "{moves:?}");
        assert!(
            moves[4].starts_with(r#"100.0,"left":100.0,"verdict":"","better":"h5e5"}],"white":{"moves":3,"#),
            "{moves:?}"
        );
        assert!(moves[4].contains(r#""blunders":1,"#) && moves[4].ends_with(r#","critical":"2... Ke7"}"#), "{moves:?}");
    }

    #[test]
    fn nothing_is_reviewed_for_nobody() {
        let reviews = Reviews::new(1, 1);
        assert_eq!(reviews.ask("a", 1, "*"), Ok(Err("there are no moves to review".to_string())));
        let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6";
        for page in ["a", "b"] {
            assert!(reviews.ask(page, 1 << 40, long).is_ok_and(|told| told.is_ok()));
        }
        assert!(reviews.ask("c", 1, long).is_err_and(|reason| reason.contains("waits for its turn")));
        reviews.rest("b");
        assert!(reviews.ask("c", 1 << 40, long).is_ok());
        assert_eq!(reviews.desks().len(), 2);
        for desk in reviews.desks().iter_mut() {
            desk.asked = Instant::now() - SILENCE;
        }
        reviews.look_round();
        assert!(reviews.desks().is_empty());
    }
}
