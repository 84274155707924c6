//! `gannet-lab net picture`: what the most important neurons look at, as boards coloured by their weights.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use engine::nnue::{BLOCK, FIRST, Network, Shape};

use crate::chart::{begin, text};
use crate::failure::{Failure, Result};
use crate::files;

/// Draw the weights of the most important neurons as an SVG file
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The network
    file: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many neurons
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    neurons: u64,
    /// Show the weights for this king bucket
    #[arg(long, default_value_t = 0, value_name = "BUCKET")]
    king_bucket: usize,
}

/// Draws and writes.
pub fn run(arguments: &Arguments) -> Result<()> {
    let network = super::open(&arguments.file)?;
    let buckets = network.shape().king_buckets;
    if arguments.king_bucket >= buckets {
        let message = format!("--king-bucket {}: 0 to {} expected", arguments.king_bucket, buckets - 1);
        return Err(Failure::new(message));
    }
    let name = arguments.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let neurons = Neuron::most_important(&network, arguments.king_bucket, arguments.neurons as usize);
    files::write(&arguments.out, &Picture::new(&network, arguments.king_bucket, &name).svg(&neurons))?;
    println!("wrote {}: {} of {} neurons", arguments.out.display(), neurons.len(), network.shape().hidden);
    Ok(())
}

/// A neuron with everything that is drawn of it.
struct Neuron {
    index: usize,
    bias: i16,
    /// From the 768 features of a king bucket.
    weights: Vec<i16>,
    /// To each output bucket, when it sees with the eyes of the side to move, and with the opponent's. With a tail, the size of
    /// the sixteen weights of its pair.
    outputs: [Vec<i16>; 2],
}

impl Neuron {
    /// The neurons that sway the output most: the size of the weights to them times the size of those from them.
    fn most_important(network: &Network, king_bucket: usize, count: usize) -> Vec<Neuron> {
        let Shape { hidden, output_buckets, .. } = network.shape();
        let biases = network.input_biases().enumerate();
        let new = |(index, bias)| Neuron { index, bias, weights: Vec::with_capacity(768), outputs: Default::default() };
        let mut neurons: Vec<Neuron> = biases.map(new).collect();
        for feature in 0..768 {
            for (neuron, weight) in neurons.iter_mut().zip(network.input_weights(king_bucket * 768 + feature)) {
                neuron.weights.push(weight);
            }
        }
        for bucket in 0..output_buckets {
            if let Some(tail) = network.tail() {
                let dense: Vec<i8> = tail.dense_of(bucket).collect();
                let inputs: Vec<i16> = dense.chunks_exact(FIRST).map(size_of_all).collect();
                for neuron in &mut neurons {
                    let pair = neuron.index / BLOCK * (BLOCK / 2) + neuron.index % (BLOCK / 2);
                    for (side, outputs) in neuron.outputs.iter_mut().enumerate() {
                        outputs.extend(inputs.get(side * hidden / 2 + pair));
                    }
                }
            }
            for (index, weight) in network.output_weights_of(bucket).enumerate() {
                if let Some(neuron) = neurons.get_mut(index % hidden) {
                    neuron.outputs[index / hidden].push(weight);
                }
            }
        }
        neurons.sort_by(|a, b| b.importance().total_cmp(&a.importance()).then(a.index.cmp(&b.index)));
        neurons.truncate(count);
        neurons
    }

    fn importance(&self) -> f64 {
        let size = |weights: &[i16]| weights.iter().map(|&weight| f64::from(weight).powi(2)).sum::<f64>().sqrt();
        size(&self.weights) * (size(&self.outputs[0]) + size(&self.outputs[1]))
    }
}

/// The length of weights as a vector.
fn size_of_all(weights: &[i8]) -> i16 {
    weights.iter().map(|&weight| f64::from(weight).powi(2)).sum::<f64>().sqrt().round() as i16
}

const CELL: f64 = 9.0;
const BOARD: f64 = 8.0 * CELL;
const STEP: f64 = BOARD + 8.0;
/// Words to the left of a row of boards.
const WORDS: f64 = 62.0;
/// Words and bars above the boards of a neuron.
const HEAD: f64 = 48.0;
const PANEL: (f64, f64) = (WORDS + 6.0 * STEP + 24.0, HEAD + 2.0 * STEP + 22.0);
const TOP: f64 = 96.0;
const MARGIN: f64 = 20.0;
/// Shades from white to the strongest colour, on either side.
const SHADES: i32 = 20;
const IMPOSSIBLE: &str = "#d9d9d9";
const BARS: [&str; 2] = ["#1b7837", "#e08214"];

/// What is the same for all neurons of a picture.
struct Picture<'a> {
    network: &'a Network,
    king_bucket: usize,
    name: &'a str,
    /// The weights that have the strongest colour and the highest bar.
    full: f64,
    full_output: f64,
}

