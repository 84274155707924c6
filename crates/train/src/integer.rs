//! The network of integers, position by position as its document says it: what the engine must reproduce. A tail ends in
//! floating-point numbers, whose order is a part of what is said.

use engine::nnue::{INPUTS, QA, QB, SCALE, TAIL_NUMBERS, Weights};

use crate::position::{Position, men_of};

const KING: usize = 5;

/// The value of a position for the side to move, in centipawns.
pub fn evaluate(weights: &Weights, position: &Position) -> i32 {
    let own: Vec<_> = men_of(position).collect();
    let other: Vec<_> = own.iter().map(|&(square, kind, own)| (square ^ 56, kind, !own)).collect();
    let buckets = weights.shape.output_buckets;
    let bucket = ((own.len() - 2) * buckets / 32).min(buckets - 1);
    let hidden = weights.shape.hidden;
    let sums = [sums(weights, &own), sums(weights, &other)];
    if weights.shape.tail {
        return (through_tail(weights, bucket, &sums) * SCALE as f32) as i32;
    }
    let outputs = &weights.output_weights[2 * bucket * hidden..][..2 * hidden];
    let total: i64 = sums
        .iter()
        .flatten()
        .zip(outputs)
        .map(|(&sum, &weight)| {
            let activation = i64::from(sum.clamp(0, QA));
            activation * activation * i64::from(weight)
        })
        .sum();
    let output = total / i64::from(QA) + i64::from(weights.output_biases[bucket]);
    (output * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

/// The output of a network with a tail.
fn through_tail(weights: &Weights, bucket: usize, sums: &[Vec<i32>; 2]) -> f32 {
    let mut first = [0; 16];
    let mut dense = weights.dense_weights[bucket * weights.shape.hidden * 16..].chunks_exact(16);
    for block in sums.iter().flat_map(|sums| sums.chunks_exact(64)) {
        for (&a, &b) in block[..32].iter().zip(&block[32..]) {
            let product = (a.clamp(0, QA) * b.clamp(0, QA) + 256) >> 9;
            let row = dense.next().unwrap_or_default();
            first.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += product * i32::from(weight));
        }
    }
    let numbers = &weights.tail_numbers[bucket * TAIL_NUMBERS..][..TAIL_NUMBERS];
    let (biases, rest) = numbers.split_at(16);
    let (rows, rest) = rest.split_at(16 * 32);
    let (mut second, outputs) = (rest[..32].to_vec(), &rest[32..]);
    let squared = |sum: f32| sum.clamp(0.0, 1.0) * sum.clamp(0.0, 1.0);
    for ((&sum, bias), row) in first.iter().zip(biases).zip(rows.chunks_exact(32)) {
        let activation = squared(sum as f32 * (8.0 / 65025.0) + bias);
        second.iter_mut().zip(row).for_each(|(sum, weight)| *sum += activation * weight);
    }
    let mut parts: Vec<f32> = second.iter().zip(outputs).map(|(&sum, weight)| squared(sum) * weight).collect();
    while parts.len() > 1 {
        let upper = parts.split_off(parts.len() / 2);
        parts.iter_mut().zip(upper).for_each(|(part, other)| *part += other);
    }
    parts[0] + outputs[32]
}

/// The hidden layer before activation, for the side whose men are marked as own.
fn sums(weights: &Weights, men: &[(usize, usize, bool)]) -> Vec<i32> {
    let king = men.iter().find(|man| man.1 == KING && man.2).map_or(0, |man| man.0);
    let mirror = if king % 8 >= 4 { 7 } else { 0 };
    let base = usize::from(weights.king_buckets[king ^ mirror]) * INPUTS;
    let hidden = weights.shape.hidden;
    let mut sums: Vec<i32> = weights.input_biases.iter().map(|&bias| i32::from(bias)).collect();
    for &(square, kind, own) in men {
        let input = base + if own { 0 } else { 384 } + kind * 64 + (square ^ mirror);
        for (sum, &weight) in sums.iter_mut().zip(&weights.input_weights[input * hidden..][..hidden]) {
            *sum += i32::from(weight);
        }
    }
    sums
}

/// A position with White to move, or turned round with Black to move. Castling and clocks are not in a record.
pub fn fen(position: &Position, black: bool) -> String {
    let mut board = [None; 64];
    for (square, kind, own) in men_of(position) {
        let letter = ['p', 'n', 'b', 'r', 'q', 'k'][kind];
        let letter = if own != black { letter.to_ascii_uppercase() } else { letter };
        board[if black { square ^ 56 } else { square }] = Some(letter);
    }
    let rank = |rank: usize| {
        let mut text = String::new();
        let mut gap = 0;
        let close = |text: &mut String, gap: &mut usize| {
            if *gap > 0 {
                *text += &gap.to_string();
            }
            *gap = 0;
        };
        for place in &board[rank * 8..][..8] {
            match place {
                Some(letter) => {
                    close(&mut text, &mut gap);
                    text.push(*letter);
                }
                None => gap += 1,
            }
        }
        close(&mut text, &mut gap);
        text
    };
    let ranks: Vec<String> = (0..8).rev().map(rank).collect();
    format!("{} {} - - 0 1", ranks.join("/"), if black { 'b' } else { 'w' })
}

/// Lines of `FEN|value`, White and Black to move by turns: what any other implementation must reproduce.
pub fn reference<'a>(weights: &Weights, positions: impl Iterator<Item = &'a Position>) -> String {
    let lines = positions
        .enumerate()
        .map(|(number, position)| format!("{}|{}\n", fen(position, number % 2 == 1), evaluate(weights, position)));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Labels, pack};
    use chess::Board;
    use engine::evaluation::Evaluator;
    use engine::nnue::{Accumulators, Network, Shape};

    /// A network of random numbers within their limits.
    fn random_weights(tail: bool) -> Weights {
        let mut rng = crate::rng::Rng::new(5, 5);
        let mut number = |limit: i16| rng.below(2 * limit as usize + 1) as i16 - limit;
        let outputs = if tail { 0 } else { 8 };
        Weights {
            shape: Shape { hidden: 64, king_buckets: 3, output_buckets: 8, tail },
            king_buckets: std::array::from_fn(|square| (square / 8 % 3) as u8),
            provenance: "random numbers".to_string(),
            input_weights: (0..3 * INPUTS * 64).map(|_| number(90)).collect(),
            input_biases: (0..64).map(|_| number(200)).collect(),
            output_weights: (0..outputs * 2 * 64).map(|_| number(126)).collect(),
            output_biases: (0..outputs).map(|_| i32::from(number(9999))).collect(),
            dense_weights: (0..if tail { 8 * 64 * 16 } else { 0 }).map(|_| number(127) as i8).collect(),
            tail_numbers: (0..if tail { 8 * TAIL_NUMBERS } else { 0 })
                .map(|_| f32::from(number(9999)) / 7777.0)
                .collect(),
        }
    }

    #[test]
    fn the_engine_computes_the_same() {
        for weights in [false, true].map(random_weights) {
            let network = Network::shared(&weights.file()).expect("within its limits");
            let mut engine = Accumulators::new(network);
            for text in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                "r1bq1rk1/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPPB1PPP/R2QKB1R b - - 0 1",
                "8/5k2/8/2p5/8/1K6/3P4/8 w - - 0 1",
                "8/5k2/8/2p5/8/1K4Q1/3P4/8 b - - 0 1",
            ] {
                let board = Board::from_fen(text).expect("legal");
                let position = pack(&board, Labels { score: 0, half_points: 1, ply: 0, game: 0 });
                engine.reset(&board);
                assert_eq!(evaluate(&weights, &position), engine.evaluate(&board), "{text}");
                assert_eq!(fen(&position, text.contains(" b ")), text);
            }
        }
    }
}
