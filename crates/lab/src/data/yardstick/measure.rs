//! What the yardstick says: the error of labels, of labels with later scores and results mixed in, and of networks, and
//! where a network is wrong.

use std::path::PathBuf;

use chess::{Board, Color, PieceKind};
use clap::Args;
use engine::Source;
use engine::evaluation::{Evaluation, Evaluator};

use super::{Mark, Targets, read};
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
        println!("\n{}", Residual::of(&source, &marks).table(&source.to_string()));
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

/// The mean square, times 10 000.
fn error(differences: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        differences.fold((0.0, 0u32), |(sum, count), difference| (sum + difference * difference, count + 1));
    1e4 * sum / f64::from(count.max(1))
}

/// One evaluation on the yardstick.
struct Residual<'a> {
    marks: &'a [Mark],
    /// The evaluations, for the side to move.
    values: Vec<i16>,
}

/// A way to sort positions: a name, and for each position the name of its drawer.
type Chest = (&'static str, fn(&Board) -> &'static str);

const CHESTS: [Chest; 5] = [
    ("men", |board| match board.occupied().len() {
        0..=6 => "3 to 6",
        7..=12 => "7 to 12",
        13..=20 => "13 to 20",
        21..=26 => "21 to 26",
        _ => "27 to 32",
    }),
    ("queens", |board| match board.kind(PieceKind::Queen).len() {
        0 => "none",
        1 => "one",
        _ => "two or more",
    }),
    ("fifty-move clock", |board| match board.halfmove_clock() {
        0..=9 => "0 to 9",
        10..=29 => "10 to 29",
        30..=59 => "30 to 59",
        _ => "60 and more",
    }),
    ("pawns that block each other", |board| {
        let [white, black] = [Color::White, Color::Black].map(|color| board.kind(PieceKind::Pawn) & board.color(color));
        match (chess::Bitboard(white.0 << 8) & black).len() {
            0 => "none",
            1 | 2 => "1 or 2",
            3 | 4 => "3 or 4",
            _ => "5 or more",
        }
    }),
    ("enemy pieces near a king", |board| {
        let near = |color: Color| {
            let zone = chess::attacks::king(board.king(color));
            let zone = zone | chess::Bitboard(zone.0 << 8 | zone.0 >> 8);
            (zone & board.color(!color)).len()
        };
        match near(Color::White).max(near(Color::Black)) {
            0 => "none",
            1 => "one",
            2 => "two",
            _ => "three or more",
        }
    }),
];

impl Residual<'_> {
    fn of<'a>(source: &Source, marks: &'a [Mark]) -> Residual<'a> {
        let mut evaluation = Evaluation::new(source);
        let value = |mark: &Mark| {
            evaluation.reset(&mark.board);
            evaluation.evaluate(&mark.board) as i16
        };
        Residual { marks, values: marks.iter().map(value).collect() }
    }

    /// Of the side to move: evaluated, and searched.
    fn pairs(&self) -> impl Iterator<Item = (&Board, i16, i16)> {
        self.marks.iter().zip(&self.values).map(|(mark, &value)| {
            let deep = if mark.board.side_to_move() == Color::White { mark.deep } else { -mark.deep };
            (&mark.board, value, deep)
        })
    }

    fn table(&self, name: &str) -> String {
        let points = |value: i16, deep: i16| expected_points(value) - expected_points(deep);
        let size = |pick: fn(i16, i16) -> i16| {
            let sum: f64 =
                self.pairs().map(|(_, value, deep)| f64::from(pick(value, deep).clamp(-2000, 2000)).abs()).sum();
            sum / self.marks.len() as f64
        };
        let mut text = format!(
            "{name}: error {:.2}; mean |evaluation| {:.1}, mean |deep score| {:.1}\n",
            error(self.pairs().map(|(_, value, deep)| points(value, deep))),
            size(|value, _| value),
            size(|_, deep| deep),
        );
        for (title, drawer) in CHESTS {
            text += &format!("\n  {title:<30}  share   error   bias\n");
            let mut names: Vec<&str> = self.marks.iter().map(|mark| drawer(&mark.board)).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let inside: Vec<f64> = self
                    .pairs()
                    .filter(|(board, ..)| drawer(board) == name)
                    .map(|(_, value, deep)| points(value, deep))
                    .collect();
                // Whether the side that is ahead is thought to be further ahead than it is.
                let bias: f64 = self
                    .pairs()
                    .filter(|(board, ..)| drawer(board) == name)
                    .map(|(_, value, deep)| points(value, deep) * f64::from(deep.signum()))
                    .sum();
                let share = 100.0 * inside.len() as f64 / self.marks.len() as f64;
                let bias = 100.0 * bias / inside.len() as f64;
                text += &format!("    {name:<28} {share:5.1} % {:7.2} {bias:6.2}\n", error(inside.into_iter()));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn tables_show_every_drawer_once() {
        let fens = ["4k3/8/8/8/8/8/8/4K2R w - - 0 40", "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R b KQkq - 3 9"];
        let marks: Vec<Mark> = fens
            .map(|fen| Mark { board: Board::from_fen(fen).expect(fen), deep: 50, result: 1, scores: vec![40] })
            .into();
        let table = Residual::of(&Source::Bootstrap, &marks).table("bootstrap");
        for expected in ["3 to 6", "21 to 26", "1 or 2"] {
            assert_eq!(table.matches(expected).count(), 1, "{expected} in\n{table}");
        }
    }
}
