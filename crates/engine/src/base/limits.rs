//! What a search is asked to do, and how it is told to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use chess::Move;

/// How time limits a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeLimit {
    /// Not at all.
    #[default]
    None,
    /// Exactly this long.
    MoveTime(Duration),
    /// A clock runs; the engine plans.
    Clock {
        /// What is left.
        remaining: Duration,
        /// What is added after each move.
        increment: Duration,
        /// Moves until more time is added, if that is how it is played.
        moves_to_go: Option<u32>,
    },
}

/// When a search ends. Limits can be combined; the first one reached counts. With none of them it
/// goes on until it is told to stop.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Full plies.
    pub depth: Option<i32>,
    /// Nodes, to the node with one thread.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration is begun.
    pub soft_nodes: Option<u64>,
    /// A mate in so many moves has been found.
    pub mate: Option<i32>,
    /// Time.
    pub time: TimeLimit,
    /// So many nodes count as a millisecond, rather than the clock being asked: then a search does not depend on how busy
    /// the machine is.
    pub nodes_per_ms: Option<u64>,
    /// Kept back from the time.
    pub overhead: Duration,
    /// What moves have cost the clock besides the search, as far as that is known.
    pub lag: Duration,
    /// Only these moves of the root; all if empty.
    pub moves: Vec<Move>,
    /// How many best lines to find; 0 and 1 mean one.
    pub multi_pv: usize,
    /// Whether to search with one thread, however many there are.
    pub alone: bool,
}

impl Limits {
    /// Whether there is any limit, so that the search ends by itself.
    pub fn is_limited(&self) -> bool {
        let counted = self.nodes.is_some() || self.soft_nodes.is_some();
        counted || self.depth.is_some() || self.mate.is_some() || self.time != TimeLimit::None
    }
}

/// The signals that reach a running search from outside.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    thought_enough: AtomicBool,
}

impl Control {
    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search has been told to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// While pondering, time limits do not count. A search that would have ended by now ends when it stops pondering.
    pub fn set_pondering(&self, pondering: bool) {
        self.pondering.store(pondering, Relaxed);
        if !pondering && self.thought_enough.load(Relaxed) {
            self.stop();
        }
    }

    /// Notes that the search would have ended, were it not for the opponent's clock.
    pub(crate) fn note_thought_enough(&self) {
        self.thought_enough.store(true, Relaxed);
    }

    /// Whether the search is on the opponent's time.
    #[inline(always)]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }
}
