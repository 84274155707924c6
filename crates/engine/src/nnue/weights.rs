//! A network as plain numbers: what a trainer makes, and what a file holds.

use super::network::{MAGIC, Network, QA, QB, SCALE, Shape, TAIL_VERSION, VERSION};
use super::tail::{FIRST, SECOND};
use crate::base::crc32;

/// A network as plain numbers. One with a tail has no output weights and biases, one without has nothing of a tail.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The sizes; every vector below has the length that follows from them.
    pub shape: Shape,
    /// The king bucket of each square, seen from the king's own side.
    pub king_buckets: [u8; 64],
    /// How it was made.
    pub provenance: String,
    /// From each input, 768 a king bucket, to the hidden layer.
    pub input_weights: Vec<i16>,
    /// What the hidden layer starts from.
    pub input_biases: Vec<i16>,
    /// For each output bucket first the side to move's, then the other's.
    pub output_weights: Vec<i16>,
    /// What each output bucket starts from.
    pub output_biases: Vec<i32>,
    /// Of a tail, for each output bucket: from each product, first the side to move's, to the sixteen neurons.
    pub dense_weights: Vec<i8>,
    /// Of a tail, for each output bucket: the biases of these neurons; from each to the 32 of the next layer; the biases of
    /// those; from each to the output; its bias.
    pub tail_numbers: Vec<f32>,
}

impl Weights {
    /// The file that holds them. Only if all weights are within their limits will `Network::read` take it.
    pub fn file(&self) -> Vec<u8> {
        let Shape { hidden, king_buckets, output_buckets, tail } = self.shape;
        let mut file = MAGIC.to_vec();
        let version = if tail { TAIL_VERSION } else { VERSION };
        let sizes = [version, hidden as u32, king_buckets as u32, output_buckets as u32];
        let layers = [FIRST as u32, SECOND as u32];
        let layers = if tail { layers.as_slice() } else { &[] };
        for number in [&sizes, [QA as u32, QB as u32, SCALE as u32].as_slice(), layers].concat() {
            file.extend(number.to_le_bytes());
        }
        file.extend(self.king_buckets);
        file.extend((self.provenance.len() as u32).to_le_bytes());
        file.extend(self.provenance.as_bytes());
        file.resize(file.len().next_multiple_of(64), 0);
        for number in [&self.input_weights, &self.input_biases, &self.output_weights].into_iter().flatten() {
            file.extend(number.to_le_bytes());
        }
        for number in &self.output_biases {
            file.extend(number.to_le_bytes());
        }
        file.extend(self.dense_weights.iter().map(|&weight| weight as u8));
        for number in &self.tail_numbers {
            file.extend(number.to_le_bytes());
        }
        let sum = crc32(&file);
        file.extend(sum.to_le_bytes());
        file
    }
}

impl From<&Network> for Weights {
    fn from(network: &Network) -> Weights {
        let Shape { king_buckets, output_buckets, .. } = network.shape();
        let tails = |bucket| network.tail().map(|tail| (tail, bucket));
        Weights {
            shape: network.shape(),
            king_buckets: *network.king_buckets(),
            provenance: network.provenance().to_string(),
            input_weights: (0..king_buckets * super::INPUTS)
                .flat_map(|feature| network.input_weights(feature))
                .collect(),
            input_biases: network.input_biases().collect(),
            output_weights: (0..output_buckets).flat_map(|bucket| network.output_weights_of(bucket)).collect(),
            output_biases: network.output_biases().to_vec(),
            dense_weights: (0..output_buckets)
                .filter_map(tails)
                .flat_map(|(tail, bucket)| tail.dense_of(bucket))
                .collect(),
            tail_numbers: (0..output_buckets)
                .filter_map(tails)
                .flat_map(|(tail, bucket)| tail.numbers_of(bucket))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random_file;
    use super::*;

    #[test]
    fn writing_what_was_read_gives_the_same_file() {
        for shape in [
            Shape { hidden: 32, king_buckets: 3, output_buckets: 5, tail: false },
            Shape { hidden: 96, king_buckets: 1, output_buckets: 8, tail: false },
            Shape { hidden: 64, king_buckets: 1, output_buckets: 3, tail: true },
            Shape { hidden: 192, king_buckets: 2, output_buckets: 8, tail: true },
        ] {
            let file = random_file(shape, 11);
            let network = Network::read(&file).expect("a whole file");
            assert!(Weights::from(&network).file() == file);
        }
    }
}
