//! The arithmetic of training, in vectors as wide as the machine has. It is written once, in safe code whose loops are the
//! vectors, and compiled for several sorts of machine; all of them give the same bits.
//!
//! Every number is added up in an order that the code names: rows in the order of their lists, tiles by their number.

use crate::chunk::Chunk;
use crate::row::{Row, VECTORS, Vector};
use crate::tail;

/// What a step of the optimiser needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What gradients are multiplied with: 1 / positions.
    pub share: f32,
    /// Learning rate over the bias correction of the mean.
    pub rate: f32,
    /// What is left of a weight after its decay.
    pub keep: f32,
    /// 1 over the root of the bias correction of the squares.
    pub correction: f32,
}

/// How much of the mean gradient stays with a step.
pub const MEAN: f64 = 0.9;
/// How much of the mean square stays with a step.
pub const SQUARE: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// Weights with what the optimiser knows of them.
pub struct Learned<'a> {
    /// The weights.
    pub weights: &'a mut [Row],
    /// The mean of their gradients.
    pub means: &'a mut [Row],
    /// The mean of the squares of their gradients.
    pub squares: &'a mut [Row],
}

type Forward = unsafe fn(&[Row], &Row, &Chunk, &mut [Row]);
type Output = unsafe fn(&[Row], &Chunk, &[Row], &mut [Vector]);
type Backward = unsafe fn(&[Row], &Chunk, &[Row], &[f32], &mut [Row], &mut [Row]);
type Finish = unsafe fn(&[Row], &Chunk, &mut [Vector], &mut [[Vector; 2]], &mut [f32]);
type FinishBack = unsafe fn(&[Row], &Chunk, &[[Vector; 2]], &[f32], &mut [Vector], &mut [Row]);
type DenseBack = unsafe fn(&[Row], &Chunk, &[Row], &[Vector], &mut [Row], &mut [Row]);
type Gather = unsafe fn(&Chunk, &[Row], &mut [Row], bool);
type Add = unsafe fn(&mut [Row], &[Row]);
type Update = unsafe fn(Learned<'_>, &[Row], Step, f32);

/// One way to compute. The functions are `unsafe` to call because they use instructions that not every machine has; a value
/// of this type exists only where they are there.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// What it is called.
    pub name: &'static str,
    forward: Forward,
    output: Output,
    backward: Backward,
    dense: Output,
    finish: Finish,
    finish_back: FinishBack,
    dense_back: DenseBack,
    gather: Gather,
    add: Add,
    update: Update,
}

