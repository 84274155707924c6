//! `gannet-lab net verify`: the trainer computed some positions in exact integers; this machine must get the same.

use std::path::Path;
use std::sync::Arc;

use chess::{Board, Value};
use engine::evaluation::Evaluator;
use engine::nnue::{Accumulators, Kernels, Network};

use crate::failure::{Failure, Result};

/// So many differences are listed.
const SHOWN: usize = 10;

/// Evaluates the reference positions with every kernel and fails unless all values are right.
pub fn run(network: &Arc<Network>, reference: &Path) -> Result<()> {
    let text = std::fs::read_to_string(reference).map_err(|error| Failure::file("read", reference, error))?;
    let positions = parse(&text).map_err(|error| Failure::file("understand", reference, error))?;
    let mut wrong = 0;
    for kernels in Kernels::available() {
        let differences = differences(network, kernels, &positions);
        println!("{kernels:?}: {} of {} positions right", positions.len() - differences.len(), positions.len());
        for (board, expected, found) in differences.iter().take(SHOWN) {
            println!("  {}: {found}, but {expected} expected", board.fen());
        }
        wrong += differences.len();
    }
    if wrong > 0 {
        return Err(Failure::new(format!("network {:08x} does not give its reference values", network.checksum())));
    }
    Ok(())
}

/// Lines of `FEN|value`; the error names the line.
fn parse(text: &str) -> std::result::Result<Vec<(Board, Value)>, String> {
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fail = |what: String| format!("line {}: {what}", index + 1);
        let (fen, value) = line.split_once('|').ok_or_else(|| fail("'FEN|value' expected".to_string()))?;
        let board = Board::from_fen(fen.trim()).map_err(|error| fail(error.to_string()))?;
        let value = value.trim().parse().map_err(|_| fail(format!("'{value}' is not a whole number")))?;
        positions.push((board, value));
    }
    if positions.is_empty() { Err("no positions in it".to_string()) } else { Ok(positions) }
}

/// Positions with the expected and the found value, where they differ.
fn differences<'a>(
    network: &Arc<Network>,
    kernels: Kernels,
    positions: &'a [(Board, Value)],
) -> Vec<(&'a Board, Value, Value)> {
    let mut evaluation = Accumulators::with_kernels(network.clone(), kernels);
    let mut value = |board: &Board| {
        evaluation.reset(board);
        evaluation.evaluate(board)
    };
    positions
        .iter()
        .map(|(board, expected)| (board, *expected, value(board)))
        .filter(|(_, expected, found)| expected != found)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::counting_file;
    use super::*;

    #[test]
    fn differences_are_found() {
        let network = Network::shared(&counting_file()).expect("a whole file");
        // 16 men of 8 each: 128 · 128 · 64 / 255 = 4112, · 400 / (255 · 64) = 100; a king alone: 8 · 8 · 64 / 255 = 16, 0.
        let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1|100\n\n7k/8/8/8/8/8/8/K7 b - - 0 1|5\n";
        let positions = parse(text).expect("sound");
        for kernels in Kernels::available() {
            let found = differences(&network, kernels, &positions);
            let numbers: Vec<_> = found.iter().map(|(_, expected, found)| (*expected, *found)).collect();
            assert_eq!(numbers, [(5, 0)], "{kernels:?}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (text, word) in [
            ("", "no positions"),
            ("8/8/8/8 w - -|3", "line 1"),
            ("7k/8/8/8/8/8/8/K7 b - - 0 1|5\n7k/8/8/8/8/8/8/K7 b - - 0 1|x", "line 2: 'x'"),
            ("7k/8/8/8/8/8/8/K7 b - - 0 1", "FEN|value"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(word), "{error}");
        }
    }
}
