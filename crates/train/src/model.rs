//! The weights in training, from their first values to the integers of the file.

use engine::nnue::{INPUTS, MAX_INPUT_BIAS, MAX_INPUT_WEIGHT, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, QA, QB, Weights};

use crate::layout::Layout;
use crate::rng::Rng;
use crate::row::{Row, TILE};

/// No input weight becomes larger, so that its integer is within the engine's limit.
pub const INPUT_LIMIT: f32 = MAX_INPUT_WEIGHT as f32 / QA as f32;
/// The same for output weights.
pub const OUTPUT_LIMIT: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;

/// The weights.
pub struct Model {
    /// Their shape.
    pub layout: Layout,
    /// What is learned, tile after tile: what all king buckets share, if there are several; each bucket's; biases; outputs.
    /// A last row has the output biases.
    pub learned: Vec<Row>,
    /// What the kernels use where king buckets share something: the sums. Empty where there is only one.
    sums: Vec<Row>,
}

impl Model {
    /// First values that are random.
    pub fn random(layout: Layout, seed: u64) -> Model {
        let mut rng = Rng::new(seed, 1 << 32);
        let hidden = layout.shape.hidden;
        let mut model = Model::zero(layout);
        let spread = 1.0 / (2.0 * hidden as f64).sqrt();
        for neuron in 0..hidden {
            for input in 0..INPUTS {
                let number = 0.05 * normal(&mut rng);
                if occurs(input) {
                    *model.first_input(input, neuron) = number as f32;
                }
            }
            for output in 0..2 * model.layout.shape.output_buckets {
                *model.output(output, neuron) = (spread * normal(&mut rng)) as f32;
            }
        }
        model.bring_up_to_date();
        model
    }

    /// All zero.
    fn zero(layout: Layout) -> Model {
        let tile = layout.shared() + layout.rows();
        let learned = vec![Row::ZERO; layout.tiles() * tile + 1];
        let sums = if layout.shared() > 0 { vec![Row::ZERO; layout.tiles() * layout.rows()] } else { Vec::new() };
        Model { layout, learned, sums }
    }

    /// Rows of a tile in `learned`.
    pub fn tile_rows(&self) -> usize {
        self.layout.shared() + self.layout.rows()
    }

    /// The weights of a tile as the kernels use them.
    pub fn tile(&self, tile: usize) -> &[Row] {
        let rows = self.layout.rows();
        let all = if self.sums.is_empty() { &self.learned } else { &self.sums };
        &all[tile * rows..][..rows]
    }

