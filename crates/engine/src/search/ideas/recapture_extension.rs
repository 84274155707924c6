//! Recapture extension: taking back on the square where something was just taken is searched deeper, since the exchange is
//! not over. Once in every engine; singular extensions do the same where it matters.

use crate::base::idea;
use crate::search::carriers::{Candidate, Node};
use crate::search::worker::Worker;

idea! {
    /// Searches taking back on the square of the last capture a ply deeper.
    RecaptureExtension "UseRecaptureExtension" (_, SS5) off {
        /// The least depth it works at.
        min_depth = 3 in 1..=12 step 1;
        /// 1: on the principal variation only.
        pv_only = 1 in 0..=1 step 1;
    }
    counts RecaptureExtensionCounts { fired }
}

impl Worker<'_> {
    /// Recapture extension: by how much deeper to search a move.
    #[inline(always)]
    pub(in crate::search) fn recapture_extension(&mut self, node: &Node, candidate: &Candidate) -> i32 {
        let p = &self.params.search.recapture_extension;
        let extends = p.enabled && node.ply < 2 * self.root_depth as usize && applies(p, node, candidate);
        self.telemetry.search.recapture_extension.fired.count_if(extends);
        i32::from(extends)
    }
}

fn applies(p: &RecaptureExtension, node: &Node, candidate: &Candidate) -> bool {
    node.depth >= p.min_depth
        && (node.pv || p.pv_only == 0)
        && candidate.mv.is_capture()
        && node.last_move.is_some_and(|last| last.is_capture() && last.to() == candidate.mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, MoveKind, Square};

    #[test]
    fn only_taking_back_is_extended() {
        let p = RecaptureExtension::default();
        let at = |name: &str| name.parse::<Square>().expect(name);
        let taken = |from, to| Some(Move::new(from, to, MoveKind::Capture));
        let back = |to| Candidate { mv: Move::new(Square::D1, to, MoveKind::Capture), ..Candidate::example(2, 4) };
        let node = Node { pv: true, last_move: taken(at("d8"), at("d4")), ..Node::example(5, 0, 0) };
        assert!(applies(&p, &node, &back(at("d4"))));
        assert!(!applies(&p, &node, &back(at("d5"))), "another square");
        let quiet = Some(Move::new(at("d8"), at("d4"), MoveKind::Quiet));
        assert!(!applies(&p, &Node { last_move: quiet, ..node }, &back(at("d4"))), "nothing was taken");
        assert!(!applies(&p, &Node { pv: false, ..node }, &back(at("d4"))));
        assert!(!applies(&p, &Node { depth: 2, ..node }, &back(at("d4"))));
    }
}
