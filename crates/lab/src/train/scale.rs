//! The size of an evaluation. The margins of the search are centipawns of the network they were tuned with; a network whose
//! scores are larger as a whole prunes more with the same margins. So a new one is multiplied by what makes its scores as
//! large as those of the one before it.

use chess::Board;
use engine::Source;
use engine::evaluation::{Evaluation, Evaluator};
use engine::nnue::Network;
use serde::{Deserialize, Serialize};
use train::{Trainer, integer};

use crate::failure::{Failure, Result};

/// Held-out positions that are looked at.
const POSITIONS: usize = 20_000;
/// Where the mean is smaller than so many centipawns there is nothing to compare.
const LEAST: f64 = 1.0;
/// No factor beyond this or its inverse makes sense: one of the two networks knows nothing.
const MOST: f64 = 4.0;

/// How a network was brought to the size of another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scaled {
    /// The other.
    pub like: String,
    /// Mean |evaluation| before, in centipawns, and that of the other.
    pub from: f64,
    /// The other's.
    pub to: f64,
    /// What it was multiplied by.
    pub factor: f64,
}

/// Brings what was learned to the size of another evaluation, on positions that were held out.
pub fn rescale(trainer: &mut Trainer, like: &Source) -> Result<Scaled> {
    let boards: Vec<Board> = trainer
        .references(POSITIONS)
        // A record has no castling rights and no clocks; neither evaluation looks at them.
        .filter_map(|position| Board::from_fen(&integer::fen(position, false)).ok())
        .collect();
    let (weights, _) = trainer.quantise(String::new());
    let network =
        Network::shared(&weights.file()).map_err(|error| Failure::new(format!("the new network: {error}")))?;
    let (from, to) = (mean_size(&Source::Network(network), &boards), mean_size(like, &boards));
    let factor = factor(from, to);
    if factor != 1.0 {
        trainer.rescale(factor);
    }
    println!("mean |evaluation| {from:.1}, of {like} {to:.1}: multiplied by {factor:.4}");
    Ok(Scaled { like: like.to_string(), from, to, factor })
}

/// What turns one mean into the other, where that makes sense.
fn factor(from: f64, to: f64) -> f64 {
    if from < LEAST || to < LEAST { 1.0 } else { (to / from).clamp(1.0 / MOST, MOST) }
}

/// The mean |evaluation| of positions in centipawns.
pub fn mean_size(source: &Source, boards: &[Board]) -> f64 {
    let mut evaluation = Evaluation::new(source);
    let size = |board: &Board| {
        evaluation.reset(board);
        f64::from(evaluation.evaluate(board).abs())
    };
    boards.iter().map(size).sum::<f64>() / boards.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_makes_means_equal_or_is_none() {
        assert!((factor(200.0, 150.0) * 200.0 - 150.0).abs() < 1e-9);
        assert_eq!([factor(0.0, 100.0), factor(100.0, 0.0), factor(0.0, 0.0)], [1.0; 3]);
        assert_eq!(factor(10.0, 1000.0), MOST);
    }

    #[test]
    fn the_size_of_an_evaluation_is_that_of_both_sides() {
        let fens = ["4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"];
        let boards: Vec<Board> = fens.map(|fen| Board::from_fen(fen).expect(fen)).into();
        assert!(mean_size(&Source::Bootstrap, &boards) > 500.0);
        assert_eq!(mean_size(&Source::Bootstrap, &[]), 0.0);
    }
}
