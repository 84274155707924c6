//! What the yardstick says: the error of labels, of labels with later scores and results mixed in, and of networks.

use std::path::PathBuf;

use clap::Args;
use engine::Source;

use super::residual::Residual;
use super::{Mark, Targets, error, read};
use crate::data::targets::expected_points;
use crate::failure::{Failure, Result};

/// Show how far labels and networks are from the deep scores
#[derive(Args)]
pub struct Arguments {
    /// The yardstick
    file: PathBuf,
    /// Networks: files, or <bootstrap> [default: the network of this build]
    #[arg(long, value_name = "FILE")]
    net: Vec<String>,
}

/// What is tried as λ and as horizon.
const LAMBDAS: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];
const HORIZONS: [usize; 4] = [2, 4, 8, 16];
/// What is tried as the weight of the result.
const RESULTS: [f64; 6] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.3];

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let marks = read(&arguments.file)?;
    println!("{} positions; errors are mean squares of expected points, times 10 000\n", marks.len());
    println!("label: the position's own score   {:7.2}", own_error(&marks));
    println!("\nλ \\ horizon{}", HORIZONS.map(|horizon| format!("{horizon:8}")).concat());
    for lambda in LAMBDAS {
        let errors = HORIZONS.map(|horizon| format!("{:8.2}", label_error(&marks, Targets { lambda, horizon }, 0.0)));
        println!("{lambda:<11}{}", errors.concat());
    }
    println!("\nweight of the result{}", RESULTS.map(|weight| format!("{weight:8}")).concat());
    let errors = RESULTS.map(|weight| format!("{:8.2}", label_error(&marks, Targets::OWN, weight)));
    println!("error               {}", errors.concat());
    let default = [String::new()];
    for name in if arguments.net.is_empty() { &default[..] } else { &arguments.net } {
        let source = Source::load(name).map_err(|error| Failure::new(error.to_string()))?;
        println!("\n{}", Residual::of(&source, &marks).figures(&source.to_string()).line());
    }
    Ok(())
}

fn own_error(marks: &[Mark]) -> f64 {
    label_error(marks, Targets::OWN, 0.0)
}

fn label_error(marks: &[Mark], targets: Targets, result: f64) -> f64 {
    error(marks.iter().map(|mark| {
        let points = (1.0 - result) * expected_points(targets.of(&mark.scores)) + result * f64::from(mark.result) / 2.0;
        points - expected_points(mark.deep)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn mark(deep: i16, scores: &[i16], result: u8) -> Mark {
        Mark { board: Board::start(), deep, result, scores: scores.to_vec() }
    }

    #[test]
    fn errors_are_of_expected_points() {
        let even = [mark(0, &[0, 0], 1), mark(0, &[0], 1)];
        assert_eq!(own_error(&even), 0.0);
        // Half a point is a hundredth of what is shown when it is squared: 0.25 times 10 000.
        let wrong = [mark(0, &[3000], 2)];
        assert!((own_error(&wrong) - 2500.0).abs() < 10.0, "{}", own_error(&wrong));
        // A result that agrees with the deep score helps, one that does not harms.
        let marks = [mark(300, &[0], 2)];
        assert!(label_error(&marks, Targets::OWN, 0.1) < own_error(&marks));
        let marks = [mark(300, &[0], 0)];
        assert!(label_error(&marks, Targets::OWN, 0.1) > own_error(&marks));
        // So does looking ahead where the game found out.
        let marks = [mark(300, &[0, 300, 300, 300, 300], 2)];
        assert!(label_error(&marks, Targets { lambda: 0.7, horizon: 4 }, 0.0) < own_error(&marks));
    }
}
