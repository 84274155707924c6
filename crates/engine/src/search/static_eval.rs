//! The static evaluation of a node: what the position is worth before anything is searched.

use chess::{Board, Score};

use super::carriers::Node;
use super::ideas::{fifty_move_scaling, lone_king, material_scaling};
use super::worker::Worker;

impl Worker<'_> {
    /// What the line remembers of this ply, and what is to be forgotten of those after it.
    #[inline(always)]
    pub(super) fn begin_frame(&mut self, board: &Board, node: &mut Node) {
        let ply = node.ply;
        node.previous = self.frames.previous(ply);
        node.last_move = self.frames.before(ply, 1).mv;
        self.frames.at_mut(ply + 1).killers = Default::default();
        self.frames.at_mut(ply + 2).cutoffs = 0;
        if board.in_check() {
            self.frames.at_mut(ply).static_eval = None;
        }
    }

    /// Evaluates the node, unless the table has the evaluation, and corrects that by experience. While a move is left out
    /// the evaluation is known from before.
    #[inline(always)]
    pub(super) fn evaluate_node(&mut self, board: &Board, node: &mut Node) {
        if node.excluded.is_none() {
            let raw = node.entry.and_then(|e| e.eval).unwrap_or_else(|| self.evaluate(board));
            node.raw_eval = Some(raw);
            node.static_eval = self.histories.corrected(&self.params.history.correction_history, board, raw);
            self.frames.at_mut(node.ply).static_eval = Some(node.static_eval);
        } else {
            node.static_eval = self.frames.at(node.ply).static_eval.unwrap_or(node.static_eval);
        }
        let now = node.static_eval;
        node.eval = node.entry.filter(|e| e.bound.proves(e.score, now)).map_or(now, |e| e.score);
    }

    /// The static evaluation of the current position.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, board: &Board) -> Score {
        match lone_king::score(&self.params.search.lone_king, board) {
            Some(score) => score,
            None => {
                let p = &self.params.search;
                let eval = material_scaling::scale(&p.material_scaling, board, self.evaluation.score(board));
                fifty_move_scaling::scale(&p.fifty_move_scaling, board, eval)
            }
        }
    }
}
