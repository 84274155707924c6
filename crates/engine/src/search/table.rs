//! What the search asks the transposition table (TT), and what it tells it.

use chess::{Board, Score};

use super::carriers::{Kind, Node};
use super::ideas::expected_cutoffs;
use super::worker::Worker;
use crate::base::Bound;
use crate::tt::Entry;

/// From this many plies without a capture or a pawn move on, an entry, which knows nothing of the clock, does not cut: the
/// fifty-move rule is near.
const CLOCK_LIMIT: u32 = 90;

impl Worker<'_> {
    /// What the table holds of a position.
    #[inline(always)]
    pub(super) fn probe(&mut self, board: &Board, ply: usize) -> Option<Entry> {
        let entry = self.shared.table.probe(&self.params.tables.clustered_tt, board.key(), ply);
        self.telemetry.tables.clustered_tt.probes.count();
        self.telemetry.tables.clustered_tt.hits.count_if(entry.is_some());
        entry
    }

    /// What the table holds of a node, unless a move is left out there.
    #[inline(always)]
    pub(super) fn recall<K: Kind>(&mut self, board: &Board, node: &mut Node) {
        node.excluded = self.frames.at(node.ply).excluded;
        node.entry = match node.excluded {
            Some(_) => None,
            None => self.probe(board, node.ply),
        };
        node.table_move =
            if K::ROOT { self.root_moves[self.pv_index].table_move() } else { node.entry.and_then(|e| e.mv) };
        node.was_pv = K::PV || node.entry.is_some_and(|e| e.pv);
        if node.excluded.is_none() {
            self.frames.at_mut(node.ply).was_pv = node.was_pv;
        } else {
            let keeps = self.params.search.singular_extensions.keep_was_pv > 0;
            node.was_pv = keeps && self.frames.at(node.ply).was_pv;
        }
    }

    /// The score of the table, if it is deep enough and on the right side of the window. A move that cuts in this way is
    /// rewarded, if it is quiet.
    #[inline(always)]
    pub(super) fn cut_by_table(&mut self, board: &Board, node: &Node) -> Option<Score> {
        let entry = node.entry?;
        if entry.depth < node.depth
            || !entry.bound.proves(entry.score, node.beta)
            || u32::from(board.halfmove_clock()) >= CLOCK_LIMIT
        {
            return None;
        }
        if !expected_cutoffs::trusts(&self.params.search.expected_cutoffs, node, entry.score) {
            return None;
        }
        self.telemetry.tables.clustered_tt.cutoffs.count();
        if entry.score >= node.beta
            && let Some(mv) = entry.mv
        {
            let previous = self.frames.previous(node.ply);
            self.histories.reward_table_move(&self.params.history, board, &previous, mv, node.depth);
        }
        Some(entry.score)
    }

    /// Tells the table what a finished node has come to, and learns how far its evaluation was off.
    #[inline(always)]
    pub(super) fn conclude(&mut self, board: &Board, node: &Node) {
        let Node { depth, best_score: score, best_move: mv, .. } = *node;
        let bound = match mv {
            _ if score >= node.beta => Bound::Lower,
            Some(_) if node.pv => Bound::Exact,
            _ => Bound::Upper,
        };
        let found = Entry { mv, score, eval: node.raw_eval, depth, bound, pv: node.was_pv };
        self.store(board, node.ply, found);
        if !node.in_check {
            let p = &self.params.history.correction_history;
            self.histories.correct(p, board, node.static_eval, (score, bound), mv, depth);
        }
    }

    /// Tells the table what has been found of a position.
    #[inline(always)]
    pub(super) fn store(&self, board: &Board, ply: usize, found: Entry) {
        self.shared.table.store(&self.params.tables.clustered_tt, board.key(), ply, found);
    }
}