impl Kernels {
    /// Every way to compute on this machine, the fastest first.
    pub fn available() -> Vec<Kernels> {
        let mut kernels = vec![plain::KERNELS];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(avx2::KERNELS);
            }
            if is_x86_feature_detected!("avx512f") {
                kernels.push(avx512::KERNELS);
            }
        }
        kernels.reverse();
        kernels
    }

    /// The way to compute that has this name; the error says which there are.
    pub fn named(name: &str) -> Result<Kernels, String> {
        let available = Kernels::available();
        available.iter().find(|kernels| kernels.name.eq_ignore_ascii_case(name)).copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|kernels| kernels.name).collect();
            format!("'{name}' is no vector arithmetic of this machine: expected {}", names.join(", "))
        })
    }

    /// The activations of a tile for every row of a chunk.
    pub fn forward(&self, inputs: &[Row], bias: &Row, chunk: &Chunk, activations: &mut [Row]) {
        // SAFETY: a value of this type exists only where its instructions do.
        unsafe { (self.forward)(inputs, bias, chunk, activations) }
    }

    /// Adds what a tile contributes to the outputs, still in sixteen sums each.
    pub fn output(&self, outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
        // SAFETY: as above.
        unsafe { (self.output)(outputs, chunk, activations, sums) }
    }

    /// From the slope of each position's loss to the gradients of a tile's biases and output weights, which are added to
    /// `gradient`, and to those of its sums before activation, `deltas`.
    pub fn backward(
        &self,
        outputs: &[Row],
        chunk: &Chunk,
        activations: &[Row],
        slopes: &[f32],
        deltas: &mut [Row],
        gradient: &mut [Row],
    ) {
        // SAFETY: as above.
        unsafe { (self.backward)(outputs, chunk, activations, slopes, deltas, gradient) }
    }

    /// With a tail, adds what a tile contributes to the dense layer.
    pub fn dense(&self, outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
        // SAFETY: as above.
        unsafe { (self.dense)(outputs, chunk, activations, sums) }
    }

    /// From the dense layer's sums to the outputs. Leaves the clipped sums of both layers behind.
    pub fn finish(
        &self,
        last: &[Row],
        chunk: &Chunk,
        sums: &mut [Vector],
        second: &mut [[Vector; 2]],
        outputs: &mut [f32],
    ) {
        // SAFETY: as above.
        unsafe { (self.finish)(last, chunk, sums, second, outputs) }
    }

    /// From the slope of each position's loss to the gradients of what is behind the dense layer, which are added to
    /// `gradient`, and to those of its sums, which take the place of `sums`.
    pub fn finish_back(
        &self,
        last: &[Row],
        chunk: &Chunk,
        second: &[[Vector; 2]],
        slopes: &[f32],
        sums: &mut [Vector],
        gradient: &mut [Row],
    ) {
        // SAFETY: as above.
        unsafe { (self.finish_back)(last, chunk, second, slopes, sums, gradient) }
    }

    /// From the gradients of the dense layer's sums, `slopes`, to those of a tile's biases and dense weights, which are added
    /// to `gradient`, and of its sums before activation, `deltas`.
    pub fn dense_back(
        &self,
        outputs: &[Row],
        chunk: &Chunk,
        activations: &[Row],
        slopes: &[Vector],
        deltas: &mut [Row],
        gradient: &mut [Row],
    ) {
        // SAFETY: as above.
        unsafe { (self.dense_back)(outputs, chunk, activations, slopes, deltas, gradient) }
    }

    /// Adds up each input's rows; `fresh` says that there is nothing yet to add to.
    pub fn gather(&self, chunk: &Chunk, deltas: &[Row], gradient: &mut [Row], fresh: bool) {
        // SAFETY: as above.
        unsafe { (self.gather)(chunk, deltas, gradient, fresh) }
    }

    /// Adds rows to rows.
    pub fn add(&self, sums: &mut [Row], others: &[Row]) {
        // SAFETY: as above.
        unsafe { (self.add)(sums, others) }
    }

    /// A step of AdamW; afterwards no weight is larger than `limit`.
    pub fn update(&self, learned: Learned<'_>, gradient: &[Row], step: Step, limit: f32) {
        // SAFETY: as above.
        unsafe { (self.update)(learned, gradient, step, limit) }
    }
}

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[inline(always)]
fn forward(inputs: &[Row], bias: &Row, chunk: &Chunk, activations: &mut [Row]) {
    for run in &chunk.row_runs {
        for &row in &chunk.row_order[run.range()] {
            let row = usize::from(row);
            let first = chunk.row_features[row] as usize;
            let [mut a, mut b, mut c, mut d] = bias.0;
            for &feature in &chunk.features[first..first + run.key] {
                let weights = &inputs[usize::from(feature)].0;
                a = a.add(weights[0]);
                b = b.add(weights[1]);
                c = c.add(weights[2]);
                d = d.add(weights[3]);
            }
            activations[row] = Row([a.clamp(0.0, 1.0), b.clamp(0.0, 1.0), c.clamp(0.0, 1.0), d.clamp(0.0, 1.0)]);
        }
    }
}

#[inline(always)]
fn output(outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
    for run in &chunk.output_runs {
        let (own, other) = (&outputs[2 * run.key].0, &outputs[2 * run.key + 1].0);
        for position in run.range() {
            let (ours, theirs) = (&activations[2 * position].0, &activations[2 * position + 1].0);
            let mut sum = sums[position];
            for index in 0..VECTORS {
                sum = sum.add(ours[index].mul(ours[index]).mul(own[index]));
            }
            for index in 0..VECTORS {
                sum = sum.add(theirs[index].mul(theirs[index]).mul(other[index]));
            }
            sums[position] = sum;
        }
    }
}

#[inline(always)]
fn backward(
    outputs: &[Row],
    chunk: &Chunk,
    activations: &[Row],
    slopes: &[f32],
    deltas: &mut [Row],
    gradient: &mut [Row],
) {
    let (bias, gradients) = gradient.split_at_mut(1);
    for run in &chunk.output_runs {
        for index in 0..VECTORS {
            let own = outputs[2 * run.key].0[index];
            let other = outputs[2 * run.key + 1].0[index];
            let (own, other) = (own.add(own), other.add(other));
            let mut bias_sum = bias[0].0[index];
            let mut own_sum = gradients[2 * run.key].0[index];
            let mut other_sum = gradients[2 * run.key + 1].0[index];
            for position in run.range() {
                let slope = Vector::splat(slopes[position]);
                let ours = activations[2 * position].0[index];
                let sloped = ours.mul(slope);
                own_sum = own_sum.add(sloped.mul(ours));
                let delta = sloped.mul(own).where_below_one(ours);
                deltas[2 * position].0[index] = delta;
                bias_sum = bias_sum.add(delta);
                let theirs = activations[2 * position + 1].0[index];
                let sloped = theirs.mul(slope);
                other_sum = other_sum.add(sloped.mul(theirs));
                let delta = sloped.mul(other).where_below_one(theirs);
                deltas[2 * position + 1].0[index] = delta;
                bias_sum = bias_sum.add(delta);
            }
            bias[0].0[index] = bias_sum;
            gradients[2 * run.key].0[index] = own_sum;
            gradients[2 * run.key + 1].0[index] = other_sum;
        }
    }
}

