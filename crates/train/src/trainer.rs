//! The training: steps through the positions, each of which improves the weights.
//!
//! The positions of a step are dealt to a fixed number of groups; each adds up the gradients of its own in a fixed order, and
//! the groups' gradients are added up in the order of their numbers. So it does not matter which thread does what.

mod checkpoint;
mod group;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

use engine::nnue::{MAX_TAIL_WEIGHT, Weights};

use self::group::{Gradient, Lesson, Worker};
use crate::chunk::CHUNK;
use crate::data::Data;
use crate::error::TrainError;
use crate::kernels::{Kernels, Learned, MEAN, SQUARE, Step};
use crate::layout::Layout;
use crate::loss::Loss;
use crate::math::cos_half_turns;
use crate::model::{AtLimit, DENSE_LIMIT, INPUT_LIMIT, Model, OUTPUT_LIMIT, add_up};
use crate::order::Order;
use crate::position::Position;
use crate::rng::Rng;
use crate::row::Row;

/// Groups of positions in a step; more threads than this have nothing to do.
const GROUPS: usize = 8;
/// So many held-out positions are looked at after an epoch.
const VALIDATION: usize = 1 << 20;
/// Points of the curve of losses.
const CURVE: u64 = 200;

/// What decides the outcome, with the positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The shape of the network.
    pub layout: Layout,
    /// Of the first weights, the choice of what is held out, and the order.
    pub seed: u64,
    /// Places in the order of an epoch that make a step; held-out positions are passed over.
    pub batch: usize,
    /// How often every position is seen.
    pub epochs: f64,
    /// The learning rate at both ends of a cosine.
    pub rate: (f64, f64),
    /// The weight of the game's result in the target, from the first step to the last.
    pub result: (f64, f64),
    /// Weight decay of AdamW.
    pub decay: f64,
    /// What is to become small.
    pub loss: Loss,
}

/// What an epoch came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Steps since the beginning.
    pub steps: u64,
    /// The mean loss of the positions learned from, each before it was.
    pub training: f64,
    /// The mean loss of the positions held out, afterwards.
    pub validation: f64,
}

/// A training.
pub struct Trainer {
    settings: Settings,
    data: Data,
    kernels: Kernels,
    model: Model,
    means: Vec<Row>,
    squares: Vec<Row>,
    /// Steps done, and of how many.
    step: u64,
    steps: u64,
    per_epoch: u64,
    order: Order,
    /// Loss and positions of the epoch so far.
    loss: (f64, u64),
    /// The same of the piece of the curve so far.
    piece: (f64, u64),
    epochs: Vec<Epoch>,
    curve: Vec<(u64, f64)>,
    /// The checksum of the network at the start; 0 for random weights.
    start: u32,
    validation: Vec<u64>,
    workers: Vec<Worker>,
    gradients: Vec<Gradient>,
}

impl Trainer {
    /// Begins a training, from random weights or from a network.
    pub fn new(data: Data, settings: Settings, init: Option<&Weights>, threads: usize) -> Result<Trainer, TrainError> {
        let held = data.held().len();
        if data.training() < settings.batch as u64 || held == 0 {
            return Err(TrainError::TooFew(data.training(), held, settings.batch));
        }
        let layout = settings.layout.clone();
        let model = match init {
            None => Model::random(layout, settings.seed),
            Some(weights) => Model::from_weights(layout, weights, settings.seed).map_err(TrainError::Init)?,
        };
        let per_epoch = data.count() / settings.batch as u64;
        let mut validation = data.held().to_vec();
        Rng::new(settings.seed, 2 << 32).shuffle(&mut validation);
        validation.truncate(VALIDATION);
        let kernels = Kernels::available()[0];
        Ok(Trainer {
            kernels,
            means: vec![Row::ZERO; model.learned.len()],
            squares: vec![Row::ZERO; model.learned.len()],
            step: 0,
            steps: ((settings.epochs * per_epoch as f64).round() as u64).max(1),
            per_epoch,
            order: Order::new(data.count(), settings.seed, 0),
            loss: (0.0, 0),
            piece: (0.0, 0),
            epochs: Vec::new(),
            curve: Vec::new(),
            start: init.map_or(0, |weights| engine::crc32(&weights.file())),
            validation,
            workers: (0..threads.clamp(1, GROUPS)).map(|_| Worker::new(&model.layout)).collect(),
            gradients: (0..GROUPS).map(|_| Gradient::new(&model.layout)).collect(),
            model,
            data,
            settings,
        })
    }

