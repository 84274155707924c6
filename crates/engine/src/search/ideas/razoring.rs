//! Razoring: at low depth, if the evaluation is far under alpha, only tactics can help, and quiescence finds
//! those. If quiescence does not reach alpha either, the node fails low.

use chess::{Board, Score, Value};

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::carriers::NonPv;
use crate::search::worker::Worker;

idea! {
    /// Falls into quiescence where the evaluation is far below alpha near the leaves.
    Razoring "UseRazoring" (_, RZ1) off {
        /// The deepest node it works at (published 7).
        max_depth = 5 in 1..=7 step 1;
        /// Margin at depth 1 (published 250).
        margin_base = 447 in 100..=600 step 25;
        /// Added for depths 2 and 3 (published 100).
        near_factor = 166 in 0..=300 step 15;
        /// Added for each depth from 4 on (published 50).
        far_factor = 103 in 0..=300 step 15;
    }
    counts RazoringCounts { tried, fired }
}

impl Worker<'_> {
    /// Razoring: the score of quiescence, if the evaluation is far below alpha and quiescence does not reach it either.
    #[inline(always)]
    pub(in crate::search) fn razoring(&mut self, board: &Board, node: &Node) -> Option<Score> {
        if !applies(&self.params.search.razoring, node) {
            return None;
        }
        self.telemetry.search.razoring.tried.count();
        let score = self.enter_quiescence::<NonPv>(board, node.alpha, node.alpha + 1, node.ply);
        self.telemetry.search.razoring.fired.count_if(score <= node.alpha);
        (score <= node.alpha).then_some(score)
    }
}

/// How far under alpha the evaluation must be at this depth.
fn margin(p: &Razoring, depth: i32) -> Value {
    p.margin_base + p.near_factor * (depth.clamp(1, 3) - 1) + p.far_factor * (depth - 3).max(0)
}

/// Whether to fall into quiescence.
#[inline(always)]
fn applies(p: &Razoring, node: &Node) -> bool {
    p.enabled
        && node.depth <= p.max_depth
        && !node.endgame
        && !node.alpha.is_decisive()
        && node.eval + margin(p, node.depth) <= node.alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_margins() {
        let p = Razoring { enabled: true, max_depth: 7, margin_base: 250, near_factor: 100, far_factor: 50 };
        let margins: Vec<Value> = (1..=7).map(|depth| margin(&p, depth)).collect();
        assert_eq!(margins, [250, 350, 450, 500, 550, 600, 650]);
        assert!(applies(&p, &Node::example(1, 0, 251)));
        assert!(!applies(&p, &Node::example(1, 1, 251)));
        assert!(!applies(&p, &Node { endgame: true, ..Node::example(1, 0, 251) }));
        assert!(!applies(&p, &Node::example(8, 0, 5000)));
        assert!(!applies(&p, &Node::example(1, 0, Score::MATE.0)));
    }
}
