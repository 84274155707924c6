//! The accumulators: for every position on the way from the root, both sides' sums of input weights.
//!
//! A move only notes what it changes. The sums are brought up to date when an evaluation is asked for, from the last
//! position that has them; many positions are never asked about, because the table knows them or they are cut off.

use std::sync::Arc;

use chess::{Board, Color, Observer, Piece, PieceKind, Square, Value};

use super::features::View;
use super::network::Network;
use super::refresh::RefreshTable;
use super::simd::{Bytes, Change, Kernels, Lane};
use super::tail::{self, BLOCK, Tail};
use crate::base::{Evaluator, MAX_PLY};

/// One position on the way: what the move to it changed, and whose sums are up to date.
#[derive(Clone, Copy)]
struct Step {
    added: List,
    removed: List,
    /// Whether the sums are those of this position, for each side.
    current: [bool; 2],
    /// Whether the move changed how a side looks at the board, so that its sums cannot be had from the position before.
    new_view: [bool; 2],
}

/// Up to two pieces on squares.
#[derive(Clone, Copy)]
struct List {
    items: [(Piece, Square); 2],
    length: usize,
}

impl List {
    const EMPTY: List = List { items: [(Piece::new(Color::White, PieceKind::Pawn), Square::A1); 2], length: 0 };

    #[inline(always)]
    fn push(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.length < 2, "no move changes more than four pieces");
        self.items[self.length & 1] = (piece, square);
        self.length += 1;
    }
}

impl Step {
    const NEW: Step = Step { added: List::EMPTY, removed: List::EMPTY, current: [false; 2], new_view: [false; 2] };
}

/// A network at work: its sums for every position on the way from the root.
pub struct Accumulators {
    network: Arc<Network>,
    kernels: Kernels,
    refresh: RefreshTable,
    steps: Box<[Step]>,
    /// White's and Black's sums of every step that has been reached: few searches go as deep as they may, and every
    /// thread has these.
    sums: Vec<Lane>,
    /// Where a network with a tail multiplies its sums in pairs; empty for one without.
    products: Box<[Bytes]>,
    /// Lanes per side.
    width: usize,
    top: usize,
}

const STEPS: usize = MAX_PLY + 8;

impl Accumulators {
    /// Evaluates with this network, as fast as this machine can.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernels(network, Kernels::best())
    }

    /// Evaluates with this network and these kernels.
    pub fn with_kernels(network: Arc<Network>, kernels: Kernels) -> Accumulators {
        let width = network.biases().len();
        Accumulators {
            refresh: RefreshTable::new(&network),
            kernels,
            steps: vec![Step::NEW; STEPS].into(),
            sums: vec![Lane::ZERO; 2 * width],
            products: vec![Bytes::ZERO; network.tail().map_or(0, |_| network.shape().hidden / BLOCK)].into(),
            width,
            top: 0,
            network,
        }
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Makes room for the sums of the current position, and of some after it.
    #[cold]
    fn grow(&mut self) {
        let all = STEPS * 2 * self.width;
        self.sums.reserve_exact(all - self.sums.len());
        let steps = (self.top + 1).next_multiple_of(16);
        self.sums.resize(all.min(steps * 2 * self.width), Lane::ZERO);
    }

    /// Brings one side's sums of the current position up to date.
    #[inline(always)]
    fn update(&mut self, board: &Board, side: Color) {
        if self.steps[self.top].current[side.index()] {
            return;
        }
        let mut from = self.top;
        loop {
            if self.steps[from].new_view[side.index()] || from == 0 {
                return self.start_over(board, side);
            }
            from -= 1;
            if self.steps[from].current[side.index()] {
                break;
            }
        }
        let view = View::new(side, board.king(side), self.network.king_buckets());
        for step in from + 1..=self.top {
            self.advance(step, view, side);
        }
    }

    /// Takes one side's sums from the refresh table.
    fn start_over(&mut self, board: &Board, side: Color) {
        let view = View::new(side, board.king(side), self.network.king_buckets());
        let sums = self.refresh.refresh(&self.network, &self.kernels, board, view, side);
        let offset = (self.top * 2 + side.index()) * self.width;
        self.sums[offset..][..self.width].copy_from_slice(sums);
        self.steps[self.top].current[side.index()] = true;
    }

    /// Makes one side's sums of a step from those of the step before.
    #[inline(always)]
    fn advance(&mut self, step: usize, view: View, side: Color) {
        let width = self.width;
        let (old, new) = self.sums.split_at_mut(step * 2 * width);
        let before = &old[((step - 1) * 2 + side.index()) * width..][..width];
        let after = &mut new[side.index() * width..][..width];
        let Step { added, removed, current, .. } = &mut self.steps[step];
        current[side.index()] = true;
        let row = |(piece, square)| self.network.row(view.feature(piece, square));
        let (a, r) = (added.items, removed.items);
        // SAFETY: the kernels are those of this machine, and all slices are `width` long.
        unsafe {
            match (added.length, removed.length) {
                (1, 1) => (self.kernels.quiet)(Change { after, before, added: [row(a[0])], removed: [row(r[0])] }),
                (1, 2) => (self.kernels.capture)(Change { after, before, added: [row(a[0])], removed: r.map(row) }),
                (2, 2) => (self.kernels.castle)(Change { after, before, added: a.map(row), removed: r.map(row) }),
                _ => after.copy_from_slice(before),
            }
        }
    }
}

