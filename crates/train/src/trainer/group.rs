//! A group of positions: forwards to their losses, and backwards to the sum of their gradients.

use std::ops::Range;

use crate::chunk::{CHUNK, Chunk};
use crate::data::Data;
use crate::kernels::Kernels;
use crate::layout::Layout;
use crate::loss::Loss;
use crate::model::Model;
use crate::order::Order;
use crate::position::Position;
use crate::row::{Row, Vector};

use engine::nnue::INPUTS;

/// What is learned in a step.
pub struct Lesson<'a> {
    /// The weights so far.
    pub model: &'a Model,
    /// The positions.
    pub data: &'a Data,
    /// How to compute.
    pub kernels: Kernels,
    /// What is to become small.
    pub loss: Loss,
    /// The weight of the game's result.
    pub result: f64,
}

/// The sum of the gradients of a group's positions.
pub struct Gradient {
    /// Of every tile, row by row as the kernels use them.
    tiles: Vec<Row>,
    /// Of the output biases, or of what a tail has behind its dense layer.
    pub last: Vec<Row>,
    /// The sum of the losses.
    pub loss: f64,
    /// How many positions.
    pub count: u64,
}

impl Gradient {
    /// A gradient of nothing.
    pub fn new(layout: &Layout) -> Gradient {
        let tiles = vec![Row::ZERO; layout.tiles() * layout.rows()];
        Gradient { tiles, last: vec![Row::ZERO; layout.last_rows()], loss: 0.0, count: 0 }
    }
}

/// The memory of a thread at work.
pub struct Worker {
    numbers: Vec<u64>,
    batch: Vec<Position>,
    chunk: Chunk,
    /// Of every tile for every row of a chunk.
    activations: Vec<Row>,
    /// Of one tile: the gradient of the sums before activation.
    deltas: Vec<Row>,
    /// What the tiles add to each output, or to the dense layer of a tail.
    sums: Vec<Vector>,
    /// Of a tail: what its second layer has clipped.
    second: Vec<[Vector; 2]>,
    outputs: Vec<f32>,
    slopes: Vec<f32>,
    /// A tile's gradient, with what king buckets share before it.
    gradient: Vec<Row>,
}

impl Worker {
    /// Memory for a layout.
    pub fn new(layout: &Layout) -> Worker {
        Worker {
            numbers: Vec::with_capacity(CHUNK),
            batch: Vec::with_capacity(CHUNK),
            chunk: Chunk::new(),
            activations: vec![Row::ZERO; layout.tiles() * 2 * CHUNK],
            deltas: vec![Row::ZERO; 2 * CHUNK],
            sums: vec![Vector::ZERO; CHUNK],
            second: if layout.shape.tail { vec![[Vector::ZERO; 2]; CHUNK] } else { Vec::new() },
            outputs: vec![0.0; CHUNK],
            slopes: vec![0.0; CHUNK],
            gradient: vec![Row::ZERO; layout.shared() + layout.rows()],
        }
    }

    /// Adds up the gradients of the positions at these places of the order.
    pub fn learn(&mut self, lesson: &Lesson<'_>, order: &Order, places: Range<u64>, gradient: &mut Gradient) {
        (gradient.loss, gradient.count) = (0.0, 0);
        gradient.last.fill(Row::ZERO);
        let mut first = places.start;
        while first < places.end {
            let end = places.end.min(first + CHUNK as u64);
            // The memory is slow to find what lies anywhere, but finds many at once if nothing else is asked meanwhile.
            self.numbers.clear();
            self.numbers.extend((first..end).map(|place| order.at(place)));
            self.batch.clear();
            for &number in &self.numbers {
                let (position, held) = lesson.data.get(number);
                if !held {
                    self.batch.push(*position);
                }
            }
            if !self.batch.is_empty() {
                self.forward(lesson);
                self.backward(lesson, gradient);
            }
            first = end;
        }
    }

