//! `gannet-lab net compare`: two evaluations on the same positions. How near they are, and where they are furthest apart.

use std::path::PathBuf;

use chess::Board;
use clap::Args;
use engine::Source;
use engine::evaluation::{Evaluation, Evaluator};
use serde::Serialize;

use crate::book::board_of;
use crate::failure::{Failure, Result};
use crate::files;

/// Compare two evaluations on a file of positions
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The first: a network file or <bootstrap>
    a: String,
    /// The second
    b: String,
    /// The positions, an EPD or FEN file
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// List so many positions on which they differ most
    #[arg(long, default_value_t = 10, value_name = "N")]
    worst: usize,
    /// Write the results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// How two evaluations of the same positions differ, in centipawns for the side to move.
#[derive(Serialize, Clone, Debug)]
struct Comparison {
    positions: usize,
    /// Mean and standard deviation of the values of each.
    mean: [f64; 2],
    deviation: [f64; 2],
    /// Of B − A.
    mean_difference: f64,
    median_difference: f64,
    /// Of |B − A|.
    mean_distance: f64,
    median_distance: f64,
    distance_of_95_percent: f64,
    /// None if one of them has the same value everywhere.
    correlation: Option<f64>,
    /// The share of positions in which both prefer the same side, where neither says 0.
    same_side: f64,
}

/// Evaluates, prints, and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let load = |name: &str| Source::load(name).map_err(|error| Failure::new(error.to_string()));
    let sources = [load(&arguments.a)?, load(&arguments.b)?];
    let path = &arguments.positions;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    let boards = boards(&text).map_err(|error| Failure::file("understand", path, error))?;
    let [a, b] = sources.each_ref().map(|source| values(source, &boards));
    let comparison = Comparison::new(&a, &b);
    println!("A  {} ({})\nB  {} ({})\n\n{}", arguments.a, sources[0], arguments.b, sources[1], comparison.table());
    let mut order: Vec<usize> = (0..boards.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(a[index].abs_diff(b[index])), index));
    if arguments.worst > 0 {
        println!("\nfurthest apart\n      A       B  position");
    }
    for &index in order.iter().take(arguments.worst) {
        println!("{:7} {:7}  {}", a[index], b[index], boards[index].fen());
    }
    match &arguments.json {
        Some(path) => files::write_json(path, &comparison),
        None => Ok(()),
    }
}

/// The positions of a file; the error names the line.
fn boards(text: &str) -> std::result::Result<Vec<Board>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let boards = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| board_of(line).map_err(|error| format!("line {number}: {error}")))
        .collect::<std::result::Result<Vec<Board>, String>>()?;
    if boards.is_empty() { Err("no positions in it".to_string()) } else { Ok(boards) }
}

fn values(source: &Source, boards: &[Board]) -> Vec<i32> {
    let mut evaluation = Evaluation::new(source);
    let value = |board: &Board| {
        evaluation.reset(board);
        evaluation.evaluate(board)
    };
    boards.iter().map(value).collect()
}

impl Comparison {
    fn new(a: &[i32], b: &[i32]) -> Comparison {
        let floats = |values: &[i32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
        let (x, y) = (floats(a), floats(b));
        let mut differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - x).collect();
        let mut distances: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        differences.sort_by(f64::total_cmp);
        distances.sort_by(f64::total_cmp);
        let (mean, deviation) = ([mean(&x), mean(&y)], [deviation(&x), deviation(&y)]);
        let product: Vec<f64> = x.iter().zip(&y).map(|(x, y)| (x - mean[0]) * (y - mean[1])).collect();
        let spread = deviation[0] * deviation[1];
        let decided: Vec<bool> =
            a.iter().zip(b).filter(|(a, b)| **a != 0 && **b != 0).map(|(a, b)| (*a > 0) == (*b > 0)).collect();
        Comparison {
            positions: a.len(),
            mean,
            deviation,
            mean_difference: self::mean(&differences),
            median_difference: quantile(&differences, 0.5),
            mean_distance: self::mean(&distances),
            median_distance: quantile(&distances, 0.5),
            distance_of_95_percent: quantile(&distances, 0.95),
            correlation: (spread > 0.0).then(|| self::mean(&product) / spread),
            same_side: decided.iter().filter(|same| **same).count() as f64 / decided.len().max(1) as f64,
        }
    }

    fn table(&self) -> String {
        let correlation = self.correlation.map_or("none".to_string(), |number| format!("{number:.4}"));
        format!(
            "positions                 {}\n\
             A                         mean {:.1}, standard deviation {:.1}\n\
             B                         mean {:.1}, standard deviation {:.1}\n\
             B − A                     mean {:.1}, median {:.1}\n\
             |B − A|                   mean {:.1}, median {:.1}, 95 % within {:.1}\n\
             correlation               {correlation}\n\
             the same side is better   {:.1} %",
            self.positions,
            self.mean[0],
            self.deviation[0],
            self.mean[1],
            self.deviation[1],
            self.mean_difference,
            self.median_difference,
            self.mean_distance,
            self.median_distance,
            self.distance_of_95_percent,
            100.0 * self.same_side,
        )
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

fn deviation(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / numbers.len().max(1) as f64).sqrt()
}

/// The number that this share of sorted numbers does not exceed, between neighbours in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let at = |index: usize| sorted.get(index).or(sorted.last()).copied().unwrap_or(0.0);
    let (low, high) = (at(place as usize), at(place as usize + 1));
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_evaluations_do_not_differ() {
        let values = [10, -20, 300, 0];
        let same = Comparison::new(&values, &values);
        assert_eq!((same.mean_distance, same.distance_of_95_percent, same.same_side), (0.0, 0.0, 1.0));
        assert!(same.correlation.is_some_and(|correlation| (correlation - 1.0).abs() < 1e-12));
    }

    #[test]
    fn figures_are_as_computed_by_hand() {
        let comparison = Comparison::new(&[1, 2, 3, 4], &[2, 4, 6, -8]);
        assert_eq!(comparison.mean_difference, -1.5);
        assert_eq!(comparison.median_difference, 1.5);
        assert_eq!((comparison.mean_distance, comparison.median_distance), (4.5, 2.5));
        assert_eq!(comparison.same_side, 0.75);
        // Covariance −14/4, variances 5/4 and 29.
        let expected = -3.5 / (1.25f64 * 29.0).sqrt();
        assert!(comparison.correlation.is_some_and(|found| (found - expected).abs() < 1e-12), "{comparison:?}");
    }

    #[test]
    fn constant_and_empty_values_make_no_nonsense() {
        assert_eq!(Comparison::new(&[5, 5], &[1, 2]).correlation, None);
        assert!(Comparison::new(&[], &[]).table().contains("positions                 0"));
        assert!(boards("# nothing\n").is_err());
        assert!(boards("nonsense\n").is_err_and(|error| error.starts_with("line 1: ")));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";
        assert_eq!(boards(start).map(|boards| values(&Source::Bootstrap, &boards).len()), Ok(1));
    }
}
