//! Plain loops, for machines without the vectors the other paths need. The definition the others are tested against.

use super::super::network::QA;
use super::{Change, Kernels, Lane};

pub const KERNELS: Kernels =
    Kernels { name: "scalar", quiet: change::<1, 1>, capture: change::<1, 2>, castle: change::<2, 2>, many, output };

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
