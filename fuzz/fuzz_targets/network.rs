//! Any bytes as a network file, and as what stands in a file of the right length and checksum: an error with a message, or
//! a network that evaluates, the same with all arithmetic there is.

#![no_main]

use std::sync::Arc;

use chess::Board;
use engine::evaluation::Evaluator;
use engine::nnue::{Accumulators, Kernels, Network, NetworkError, Shape, TAIL_NUMBERS};
use libfuzzer_sys::fuzz_target;

/// All men, few men, and both kings away from home.
const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/4k3/8/2K5/8/3P4/8 b - - 0 1",
    "1k6/pppppppp/rnbq1bnr/8/8/RNBQ1BNR/PPPPPPPP/6K1 b - - 0 1",
];

/// At this size of all weights, they are as large as they may be.
const LARGEST: u8 = 250;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // The checksum is no secret: a file behind it must be as harmless as one in front of it.
    let Some((header, rest)) = bytes.split_first_chunk::<4>() else { return };
    let error = check(&file(*header, rest));
    assert_ne!(error, Some(NetworkError::Checksum));
    let [_, _, size, length] = *header;
    if size <= LARGEST && rest.len() <= length.into() && std::str::from_utf8(rest).is_ok() {
        assert_eq!(error, None);
    }
});

/// Reads a file and, if it is a network, evaluates with it. Gives what is wrong with it otherwise.
fn check(file: &[u8]) -> Option<NetworkError> {
    let network = match Network::shared(file) {
        Ok(network) => network,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Some(error);
        }
    };
    for board in FENS.map(|fen| Board::from_fen(fen).expect("a good position")) {
        let evaluate = |kernels| {
            let mut evaluation = Accumulators::with_kernels(Arc::clone(&network), kernels);
            evaluation.reset(&board);
            evaluation.evaluate(&board)
        };
        let values: Vec<_> = Kernels::available().into_iter().map(evaluate).collect();
        assert!(values.iter().all(|value| *value == values[0]), "{values:?} in {}", board.fen());
    }
    None
}

/// A small file, whole and with its checksum. The first bytes choose its sizes and how large its weights are; of the rest, the
/// beginning is the provenance, and every four bytes after that write a number somewhere.
fn file([sizes, signs, size, length]: [u8; 4], rest: &[u8]) -> Vec<u8> {
    let hidden = if sizes & 33 == 0 { 32 } else { 64 };
    let shape = Shape {
        hidden,
        king_buckets: 1 + usize::from(sizes >> 1 & 1),
        output_buckets: 1 + usize::from(sizes >> 2 & 7),
        tail: sizes >> 5 & 1 == 1,
    };
    let (provenance, edits) = rest.split_at(rest.len().min(length.into()));
    let mut file = head(shape, provenance);
    let negative = |index: usize| (index * usize::from(signs)) & 16 != 0;
    let number =
        |index: usize, bound: i32| bound * i32::from(size) / i32::from(LARGEST) * if negative(index) { -1 } else { 1 };
    let Shape { king_buckets, output_buckets, tail, .. } = shape;
    let outputs = if tail { 0 } else { output_buckets };
    for (count, bound) in [(king_buckets * 768 * hidden, 504), (hidden, 16_000), (outputs * 2 * hidden, 126)] {
        file.extend((0..count).flat_map(|index| (number(index, bound) as i16).to_le_bytes()));
    }
    // In two steps, the product would not fit.
    file.extend((0..outputs).flat_map(|index| (number(index, 1 << 16) * 256).to_le_bytes()));
    if tail {
        file.extend((0..output_buckets * hidden * 16).map(|index| number(index, 127) as u8));
        file.extend((0..output_buckets * TAIL_NUMBERS).flat_map(|index| (number(index, 128) as f32).to_le_bytes()));
    }
    edits.as_chunks::<4>().0.iter().for_each(|edit| write(&mut file, *edit));
    let sum = engine::crc32(&file);
    file.extend(sum.to_le_bytes());
    file
}

/// What stands before the weights.
fn head(Shape { hidden, king_buckets, output_buckets, tail }: Shape, provenance: &[u8]) -> Vec<u8> {
    let mut head = b"GANNETNN".to_vec();
    let sizes = [hidden, king_buckets, output_buckets].map(|size| size as u32);
    let (version, widths): (u32, &[u32]) = if tail { (2, &[16, 32]) } else { (1, &[]) };
    head.extend([[version].as_slice(), &sizes, &[255, 64, 400], widths].concat().into_iter().flat_map(u32::to_le_bytes));
    head.extend((0..64).map(|square| square as u8 % king_buckets as u8));
    head.extend((provenance.len() as u32).to_le_bytes());
    head.extend(provenance);
    head.resize(head.len().next_multiple_of(64), 0);
    head
}

/// Writes the second half of an edit at the place that the first one names; if negative, that is counted from the end.
fn write(file: &mut [u8], [a, b, value @ ..]: [u8; 4]) {
    let place = i16::from_le_bytes([a, b]);
    let from = if place < 0 { file.len() } else { 0 };
    if let Some(bytes) = from.checked_add_signed(place.into()).and_then(|at| file.get_mut(at..at + value.len())) {
        bytes.copy_from_slice(&value);
    }
}
