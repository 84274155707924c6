//! The recipe of a training: what is learned, how fast, for how long.

use clap::{Args, ValueEnum};
use engine::nnue::{BLOCK, MAX_HIDDEN, Weights};
use train::{Layout, Loss, Settings};

use crate::failure::{Failure, Result};

/// The king buckets that have names: of the own king's square, files a to d, ranks 1 to 8.
const KING_MAPS: [(&str, [u8; 32]); 4] = [
    ("1", [0; 32]),
    ("2", [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ("4", [0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]),
    ("8", [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]),
];
const HIDDEN: usize = 512;
const OUTPUT_BUCKETS: usize = 8;

/// The recipe.
#[derive(Args, Clone, Debug)]
pub struct Recipe {
    /// Neurons a side, a multiple of 32, with a tail of 64 [default: 512, or what --init has]
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// What follows the hidden layer: none, SCReLU and the output; 16x32, products of pairs and layers of 16 and 32 neurons
    /// [default: none, or what --init has]
    #[arg(long, value_name = "TAIL", value_enum)]
    tail: Option<Tail>,
    /// Sets of output weights, by the number of men [default: 8, or what --init has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=32))]
    output_buckets: Option<u8>,
    /// King buckets: 1, 2, 4 or 8, or 32 numbers for the squares a1 b1 c1 d1 a2 … d8 [default: 1, or what --init has]
    #[arg(long, value_name = "MAP")]
    kings: Option<String>,
    /// How often every position is seen
    #[arg(long, default_value_t = 10.0, value_name = "N", value_parser = above_zero)]
    pub epochs: f64,
    /// Weight of the result in the target; two as 0.1:0.3 for the first and the last step
    #[arg(long, default_value = "0.1", value_name = "W", value_parser = span)]
    pub wdl: Span,
    /// Positions a step
    #[arg(long, default_value_t = 16384, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub batch: u32,
    /// Learning rate at the start
    #[arg(long, default_value_t = 0.001, value_name = "R", value_parser = above_zero)]
    lr: f64,
    /// Learning rate at the end of the cosine
    #[arg(long, default_value_t = 0.000001, value_name = "R", value_parser = not_negative)]
    final_lr: f64,
    /// Weight decay
    #[arg(long, default_value_t = 0.01, value_name = "D", value_parser = not_negative)]
    decay: f64,
    /// Centipawns that the loss takes for one unit of the sigmoid
    #[arg(long, default_value_t = 400.0, value_name = "CP", value_parser = above_zero)]
    scale: f64,
    /// The loss is the error to this power
    #[arg(long, default_value_t = 2.0, value_name = "P", value_parser = power)]
    power: f64,
    /// Share of the games that is held out
    #[arg(long, default_value_t = 0.01, value_name = "S", value_parser = share)]
    pub validation: f64,
    /// Of the first weights, of what is held out, and of the order
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
}

/// What follows the hidden layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Tail {
    /// SCReLU, and the output.
    None,
    /// Products of pairs, and layers of 16 and 32 neurons.
    #[value(name = "16x32")]
    Layers,
}

/// A number that moves from the first to the last.
#[derive(Clone, Copy, Debug)]
pub struct Span(pub f64, pub f64);

impl Recipe {
    /// The settings that this says, where the network to start from leaves something open.
    pub fn settings(&self, init: Option<&Weights>) -> Result<Settings> {
        let hidden = self.hidden.unwrap_or_else(|| init.map_or(HIDDEN, |init| init.shape.hidden));
        let tail = self.tail.map_or_else(|| init.is_some_and(|init| init.shape.tail), |tail| tail == Tail::Layers);
        let (step, with) = if tail { (BLOCK, " with a tail") } else { (32, "") };
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(step) {
            let message = format!("--hidden {hidden}{with}: expected a multiple of {step} from {step} to {MAX_HIDDEN}");
            return Err(Failure::arguments(message));
        }
        let output_buckets = self.output_buckets.map(usize::from);
        let output_buckets =
            output_buckets.unwrap_or_else(|| init.map_or(OUTPUT_BUCKETS, |init| init.shape.output_buckets));
        let kings = match (&self.kings, init) {
            (Some(text), _) => king_map(text).map_err(Failure::arguments)?,
            (None, Some(init)) => std::array::from_fn(|index| init.king_buckets[index / 4 * 8 + index % 4]),
            (None, None) => KING_MAPS[0].1,
        };
        let layout = Layout::new(hidden, output_buckets, &kings);
        Ok(Settings {
            layout: if tail { layout.with_tail() } else { layout },
            seed: self.seed,
            batch: self.batch as usize,
            epochs: self.epochs,
            rate: (self.lr, self.final_lr),
            result: (self.wdl.0, self.wdl.1),
            decay: self.decay,
            loss: Loss { scale: self.scale, power: self.power },
        })
    }
}

/// A map of king buckets by its name or its numbers.
fn king_map(text: &str) -> std::result::Result<[u8; 32], String> {
    if let Some((_, map)) = KING_MAPS.iter().find(|(name, _)| *name == text.trim()) {
        return Ok(*map);
    }
    let numbers: Vec<u8> = text.split([',', ' ']).filter_map(|word| word.parse().ok()).collect();
    let greatest = numbers.iter().copied().max().unwrap_or(0);
    let gaps = (0..=greatest).any(|bucket| !numbers.contains(&bucket));
    let words = text.split([',', ' ']).filter(|word| !word.is_empty()).count();
    match <[u8; 32]>::try_from(numbers) {
        Ok(map) if !gaps && greatest < 32 && words == 32 => Ok(map),
        _ => Err(format!(
            "--kings '{text}': expected 1, 2, 4, 8, or 32 bucket numbers from 0 without gaps for a1 b1 c1 d1 a2 … d8"
        )),
    }
}

fn number(text: &str, good: impl Fn(f64) -> bool, expected: &str) -> std::result::Result<f64, String> {
    text.parse().ok().filter(|&number: &f64| number.is_finite() && good(number)).ok_or_else(|| expected.to_string())
}

pub fn above_zero(text: &str) -> std::result::Result<f64, String> {
    number(text, |number| number > 0.0, "expected a number above 0")
}

fn not_negative(text: &str) -> std::result::Result<f64, String> {
    number(text, |number| number >= 0.0, "expected a number from 0 on")
}

fn share(text: &str) -> std::result::Result<f64, String> {
    number(text, |number| number > 0.0 && number < 1.0, "expected a number between 0 and 1")
}

fn power(text: &str) -> std::result::Result<f64, String> {
    number(text, |number| (1.0..=10.0).contains(&number), "expected a number from 1 to 10")
}

fn span(text: &str) -> std::result::Result<Span, String> {
    let weight =
        |text| number(text, |number| (0.0..=1.0).contains(&number), "expected a weight from 0 to 1, or two as 0.1:0.3");
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    Ok(Span(weight(first)?, weight(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_maps_are_understood_or_refused() {
        for (name, map) in KING_MAPS {
            assert_eq!(king_map(name), Ok(map));
            let numbers: Vec<String> = map.iter().map(u8::to_string).collect();
            assert_eq!((king_map(&numbers.join(" ")), king_map(&numbers.join(","))), (Ok(map), Ok(map)));
        }
        let words = |word: &str| format!("{word}{}", " 0".repeat(31));
        for bad in ["3", "", "0 1 2", &words("2"), &words("x 0"), &words("-1")] {
            assert!(king_map(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert!(span("0.1:0.3").is_ok_and(|span| (span.0, span.1) == (0.1, 0.3)));
        assert!(span("1").is_ok_and(|span| (span.0, span.1) == (1.0, 1.0)));
        for bad in ["", "1.1", "0.1:", "-0.1", "0.1:2", "NaN"] {
            assert!(span(bad).is_err(), "{bad}");
        }
        assert!(above_zero("0").is_err() && above_zero("inf").is_err() && power("0.5").is_err() && share("1").is_err());
    }
}