impl<'a> Picture<'a> {
    fn new(network: &'a Network, king_bucket: usize, name: &'a str) -> Picture<'a> {
        Picture { network, king_bucket, name, full: 1.0, full_output: 1.0 }
    }

    /// The text of the file.
    fn svg(mut self, neurons: &[Neuron]) -> String {
        let mut sizes: Vec<u16> = neurons.iter().flat_map(|n| &n.weights).map(|weight| weight.unsigned_abs()).collect();
        sizes.sort_unstable();
        // A few extreme weights must not make all others pale.
        self.full = f64::from(sizes.get(sizes.len() * 199 / 200).copied().unwrap_or(1).max(1));
        let outputs = neurons.iter().flat_map(|n| n.outputs.iter().flatten());
        self.full_output = f64::from(outputs.map(|weight| weight.unsigned_abs()).max().unwrap_or(1).max(1));

        let columns = neurons.len().clamp(1, 2);
        let rows = neurons.len().div_ceil(columns);
        let width = 2.0 * MARGIN + PANEL.0 * 2.0;
        let height = TOP + PANEL.1 * rows as f64 + MARGIN;
        let mut svg = begin(width, height, 11);
        self.heading(&mut svg, neurons.len(), width);
        for (place, neuron) in neurons.iter().enumerate() {
            let x = MARGIN + PANEL.0 * (place % columns) as f64;
            let y = TOP + PANEL.1 * (place / columns) as f64;
            self.panel(&mut svg, neuron, x, y);
        }
        svg + "</svg>\n"
    }

    /// Title and legend.
    fn heading(&self, svg: &mut String, count: usize, width: f64) {
        let shape = self.network.shape();
        let kings = match shape.king_buckets {
            1 => String::new(),
            _ => format!(", king bucket {}", self.king_bucket),
        };
        let title = format!("{}: the {count} most important of {} neurons{kings}", self.name, shape.hidden);
        let _ = writeln!(svg, "<g font-size=\"16\">");
        text(svg, MARGIN, 30.0, "start", &title);
        svg.push_str("</g>\n");
        let about = format!("{shape}, checksum {:08x}.", self.network.checksum());
        text(svg, MARGIN, 50.0, "start", &about);
        text(
            svg,
            MARGIN,
            65.0,
            "start",
            "Boards from the side's own end; its king is always on the files a to d, the rest is",
        );
        text(
            svg,
            MARGIN,
            80.0,
            "start",
            "mirrored with it. A weight of 1 alone switches a neuron from off to fully on.",
        );

        let left = width - MARGIN - 490.0;
        text(svg, left, 50.0, "start", "weight");
        for shade in -SHADES..=SHADES {
            let x = left + 80.0 + f64::from(shade + SHADES) * 6.0;
            let _ = writeln!(svg, "<path fill=\"{}\" d=\"M{x} 40h6v12h-6z\"/>", colour(shade));
        }
        let end = left + 80.0 + f64::from(2 * SHADES + 1) * 6.0;
        let full = self.full / 255.0;
        text(svg, left + 76.0, 50.0, "end", &format!("−{full:.2}"));
        text(svg, end + 4.0, 50.0, "start", &format!("+{full:.2} and more"));
        let _ = writeln!(svg, "<path fill=\"{IMPOSSIBLE}\" d=\"M{} 58h12v9h-12z\"/>", left + 80.0);
        text(svg, left + 96.0, 66.0, "start", "cannot occur");
        text(svg, left, 84.0, "start", "bars");
        let what = match self.network.tail() {
            None => "output weights, few men to many: side to move",
            Some(_) => "size of the pair's dense weights: side to move",
        };
        for (index, words) in [what, "opponent"].into_iter().enumerate() {
            let x = left + 80.0 + 320.0 * index as f64;
            let _ = writeln!(svg, "<path fill=\"{}\" d=\"M{x} 76h12v9h-12z\"/>", BARS[index]);
            text(svg, x + 16.0, 84.0, "start", words);
        }
    }

    /// A neuron: its numbers, its bars, twelve boards.
    fn panel(&self, svg: &mut String, neuron: &Neuron, x: f64, y: f64) {
        let bias = f64::from(neuron.bias) / 255.0;
        text(svg, x, y + 16.0, "start", &format!("neuron {}, bias {bias:+.2}", neuron.index));
        self.bars(svg, neuron, x + WORDS + 3.0 * STEP, y + 14.0);
        for (kind, name) in ["pawn", "knight", "bishop", "rook", "queen", "king"].into_iter().enumerate() {
            text(svg, x + WORDS + STEP * kind as f64 + BOARD / 2.0, y + HEAD - 4.0, "middle", name);
        }
        let mut cells: BTreeMap<i32, String> = BTreeMap::new();
        let (mut impossible, mut frames) = (String::new(), String::new());
        for (side, name) in ["own", "opponent's"].into_iter().enumerate() {
            let top = y + HEAD + STEP * side as f64;
            text(svg, x + WORDS - 6.0, top + BOARD / 2.0 + 4.0, "end", name);
            for kind in 0..6 {
                let left = x + WORDS + STEP * kind as f64;
                let _ = write!(frames, "M{left} {top}h{BOARD}v{BOARD}h-{BOARD}z");
                for square in 0..64 {
                    let (file, rank) = ((square % 8) as f64, (square / 8) as f64);
                    let weight = neuron.weights.get(side * 384 + kind * 64 + square).copied().unwrap_or(0);
                    let path = match self.can_occur(side, kind, square) {
                        true => cells.entry(self.shade(weight)).or_default(),
                        false => &mut impossible,
                    };
                    let _ = write!(path, "M{:.0} {:.0}h9v9h-9z", left + file * CELL, top + (7.0 - rank) * CELL);
                }
            }
        }
        for (shade, path) in cells {
            let _ = writeln!(svg, "<path fill=\"{}\" d=\"{path}\"/>", colour(shade));
        }
        let _ = writeln!(svg, "<path fill=\"{IMPOSSIBLE}\" d=\"{impossible}\"/>");
        let _ = writeln!(svg, "<path fill=\"none\" stroke=\"#888888\" d=\"{frames}\"/>");
    }

    /// The weights to the output buckets, few men on the left.
    fn bars(&self, svg: &mut String, neuron: &Neuron, x: f64, middle: f64) {
        let buckets = neuron.outputs[0].len().max(1);
        let step = (3.0 * STEP / buckets as f64).min(24.0);
        let end = x + step * buckets as f64;
        let _ = writeln!(svg, "<path stroke=\"#888888\" d=\"M{x} {middle}H{end:.1}\"/>");
        for (side, weights) in neuron.outputs.iter().enumerate() {
            for (bucket, &weight) in weights.iter().enumerate() {
                let left = x + step * (bucket as f64 + 0.15 + 0.35 * side as f64);
                let up = f64::from(weight) / self.full_output * 14.0;
                let (width, colour) = (step * 0.35, BARS[side]);
                let _ = writeln!(
                    svg,
                    "<path fill=\"{colour}\" d=\"M{left:.1} {middle}h{width:.1}v{:.1}h-{width:.1}z\"/>",
                    -up
                );
            }
        }
    }

    /// Whether a piece can stand there, seen from its side.
    fn can_occur(&self, side: usize, kind: usize, square: usize) -> bool {
        match (side, kind) {
            (_, 0) => (8..56).contains(&square),
            (0, 5) => square % 8 < 4 && usize::from(self.network.king_buckets()[square & 63]) == self.king_bucket,
            _ => true,
        }
    }

    fn shade(&self, weight: i16) -> i32 {
        ((f64::from(weight) / self.full * f64::from(SHADES)).round() as i32).clamp(-SHADES, SHADES)
    }
}

