//! The weights in training, from their first values to the integers of the file.

use engine::nnue::{
    FIRST, INPUTS, MAX_DENSE_WEIGHT, MAX_INPUT_BIAS, MAX_INPUT_WEIGHT, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT,
    MAX_TAIL_WEIGHT, QA, QB, SECOND, TAIL_NUMBERS, Weights,
};

use crate::layout::{LAST_ROWS, Layout, last_place};
use crate::rng::Rng;
use crate::row::{Row, TILE};

/// No input weight becomes larger, so that its integer is within the engine's limit.
pub const INPUT_LIMIT: f32 = MAX_INPUT_WEIGHT as f32 / QA as f32;
/// The same for output weights.
pub const OUTPUT_LIMIT: f32 = MAX_OUTPUT_WEIGHT as f32 / QB as f32;
/// The same for dense weights of a tail.
pub const DENSE_LIMIT: f32 = MAX_DENSE_WEIGHT as f32 / QB as f32;

/// The weights.
pub struct Model {
    /// Their shape.
    pub layout: Layout,
    /// What is learned, tile after tile: what all king buckets share, if there are several; each bucket's; biases; outputs.
    /// At the end are the output biases, or what a tail has behind its dense layer.
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
            for output in 0..model.direct_outputs() {
                *model.output(output, neuron) = (spread * normal(&mut rng)) as f32;
            }
        }
        if model.layout.shape.tail {
            model.randomise_tail(&mut rng);
        }
        model.bring_up_to_date();
        model
    }

    /// First values of a tail. Products of two numbers below one are small, and a quarter of them are above zero, so the dense
    /// weights are large; biases above zero keep most neurons of the layers behind alive.
    fn randomise_tail(&mut self, rng: &mut Rng) {
        let hidden = self.layout.shape.hidden;
        let spread = 12.0 / (hidden as f64).sqrt();
        for bucket in 0..self.layout.shape.output_buckets {
            for input in 0..hidden {
                for neuron in 0..FIRST {
                    let number = (spread * normal(rng)) as f32;
                    *self.dense(bucket, input, neuron) = number.clamp(-DENSE_LIMIT, DENSE_LIMIT);
                }
            }
            let weights = FIRST..FIRST + FIRST * SECOND;
            let outputs = weights.end + SECOND..TAIL_NUMBERS - 1;
            for number in 0..TAIL_NUMBERS - 1 {
                *self.last_number(bucket, number) = if weights.contains(&number) {
                    ((2.0 / FIRST as f64).sqrt() * normal(rng)) as f32
                } else if outputs.contains(&number) {
                    ((1.0 / SECOND as f64).sqrt() * normal(rng)) as f32
                } else {
                    0.3
                };
            }
        }
    }

    /// All zero.
    fn zero(layout: Layout) -> Model {
        let tile = layout.shared() + layout.rows();
        let learned = vec![Row::ZERO; layout.tiles() * tile + layout.last_rows()];
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

    /// What stands behind the tiles: a row of output biases, or ten rows of a tail for each output bucket.
    pub fn last(&self) -> &[Row] {
        &self.learned[self.learned.len() - self.layout.last_rows()..]
    }

    /// What a step of learning changes: every tile's `learned` and `sums`, and what stands behind the tiles.
    pub fn parts(&mut self) -> (impl Iterator<Item = (&mut [Row], &mut [Row])>, &mut [Row]) {
        let (tile, rows, tiles) = (self.tile_rows(), self.layout.rows(), self.layout.tiles());
        let (learned, last) = self.learned.split_at_mut(tiles * tile);
        let mut sums = self.sums.chunks_mut(rows);
        (learned.chunks_mut(tile).map(move |part| (part, sums.next().unwrap_or_default())), last)
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

    /// Output weights of a neuron: none with a tail.
    fn direct_outputs(&self) -> usize {
        if self.layout.shape.tail { 0 } else { self.layout.outputs() }
    }

    /// The row of a dense weight, and the place in it. The inputs are the products, the side to move's first.
    pub fn dense_place(&self, bucket: usize, input: usize, neuron: usize) -> (usize, usize) {
        let products = self.layout.shape.hidden / 2;
        let (side, product) = (input / products, input % products);
        let tile = product / (TILE / 2);
        let row = (tile + 1) * self.tile_rows() - self.layout.outputs() + bucket * FIRST + neuron;
        (row, side * TILE / 2 + product % (TILE / 2))
    }

    /// A dense weight of a tail.
    fn dense(&mut self, bucket: usize, input: usize, neuron: usize) -> &mut f32 {
        let (row, place) = self.dense_place(bucket, input, neuron);
        self.learned[row].at(place)
    }

    /// A number of a tail behind its dense layer, by its place in the network file.
    fn last_number(&mut self, bucket: usize, number: usize) -> &mut f32 {
        let (row, place) = last_place(number);
        let first = self.learned.len() - self.layout.last_rows();
        self.learned[first + bucket * LAST_ROWS + row].at(place)
    }

    /// The place of an output weight; `output` is twice its bucket, one more for the other side's.
    fn output(&mut self, output: usize, neuron: usize) -> &mut f32 {
        let row = (neuron / TILE + 1) * self.tile_rows() - self.layout.outputs() + output;
        self.learned[row].at(neuron % TILE)
    }

    /// The bias of a neuron.
    fn bias(&mut self, neuron: usize) -> &mut f32 {
        let row = (neuron / TILE + 1) * self.tile_rows() - self.layout.outputs() - 1;
        self.learned[row].at(neuron % TILE)
    }

    /// First values from a network: of the same shape; or narrower, then the new neurons are random; or with one king bucket,
    /// then each starts from that. The error says what does not fit.
    pub fn from_weights(layout: Layout, from: &Weights, seed: u64) -> Result<Model, String> {
        let (old, new) = (from.shape, layout.shape);
        if old.tail != new.tail {
            let [its, this] = [old, new].map(|shape| if shape.tail { "a tail" } else { "no tail" });
            return Err(format!("it has {its}, and the new one is to have {this}: the same expected"));
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
            for output in 0..model.direct_outputs() {
                let number = i32::from(from.output_weights[output * old.hidden + neuron]);
                *model.output(output, neuron) = share(number, QB);
            }
        }
        // New neurons are there to be used later; at first they must not disturb.
        for neuron in old.hidden..new.hidden {
            for output in 0..model.direct_outputs() {
                *model.output(output, neuron) *= 0.01;
            }
        }
        let last = model.learned.len() - 1;
        for (bucket, &bias) in from.output_biases.iter().enumerate() {
            *model.learned[last].at(bucket) = share(bias, QA * QB);
        }
        if new.tail {
            model.take_tail(from);
        }
        model.bring_up_to_date();
        Ok(model)
    }

    /// Takes the tail of a network that is as wide, or narrower.
    fn take_tail(&mut self, from: &Weights) {
        let (old, new) = (from.shape.hidden / 2, self.layout.shape.hidden / 2);
        for bucket in 0..self.layout.shape.output_buckets {
            for (side, product) in [0, 1].into_iter().flat_map(|side| (0..new).map(move |product| (side, product))) {
                for neuron in 0..FIRST {
                    let weight = self.dense(bucket, side * new + product, neuron);
                    if product < old {
                        let input = (bucket * 2 + side) * old + product;
                        *weight = f32::from(from.dense_weights[input * FIRST + neuron]) / QB as f32;
                    } else {
                        *weight *= 0.01;
                    }
                }
            }
            for number in 0..TAIL_NUMBERS {
                *self.last_number(bucket, number) = from.tail_numbers[bucket * TAIL_NUMBERS + number];
            }
        }
    }

    /// Multiplies whatever the network says by a factor.
    pub fn rescale(&mut self, factor: f32) {
        let shape = self.layout.shape;
        if shape.tail {
            for bucket in 0..shape.output_buckets {
                for number in TAIL_NUMBERS - 1 - SECOND..TAIL_NUMBERS {
                    *self.last_number(bucket, number) *= factor;
                }
            }
            return;
        }
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
            output_weights: Vec::new(),
            output_biases: Vec::new(),
            dense_weights: Vec::new(),
            tail_numbers: Vec::new(),
        };
        let mut at_limit = AtLimit::default();
        for row in 0..self.layout.inputs() + 1 + self.direct_outputs() {
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
        if shape.tail {
            self.quantise_tail(&mut weights, &mut at_limit);
        } else {
            let bias = |bucket| round(self.last()[0].get(bucket), QA * QB, MAX_OUTPUT_BIAS);
            weights.output_biases = (0..shape.output_buckets).map(bias).collect();
        }
        (weights, at_limit)
    }

    fn quantise_tail(&self, weights: &mut Weights, at_limit: &mut AtLimit) {
        for bucket in 0..self.layout.shape.output_buckets {
            for input in 0..self.layout.shape.hidden {
                for neuron in 0..FIRST {
                    let (row, place) = self.dense_place(bucket, input, neuron);
                    let whole = round(self.learned[row].get(place), QB, i32::from(MAX_DENSE_WEIGHT));
                    at_limit.outputs += usize::from(whole.abs() == i32::from(MAX_DENSE_WEIGHT));
                    weights.dense_weights.push(whole as i8);
                }
            }
            weights.tail_numbers.extend((0..TAIL_NUMBERS).map(|number| {
                let (row, place) = last_place(number);
                self.last()[bucket * LAST_ROWS + row].get(place).clamp(-MAX_TAIL_WEIGHT, MAX_TAIL_WEIGHT)
            }));
        }
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
