//! `gannet-lab net`: looks at networks. What is inside, whether it computes what it should, how two of them differ.

mod compare;
mod picture;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use engine::Source;
use engine::nnue::{Network, Shape};

use crate::failure::{Failure, Result};

const EXAMPLES: &str = "\
Examples:
  gannet-lab net info nets/new.gnet
  gannet-lab net verify nets/new.gnet                       beside it lies new.reference.txt
  gannet-lab net compare nets/new.gnet nets/old.gnet --positions suites/mates.epd
  gannet-lab net compare nets/new.gnet \"<bootstrap>\" --positions positions.epd --worst 20
  gannet-lab net picture nets/new.gnet --out new.svg --neurons 12

A network is a file; in compare also <bootstrap>, the evaluation from which learning starts.";

/// Look at networks: contents, reference values, differences, pictures
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    /// Print the sizes, the ranges of the weights and how the network was made
    Info {
        /// The network
        file: PathBuf,
    },
    /// Check reference values, with every kernel that runs on this machine
    Verify {
        /// The network
        file: PathBuf,
        /// Lines of FEN|value [default: the network's name with .reference.txt]
        reference: Option<PathBuf>,
    },
    Compare(compare::Arguments),
    Picture(picture::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Info { file } => {
            println!("{}", info(&*open(file)?).trim_end());
            Ok(())
        }
        Command::Verify { file, reference } => {
            let reference = reference.clone().unwrap_or_else(|| file.with_extension("reference.txt"));
            verify::run(&open(file)?, &reference)
        }
        Command::Compare(arguments) => compare::run(arguments),
        Command::Picture(arguments) => picture::run(arguments),
    }
}

/// The network in a file.
fn open(file: &std::path::Path) -> Result<Arc<Network>> {
    let name = file.to_str().ok_or_else(|| Failure::new(format!("{}: a name in UTF-8 expected", file.display())))?;
    match Source::load(name).map_err(|error| Failure::new(error.to_string()))? {
        Source::Network(network) => Ok(network),
        Source::Bootstrap => Err(Failure::new(format!("'{name}' is not a network; the name of a file expected"))),
    }
}

/// What there is to say about a network.
fn info(network: &Network) -> String {
    let Shape { king_buckets, output_buckets, .. } = network.shape();
    let mut text =
        format!("network  {:08x} (its checksum, which is right)\nshape    {}\n", network.checksum(), network.shape());
    if king_buckets > 1 {
        text += "kings    buckets of the squares a to d, from rank 8 down:\n";
        for row in network.king_buckets().chunks(8).rev() {
            let buckets: Vec<String> = row.iter().take(4).map(|bucket| format!("{bucket:2}")).collect();
            text += &format!("         {}\n", buckets.join(" "));
        }
    }
    text += "\nweights            count     least   greatest   mean size    zero\n";
    let features = (0..king_buckets * 768).flat_map(|feature| network.input_weights(feature));
    let outputs = (0..output_buckets).flat_map(|bucket| network.output_weights_of(bucket));
    text += &range("features", features.map(i32::from));
    text += &range("biases", network.input_biases().map(i32::from));
    if let Some(tail) = network.tail() {
        text += &range("dense", (0..output_buckets).flat_map(|bucket| tail.dense_of(bucket)).map(i32::from));
        text += &numbers("tail", (0..output_buckets).flat_map(|bucket| tail.numbers_of(bucket)));
    } else {
        text += &range("outputs", outputs.map(i32::from));
        text += &range("output biases", network.output_biases().iter().copied());
    }
    text += "\nprovenance\n";
    for line in network.provenance().lines() {
        // A file may hold anything; a terminal must not obey it.
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        text += &format!("  {line}\n");
    }
    text
}

