//! The shape of a network in training, and where its weights lie.
//!
//! The hidden layer is cut into tiles of 64 neurons. All weights of a tile lie together, a row for each input, then one
//! for the biases, then two for each output bucket: for the side to move and for the other.

use engine::nnue::{INPUTS, Shape};

use crate::row::{Row, TILE};

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
        self.inputs() + 1 + 2 * self.shape.output_buckets
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