    /// The sum of the losses of the positions with these numbers, at most as many as fit a chunk.
    pub fn loss(&mut self, lesson: &Lesson<'_>, numbers: &[u64]) -> f64 {
        self.batch.clear();
        self.batch.extend(numbers.iter().map(|&number| *lesson.data.get(number).0));
        self.forward(lesson);
        self.slopes(lesson)
    }

    /// Computes the outputs of the batch.
    fn forward(&mut self, lesson: &Lesson<'_>) {
        let Lesson { model, kernels, .. } = lesson;
        self.chunk.fill(&self.batch, &model.layout);
        self.sums.fill(Vector::ZERO);
        for (tile, activations) in self.activations.chunks_mut(2 * CHUNK).enumerate() {
            let (inputs, bias, outputs) = model.layout.split(model.tile(tile));
            kernels.forward(inputs, bias, &self.chunk, activations);
            if model.layout.shape.tail {
                kernels.dense(outputs, &self.chunk, activations, &mut self.sums);
            } else {
                kernels.output(outputs, &self.chunk, activations, &mut self.sums);
            }
        }
        if model.layout.shape.tail {
            let (sums, second) = (&mut self.sums, &mut self.second);
            return kernels.finish(model.last(), &self.chunk, sums, second, &mut self.outputs);
        }
        for run in &self.chunk.output_runs {
            let bias = model.last()[0].get(run.key);
            for place in run.range() {
                self.outputs[place] = self.sums[place].sum() + bias;
            }
        }
    }

    /// The sum of the losses; leaves the slopes behind.
    fn slopes(&mut self, lesson: &Lesson<'_>) -> f64 {
        let mut sum = 0.0;
        for (place, position) in self.chunk.positions.iter().enumerate() {
            let (loss, slope) = lesson.loss.of(self.outputs[place], position, lesson.result);
            sum += loss;
            self.slopes[place] = slope;
        }
        sum
    }

    /// Adds the gradient of the batch.
    fn backward(&mut self, lesson: &Lesson<'_>, gradient: &mut Gradient) {
        let Lesson { model, kernels, .. } = lesson;
        let layout = &model.layout;
        let fresh = gradient.count == 0;
        gradient.loss += self.slopes(lesson);
        gradient.count += self.chunk.positions.len() as u64;
        let tail = layout.shape.tail;
        if tail {
            let (second, sums) = (&self.second, &mut self.sums);
            kernels.finish_back(model.last(), &self.chunk, second, &self.slopes, sums, &mut gradient.last);
        } else {
            for run in &self.chunk.output_runs {
                let sum = gradient.last[0].at(run.key);
                self.slopes[run.range()].iter().for_each(|slope| *sum += slope);
            }
        }
        let tiles = self.activations.chunks(2 * CHUNK).zip(gradient.tiles.chunks_mut(layout.rows()));
        for (tile, (activations, gradient)) in tiles.enumerate() {
            let outputs = layout.split(model.tile(tile)).2;
            let (inputs, rest) = gradient.split_at_mut(layout.inputs());
            if fresh {
                rest.fill(Row::ZERO);
            }
            if tail {
                kernels.dense_back(outputs, &self.chunk, activations, &self.sums, &mut self.deltas, rest);
            } else {
                kernels.backward(outputs, &self.chunk, activations, &self.slopes, &mut self.deltas, rest);
            }
            kernels.gather(&self.chunk, &self.deltas, inputs, fresh);
        }
    }

    /// Adds up what groups have learned of a tile, in their order, and what its king buckets share.
    pub fn add_up(&mut self, layout: &Layout, kernels: Kernels, groups: &[&Gradient], tile: usize) -> &[Row] {
        let rows = layout.rows();
        let (shared, sums) = self.gradient.split_at_mut(layout.shared());
        for (number, group) in groups.iter().enumerate() {
            let part = &group.tiles[tile * rows..][..rows];
            if number == 0 {
                sums.copy_from_slice(part);
            } else {
                kernels.add(sums, part);
            }
        }
        if !shared.is_empty() {
            shared.fill(Row::ZERO);
            for bucket in sums[..layout.inputs()].chunks(INPUTS) {
                kernels.add(shared, bucket);
            }
        }
        &self.gradient
    }
}
