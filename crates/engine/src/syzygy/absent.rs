//! Stands in for endgame tables in a build without the crate that reads them: nothing is ever known.

use std::fmt;

use chess::{Board, Game, Move, Score};

use crate::base::Bound;

/// Something to tell the user about the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice(String);

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.0)
    }
}

/// What the UCI options set, to no effect.
pub struct Syzygy {
    notices: Vec<Notice>,
    /// Not used.
    pub probe_depth: i32,
    /// Not used.
    pub probe_limit: u32,
    /// Not used.
    pub fifty_move_rule: bool,
}

impl Default for Syzygy {
    fn default() -> Syzygy {
        Syzygy { notices: Vec::new(), probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

impl Syzygy {
    /// Says that there are none.
    pub fn set_path(&mut self, folders: &str) {
        if !folders.is_empty() && folders != "<empty>" {
            self.notices.push(Notice("this program was built without endgame tables".to_string()));
        }
    }

    /// What there is to tell since this was last asked.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    pub(crate) fn prober(&self) -> Prober<'_> {
        Prober(self)
    }

    pub(crate) fn rank(&self, _: &Game, _: &[Move], _: bool) -> Option<Ranking> {
        None
    }
}

/// Knows nothing.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a>(#[allow(dead_code, reason = "there is nothing to ask")] &'a Syzygy);

impl Prober<'_> {
    pub fn resting(self) -> Self {
        self
    }

    #[inline(always)]
    pub fn applies(&self, _: &Board) -> bool {
        false
    }

    pub fn probe(&self, _: &Board, _: i32, _: usize) -> Option<(Score, Bound)> {
        None
    }

    pub fn take_faults(&self) -> Vec<Notice> {
        Vec::new()
    }
}

/// What tables would say of a move.
#[allow(dead_code, reason = "nothing is said")]
pub(crate) struct RankedScore {
    pub rank: i32,
    pub score: Option<Score>,
}

/// What tables would say of the moves of the root.
#[allow(dead_code, reason = "nothing is said")]
pub(crate) struct Ranking {
    pub verdicts: Vec<RankedScore>,
    pub by_distance: bool,
}