#[inline(always)]
fn gather(chunk: &Chunk, deltas: &[Row], gradient: &mut [Row], fresh: bool) {
    for (feature, sum) in gradient.iter_mut().enumerate() {
        let rows = &chunk.rows[chunk.starts[feature] as usize..chunk.starts[feature + 1] as usize];
        let [mut a, mut b, mut c, mut d] = if fresh { Row::ZERO.0 } else { sum.0 };
        for &row in rows {
            let delta = &deltas[usize::from(row)].0;
            a = a.add(delta[0]);
            b = b.add(delta[1]);
            c = c.add(delta[2]);
            d = d.add(delta[3]);
        }
        *sum = Row([a, b, c, d]);
    }
}

#[inline(always)]
fn add(sums: &mut [Row], others: &[Row]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        for index in 0..VECTORS {
            sum.0[index] = sum.0[index].add(other.0[index]);
        }
    }
}

#[inline(always)]
fn update(learned: Learned<'_>, gradient: &[Row], step: Step, limit: f32) {
    let Learned { weights, means, squares } = learned;
    let (new_mean, new_square) = (Vector::splat((1.0 - MEAN) as f32), Vector::splat((1.0 - SQUARE) as f32));
    let (old_mean, old_square) = (Vector::splat(MEAN as f32), Vector::splat(SQUARE as f32));
    for (((weights, means), squares), gradient) in weights.iter_mut().zip(means).zip(squares).zip(gradient) {
        for index in 0..VECTORS {
            let gradient = gradient.0[index].mul(Vector::splat(step.share));
            let mean = means.0[index].mul(old_mean).add(gradient.mul(new_mean));
            let square = squares.0[index].mul(old_square).add(gradient.mul(gradient).mul(new_square));
            means.0[index] = mean;
            squares.0[index] = square;
            let size = square.sqrt().mul(Vector::splat(step.correction)).add(Vector::splat(EPSILON));
            let change = mean.mul(Vector::splat(step.rate)).div(size);
            let weight = weights.0[index].mul(Vector::splat(step.keep)).sub(change);
            weights.0[index] = weight.clamp(-limit, limit);
        }
    }
}

/// Compiles everything for machines with some features.
macro_rules! compile {
    ($module:ident, $name:literal $(, $features:literal)?) => {
        mod $module {
            use super::{Chunk, Kernels, Learned, Row, Step, Vector, tail};

            pub const KERNELS: Kernels = Kernels {
                name: $name,
                forward,
                output,
                backward,
                dense,
                finish,
                finish_back,
                dense_back,
                gather,
                add,
                update,
            };

            $(#[target_feature(enable = $features)])?
            fn forward(inputs: &[Row], bias: &Row, chunk: &Chunk, activations: &mut [Row]) {
                super::forward(inputs, bias, chunk, activations);
            }

            $(#[target_feature(enable = $features)])?
            fn output(outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
                super::output(outputs, chunk, activations, sums);
            }

            $(#[target_feature(enable = $features)])?
            fn backward(
                outputs: &[Row],
                chunk: &Chunk,
                activations: &[Row],
                slopes: &[f32],
                deltas: &mut [Row],
                gradient: &mut [Row],
            ) {
                super::backward(outputs, chunk, activations, slopes, deltas, gradient);
            }

            $(#[target_feature(enable = $features)])?
            fn dense(outputs: &[Row], chunk: &Chunk, activations: &[Row], sums: &mut [Vector]) {
                tail::dense(outputs, chunk, activations, sums);
            }

            $(#[target_feature(enable = $features)])?
            fn finish(
                last: &[Row],
                chunk: &Chunk,
                sums: &mut [Vector],
                second: &mut [[Vector; 2]],
                outputs: &mut [f32],
            ) {
                tail::finish(last, chunk, sums, second, outputs);
            }

            $(#[target_feature(enable = $features)])?
            fn finish_back(
                last: &[Row],
                chunk: &Chunk,
                second: &[[Vector; 2]],
                slopes: &[f32],
                sums: &mut [Vector],
                gradient: &mut [Row],
            ) {
                tail::finish_back(last, chunk, second, slopes, sums, gradient);
            }

            $(#[target_feature(enable = $features)])?
            fn dense_back(
                outputs: &[Row],
                chunk: &Chunk,
                activations: &[Row],
                slopes: &[Vector],
                deltas: &mut [Row],
                gradient: &mut [Row],
            ) {
                tail::dense_back(outputs, chunk, activations, slopes, deltas, gradient);
            }

            $(#[target_feature(enable = $features)])?
            fn gather(chunk: &Chunk, deltas: &[Row], gradient: &mut [Row], fresh: bool) {
                super::gather(chunk, deltas, gradient, fresh);
            }

            $(#[target_feature(enable = $features)])?
            fn add(sums: &mut [Row], others: &[Row]) {
                super::add(sums, others);
            }

            $(#[target_feature(enable = $features)])?
            fn update(learned: Learned<'_>, gradient: &[Row], step: Step, limit: f32) {
                super::update(learned, gradient, step, limit);
            }
        }
    };
}

compile!(plain, "scalar");
#[cfg(target_arch = "x86_64")]
compile!(avx2, "AVX2", "avx2");
#[cfg(target_arch = "x86_64")]
compile!(avx512, "AVX-512", "avx512f");
