//! The shape of a network in training, and where its weights lie.
//!
//! The hidden layer is cut into tiles of 64 neurons. All weights of a tile lie together, a row for each input, then one
//! for the biases, then two for each output bucket: for the side to move and for the other. With a tail these are sixteen, one
//! for each neuron of the dense layer.

use engine::nnue::{FIRST, INPUTS, SECOND, Shape};

use crate::row::{Row, TILE};

/// Rows of an output bucket's numbers behind the dense layer: biases of both layers and of the output in the first, then two
/// inputs a row of the second layer's weights, then the output's.
pub const LAST_ROWS: usize = 2 + FIRST / 2;

/// The shape of a network, and which king bucket belongs to which square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The sizes.
    pub shape: Shape,
    /// The king bucket of each square, seen from the king's own side and mirrored; the same on mirrored files.
    pub kings: [u8; 64],
}

impl Layout {
    /// The layout of a network of this width; `map` has the king buckets of the squares a1, b1, c1, d1, a2 … d8.
    pub fn new(hidden: usize, output_buckets: usize, map: &[u8; 32]) -> Layout {
        let kings = std::array::from_fn(|square| {
            let file = square % 8;
            map[square / 8 * 4 + file.min(7 - file)]
        });
        let king_buckets = usize::from(map.iter().copied().max().unwrap_or(0)) + 1;
        Layout { shape: Shape { hidden, king_buckets, output_buckets, tail: false }, kings }
    }

    /// The same with a tail; the width must be a multiple of 64.
    pub fn with_tail(mut self) -> Layout {
        self.shape.tail = true;
        self
    }

    /// Tiles; the last may have neurons that the network does not have, whose weights stay zero.
    pub fn tiles(&self) -> usize {
        self.shape.hidden.div_ceil(TILE)
    }

    /// Inputs of each side.
    pub fn inputs(&self) -> usize {
        self.shape.king_buckets * INPUTS
    }

    /// Rows of a tile as the kernels use them.
    pub fn rows(&self) -> usize {
        self.inputs() + 1 + self.outputs()
    }

    /// Those of them behind the hidden layer.
    pub fn outputs(&self) -> usize {
        self.shape.output_buckets * if self.shape.tail { FIRST } else { 2 }
    }

    /// Rows behind those of all tiles: of the output biases, or of the rest of the tail.
    pub fn last_rows(&self) -> usize {
        if self.shape.tail { self.shape.output_buckets * LAST_ROWS } else { 1 }
    }

    /// Rows of a tile that all king buckets share, if there are several: each bucket learns only how it differs from these,
    /// so that rare buckets learn from common ones (the factoriser).
    pub fn shared(&self) -> usize {
        if self.shape.king_buckets > 1 { INPUTS } else { 0 }
    }

    /// The output bucket of positions with so many men.
    pub fn output_bucket(&self, men: usize) -> usize {
        let buckets = self.shape.output_buckets;
        ((men - 2) * buckets / 32).min(buckets - 1)
    }

    /// The parts of a tile's rows.
    pub fn split<'a>(&self, rows: &'a [Row]) -> (&'a [Row], &'a Row, &'a [Row]) {
        let (inputs, rest) = rows.split_at(self.inputs());
        (inputs, &rest[0], &rest[1..])
    }
}

/// The row and the place in it of a number of an output bucket behind the dense layer, by its place in the network file.
pub fn last_place(number: usize) -> (usize, usize) {
    let weights = FIRST * SECOND;
    match number {
        0..FIRST => (0, number),
        number if number < FIRST + weights => (1 + (number - FIRST) / TILE, (number - FIRST) % TILE),
        number if number < FIRST + weights + SECOND => (0, number - weights),
        number if number < FIRST + weights + 2 * SECOND => (LAST_ROWS - 1, number - FIRST - weights - SECOND),
        _ => (0, FIRST + SECOND),
    }
}
