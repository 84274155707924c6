//! Plain loops, for machines without the vectors the other paths need. The definition the others are tested against.

use super::super::network::QA;
use super::{Bytes, Change, Kernels, Lane, Small};

pub const KERNELS: Kernels = Kernels {
    name: "scalar",
    quiet: change::<1, 1>,
    capture: change::<1, 2>,
    castle: change::<2, 2>,
    many,
    output,
    tail,
};

fn change<const ADDED: usize, const REMOVED: usize>(change: Change<'_, ADDED, REMOVED>) {
    let Change { after, before, added, removed } = change;
    after.copy_from_slice(before);
    many(after, &added, &removed);
}

fn many(sums: &mut [Lane], added: &[&[Lane]], removed: &[&[Lane]]) {
    for row in added {
        for (sums, lane) in sums.iter_mut().zip(*row) {
            for (sum, weight) in sums.0.iter_mut().zip(lane.0) {
                *sum = sum.wrapping_add(weight);
            }
        }
    }
    for row in removed {
        for (sums, lane) in sums.iter_mut().zip(*row) {
            for (sum, weight) in sums.0.iter_mut().zip(lane.0) {
                *sum = sum.wrapping_sub(weight);
            }
        }
    }
}

fn output(ours: &[Lane], theirs: &[Lane], weights: &[Lane]) -> i64 {
    ours.iter().chain(theirs).zip(weights).map(|(lane, weights)| i64::from(lane_output(lane, weights))).sum()
}

fn lane_output(lane: &Lane, weights: &Lane) -> i32 {
    let squared = |sum: i16| i32::from(sum).clamp(0, QA).pow(2);
    lane.0.iter().zip(weights.0).map(|(&sum, weight)| squared(sum) * i32::from(weight)).sum()
}

fn tail(ours: &[Lane], theirs: &[Lane], products: &mut [Bytes], weights: &[Bytes], small: &Small) -> f32 {
    let (ours, theirs) = (ours.as_chunks::<2>().0, theirs.as_chunks::<2>().0);
    for ((bytes, ours), theirs) in products.iter_mut().zip(ours).zip(theirs) {
        for (number, byte) in bytes.0.iter_mut().enumerate() {
            let (side, neuron) = (if number / 8 % 2 == 0 { ours } else { theirs }, number / 16 * 8 + number % 8);
            let [a, b] = [0, 1].map(|lane| i32::from(side[lane].0[neuron]).clamp(0, QA));
            *byte = ((a * b + 256) >> 9) as u8;
        }
    }
    let mut sums = [0; 16];
    let groups = products.iter().flat_map(|bytes| bytes.0.as_chunks::<4>().0);
    for (four, weights) in groups.zip(weights) {
        for (sum, weights) in sums.iter_mut().zip(weights.0.as_chunks::<4>().0) {
            *sum += four.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w as i8)).sum::<i32>();
        }
    }
    small.output(sums)
}