/// A line about some weights.
fn range(name: &str, weights: impl Iterator<Item = i32>) -> String {
    let (mut count, mut least, mut greatest, mut size, mut zero) = (0u64, i32::MAX, i32::MIN, 0u64, 0u64);
    for weight in weights {
        count += 1;
        least = least.min(weight);
        greatest = greatest.max(weight);
        size += u64::from(weight.unsigned_abs());
        zero += u64::from(weight == 0);
    }
    let (mean, zero) = (size as f64 / count.max(1) as f64, 100.0 * zero as f64 / count.max(1) as f64);
    format!("{name:<14} {count:>9} {least:>9} {greatest:>10} {mean:>11.2} {zero:>6.1}%\n")
}

/// The same about numbers that are not whole.
fn numbers(name: &str, numbers: impl Iterator<Item = f32>) -> String {
    let numbers: Vec<f64> = numbers.map(f64::from).collect();
    let count = numbers.len();
    let (least, greatest) = numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), &n| (low.min(n), high.max(n)));
    let mean = numbers.iter().map(|number| number.abs()).sum::<f64>() / count.max(1) as f64;
    let zero = 100.0 * numbers.iter().filter(|&&number| number == 0.0).count() as f64 / count.max(1) as f64;
    format!("{name:<14} {count:>9} {least:>9.2} {greatest:>10.2} {mean:>11.2} {zero:>6.1}%\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use engine::nnue::{TAIL_NUMBERS, Weights};

    use super::*;

    /// A network of 32 neurons that only counts our men: `value` centipawns for each, so far as rounding goes.
    pub fn counting_file() -> Vec<u8> {
        let (hidden, output_buckets) = (32u32, 2u32);
        let mut file = b"GANNETNN".to_vec();
        for number in [1, hidden, 1, output_buckets, 255, 64, 400] {
            file.extend(number.to_le_bytes());
        }
        file.extend([0; 64]);
        let provenance = "made by hand\n\u{1b}[31mnot red";
        file.extend((provenance.len() as u32).to_le_bytes());
        file.extend(provenance.as_bytes());
        file.resize(file.len().next_multiple_of(64), 0);
        let mut numbers = |count: u32, number: &dyn Fn(u32) -> i16| {
            (0..count).for_each(|index| file.extend(number(index).to_le_bytes()));
        };
        numbers(768 * hidden, &|index| if index < 384 * hidden && index % hidden == 3 { 8 } else { 0 });
        numbers(hidden, &|_| 0);
        numbers(output_buckets * 2 * hidden, &|index| if index % (2 * hidden) == 3 { 64 } else { 0 });
        file.extend([0; 8]);
        let sum = engine::crc32(&file);
        file.extend(sum.to_le_bytes());
        file
    }

    /// A network with a tail of 64 neurons whose numbers are simple: no input counts, so it says 500 centipawns of everything.
    pub fn tail_file() -> Vec<u8> {
        let weights = Weights {
            shape: Shape { hidden: 64, king_buckets: 1, output_buckets: 2, tail: true },
            king_buckets: [0; 64],
            provenance: "made by hand".to_string(),
            input_weights: (0..768 * 64).map(|index| if index % 64 == 5 { 8 } else { 0 }).collect(),
            input_biases: vec![0; 64],
            output_weights: Vec::new(),
            output_biases: Vec::new(),
            // From the pair of neurons 5 and 37 of the side to move.
            dense_weights: (0..2 * 64 * 16).map(|index| if index / 16 % 64 == 5 { 3 } else { 0 }).collect(),
            tail_numbers: (0..2 * TAIL_NUMBERS)
                .map(|index| if index % TAIL_NUMBERS == 592 { 1.25 } else { 0.0 })
                .collect(),
        };
        weights.file()
    }

    #[test]
    fn info_names_everything() {
        let network = Network::read(&counting_file()).expect("a whole file");
        let text = info(&network);
        for part in ["(768×1 mirrored → 32)×2 → 1×2", "features           24576", "made by hand", "[31mnot red"]
        {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
        let network = Network::read(&tail_file()).expect("a whole file");
        let text = info(&network);
        for part in [
            "(768×1 mirrored → 64)×2 → pairs → (16 → 32 → 1)×2",
            "dense               2048",
            "tail                1186",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(!text.contains("outputs"), "{text}");
    }
}
