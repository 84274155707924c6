//! The arithmetic of the network, in vectors as wide as the machine has. All paths give the same integers; which one is
//! used is decided once, when the program runs. (On ARM nothing is left to decide: every 64-bit one has NEON.)
//!
//! Why nothing overflows. The loader admits input weights up to 504 and biases up to 16000 in size, so with 32 men every
//! sum is at most 16000 + 32 × 504 = 32128 in size: 16 bits. (On the way to such a sum additions may wrap; the sum itself
//! comes out right.) An activation is at most 255 and an output weight at most 126 in size, so their product is at most
//! 32130: 16 bits. Each 32-bit lane of a kernel gathers at most 256 products of 32130 × 255: below 2³¹. The lanes
//! themselves are added up in 64 bits.
//!
//! With a tail, the product of two activations is (a b + 256) >> 9, at most 127, and a dense weight at most 127 in size: two
//! such products are 32258 at most, 16 bits; and 4096 of them stay far below 2³¹.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_vnni;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use std::sync::OnceLock;

use super::tail::Small;

/// As many numbers as the widest vector holds, so that whole lanes can be loaded on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lane(pub [i16; Lane::WIDTH]);

impl Lane {
    /// Numbers per lane.
    pub const WIDTH: usize = 32;
    /// All zero.
    pub const ZERO: Lane = Lane([0; Lane::WIDTH]);
}

/// As many bytes as the widest vector holds: products, or weights of four inputs for sixteen neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bytes(pub [u8; 64]);

impl Bytes {
    /// All zero.
    pub const ZERO: Bytes = Bytes([0; 64]);
}

/// The weights of one input, or the sums of one side.
pub type Lanes<'a> = &'a [Lane];