/// From red through white to blue.
fn colour(shade: i32) -> String {
    let strongest = if shade < 0 { [0xb2, 0x18, 0x2b] } else { [0x21, 0x66, 0xac] };
    let share = f64::from(shade.abs()) / f64::from(SHADES);
    let [red, green, blue] = strongest.map(|end| (255.0 + (f64::from(end) - 255.0) * share).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{counting_file, tail_file};
    use super::*;

    #[test]
    fn the_most_important_neuron_comes_first() {
        let network = Network::read(&counting_file()).expect("a whole file");
        let neurons = Neuron::most_important(&network, 0, 5);
        assert_eq!(neurons.iter().map(|neuron| neuron.index).collect::<Vec<_>>(), [3, 0, 1, 2, 4]);
        let first = &neurons[0];
        assert_eq!((first.weights.len(), first.weights[0], first.weights[384]), (768, 8, 0));
        assert_eq!(first.outputs, [vec![64, 64], vec![0, 0]]);
    }

    #[test]
    fn the_neurons_of_a_pair_share_its_weights() {
        let network = Network::read(&tail_file()).expect("a whole file");
        let neurons = Neuron::most_important(&network, 0, 64);
        // Only one of the two has inputs.
        assert_eq!(neurons[0].index, 5);
        // Sixteen weights of 3 are as long as one of 12.
        let pair: Vec<usize> =
            neurons.iter().filter(|n| n.outputs == [vec![12, 12], vec![0, 0]]).map(|n| n.index).collect();
        assert_eq!(pair, [5, 37]);
    }

    #[test]
    fn pictures_are_whole() {
        for (count, file) in [(1, counting_file()), (2, counting_file()), (5, counting_file()), (2, tail_file())] {
            let network = Network::read(&file).expect("a whole file");
            let neurons = Neuron::most_important(&network, 0, count);
            let svg = Picture::new(&network, 0, "a<b").svg(&neurons);
            assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
            assert_eq!(svg.matches(">neuron ").count(), count);
            assert_eq!(svg.matches("h72v72h-72z").count(), 12 * count);
        }
    }

    #[test]
    fn colours_go_from_red_to_blue() {
        assert_eq!([-SHADES, 0, SHADES].map(colour), ["#b2182b", "#ffffff", "#2166ac"]);
    }
}
