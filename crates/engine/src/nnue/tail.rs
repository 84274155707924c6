//! The tail of a network: the layers after the hidden one, where it has several, once for each output bucket.
//!
//! The clipped sums of a side are multiplied in pairs: of each block of 64, number j with number 32 + j. These products,
//! the side to move's first, are the inputs of a dense layer of sixteen neurons with integer weights; from its sums on,
//! numbers are floating-point. Every operation has its place in a fixed order, none is fused, and no function of the system is
//! asked: all machines get the same bits.

use chess::Value;

use super::network::{NetworkError, Reader, SCALE, Shape};
use super::simd::Bytes;

/// Neurons of the first layer after the products.
pub const FIRST: usize = 16;
/// Neurons of the second.
pub const SECOND: usize = 32;
/// Sums of a side that are multiplied among themselves.
pub const BLOCK: usize = 64;
/// Largest size of a dense weight, which is in units of 1 / QB: two products with activations fit 16 bits together.
pub const MAX_DENSE_WEIGHT: i8 = 127;
/// Largest size of the tail's other numbers.
pub const MAX_TAIL_WEIGHT: f32 = 128.0;
/// Floating-point numbers of an output bucket.
pub const TAIL_NUMBERS: usize = FIRST + FIRST * SECOND + SECOND + SECOND + 1;
/// What the dense layer's sums are multiplied with. An activation of 1 is 255, the product of two is 255² / 512, and a weight
/// of 1 is 64.
pub const TAIL_UNIT: f32 = 8.0 / 65025.0;

/// Where an input of the dense layer stands among the bytes of the kernels. They make eight products of the side to move
/// and eight of the other by turns.
fn place(hidden: usize, input: usize) -> usize {
    let (side, product) = (input / (hidden / 2), input % (hidden / 2));
    product / 8 * 16 + side * 8 + product % 8
}

/// What follows the dense layer's sums, for one output bucket.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Small {
    first_biases: [f32; FIRST],
    second_weights: [[f32; SECOND]; FIRST],
    second_biases: [f32; SECOND],
    last_weights: [f32; SECOND],
    last_bias: f32,
}

impl Small {
    /// The output, in units of `SCALE` centipawns, for the dense layer's sums.
    #[inline(always)]
    pub fn output(&self, sums: [i32; FIRST]) -> f32 {
        let mut first = [0.0; FIRST];
        for neuron in 0..FIRST {
            first[neuron] = activation(sums[neuron] as f32 * TAIL_UNIT + self.first_biases[neuron]);
        }
        let mut second = self.second_biases;
        for (weights, input) in self.second_weights.iter().zip(first) {
            second = add_weighted(second, weights, input);
        }
        let mut parts = [0.0; SECOND];
        for neuron in 0..SECOND {
            parts[neuron] = activation(second[neuron]) * self.last_weights[neuron];
        }
        let parts: [f32; 16] = halved(&parts);
        let parts: [f32; 8] = halved(&parts);
        let parts: [f32; 4] = halved(&parts);
        let parts: [f32; 2] = halved(&parts);
        parts[0] + parts[1] + self.last_bias
    }
}

/// Adds weights times a factor. (Sums that are changed in place are taken for single numbers, not for vectors.)
#[inline(always)]
fn add_weighted(sums: [f32; SECOND], weights: &[f32; SECOND], factor: f32) -> [f32; SECOND] {
    let mut result = [0.0; SECOND];
    for neuron in 0..SECOND {
        result[neuron] = sums[neuron] + factor * weights[neuron];
    }
    result
}

/// Adds the second half of some numbers to the first.
#[inline(always)]
fn halved<const N: usize>(numbers: &[f32]) -> [f32; N] {
    let mut result = [0.0; N];
    for index in 0..N {
        result[index] = numbers[index] + numbers[index + N];
    }
    result
}

/// Clipped and squared.
#[inline(always)]
fn activation(sum: f32) -> f32 {
    let raised = if sum > 0.0 { sum } else { 0.0 };
    let clipped = if raised < 1.0 { raised } else { 1.0 };
    clipped * clipped
}

/// An output as centipawns.
#[inline(always)]
pub fn value(output: f32) -> Value {
    (output * SCALE as f32) as Value
}

/// The tails of all output buckets.
#[derive(Debug)]
pub struct Tail {
    /// For each bucket and each four inputs in the kernels' order: sixteen neurons, four weights each.
    dense: Box<[Bytes]>,
    small: Box<[Small]>,
    /// Blocks of 64 bytes in a bucket's dense weights.
    blocks: usize,
    hidden: usize,
}

