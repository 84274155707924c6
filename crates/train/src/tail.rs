//! The arithmetic of a tail: products of pairs, a dense layer of sixteen neurons, one of 32, the output. Compiled for
//! several sorts of machine by `kernels.rs`, with the same rules: no number is added up in another order than the code names.
//!
//! Of a tile's 64 neurons, number j and number 32 + j are multiplied: 32 products a side, which make one row, the side to
//! move's first. In a tile's weights each output bucket has a row for each of the sixteen neurons. The rest of a bucket's tail
//! is ten rows at the end of all weights.

use engine::nnue::{FIRST, SECOND};

use crate::chunk::Chunk;
use crate::layout::LAST_ROWS;
use crate::row::{LANES, Row, TILE, VECTORS, Vector};

/// The row of the output's weights.
const OUTPUT: usize = LAST_ROWS - 1;
/// Positions whose sums stay in registers together.
const TOGETHER: usize = 8;
/// Positions whose products stay in the nearest cache.
const BLOCK: usize = 32;
/// Neurons whose gradients stay in registers together.
const PART: usize = 4;

const _: () = assert!(FIRST == LANES && SECOND == 2 * LANES);

/// The weights of an input of the second layer.
#[inline(always)]
fn second_weights(rows: &[Row], input: usize) -> [Vector; 2] {
    let row = &rows[1 + input / 2].0;
    [row[input % 2 * 2], row[input % 2 * 2 + 1]]
}

/// The products of a position in a tile.
#[inline(always)]
fn products(activations: &[Row], position: usize) -> Row {
    let (ours, theirs) = (&activations[2 * position].0, &activations[2 * position + 1].0);
    Row([ours[0].mul(ours[2]), ours[1].mul(ours[3]), theirs[0].mul(theirs[2]), theirs[1].mul(theirs[3])])
}

/// Adds what a tile contributes to the dense layer.
#[inline(always)]
pub fn dense(outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
    for run in &chunk.output_runs {
        let mut weights = [Vector::ZERO; TILE];
        for (neuron, row) in outputs[FIRST * run.key..][..FIRST].iter().enumerate() {
            for (product, weights) in weights.iter_mut().enumerate() {
                weights.0[neuron] = row.get(product);
            }
        }
        let (mut first, end) = (run.range().start, run.range().end);
        while first + TOGETHER <= end {
            dense_of::<TOGETHER>(&weights, activations, first, sums);
            first += TOGETHER;
        }
        while first < end {
            dense_of::<1>(&weights, activations, first, sums);
            first += 1;
        }
    }
}

/// The same for so many positions.
#[inline(always)]
fn dense_of<const N: usize>(weights: &[Vector; TILE], activations: &[Row], first: usize, sums: &mut [Vector]) {
    let (mut inputs, mut totals) = ([Row::ZERO; N], [Vector::ZERO; N]);
    for index in 0..N {
        inputs[index] = products(activations, first + index);
        totals[index] = sums[first + index];
    }
    for (product, weights) in weights.iter().enumerate() {
        for index in 0..N {
            totals[index] = totals[index].add(weights.mul(Vector::splat(inputs[index].get(product))));
        }
    }
    sums[first..first + N].copy_from_slice(&totals);
}

/// From the dense layer's sums to the outputs. Leaves the clipped sums of both layers behind.
#[inline(always)]
pub fn finish(last: &[Row], chunk: &Chunk, sums: &mut [Vector], second: &mut [[Vector; 2]], outputs: &mut [f32]) {
    for run in &chunk.output_runs {
        let rows = &last[LAST_ROWS * run.key..][..LAST_ROWS];
        let biases = &rows[0].0;
        for position in run.range() {
            let clipped = sums[position].add(biases[0]).clamp(0.0, 1.0);
            sums[position] = clipped;
            let squared = clipped.mul(clipped);
            let [mut a, mut b] = [biases[1], biases[2]];
            for input in 0..FIRST {
                let (number, weights) = (Vector::splat(squared.0[input]), second_weights(rows, input));
                a = a.add(number.mul(weights[0]));
                b = b.add(number.mul(weights[1]));
            }
            let [a, b] = [a.clamp(0.0, 1.0), b.clamp(0.0, 1.0)];
            second[position] = [a, b];
            let weights = &rows[OUTPUT].0;
            let sum = a.mul(a).mul(weights[0]).add(b.mul(b).mul(weights[1])).sum();
            outputs[position] = sum + biases[3].0[0];
        }
    }
}

