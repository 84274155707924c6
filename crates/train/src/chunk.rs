//! A chunk of positions, unpacked and sorted for the kernels.
//!
//! Positions are sorted by their number of men: then those of one output bucket stand together, and loops over features
//! have the same length many times over. Each position has two rows, how the side to move and how the other side sees
//! it. Rows are sorted by king bucket and number of men, so that the weights of a bucket stay in the cache.

use std::ops::Range;

use engine::nnue::INPUTS;

use crate::layout::Layout;
use crate::position::Position;

/// The most positions of a chunk. Their rows of a tile fit the second level of the processor's caches.
pub const CHUNK: usize = 1024;

const MAX_MEN: usize = 32;
const KING: u8 = 5;

/// Neighbours that have something in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// What that is.
    pub key: usize,
    first: u32,
    end: u32,
}

impl Run {
    /// Where they stand.
    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// A chunk, ready for the kernels.
pub struct Chunk {
    /// The positions, sorted by men.
    pub positions: Vec<Position>,
    /// Positions of the same output bucket.
    pub output_runs: Vec<Run>,
    /// The rows: twice the number of the position, one more for the other side's. Sorted.
    pub row_order: Vec<u16>,
    /// Places in that order whose rows have the same number of men.
    pub row_runs: Vec<Run>,
    /// Where the features of each row begin.
    pub row_features: Vec<u32>,
    /// The features, row after row.
    pub features: Vec<u16>,
    /// Where the rows of each feature begin.
    pub starts: Vec<u32>,
    /// The rows of each feature, feature after feature.
    pub rows: Vec<u16>,
    /// The king bucket of each row.
    buckets: Vec<u8>,
    /// Memory for sorting.
    counts: Vec<u32>,
}

impl Chunk {
    /// No positions.
    pub fn new() -> Chunk {
        Chunk {
            positions: Vec::with_capacity(CHUNK),
            output_runs: Vec::new(),
            row_order: Vec::with_capacity(2 * CHUNK),
            row_runs: Vec::new(),
            row_features: Vec::with_capacity(2 * CHUNK),
            features: Vec::with_capacity(2 * CHUNK * MAX_MEN),
            starts: Vec::new(),
            rows: Vec::with_capacity(2 * CHUNK * MAX_MEN),
            buckets: Vec::with_capacity(2 * CHUNK),
            counts: Vec::new(),
        }
    }

    /// Takes positions; there are at most `CHUNK`, and all are sound.
    pub fn fill(&mut self, positions: &[Position], layout: &Layout) {
        debug_assert!(positions.len() <= CHUNK);
        self.sort_positions(positions, layout);
        self.unpack(layout);
        self.sort_rows(layout);
        self.list_rows(layout);
    }

    fn sort_positions(&mut self, positions: &[Position], layout: &Layout) {
        let mut counts = [0; MAX_MEN + 1];
        for position in positions {
            counts[men_in(position)] += 1;
        }
        self.output_runs.clear();
        let mut places = [0; MAX_MEN + 1];
        let mut next = 0u32;
        for men in 2..=MAX_MEN {
            places[men] = next as usize;
            next += counts[men];
            push_run(&mut self.output_runs, layout.output_bucket(men), counts[men], next);
        }
        self.positions.resize(positions.len(), [0; 32]);
        for position in positions {
            let place = &mut places[men_in(position)];
            self.positions[*place] = *position;
            *place += 1;
        }
    }

    /// Writes down the features of every row, and how often each feature occurs.
    fn unpack(&mut self, layout: &Layout) {
        self.features.clear();
        self.row_features.clear();
        self.buckets.clear();
        self.counts.clear();
        self.counts.resize(layout.inputs() + 1, 0);
        for position in &self.positions {
            let mut occupied = u64::from_le_bytes(std::array::from_fn(|index| position[index]));
            let mut codes = u128::from_le_bytes(std::array::from_fn(|index| position[8 + index]));
            let mut men = [(0u8, 0u8); MAX_MEN];
            let (mut count, mut kings) = (0, [0u8; 2]);
            while occupied != 0 {
                let (square, code) = (occupied.trailing_zeros() as u8, codes as u8 & 15);
                (occupied, codes) = (occupied & (occupied - 1), codes >> 4);
                men[count % MAX_MEN] = (square, code);
                count += 1;
                if code & 7 == KING {
                    kings[usize::from(code >> 3)] = square;
                }
            }
            for (side, turn) in [(0u8, 0u8), (1, 56)] {
                let king = kings[usize::from(side)] ^ turn;
                let flip = if king & 4 != 0 { 7 } else { 0 };
                let bucket = layout.kings[usize::from(king ^ flip)];
                self.buckets.push(bucket);
                self.row_features.push(self.features.len() as u32);
                let (base, turn, side) = (u16::from(bucket) * INPUTS as u16, turn ^ flip, side << 3);
                for &(square, code) in &men[..count.min(MAX_MEN)] {
                    let code = code ^ side;
                    let piece = u16::from(code >> 3) * 384 + u16::from(code & 7) * 64;
                    let feature = base + piece + u16::from(square ^ turn);
                    self.counts[usize::from(feature)] += 1;
                    self.features.push(feature);
                }
            }
        }
    }

    fn sort_rows(&mut self, layout: &Layout) {
        self.row_order.clear();
        self.row_runs.clear();
        for bucket in 0..layout.shape.king_buckets as u8 {
            for (place, position) in self.positions.iter().enumerate() {
                let men = men_in(position);
                for row in [2 * place, 2 * place + 1] {
                    if self.buckets[row] == bucket {
                        self.row_order.push(row as u16);
                        push_run(&mut self.row_runs, men, 1, self.row_order.len() as u32);
                    }
                }
            }
        }
    }

    /// Writes down the rows of every feature.
    fn list_rows(&mut self, layout: &Layout) {
        self.starts.clear();
        let mut next = 0;
        for count in &mut self.counts[..layout.inputs()] {
            self.starts.push(next);
            next += std::mem::replace(count, next);
        }
        self.starts.push(next);
        self.rows.resize(next as usize, 0);
        for run in &self.row_runs {
            for &row in &self.row_order[run.range()] {
                let first = self.row_features[usize::from(row)] as usize;
                for &feature in &self.features[first..first + run.key] {
                    let place = &mut self.counts[usize::from(feature)];
                    self.rows[*place as usize] = row;
                    *place += 1;
                }
            }
        }
    }
}

/// How many men a position has.
fn men_in(position: &Position) -> usize {
    u64::from_le_bytes(std::array::from_fn(|index| position[index])).count_ones() as usize
}

/// Says that the things up to `end` have a key in common, `count` of which are new.
fn push_run(runs: &mut Vec<Run>, key: usize, count: u32, end: u32) {
    match runs.last_mut() {
        Some(last) if last.key == key => last.end = end,
        _ if count > 0 => runs.push(Run { key, first: end - count, end }),
        _ => {}
    }
}
