//! What the search asks the endgame tables, and what their answer does to a node.

use std::sync::atomic::Ordering::Relaxed;

use chess::{Board, Score};

use super::carriers::Node;
use super::worker::Worker;
use crate::base::{Bound, MAX_PLY};
use crate::tt::Entry;

/// What tables know is kept longer than what a search of this depth has found.
const KNOWN_EXTRA_DEPTH: i32 = 6;

impl Worker<'_> {
    /// The score of the endgame tables, where they cut. Elsewhere they still bound what the principal variation may be
    /// worth.
    #[inline(always)]
    pub(super) fn consult_endgame_tables(&mut self, board: &Board, node: &mut Node) -> Option<Score> {
        let (score, bound) = self.probe_tables(board, node.depth, node.ply)?;
        let cuts = match bound {
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
            _ => true,
        };
        if cuts {
            self.telemetry.syzygy.cutoffs.count();
            let depth = (node.depth + KNOWN_EXTRA_DEPTH).min(MAX_PLY as i32);
            let stored = Entry { mv: None, score, eval: None, depth, bound, pv: node.was_pv };
            self.store(board, node.ply, stored);
            return Some(score);
        }
        if node.pv && bound == Bound::Lower {
            node.floor = score;
            node.alpha = node.alpha.max(score);
        } else if node.pv {
            node.ceiling = score;
        }
        None
    }

    /// What endgame tables know of a position. After a pass they are not asked: the clock says that a capture or a pawn
    /// move was made, but there was none.
    #[cold]
    fn probe_tables(&mut self, board: &Board, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        self.frames.before(ply, 1).mv?;
        self.telemetry.syzygy.tried.count();
        let found = self.shared.prober.probe(board, depth, ply)?;
        self.telemetry.syzygy.hits.count();
        self.shared.tbhits.fetch_add(1, Relaxed);
        Some(found)
    }
}
