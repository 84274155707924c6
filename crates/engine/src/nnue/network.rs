//! The network itself: its file, its shape and its weights.
//!
//! | field | type |
//! |---|---|
//! | magic | 8 bytes `GANNETNN` |
//! | version | u32: 1, or 2 with a tail |
//! | hidden width, king buckets, output buckets | 3 × u32 |
//! | QA, QB, scale | 3 × u32: 255, 64, 400 |
//! | with a tail: the widths of its layers | 2 × u32: 16, 32 |
//! | king bucket of each square | 64 × u8, seen from the king's own side |
//! | length of the provenance, provenance | u32, UTF-8 |
//! | zeros up to a multiple of 64 bytes | |
//! | input weights, input biases | i16 \[king buckets × 768\]\[hidden\], i16 \[hidden\] |
//! | without a tail: output weights, output biases | i16 \[output buckets\]\[2 × hidden\], i32 \[output buckets\] |
//! | with a tail: dense weights | i8 \[output buckets\]\[hidden\]\[16\] |
//! | then for each output bucket: biases, weights \[16\]\[32\], biases, weights, bias | f32: 16, 512, 32, 32, 1 |
//! | checksum | u32, CRC-32 of all before it |
//!
//! Numbers are little-endian. A file is believed only if its length, its checksum and the range of every weight are
//! right: the ranges are what makes overflow impossible in the kernels.

use std::fmt;
use std::sync::Arc;

use chess::{Board, Value};

use super::features::INPUTS;
use super::simd::Lane;
use super::tail::{BLOCK, FIRST, SECOND, Tail};
use crate::base::crc32;

pub(super) const MAGIC: &[u8; 8] = b"GANNETNN";
/// Of a network whose hidden layer leads to the output.
pub(super) const VERSION: u32 = 1;
/// Of a network with a tail.
pub(super) const TAIL_VERSION: u32 = 2;
/// What an activation of 1 is, in integers.
pub const QA: i32 = 255;
/// What an output weight of 1 is, in integers.
pub const QB: i32 = 64;
/// Centipawns for an output of 1.
pub const SCALE: i32 = 400;
/// Largest size of an input weight. With at most 32 men and the bias below, no sum leaves 16 bits.
pub const MAX_INPUT_WEIGHT: i16 = 504;
/// Largest size of an input bias.
pub const MAX_INPUT_BIAS: i16 = 16000;
/// Largest size of an output weight: its product with an activation fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 126;
/// Largest size of an output bias, which is in units of QA · QB.
pub const MAX_OUTPUT_BIAS: i32 = 1 << 24;
/// Widest hidden layer: the kernels' 32-bit sums hold this many products.
pub const MAX_HIDDEN: usize = 4096;
const MAX_BUCKETS: usize = 32;
/// Longest provenance, in bytes.
pub const MAX_PROVENANCE: usize = 65536;

/// The sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons per side.
    pub hidden: usize,
    /// Regions of the board that the king distinguishes.
    pub king_buckets: usize,
    /// Sets of output weights, by the number of men.
    pub output_buckets: usize,
    /// Whether the hidden layer's sums are multiplied in pairs and lead to the output through two more layers, not at once.
    pub tail: bool,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { hidden, king_buckets, output_buckets, tail } = self;
        write!(f, "(768×{king_buckets} mirrored → {hidden})×2 → ")?;
        match tail {
            false => write!(f, "1×{output_buckets}"),
            true => write!(f, "pairs → ({FIRST} → {SECOND} → 1)×{output_buckets}"),
        }
    }
}