/// From the slope of each position's loss to the gradients of the numbers behind the dense layer, which are added to
/// `gradient`, and to those of its sums, which take the place of `sums`.
#[inline(always)]
pub fn finish_back(
    last: &[Row],
    chunk: &Chunk,
    second: &[[Vector; 2]],
    slopes: &[f32],
    sums: &mut [Vector],
    gradient: &mut [Row],
) {
    for run in &chunk.output_runs {
        let rows = &last[LAST_ROWS * run.key..][..LAST_ROWS];
        let gradient = &mut gradient[LAST_ROWS * run.key..][..LAST_ROWS];
        let mut turned = [Vector::ZERO; SECOND];
        for input in 0..FIRST {
            for (neuron, turned) in turned.iter_mut().enumerate() {
                turned.0[input] = second_weights(rows, input)[neuron / LANES].0[neuron % LANES];
            }
        }
        let mut biases = gradient[0].0;
        let mut outputs = gradient[OUTPUT].0;
        for position in run.range() {
            let slope = Vector::splat(slopes[position]);
            biases[3].0[0] += slopes[position];
            let clipped = sums[position];
            let squared = clipped.mul(clipped);
            let mut deltas = [Vector::ZERO; 2];
            for half in 0..2 {
                let above = second[position][half];
                outputs[half] = outputs[half].add(slope.mul(above.mul(above)));
                let delta = slope.mul(rows[OUTPUT].0[half]).mul(above.add(above)).where_below_one(above);
                biases[1 + half] = biases[1 + half].add(delta);
                deltas[half] = delta;
            }
            for input in 0..FIRST {
                let number = Vector::splat(squared.0[input]);
                let row = &mut gradient[1 + input / 2].0;
                for half in 0..2 {
                    let sum = &mut row[input % 2 * 2 + half];
                    *sum = sum.add(number.mul(deltas[half]));
                }
            }
            let mut sum = Vector::ZERO;
            for (neuron, weights) in turned.iter().enumerate() {
                sum = sum.add(weights.mul(Vector::splat(deltas[neuron / LANES].0[neuron % LANES])));
            }
            let delta = sum.mul(clipped.add(clipped)).where_below_one(clipped);
            biases[0] = biases[0].add(delta);
            sums[position] = delta;
        }
        gradient[0].0 = biases;
        gradient[OUTPUT].0 = outputs;
    }
}

/// From the gradients of the dense layer's sums, `slopes`, to those of a tile's biases and dense weights, which are added to
/// `gradient`, and of its sums before activation, `deltas`.
#[inline(always)]
pub fn dense_back(
    outputs: &[Row],
    chunk: &Chunk,
    activations: &[Row],
    slopes: &[Vector],
    deltas: &mut [Row],
    gradient: &mut [Row],
) {
    let (bias, gradient) = gradient.split_at_mut(1);
    for run in &chunk.output_runs {
        let weights = &outputs[FIRST * run.key..][..FIRST];
        let gradient = &mut gradient[FIRST * run.key..][..FIRST];
        let range = run.range();
        for first in range.clone().step_by(BLOCK) {
            let count = BLOCK.min(range.end - first);
            let slopes = &slopes[first..first + count];
            let mut inputs = [Row::ZERO; BLOCK];
            for (index, slopes) in slopes.iter().enumerate() {
                inputs[index] = products(activations, first + index);
                let position = 2 * (first + index);
                let sides = products_back(weights, slopes, &activations[position..position + 2]);
                for vector in 0..VECTORS {
                    let sum = bias[0].0[vector].add(sides[0].0[vector]);
                    bias[0].0[vector] = sum.add(sides[1].0[vector]);
                }
                deltas[position..position + 2].copy_from_slice(&sides);
            }
            for (part, gradient) in gradient.chunks_exact_mut(PART).enumerate() {
                dense_gradient(&inputs[..count], slopes, part * PART, gradient);
            }
        }
    }
}

/// The gradients of both sides' sums in a position.
#[inline(always)]
fn products_back(weights: &[Row], slopes: &Vector, activations: &[Row]) -> [Row; 2] {
    let [mut a, mut b, mut c, mut d] = Row::ZERO.0;
    for (neuron, row) in weights.iter().enumerate() {
        let slope = Vector::splat(slopes.0[neuron]);
        a = a.add(slope.mul(row.0[0]));
        b = b.add(slope.mul(row.0[1]));
        c = c.add(slope.mul(row.0[2]));
        d = d.add(slope.mul(row.0[3]));
    }
    let side = |row: &Row, low: Vector, high: Vector| {
        let [first, second, third, fourth] = row.0;
        Row([
            low.mul(third).where_inside(first),
            high.mul(fourth).where_inside(second),
            low.mul(first).where_inside(third),
            high.mul(second).where_inside(fourth),
        ])
    };
    [side(&activations[0], a, b), side(&activations[1], c, d)]
}

/// Adds the gradients of some neurons' dense weights.
#[inline(always)]
fn dense_gradient(inputs: &[Row], slopes: &[Vector], neuron: usize, gradient: &mut [Row]) {
    let mut sums = [Row::ZERO; PART];
    sums.copy_from_slice(gradient);
    for (inputs, slopes) in inputs.iter().zip(slopes) {
        for (index, sum) in sums.iter_mut().enumerate() {
            let slope = Vector::splat(slopes.0[neuron + index]);
            for vector in 0..VECTORS {
                sum.0[vector] = sum.0[vector].add(slope.mul(inputs.0[vector]));
            }
        }
    }
    gradient.copy_from_slice(&sums);
}