    /// The bias of an output bucket.
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.learned[self.learned.len() - 1].get(bucket)
    }

    /// What a step of learning changes: every tile's `learned` and `sums`, and the row of the output biases.
    pub fn parts(&mut self) -> (impl Iterator<Item = (&mut [Row], &mut [Row])>, &mut Row) {
        let (tile, rows, tiles) = (self.tile_rows(), self.layout.rows(), self.layout.tiles());
        let (learned, last) = self.learned.split_at_mut(tiles * tile);
        let mut sums = self.sums.chunks_mut(rows);
        (learned.chunks_mut(tile).map(move |part| (part, sums.next().unwrap_or_default())), &mut last[0])
    }

    /// Makes the sums anew.
    pub fn bring_up_to_date(&mut self) {
        let layout = self.layout.clone();
        for (learned, sums) in self.parts().0 {
            add_up(&layout, learned, sums);
        }
    }

    /// The place of the weight from an input to a neuron that counts in every king bucket.
    fn first_input(&mut self, input: usize, neuron: usize) -> &mut f32 {
        let row = neuron / TILE * self.tile_rows() + input;
        self.learned[row].at(neuron % TILE)
    }

    /// The place of an output weight; `output` is twice its bucket, one more for the other side's.
    fn output(&mut self, output: usize, neuron: usize) -> &mut f32 {
        let row = (neuron / TILE + 1) * self.tile_rows() - 2 * self.layout.shape.output_buckets + output;
        self.learned[row].at(neuron % TILE)
    }

    /// The bias of a neuron.
    fn bias(&mut self, neuron: usize) -> &mut f32 {
        let row = (neuron / TILE + 1) * self.tile_rows() - 2 * self.layout.shape.output_buckets - 1;
        self.learned[row].at(neuron % TILE)
    }

    /// First values from a network: of the same shape; or narrower, then the new neurons are random; or with one king bucket,
    /// then each starts from that. The error says what does not fit.
    pub fn from_weights(layout: Layout, from: &Weights, seed: u64) -> Result<Model, String> {
        let (old, new) = (from.shape, layout.shape);
        if old.tail != new.tail {
            return Err("its hidden layer leads to the output in another way".to_string());
        }
        if old.hidden > new.hidden {
            return Err(format!("it has {} neurons, more than {}", old.hidden, new.hidden));
        }
        if old.output_buckets != new.output_buckets {
            return Err(format!("it has {} output buckets, not {}", old.output_buckets, new.output_buckets));
        }
        if old.king_buckets > 1 && (old.king_buckets != new.king_buckets || from.king_buckets != layout.kings) {
            return Err("its king buckets are others".to_string());
        }
        let mut model = Model::random(layout, seed);
        let share = |number: i32, unit: i32| number as f32 / unit as f32;
        for neuron in 0..old.hidden {
            for input in 0..INPUTS {
                let weights = (0..old.king_buckets)
                    .map(|bucket| i32::from(from.input_weights[(bucket * INPUTS + input) * old.hidden + neuron]));
                if old.king_buckets == 1 || new.king_buckets == 1 {
                    *model.first_input(input, neuron) = share(weights.sum(), QA);
                } else {
                    let numbers: Vec<f32> = weights.map(|weight| share(weight, QA)).collect();
                    let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
                    *model.first_input(input, neuron) = mean;
                    for (bucket, number) in numbers.iter().enumerate() {
                        *model.first_input((bucket + 1) * INPUTS + input, neuron) = number - mean;
                    }
                }
            }
            *model.bias(neuron) = share(i32::from(from.input_biases[neuron]), QA);
            for output in 0..2 * old.output_buckets {
                let number = i32::from(from.output_weights[output * old.hidden + neuron]);
                *model.output(output, neuron) = share(number, QB);
            }
        }
        // New neurons are there to be used later; at first they must not disturb.
        for neuron in old.hidden..new.hidden {
            for output in 0..2 * new.output_buckets {
                *model.output(output, neuron) *= 0.01;
            }
        }
        let last = model.learned.len() - 1;
        for (bucket, &bias) in from.output_biases.iter().enumerate() {
            *model.learned[last].at(bucket) = share(bias, QA * QB);
        }
        model.bring_up_to_date();
        Ok(model)
    }

    /// Multiplies whatever the network says by a factor.
    pub fn rescale(&mut self, factor: f32) {
        let shape = self.layout.shape;
        for neuron in 0..shape.hidden {
            for output in 0..2 * shape.output_buckets {
                *self.output(output, neuron) *= factor;
            }
        }
        let last = self.learned.len() - 1;
        for bucket in 0..shape.output_buckets {
            *self.learned[last].at(bucket) *= factor;
        }
        self.bring_up_to_date();
    }

    /// The integers, and how many weights stand at their limits.
    pub fn quantise(&self, provenance: String) -> (Weights, AtLimit) {
        let Layout { shape, kings } = self.layout.clone();
        let mut weights = Weights {
            shape,
            king_buckets: kings,
            provenance,
            input_weights: Vec::with_capacity(self.layout.inputs() * shape.hidden),
            input_biases: Vec::with_capacity(shape.hidden),
            output_weights: Vec::with_capacity(2 * shape.output_buckets * shape.hidden),
            output_biases: Vec::with_capacity(shape.output_buckets),
            dense_weights: Vec::new(),
            tail_numbers: Vec::new(),
        };
        let mut at_limit = AtLimit::default();
        for row in 0..self.layout.rows() {
            for neuron in 0..shape.hidden {
                let number = self.tile(neuron / TILE)[row].get(neuron % TILE);
                let (to, unit, limit, count) = if row < self.layout.inputs() {
                    (&mut weights.input_weights, QA, MAX_INPUT_WEIGHT, &mut at_limit.inputs)
                } else if row == self.layout.inputs() {
                    (&mut weights.input_biases, QA, MAX_INPUT_BIAS, &mut at_limit.biases)
                } else {
                    (&mut weights.output_weights, QB, MAX_OUTPUT_WEIGHT, &mut at_limit.outputs)
                };
                let whole = round(number, unit, i32::from(limit));
                *count += usize::from(whole.abs() == i32::from(limit));
                to.push(whole as i16);
            }
        }
        weights.output_biases =
            (0..shape.output_buckets).map(|bucket| round(self.output_bias(bucket), QA * QB, MAX_OUTPUT_BIAS)).collect();
        (weights, at_limit)
    }
}

/// How many weights would like to be larger, perhaps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AtLimit {
    /// Of those from the inputs.
    pub inputs: usize,
    /// Of the hidden layer's biases.
    pub biases: usize,
    /// Of those to the outputs.
    pub outputs: usize,
}

/// From what a tile has learned to what the kernels use, where king buckets share something.
pub fn add_up(layout: &Layout, learned: &mut [Row], sums: &mut [Row]) {
    if sums.is_empty() {
        return;
    }
    let inputs = layout.inputs();
    let (shared, special) = learned.split_at_mut(layout.shared());
    sums[inputs..].copy_from_slice(&special[inputs..]);
    for ((index, sum), special) in sums[..inputs].iter_mut().enumerate().zip(special) {
        for (part, shared) in shared[index % INPUTS].0.iter().enumerate() {
            let whole = shared.add(special.0[part]).clamp(-INPUT_LIMIT, INPUT_LIMIT);
            sum.0[part] = whole;
            special.0[part] = whole.sub(*shared);
        }
    }
}

/// Whether an input is ever switched on: own kings never stand on the files e to h, pawns not on the first and last rank.
fn occurs(input: usize) -> bool {
    let (kind, square) = (input / 64, input % 64);
    !(kind == 5 && square % 8 >= 4 || kind % 6 == 0 && !(8..56).contains(&square))
}

/// A whole number of units.
fn round(number: f32, unit: i32, limit: i32) -> i32 {
    ((f64::from(number) * f64::from(unit)).round_ties_even() as i32).clamp(-limit, limit)
}

/// A random number that is normally distributed, nearly: the sum of twelve.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}