/// Weights that come and go with a move, and the sums before and after.
pub struct Change<'a, const ADDED: usize, const REMOVED: usize> {
    /// The sums after the move.
    pub after: &'a mut [Lane],
    /// The sums before the move.
    pub before: &'a [Lane],
    /// Weights of what the move puts on the board.
    pub added: [&'a [Lane]; ADDED],
    /// Weights of what it takes off.
    pub removed: [&'a [Lane]; REMOVED],
}

/// One implementation of the arithmetic.
///
/// The functions are `unsafe` to call because they use instructions that not every machine has; a value of this type
/// exists only where they are there. All slices of a call must have the same length, the weights of
/// `output` twice that. Those of `tail` are even, with half as many products, and sixteen blocks of weights for each of
/// these.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// What it is called.
    pub name: &'static str,
    /// A move or promotion: one piece comes, one goes.
    pub(super) quiet: unsafe fn(Change<'_, 1, 1>),
    /// A capture: one comes, two go.
    pub(super) capture: unsafe fn(Change<'_, 1, 2>),
    /// Castling: two come, two go.
    pub(super) castle: unsafe fn(Change<'_, 2, 2>),
    /// Adds and subtracts any number of rows in place.
    pub(super) many: unsafe fn(sums: &mut [Lane], added: &[Lanes<'_>], removed: &[Lanes<'_>]),
    /// The sum of squared clipped activations times weights: ours, then theirs.
    pub(super) output: unsafe fn(ours: &[Lane], theirs: &[Lane], weights: &[Lane]) -> i64,
    /// The output of a network with a tail. Of every two lanes the clipped numbers are multiplied; eight products of ours
    /// and eight of theirs follow each other.
    pub(super) tail: TailKernel,
}

type TailKernel =
    unsafe fn(ours: &[Lane], theirs: &[Lane], products: &mut [Bytes], weights: &[Bytes], small: &Small) -> f32;

impl Kernels {
    /// Every implementation that runs on this machine, the fastest first.
    pub fn available() -> Vec<Kernels> {
        let mut kernels = vec![scalar::KERNELS];
        #[cfg(target_arch = "aarch64")]
        kernels.push(neon::KERNELS);
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(avx2::KERNELS);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                kernels.push(avx512::KERNELS);
                if is_x86_feature_detected!("avx512vnni") {
                    kernels.push(avx512_vnni::KERNELS);
                }
            }
        }
        kernels.reverse();
        kernels
    }

    /// The one in use: the fastest, unless another was chosen.
    pub fn best() -> Kernels {
        *BEST.get_or_init(|| Kernels::available().into_iter().next().unwrap_or(scalar::KERNELS))
    }

    /// Chooses an implementation by its name for as long as the program runs: tests compare all of them. Must come before
    /// anything is evaluated; the error says what is wrong.
    pub fn choose(name: &str) -> Result<(), String> {
        let available = Kernels::available();
        let Some(kernels) = available.iter().find(|kernels| kernels.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<_> = available.iter().map(|kernels| kernels.name).collect();
            return Err(format!("'{name}' is no vector arithmetic of this machine: expected {}", names.join(", ")));
        };
        BEST.set(*kernels).map_err(|_| format!("{name} comes too late: {:?} is in use already", Kernels::best()))
    }
}

/// What the program uses, once that is decided.
static BEST: OnceLock<Kernels> = OnceLock::new();

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Writes an implementation from the vector instructions it needs. A lane is made of `$parts` vectors. `$dot` multiplies
/// two vectors and adds each pair of products to a 32-bit sum; which pairs go together does not matter.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! vector_kernels {
    (
        name: $name:literal, features: $features:literal, vector: $vector:ty, parts: $parts:literal, tile: $tile:literal,
        load: $load:ident, store: $store:ident, set: $set:ident, add: $add:ident, sub: $sub:ident,
        min: $min:ident, max: $max:ident, mul: $mul:ident, dot: $dot:ident,
        set32: $set32:ident, store32: $store32:ident, lanes32: $lanes32:literal
    ) => {
        use super::super::network::QA;
        use super::{Bytes, Change, Kernels, Lane, Small};

        pub const KERNELS: Kernels = Kernels {
            name: $name,
            quiet: change::<1, 1>,
            capture: change::<1, 2>,
            castle: change::<2, 2>,
            many,
            output,
            tail,
        };

        /// Numbers per vector.
        const STEP: usize = Lane::WIDTH / $parts;

        #[inline]
        #[target_feature(enable = $features)]
        pub fn load(lane: &Lane, part: usize) -> $vector {
            debug_assert!(part < $parts);
            // SAFETY: a lane is `$parts` whole vectors, aligned for the widest.
            unsafe { $load(lane.0.as_ptr().add(part * STEP).cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store(lane: &mut Lane, part: usize, vector: $vector) {
            debug_assert!(part < $parts);
            // SAFETY: a lane is `$parts` whole vectors, aligned for the widest.
            unsafe { $store(lane.0.as_mut_ptr().add(part * STEP).cast(), vector) }
        }

        #[target_feature(enable = $features)]
        fn change<const ADDED: usize, const REMOVED: usize>(change: Change<'_, ADDED, REMOVED>) {
            let Change { after, before, added, removed } = change;
            let length = after.len();
            let before = &before[..length];
            let added = added.map(|row| &row[..length]);
            let removed = removed.map(|row| &row[..length]);
            for index in 0..length {
                for part in 0..$parts {
                    let mut sum = load(&before[index], part);
                    for row in added {
                        sum = $add(sum, load(&row[index], part));
                    }
                    for row in removed {
                        sum = $sub(sum, load(&row[index], part));
                    }
                    store(&mut after[index], part, sum);
                }
            }
        }

        #[target_feature(enable = $features)]
        fn many(sums: &mut [Lane], added: &[&[Lane]], removed: &[&[Lane]]) {
            let mut index = 0;
            let mut tiles = sums.chunks_exact_mut($tile);
            for tile in &mut tiles {
                many_in_tile::<$tile>(tile, index, added, removed);
                index += $tile;
            }
            for lane in tiles.into_remainder() {
                many_in_tile::<1>(std::slice::from_mut(lane), index, added, removed);
                index += 1;
            }
        }

        /// A tile stays in registers while all rows pass.
        #[inline]
        #[target_feature(enable = $features)]
        fn many_in_tile<const N: usize>(tile: &mut [Lane], index: usize, added: &[&[Lane]], removed: &[&[Lane]]) {
            let mut sums = [[$set(0); $parts]; N];
            for (sums, lane) in sums.iter_mut().zip(&*tile) {
                for part in 0..$parts {
                    sums[part] = load(lane, part);
                }
            }
            for row in added {
                for (sums, lane) in sums.iter_mut().zip(&row[index..][..N]) {
                    for part in 0..$parts {
                        sums[part] = $add(sums[part], load(lane, part));
                    }
                }
            }
            for row in removed {
                for (sums, lane) in sums.iter_mut().zip(&row[index..][..N]) {
                    for part in 0..$parts {
                        sums[part] = $sub(sums[part], load(lane, part));
                    }
                }
            }
            for (sums, lane) in sums.iter().zip(tile) {
                for part in 0..$parts {
                    store(lane, part, sums[part]);
                }
            }
        }

        #[target_feature(enable = $features)]
        fn output(ours: &[Lane], theirs: &[Lane], weights: &[Lane]) -> i64 {
            let (low, high) = ($set(0), $set(QA as i16));
            let (our_weights, their_weights) = weights.split_at(ours.len());
            // Two sums for each part keep the additions from waiting for each other.
            let mut sums = [[$set32(0); $parts]; 2];
            for (sums, (activations, weights)) in sums.iter_mut().zip([(ours, our_weights), (theirs, their_weights)]) {
                for (lane, weights) in activations.iter().zip(weights) {
                    for part in 0..$parts {
                        let clipped = $min($max(load(lane, part), low), high);
                        let weighted = $mul(clipped, load(weights, part));
                        sums[part] = $dot(sums[part], weighted, clipped);
                    }
                }
            }
            let mut total = 0;
            for sum in sums.as_flattened() {
                let mut numbers = [0i32; $lanes32];
                // SAFETY: the array is as large as the vector, and the store asks for no alignment.
                unsafe { $store32(numbers.as_mut_ptr().cast(), *sum) };
                total += numbers.iter().map(|&number| i64::from(number)).sum::<i64>();
            }
            total
        }
    };
}

/// Writes the tail of an implementation from what the file around it has: `load` of a part of a lane; `product`, which is
/// that of two parts, not below zero once `pack` has made bytes of ours and theirs; and `dot4`, which adds the products of
/// four bytes each to 32-bit sums.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! tail_kernel {
    (
        features: $features:literal, vector: $vector:ty, parts: $parts:literal, chains: $chains:literal,
        load: $load:ident, store: $store:ident, set: $set:ident, add: $add:ident
    ) => {
        #[target_feature(enable = $features)]
        fn tail(ours: &[Lane], theirs: &[Lane], products: &mut [Bytes], weights: &[Bytes], small: &Small) -> f32 {
            let (ours, theirs) = (ours.as_chunks::<2>().0, theirs.as_chunks::<2>().0);
            for ((bytes, ours), theirs) in products.iter_mut().zip(ours).zip(theirs) {
                for part in 0..$parts {
                    let ours = product(load(&ours[0], part), load(&ours[1], part));
                    let theirs = product(load(&theirs[0], part), load(&theirs[1], part));
                    let packed = pack(ours, theirs);
                    // SAFETY: the bytes are `$parts` whole vectors, aligned for the widest.
                    unsafe { $store(bytes.0.as_mut_ptr().add(part * 64 / $parts).cast(), packed) };
                }
            }
            small.output(dense(products, weights))
        }

        /// The sums of the dense layer. Several for each neuron keep the additions from waiting for each other.
        #[inline]
        #[target_feature(enable = $features)]
        fn dense(products: &[Bytes], weights: &[Bytes]) -> [i32; 16] {
            let mut sums = [[$set(0); $parts]; $chains];
            for (bytes, weights) in products.iter().zip(weights.as_chunks::<16>().0) {
                for (group, (four, weights)) in bytes.0.as_chunks::<4>().0.iter().zip(weights).enumerate() {
                    let inputs = $set(i32::from_ne_bytes(*four));
                    for part in 0..$parts {
                        // SAFETY: the bytes are `$parts` whole vectors, aligned for the widest.
                        let weights = unsafe { $load(weights.0.as_ptr().add(part * 64 / $parts).cast()) };
                        sums[group % $chains][part] = dot4(sums[group % $chains][part], inputs, weights);
                    }
                }
            }
            let [mut total, more @ ..] = sums;
            for sums in more {
                for part in 0..$parts {
                    total[part] = $add(total[part], sums[part]);
                }
            }
            let mut numbers = Bytes::ZERO;
            for part in 0..$parts {
                // SAFETY: the bytes are `$parts` whole vectors, aligned for the widest.
                unsafe { $store(numbers.0.as_mut_ptr().add(part * 64 / $parts).cast(), total[part]) };
            }
            std::array::from_fn(|neuron| i32::from_ne_bytes(numbers.0.as_chunks::<4>().0[neuron]))
        }
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use {tail_kernel, vector_kernels};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::network::{Network, Shape, tests::random_file};
    use super::super::tail::Tail;
    use super::*;

    fn numbers(count: usize, bound: i32, seed: u64) -> Vec<Lane> {
        let mut state = seed | 1;
        let mut lane = || {
            Lane(std::array::from_fn(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> 33) as i32 % (2 * bound + 1) - bound) as i16
            }))
        };
        (0..count).map(|_| lane()).collect()
    }

    #[test]
    fn all_paths_give_the_same_integers() {
        for (round, &lanes) in [1usize, 2, 3, 8, 11, 16, 32, 64, 128].iter().enumerate() {
            let seed = round as u64 * 1000;
            let before = numbers(lanes, 16000, seed);
            let rows: Vec<Vec<Lane>> = (0..9).map(|row| numbers(lanes, 504, seed + row)).collect();
            let rows: Vec<&[Lane]> = rows.iter().map(Vec::as_slice).collect();
            let theirs = numbers(lanes, 32000, seed + 77);
            let weights = numbers(2 * lanes, 126, seed + 88);
            let results: Vec<_> = Kernels::available()
                .into_iter()
                .map(|kernels| {
                    let mut quiet = vec![Lane::ZERO; lanes];
                    let mut capture = quiet.clone();
                    let mut castle = quiet.clone();
                    let mut many = before.clone();
                    // SAFETY: the kernels are available, and the lengths are equal.
                    let output = unsafe {
                        (kernels.quiet)(Change {
                            after: &mut quiet,
                            before: &before,
                            added: [rows[0]],
                            removed: [rows[1]],
                        });
                        (kernels.capture)(Change {
                            after: &mut capture,
                            before: &before,
                            added: [rows[2]],
                            removed: [rows[3], rows[4]],
                        });
                        (kernels.castle)(Change {
                            after: &mut castle,
                            before: &before,
                            added: [rows[5], rows[6]],
                            removed: [rows[7], rows[8]],
                        });
                        (kernels.many)(&mut many, &rows[..5], &rows[3..]);
                        (kernels.output)(&many, &theirs, &weights)
                    };
                    (quiet, capture, castle, many, output)
                })
                .collect();
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{lanes} lanes");
        }
    }

    #[test]
    fn a_wrong_name_is_told_the_right_ones() {
        let error = Kernels::choose("abacus").expect_err("there is none");
        assert!(error.contains("'abacus'") && error.ends_with("scalar"), "{error}");
    }

    #[test]
    fn the_extremes_do_not_overflow() {
        let lanes = 4096 / Lane::WIDTH;
        for weight in [126i16, -126] {
            let full = vec![Lane([32000; 32]); lanes];
            let weights = vec![Lane([weight; 32]); 2 * lanes];
            for kernels in Kernels::available() {
                // SAFETY: the kernels are available, and the lengths fit.
                let sum = unsafe { (kernels.output)(&full, &full, &weights) };
                assert_eq!(sum, 8192 * 255 * 255 * i64::from(weight), "{}", kernels.name);
            }
        }
    }
    /// A tail of random numbers for so many lanes a side.
    fn random_tail(lanes: usize, buckets: usize, seed: u64) -> Tail {
        let shape = Shape { hidden: lanes * Lane::WIDTH, king_buckets: 1, output_buckets: buckets, tail: true };
        let network = Network::read(&random_file(shape, seed)).expect("a whole file");
        network.into_tail().expect("it has one")
    }

    #[test]
    fn all_paths_give_the_same_bits_behind_a_tail() {
        for (round, &lanes) in [2usize, 4, 6, 16, 32, 128].iter().enumerate() {
            let seed = round as u64 * 1000;
            let tail = random_tail(lanes, 8, seed);
            let mut found = HashSet::new();
            for trial in 0..40u64 {
                // Sums that are mostly within 0 and 255, and such as leave it far.
                let bound = [300, 32000][trial as usize % 2];
                let [ours, theirs] = [0, 1].map(|side| numbers(lanes, bound, seed + 2 * trial + side + 1));
                let (weights, small) = tail.bucket(trial as usize % 8);
                let outputs: Vec<u32> = (Kernels::available().into_iter())
                    .map(|kernels| {
                        let mut products = vec![Bytes::ZERO; lanes / 2];
                        // SAFETY: the kernels are available, and the lengths fit.
                        unsafe { (kernels.tail)(&ours, &theirs, &mut products, weights, small) }.to_bits()
                    })
                    .collect();
                assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{lanes} lanes: {outputs:?}");
                found.insert(outputs[0]);
            }
            assert!(found.len() > 20, "{lanes} lanes: {} outputs", found.len());
        }
    }

    #[test]
    fn products_are_rounded_and_never_negative() {
        let tail = random_tail(2, 1, 7);
        let (weights, small) = tail.bucket(0);
        for kernels in Kernels::available() {
            for (a, b) in
                (-40..300).step_by(3).flat_map(|a| [-32128, -1, 0, 1, 2, 100, 254, 255, 256, 32128].map(|b| (a, b)))
            {
                let [mut ours, mut theirs] = [[Lane::ZERO; 2]; 2];
                for neuron in 0..Lane::WIDTH {
                    (ours[0].0[neuron], ours[1].0[neuron]) = (a, b);
                    (theirs[0].0[neuron], theirs[1].0[neuron]) = (b, a);
                }
                let mut products = [Bytes::ZERO];
                // SAFETY: the kernels are available, and the lengths fit.
                unsafe { (kernels.tail)(&ours, &theirs, &mut products, weights, small) };
                let exact = f64::from(a.clamp(0, 255)) * f64::from(b.clamp(0, 255)) / 512.0;
                let expected = (exact + 0.5).floor().min(127.0) as u8;
                assert_eq!(products, [Bytes([expected; 64])], "{} {a} {b}", kernels.name);
            }
        }
    }
}