/// Why a file is not a network for this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// It does not begin as a network does.
    NotANetwork,
    /// Another version of the format.
    Version(u32),
    /// It ends too early, or goes on too long.
    Length {
        /// What its header asks for; 0 if not even the header is whole.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// A size that this engine cannot use.
    Shape(String),
    /// The content is damaged.
    Checksum,
    /// A weight is out of range.
    Range(&'static str),
    /// The provenance is not text.
    Provenance,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::NotANetwork => write!(f, "not a Gannet network (it must begin with GANNETNN)"),
            NetworkError::Version(found) => {
                write!(f, "version {found} of the format; this engine reads {VERSION} and {TAIL_VERSION}")
            }
            NetworkError::Length { expected: 0, found } => write!(f, "truncated: {found} bytes are not even a header"),
            NetworkError::Length { expected, found } => write!(f, "{found} bytes long, but {expected} expected"),
            NetworkError::Shape(what) => write!(f, "{what}"),
            NetworkError::Checksum => write!(f, "damaged: the checksum does not match"),
            NetworkError::Range(what) => write!(f, "{what} out of range"),
            NetworkError::Provenance => write!(f, "its provenance is not UTF-8 text"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// A network, ready to use. Shared by all threads.
#[derive(Debug)]
pub struct Network {
    shape: Shape,
    provenance: String,
    checksum: u32,
    buckets: [u8; 64],
    input_weights: Box<[Lane]>,
    input_biases: Box<[Lane]>,
    output_weights: Box<[Lane]>,
    output_biases: Box<[i32]>,
    tail: Option<Tail>,
}

/// Reads numbers one after the other.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    found: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let (bytes, rest) =
            self.rest.split_at_checked(count).ok_or(NetworkError::Length { expected: 0, found: self.found })?;
        self.rest = rest;
        Ok(bytes)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A whole number of lanes, each number at most `bound` in size.
    fn lanes(&mut self, numbers: usize, bound: i16, what: &'static str) -> Result<Box<[Lane]>, NetworkError> {
        let bytes = self.bytes(numbers * 2)?;
        let mut lanes = vec![Lane::ZERO; numbers / Lane::WIDTH].into_boxed_slice();
        for (lane, chunk) in lanes.iter_mut().zip(bytes.chunks_exact(Lane::WIDTH * 2)) {
            for (number, pair) in lane.0.iter_mut().zip(chunk.chunks_exact(2)) {
                *number = i16::from_le_bytes([pair[0], pair[1]]);
                if number.unsigned_abs() > bound.unsigned_abs() {
                    return Err(NetworkError::Range(what));
                }
            }
        }
        Ok(lanes)
    }
}

impl Network {
    /// Reads a network file.
    pub fn read(file: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader { rest: file, found: file.len() };
        if !file.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        reader.bytes(MAGIC.len())?;
        let version = reader.u32()?;
        if version != VERSION && version != TAIL_VERSION {
            return Err(NetworkError::Version(version));
        }
        let shape = read_shape(&mut reader, version == TAIL_VERSION)?;
        let buckets = reader.array::<64>()?;
        let length = reader.u32()? as usize;
        if length > MAX_PROVENANCE {
            return Err(NetworkError::Shape(format!("a provenance of {length} bytes; at most {MAX_PROVENANCE}")));
        }
        let provenance = reader.bytes(length)?;
        let header = file.len() - reader.rest.len();
        reader.bytes(header.next_multiple_of(64) - header)?;

        let Shape { hidden, king_buckets, output_buckets, tail } = shape;
        let weights = king_buckets * INPUTS * hidden + hidden;
        let outputs = if tail { Tail::size(shape) } else { output_buckets * (4 * hidden + 4) };
        let expected = header.next_multiple_of(64) + weights * 2 + outputs + 4;
        if file.len() != expected {
            return Err(NetworkError::Length { expected, found: file.len() });
        }
        let (content, sum) = file.split_at(file.len() - 4);
        let checksum = crc32(content);
        if sum != checksum.to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        if buckets.iter().any(|&bucket| usize::from(bucket) >= king_buckets) {
            return Err(NetworkError::Range("a king bucket"));
        }
        let provenance = String::from_utf8(provenance.to_vec()).map_err(|_| NetworkError::Provenance)?;
        let input_weights = reader.lanes(king_buckets * INPUTS * hidden, MAX_INPUT_WEIGHT, "an input weight")?;
        let input_biases = reader.lanes(hidden, MAX_INPUT_BIAS, "an input bias")?;
        let tail = if tail { Some(Tail::read(&mut reader, shape)?) } else { None };
        let output_buckets = if tail.is_some() { 0 } else { output_buckets };
        let output_weights = reader.lanes(output_buckets * 2 * hidden, MAX_OUTPUT_WEIGHT, "an output weight")?;
        let output_biases = (0..output_buckets)
            .map(|_| {
                let bias = i32::from_le_bytes(reader.array()?);
                let fits = bias.unsigned_abs() <= MAX_OUTPUT_BIAS.unsigned_abs();
                if fits { Ok(bias) } else { Err(NetworkError::Range("an output bias")) }
            })
            .collect::<Result<_, _>>()?;
        Ok(Network {
            shape,
            provenance,
            checksum,
            buckets,
            input_weights,
            input_biases,
            output_weights,
            output_biases,
            tail,
        })
    }

    /// Reads a network file to be shared by threads.
    pub fn shared(file: &[u8]) -> Result<Arc<Network>, NetworkError> {
        Network::read(file).map(Arc::new)
    }

    /// Its sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How it was made.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// The checksum of its file, which also serves as its name.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The king bucket of each square, seen from the king's own side.
    pub fn king_buckets(&self) -> &[u8; 64] {
        &self.buckets
    }

    /// The weights from one input to the hidden layer.
    #[inline(always)]
    pub(super) fn row(&self, feature: usize) -> &[Lane] {
        let width = self.shape.hidden / Lane::WIDTH;
        &self.input_weights[feature * width..][..width]
    }

    /// What the hidden layer starts from.
    #[inline(always)]
    pub(super) fn biases(&self) -> &[Lane] {
        &self.input_biases
    }

    /// The output weights for an output bucket, side to move first.
    #[inline(always)]
    pub(super) fn output_weights(&self, bucket: usize) -> &[Lane] {
        let width = 2 * self.shape.hidden / Lane::WIDTH;
        &self.output_weights[bucket * width..][..width]
    }

    /// The layers after the hidden one, where there are several.
    #[inline(always)]
    pub fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref()
    }

    /// Its tail alone.
    #[cfg(test)]
    pub(super) fn into_tail(self) -> Option<Tail> {
        self.tail
    }

    /// Which set of output weights a position uses.
    #[inline(always)]
    pub fn output_bucket(&self, board: &Board) -> usize {
        let men = board.occupied().len() as usize;
        ((men - 2) * self.shape.output_buckets / 32).min(self.shape.output_buckets - 1)
    }

    /// Turns the exact sum of an output bucket into centipawns.
    #[inline(always)]
    pub(super) fn value(&self, sum: i64, bucket: usize) -> Value {
        let output = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        (output * i64::from(SCALE) / i64::from(QA * QB)) as Value
    }

    /// The input weights of a feature as plain numbers, for tools that show them.
    pub fn input_weights(&self, feature: usize) -> impl Iterator<Item = i16> {
        self.row(feature).iter().flat_map(|lane| lane.0)
    }

    /// The input biases as plain numbers, for tools that show them.
    pub fn input_biases(&self) -> impl Iterator<Item = i16> {
        self.input_biases.iter().flat_map(|lane| lane.0)
    }

    /// The output weights of a bucket as plain numbers, side to move first, for tools that show them. A network with a tail
    /// has none.
    pub fn output_weights_of(&self, bucket: usize) -> impl Iterator<Item = i16> {
        let weights = if self.tail.is_some() { &[] } else { self.output_weights(bucket) };
        weights.iter().flat_map(|lane| lane.0)
    }

    /// The output biases, for tools that show them. A network with a tail has none.
    pub fn output_biases(&self) -> &[i32] {
        &self.output_biases
    }
}

fn read_shape(reader: &mut Reader<'_>, tail: bool) -> Result<Shape, NetworkError> {
    let [hidden, king_buckets, output_buckets] =
        [reader.u32()? as usize, reader.u32()? as usize, reader.u32()? as usize];
    let [qa, qb, scale] = [reader.u32()?, reader.u32()?, reader.u32()?];
    let step = if tail { BLOCK } else { Lane::WIDTH };
    if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(step) {
        return Err(NetworkError::Shape(format!("{hidden} neurons; a multiple of {step} up to {MAX_HIDDEN} expected")));
    }
    for (what, count) in [("king", king_buckets), ("output", output_buckets)] {
        if count == 0 || count > MAX_BUCKETS {
            return Err(NetworkError::Shape(format!("{count} {what} buckets; 1 to {MAX_BUCKETS} expected")));
        }
    }
    if [qa, qb, scale] != [QA as u32, QB as u32, SCALE as u32] {
        let found = format!("quantised by {qa}, {qb} and {scale}; {QA}, {QB} and {SCALE} expected");
        return Err(NetworkError::Shape(found));
    }
    if tail {
        let found = [reader.u32()?, reader.u32()?];
        if found != [FIRST as u32, SECOND as u32] {
            let [first, second] = found;
            return Err(NetworkError::Shape(format!("a tail of {first} → {second}; {FIRST} → {SECOND} expected")));
        }
    }
    Ok(Shape { hidden, king_buckets, output_buckets, tail })
}

#[cfg(test)]
pub(super) mod tests;
