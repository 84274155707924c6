//! Multicut: when several moves at a node fail high at reduced depth, one of them will at full depth, so the
//! node is cut at once. (The modern form, through the singular search, is in `singular_extensions`.)

use chess::{Board, Score};

use crate::base::idea;
use crate::history::Threats;
use crate::movepick::Ordinary;
use crate::search::carriers::{Node, NonPv};
use crate::search::worker::Worker;

idea! {
    /// Cuts a node where several of the first moves fail high at reduced depth (the published form).
    Multicut "UseMulticut" (_, SS3) off {
        /// The least depth it works at.
        min_depth = 6 in 4..=14 step 1;
        /// How many of the first moves are tried.
        tries_max = 6 in 2..=12 step 1;
        /// How much shallower they are searched.
        reduction_base = 3 in 2..=6 step 1;
        /// So many must fail high at shallow nodes, …
        shallow_cuts = 2 in 1..=6 step 1;
        /// … and so many …
        deep_cuts = 3 in 1..=6 step 1;
        /// … from this depth on.
        deep_min_depth = 8 in 4..=20 step 1;
        /// 1 tries only where a cutoff is expected; published 0.
        cut_only = 1 in 0..=1 step 1;
    }
    counts MulticutCounts { tried, fired }
}

impl Worker<'_> {
    /// Multicut: beta, if several of the first moves fail high at reduced depth.
    #[inline(always)]
    pub(in crate::search) fn multicut(&mut self, board: &Board, node: &Node) -> Option<Score> {
        if applies(&self.params.search.multicut, node) { self.try_multicut(board, node) } else { None }
    }

    /// The same, once the node has qualified. Out of line: it is off by default.
    #[cold]
    #[inline(never)]
    fn try_multicut(&mut self, board: &Board, node: &Node) -> Option<Score> {
        self.telemetry.search.multicut.tried.count();
        let p = &self.params.search.multicut;
        let ply = node.ply;
        let threats = Threats(board.attacks_by(!board.side_to_move(), board.occupied()));
        let node = &Node { threats, ..*node };
        let mut picker = Ordinary::all(&self.ordering(board, node), node.table_move);
        let depth = node.depth - 1 - p.reduction_base;
        let mut cuts = 0;
        for _ in 0..p.tries_max {
            let mv = picker.next(&self.ordering(board, node), &mut self.telemetry.picker)?;
            let score = self.with_child(board, mv, ply, |worker, child| {
                -worker.search::<NonPv>(child, -node.beta, -node.beta + 1, depth, ply + 1, !node.cut)
            });
            if self.stopped {
                return None;
            }
            cuts += usize::from(score >= node.beta);
            if cuts >= needed(p, node.depth) {
                self.telemetry.search.multicut.fired.count();
                return Some(node.beta);
            }
        }
        None
    }
}

/// Whether to try at this node.
#[inline(always)]
fn applies(p: &Multicut, node: &Node) -> bool {
    p.enabled && (node.cut || p.cut_only == 0) && node.depth >= p.min_depth && !node.beta.is_decisive()
}

/// How many fail-highs it takes.
fn needed(p: &Multicut, depth: i32) -> usize {
    let cuts = if depth < p.deep_min_depth { p.shallow_cuts } else { p.deep_cuts };
    cuts as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_counts() {
        let p = Multicut { enabled: true, ..Multicut::default() };
        assert!(applies(&p, &Node::example(6, 0, 0)));
        assert!(!applies(&p, &Node::example(5, 0, 0)));
        assert_eq!([6, 7, 8, 20].map(|depth| needed(&p, depth)), [2, 2, 3, 3]);
        let all = Node { cut: false, ..Node::example(6, 0, 0) };
        assert!(!applies(&p, &all) && applies(&Multicut { cut_only: 0, ..p }, &all));
    }
}
