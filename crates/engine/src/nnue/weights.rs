//! A network as plain numbers: what a trainer makes, and what a file holds.

use super::network::{MAGIC, Network, QA, QB, SCALE, Shape, VERSION};
use crate::base::crc32;

/// A network as plain numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
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
}

impl Weights {
    /// The file that holds them. Only if all weights are within their limits will `Network::read` take it.
    pub fn file(&self) -> Vec<u8> {
        let Shape { hidden, king_buckets, output_buckets } = self.shape;
        let mut file = MAGIC.to_vec();
        let sizes = [hidden as u32, king_buckets as u32, output_buckets as u32];
        for number in [[VERSION].as_slice(), &sizes, &[QA as u32, QB as u32, SCALE as u32]].concat() {
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
        let sum = crc32(&file);
        file.extend(sum.to_le_bytes());
        file
    }
}

impl From<&Network> for Weights {
    fn from(network: &Network) -> Weights {
        let Shape { king_buckets, output_buckets, .. } = network.shape();
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
            Shape { hidden: 32, king_buckets: 3, output_buckets: 5 },
            Shape { hidden: 96, king_buckets: 1, output_buckets: 8 },
        ] {
            let file = random_file(shape, 11);
            let network = Network::read(&file).expect("a whole file");
            assert!(Weights::from(&network).file() == file);
        }
    }
}
