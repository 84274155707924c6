//! Files that are whole, cut short, damaged, and such as hold what the kernels could not bear.

use super::super::tail::{MAX_TAIL_WEIGHT, TAIL_NUMBERS};
use super::*;

/// A pseudo-random network file, for tests.
pub fn random_file(shape: Shape, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = move |bound: i64| -> i64 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % (2 * bound + 1) - bound
    };
    let Shape { hidden, king_buckets, output_buckets, tail } = shape;
    let mut file = MAGIC.to_vec();
    let sizes = [1 + u32::from(tail), hidden as u32, king_buckets as u32, output_buckets as u32, 255, 64, 400];
    for number in [sizes.as_slice(), if tail { &[16, 32] } else { &[] }].concat() {
        file.extend(number.to_le_bytes());
    }
    file.extend((0..64u8).map(|square| (square / 8 + square % 8) % king_buckets as u8));
    let provenance = "random numbers";
    file.extend((provenance.len() as u32).to_le_bytes());
    file.extend(provenance.as_bytes());
    file.resize(file.len().next_multiple_of(64), 0);
    let mut numbers = |file: &mut Vec<u8>, count: usize, bound: i64| {
        for _ in 0..count {
            file.extend((next(bound) as i16).to_le_bytes());
        }
    };
    numbers(&mut file, king_buckets * INPUTS * hidden, 60);
    numbers(&mut file, hidden, 200);
    if tail {
        for _ in 0..output_buckets * hidden * 16 {
            file.push(next(127) as u8);
        }
        for _ in 0..output_buckets * TAIL_NUMBERS {
            file.extend((next(1 << 16) as f32 / 65536.0).to_le_bytes());
        }
    } else {
        numbers(&mut file, output_buckets * 2 * hidden, 126);
        for bucket in 0..output_buckets as i32 {
            file.extend((bucket * 777).to_le_bytes());
        }
    }
    let sum = crc32(&file);
    file.extend(sum.to_le_bytes());
    file
}

#[test]
fn reads_what_is_whole_and_refuses_the_rest() {
    for (hidden, tail) in [(32, false), (64, true)] {
        whole_or_refused(Shape { hidden, king_buckets: 2, output_buckets: 4, tail });
    }
    assert_eq!(Network::read(b"MZ\x90 something else").err(), Some(NetworkError::NotANetwork));
}

fn whole_or_refused(shape: Shape) {
    let file = random_file(shape, 5);
    let network = Network::read(&file).expect("whole");
    assert_eq!((network.shape(), network.provenance()), (shape, "random numbers"));
    for length in (0..file.len()).step_by(file.len() / 300) {
        assert!(Network::read(&file[..length]).is_err(), "cut at {length}");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(matches!(Network::read(&longer), Err(NetworkError::Length { .. })));
    for bit in (0..file.len() * 8).step_by(997) {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Network::read(&damaged).is_err(), "bit {bit}");
    }
}

/// The file with some bytes replaced and the checksum made right again.
fn with(file: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at..][..bytes.len()].copy_from_slice(bytes);
    let end = file.len() - 4;
    let sum = crc32(&file[..end]);
    file[end..].copy_from_slice(&sum.to_le_bytes());
    file
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let shape = Shape { hidden: 32, king_buckets: 1, output_buckets: 1, tail: false };
    let file = random_file(shape, 5);
    let weights = (8 + 7 * 4 + 64 + 4 + 14usize).next_multiple_of(64);
    let biases = weights + 2 * INPUTS * 32;
    let outputs = biases + 2 * 32;
    for (at, bound, what) in [
        (weights, MAX_INPUT_WEIGHT, "an input weight"),
        (biases, MAX_INPUT_BIAS, "an input bias"),
        (outputs, MAX_OUTPUT_WEIGHT, "an output weight"),
    ] {
        for good in [bound, -bound] {
            assert!(Network::read(&with(&file, at, &good.to_le_bytes())).is_ok(), "{what} {good}");
        }
        for bad in [bound + 1, -bound - 1, i16::MAX, i16::MIN] {
            let error = Network::read(&with(&file, at, &bad.to_le_bytes())).err();
            assert_eq!(error, Some(NetworkError::Range(what)), "{bad}");
        }
    }
    let at = outputs + 2 * 2 * 32;
    for good in [MAX_OUTPUT_BIAS, -MAX_OUTPUT_BIAS] {
        assert!(Network::read(&with(&file, at, &good.to_le_bytes())).is_ok(), "{good}");
    }
    for bad in [MAX_OUTPUT_BIAS + 1, -MAX_OUTPUT_BIAS - 1, i32::MAX, i32::MIN] {
        let error = Network::read(&with(&file, at, &bad.to_le_bytes())).err();
        assert_eq!(error, Some(NetworkError::Range("an output bias")), "{bad}");
    }
}
#[test]
fn tails_of_nonsense_are_refused() {
    let file = random_file(Shape { hidden: 64, king_buckets: 1, output_buckets: 2, tail: true }, 5);
    let error = |at: usize, bytes: &[u8]| Network::read(&with(&file, at, bytes)).err();
    let shape = |at: usize, number: u32| error(at, &number.to_le_bytes()).map(|error| error.to_string());
    // The widths stand after the magic, the version, three sizes and three units; the hidden one after the version.
    assert_eq!(shape(8 + 7 * 4, 8).as_deref(), Some("a tail of 8 → 32; 16 → 32 expected"));
    assert_eq!(shape(8 + 8 * 4, 64).as_deref(), Some("a tail of 16 → 64; 16 → 32 expected"));
    assert_eq!(shape(12, 96).as_deref(), Some("96 neurons; a multiple of 64 up to 4096 expected"));
    assert_eq!(shape(8, 3).as_deref(), Some("version 3 of the format; this engine reads 1 and 2"));
    assert!(error(8, &1u32.to_le_bytes()).is_some(), "the other version");

    let dense = (8 + 9 * 4 + 64 + 4 + 14usize).next_multiple_of(64) + 2 * (INPUTS + 1) * 64;
    let numbers = dense + 2 * 64 * 16;
    assert_eq!(numbers + 2 * TAIL_NUMBERS * 4 + 4, file.len());
    for at in [dense, dense + 64 * 16 + 77, numbers - 1] {
        assert_eq!((error(at, &[127]), error(at, &[129])), (None, None));
        assert_eq!(error(at, &[128]), Some(NetworkError::Range("a dense weight")));
    }
    for at in [numbers, numbers + 4 * 100, numbers + 4 * TAIL_NUMBERS, file.len() - 8] {
        for good in [MAX_TAIL_WEIGHT, -MAX_TAIL_WEIGHT, -0.0, f32::MIN_POSITIVE / 2.0] {
            assert_eq!(error(at, &good.to_le_bytes()), None, "{good}");
        }
        for bad in [MAX_TAIL_WEIGHT.next_up(), f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e9] {
            let found = error(at, &bad.to_le_bytes());
            assert_eq!(found, Some(NetworkError::Range("a number of the tail")), "{bad}");
        }
    }
}
