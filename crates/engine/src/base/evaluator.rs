//! What the search asks of whatever evaluates for it.

use chess::{Board, Observer, Value};

/// What the search needs of an evaluation. Between [`Evaluator::begin`] and the next call the evaluator hears,
/// as an [`Observer`], what the move changes.
pub trait Evaluator: Observer {
    /// Starts over from this position.
    fn reset(&mut self, board: &Board);
    /// A move (or a pass) is about to be made.
    fn begin(&mut self);
    /// The last move is taken back.
    fn undo(&mut self);
    /// The value of the current position for the side to move, in centipawns.
    fn evaluate(&mut self, board: &Board) -> Value;
}