impl Clone for Accumulators {
    /// A fresh start with the same network: the sums are not worth copying.
    fn clone(&self) -> Accumulators {
        Accumulators::with_kernels(self.network.clone(), self.kernels)
    }
}

impl Observer for Accumulators {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.steps[self.top].added.push(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.steps[self.top].removed.push(piece, square);
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let step = &mut self.steps[self.top];
        step.removed.push(piece, from);
        step.added.push(piece, to);
        if piece.kind == PieceKind::King {
            let buckets = self.network.king_buckets();
            let changed = View::new(piece.color, from, buckets) != View::new(piece.color, to, buckets);
            step.new_view[piece.color.index()] = changed;
        }
    }
}

impl Evaluator for Accumulators {
    fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.steps[0] = Step::NEW;
        for side in [Color::White, Color::Black] {
            self.start_over(board, side);
        }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.top += 1;
        self.steps[self.top] = Step::NEW;
    }

    #[inline(always)]
    fn undo(&mut self) {
        self.top -= 1;
    }

    fn evaluate(&mut self, board: &Board) -> Value {
        if self.sums.len() <= self.top * 2 * self.width {
            self.grow();
        }
        self.update(board, Color::White);
        self.update(board, Color::Black);
        let sums = &self.sums[self.top * 2 * self.width..][..2 * self.width];
        let (white, black) = sums.split_at(self.width);
        let (ours, theirs) = if board.side_to_move() == Color::White { (white, black) } else { (black, white) };
        let bucket = self.network.output_bucket(board);
        if let Some(tail) = self.network.tail() {
            return through_tail(&self.kernels, ours, theirs, &mut self.products, tail, bucket);
        }
        // SAFETY: the kernels are those of this machine; the weights are twice as long as a side's sums.
        let sum = unsafe { (self.kernels.output)(ours, theirs, self.network.output_weights(bucket)) };
        self.network.value(sum, bucket)
    }
}

/// The value of a network with a tail.
#[inline(never)]
fn through_tail(
    kernels: &Kernels,
    ours: &[Lane],
    theirs: &[Lane],
    products: &mut [Bytes],
    tail: &Tail,
    bucket: usize,
) -> Value {
    let (dense, small) = tail.bucket(bucket);
    // SAFETY: the kernels are those of this machine, and all lengths follow from the same hidden width.
    tail::value(unsafe { (kernels.tail)(ours, theirs, products, dense, small) })
}

#[cfg(test)]
mod tests;