impl Tail {
    /// Bytes in a file.
    pub(super) fn size(shape: Shape) -> usize {
        shape.output_buckets * (shape.hidden * FIRST + TAIL_NUMBERS * 4)
    }

    /// Reads what follows the weights of the hidden layer.
    pub(super) fn read(reader: &mut Reader<'_>, shape: Shape) -> Result<Tail, NetworkError> {
        let Shape { hidden, output_buckets, .. } = shape;
        let blocks = hidden * FIRST / 64;
        let mut dense = vec![Bytes::ZERO; output_buckets * blocks].into_boxed_slice();
        for bucket in dense.chunks_exact_mut(blocks) {
            for input in 0..hidden {
                let place = place(hidden, input);
                for (neuron, byte) in reader.array::<FIRST>()?.into_iter().enumerate() {
                    if (byte as i8).unsigned_abs() > MAX_DENSE_WEIGHT.unsigned_abs() {
                        return Err(NetworkError::Range("a dense weight"));
                    }
                    bucket[place / 4].0[neuron * 4 + place % 4] = byte;
                }
            }
        }
        let small = (0..output_buckets)
            .map(|_| {
                let mut second_weights = [[0.0; SECOND]; FIRST];
                let first_biases = numbers(reader)?;
                for weights in &mut second_weights {
                    *weights = numbers(reader)?;
                }
                let (second_biases, last_weights) = (numbers(reader)?, numbers(reader)?);
                let [last_bias] = numbers(reader)?;
                Ok(Small { first_biases, second_weights, second_biases, last_weights, last_bias })
            })
            .collect::<Result<_, _>>()?;
        Ok(Tail { dense, small, blocks, hidden })
    }

    /// The dense weights of an output bucket, and what follows.
    #[inline(always)]
    pub(super) fn bucket(&self, bucket: usize) -> (&[Bytes], &Small) {
        (&self.dense[bucket * self.blocks..][..self.blocks], &self.small[bucket])
    }

    /// The dense weights of an output bucket, sixteen for each input, the side to move's products first.
    pub fn dense_of(&self, bucket: usize) -> impl Iterator<Item = i8> {
        let dense = self.bucket(bucket).0;
        (0..self.hidden).flat_map(move |input| {
            let place = place(self.hidden, input);
            (0..FIRST).map(move |neuron| dense[place / 4].0[neuron * 4 + place % 4] as i8)
        })
    }

    /// The other numbers of an output bucket, as they stand in the file.
    pub fn numbers_of(&self, bucket: usize) -> impl Iterator<Item = f32> {
        let small = &self.small[bucket];
        let weights = small.second_weights.as_flattened();
        let parts = [&small.first_biases, weights, &small.second_biases, &small.last_weights];
        parts.into_iter().flatten().copied().chain([small.last_bias])
    }
}

/// So many numbers, finite and of a sane size.
fn numbers<const N: usize>(reader: &mut Reader<'_>) -> Result<[f32; N], NetworkError> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = f32::from_le_bytes(reader.array()?);
        // What is no number is not within any limit.
        if !(-MAX_TAIL_WEIGHT..=MAX_TAIL_WEIGHT).contains(number) {
            return Err(NetworkError::Range("a number of the tail"));
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_has_a_place_of_its_own() {
        for hidden in [64, 192, 512] {
            let mut places: Vec<usize> = (0..hidden).map(|input| place(hidden, input)).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..hidden), "{hidden}");
        }
    }

    #[test]
    fn a_tail_by_hand() {
        let mut small = Small {
            first_biases: [0.0; FIRST],
            second_weights: [[0.0; SECOND]; FIRST],
            second_biases: [0.0; SECOND],
            last_weights: [0.0; SECOND],
            last_bias: 0.25,
        };
        // 0.5 squared, twice that, squared, four times that, and a quarter: 0.25, 0.5, 0.25, 1, 1.25.
        small.first_biases[3] = 0.5;
        small.second_weights[3][31] = 2.0;
        small.last_weights[31] = 4.0;
        assert_eq!((small.output([0; FIRST]), value(small.output([0; FIRST]))), (1.25, 500));
        // A full product with a weight of a half is clipped to 1 with the bias.
        let mut sums = [0; FIRST];
        sums[3] = 127 * 64;
        assert_eq!(small.output(sums), 4.25);
        sums[3] = -127 * 64;
        assert_eq!(small.output(sums), 0.25);
        assert_eq!((value(-0.01), value(0.0099), value(-1.999)), (-4, 3, -799));
    }
}
