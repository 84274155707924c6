//! How the search speaks: one call a line of analysis, to whoever listens.

use std::time::Duration;

use chess::{Move, Score};

use crate::base::Bound;
use crate::syzygy::Notice;

/// A line of analysis.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Full depth searched.
    pub depth: i32,
    /// The longest line looked at.
    pub seldepth: usize,
    /// Its rank among the lines asked for, from 1.
    pub multipv: usize,
    /// Its score.
    pub score: Score,
    /// Whether endgame tables know the result: then a score near zero is a draw.
    pub known: bool,
    /// `Exact`, or what kind of bound the score is while the window is being widened.
    pub bound: Bound,
    /// Nodes so far, all threads.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is.
    pub hashfull: usize,
    /// Positions found in endgame tables so far, all threads.
    pub tbhits: u64,
    /// The moves.
    pub pv: &'a [Move],
}

impl Line<'_> {
    /// Whether this is of the best line and tells its score: what counts of a search is the last one that does.
    pub fn is_exact_best(&self) -> bool {
        self.multipv == 1 && self.bound == Bound::Exact
    }
}

/// Hears what the search finds while it runs, on the thread that it runs on.
pub trait Reporter {
    /// A line of analysis.
    fn line(&mut self, line: &Line<'_>);
    /// Something about the endgame tables that the user should know.
    fn notice(&mut self, _: &Notice) {}
    /// The system has no memory for so many of the threads that were asked for; the others search. Told once.
    fn missing_threads(&mut self, _missing: usize, _asked: usize) {}
    /// Whether anybody listens. Lines cost time to make, which short searches feel.
    fn is_listening(&self) -> bool {
        true
    }
}

/// Listens to nothing.
pub struct Silent;

impl Reporter for Silent {
    fn line(&mut self, _: &Line<'_>) {}

    fn is_listening(&self) -> bool {
        false
    }
}