    /// Computes in another way than the fastest.
    pub fn with_kernels(mut self, kernels: Kernels) -> Trainer {
        self.kernels = kernels;
        self
    }

    /// How it computes.
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The positions.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Steps done.
    pub fn step_number(&self) -> u64 {
        self.step
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Steps in an epoch.
    pub fn steps_per_epoch(&self) -> u64 {
        self.per_epoch
    }

    /// The epochs that are done; the last may have been cut short by the end.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// The training loss as a curve: steps done, and the mean loss of those since the point before.
    pub fn curve(&self) -> &[(u64, f64)] {
        &self.curve
    }

    /// Whether all steps are done.
    pub fn finished(&self) -> bool {
        self.step == self.steps
    }

    /// The mean loss of the epoch so far, and of how many positions.
    pub fn loss(&self) -> (f64, u64) {
        (self.loss.0 / self.loss.1.max(1) as f64, self.loss.1)
    }

    /// Takes a step. Says what an epoch came to when it ends.
    pub fn step(&mut self) -> Result<Option<Epoch>, TrainError> {
        let (epoch, within) = (self.step / self.per_epoch, self.step % self.per_epoch);
        if within == 0 {
            self.order = Order::new(self.data.count(), self.settings.seed, epoch);
        }
        let progress = self.step as f64 / self.steps as f64;
        let (loss, count) = self.learn(within * self.settings.batch as u64, progress);
        if !loss.is_finite() {
            return Err(TrainError::NotANumber(self.step + 1));
        }
        if count > 0 {
            self.update(count, progress);
        }
        self.loss = (self.loss.0 + loss, self.loss.1 + count);
        self.piece = (self.piece.0 + loss, self.piece.1 + count);
        self.step += 1;
        if self.step.is_multiple_of(self.steps.div_ceil(CURVE)) {
            self.curve.push((self.step, self.piece.0 / self.piece.1.max(1) as f64));
            self.piece = (0.0, 0);
        }
        if !self.step.is_multiple_of(self.per_epoch) && !self.finished() {
            return Ok(None);
        }
        let epoch = Epoch { steps: self.step, training: self.loss().0, validation: self.validate() };
        self.loss = (0.0, 0);
        self.epochs.push(epoch);
        if !epoch.validation.is_finite() {
            return Err(TrainError::NotANumber(self.step));
        }
        Ok(Some(epoch))
    }

    /// Computes the gradients of a step whose positions begin at this place of the order; returns the sum of their losses and
    /// how many there are.
    fn learn(&mut self, first: u64, progress: f64) -> (f64, u64) {
        let batch = self.settings.batch;
        let each = batch.div_ceil(CHUNK).div_ceil(GROUPS) * CHUNK;
        let lesson = Lesson {
            model: &self.model,
            data: &self.data,
            kernels: self.kernels,
            loss: self.settings.loss,
            result: between(self.settings.result, progress),
        };
        let order = &self.order;
        let jobs = self.gradients.iter_mut().enumerate();
        share(&mut self.workers, jobs, |worker, (group, gradient)| {
            let places = (group * each).min(batch)..((group + 1) * each).min(batch);
            worker.learn(&lesson, order, first + places.start as u64..first + places.end as u64, gradient);
        });
        let losses = self.gradients.iter().map(|gradient| (gradient.loss, gradient.count));
        losses.fold((0.0, 0), |(loss, count), more| (loss + more.0, count + more.1))
    }

    /// A step of the optimiser.
    fn update(&mut self, count: u64, progress: f64) {
        let (first, last) = self.settings.rate;
        let rate = last + (first - last) * 0.5 * (1.0 + cos_half_turns(progress));
        let taken = self.step + 1;
        let step = Step {
            share: (1.0 / count as f64) as f32,
            rate: (rate / (1.0 - power(MEAN, taken))) as f32,
            keep: (1.0 - rate * self.settings.decay) as f32,
            correction: (1.0 / (1.0 - power(SQUARE, taken)).sqrt()) as f32,
        };
        let layout = self.model.layout.clone();
        let (kernels, rows) = (self.kernels, self.model.tile_rows());
        let gradients: Vec<&Gradient> = self.gradients.iter().filter(|gradient| gradient.count > 0).collect();
        let (tiles, weights) = self.model.parts();
        let known = self.means.chunks_mut(rows).zip(self.squares.chunks_mut(rows));
        let jobs = tiles.zip(known).enumerate();
        share(&mut self.workers, jobs, |worker, (tile, ((learned, sums), (means, squares)))| {
            let gradient = worker.add_up(&layout, kernels, &gradients, tile);
            let mut at = 0;
            let mut part = |length: usize, limit: f32| {
                let range = at..at + length;
                at += length;
                let learned = Learned {
                    weights: &mut learned[range.clone()],
                    means: &mut means[range.clone()],
                    squares: &mut squares[range.clone()],
                };
                kernels.update(learned, &gradient[range], step, limit);
            };
            // Where king buckets share something, the limit is that of the sums.
            part(layout.shared(), f32::INFINITY);
            part(layout.inputs(), if layout.shared() > 0 { f32::INFINITY } else { INPUT_LIMIT });
            part(1, f32::INFINITY);
            part(layout.outputs(), if layout.shape.tail { DENSE_LIMIT } else { OUTPUT_LIMIT });
            add_up(&layout, learned, sums);
        });
        let mut gradient = vec![Row::ZERO; weights.len()];
        for part in &gradients {
            kernels.add(&mut gradient, &part.last);
        }
        let last = self.means.len() - weights.len();
        let learned = Learned { weights, means: &mut self.means[last..], squares: &mut self.squares[last..] };
        let limit = if self.settings.layout.shape.tail { MAX_TAIL_WEIGHT } else { f32::INFINITY };
        kernels.update(learned, &gradient, step, limit);
    }

    /// The mean loss of the positions held out, with the result's last weight.
    pub fn validate(&mut self) -> f64 {
        let lesson = Lesson {
            model: &self.model,
            data: &self.data,
            kernels: self.kernels,
            loss: self.settings.loss,
            result: self.settings.result.1,
        };
        let mut losses = vec![0.0; self.validation.len().div_ceil(CHUNK)];
        let jobs = losses.iter_mut().zip(self.validation.chunks(CHUNK));
        share(&mut self.workers, jobs, |worker, (loss, numbers)| *loss = worker.loss(&lesson, numbers));
        losses.iter().sum::<f64>() / self.validation.len() as f64
    }

    /// The same with a network of integers in the place of the weights.
    pub fn validate_integers(&mut self, weights: &Weights) -> f64 {
        let (data, loss, result) = (&self.data, self.settings.loss, self.settings.result.1);
        let mut losses = vec![0.0; self.validation.len().div_ceil(CHUNK)];
        let jobs = losses.iter_mut().zip(self.validation.chunks(CHUNK));
        share(&mut self.workers, jobs, |_, (sum, numbers)| {
            for &number in numbers {
                let position = data.get(number).0;
                let output = crate::integer::evaluate(weights, position) as f32 / engine::nnue::SCALE as f32;
                *sum += loss.of(output, position, result).0;
            }
        });
        losses.iter().sum::<f64>() / self.validation.len() as f64
    }

    /// Some of the positions held out, for reference values.
    pub fn references(&self, count: usize) -> impl Iterator<Item = &Position> {
        self.validation.iter().take(count).map(|&number| self.data.get(number).0)
    }

    /// Multiplies whatever the network says by a factor: the end of a training, after which it should not go on.
    pub fn rescale(&mut self, factor: f64) {
        self.model.rescale(factor as f32);
    }

    /// The network of integers, and how many weights stand at their limits.
    pub fn quantise(&self, provenance: String) -> (Weights, AtLimit) {
        self.model.quantise(provenance)
    }
}

/// The number that is so far on the way from the first to the last.
fn between((first, last): (f64, f64), progress: f64) -> f64 {
    first + (last - first) * progress
}

/// A number to a whole power, by multiplications.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut result, mut square) = (1.0, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

/// Lets workers do jobs, each taking the next whenever it is free.
fn share<J: Send>(workers: &mut [Worker], jobs: impl Iterator<Item = J> + Send, work: impl Fn(&mut Worker, J) + Sync) {
    if let [worker] = workers {
        return jobs.for_each(|job| work(worker, job));
    }
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
    std::thread::scope(|scope| {
        for worker in workers {
            scope.spawn(|| {
                while let Some(job) = next() {
                    work(worker, job);
                }
            });
        }
    });
}
