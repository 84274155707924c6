//! Tests of the training on positions of random men, whose score is their material.

use std::path::{Path, PathBuf};

use engine::nnue::{INPUTS, Network};

use super::*;
use crate::data::Split;
use crate::position::men_of;
use crate::row::TILE;

mod tail;

const VALUES: [i32; 5] = [100, 300, 300, 500, 900];

/// A position of random men: not for chess.
fn random_position(rng: &mut Rng, game: u32) -> Position {
    let men = 2 + rng.below(31);
    let mut squares: Vec<usize> = (0..64).collect();
    rng.shuffle(&mut squares);
    let mut codes = [None; 64];
    let mut score = 0;
    for (index, &square) in squares[..men].iter().enumerate() {
        let (kind, other) = if index < 2 { (5, index) } else { (rng.below(5), rng.below(2)) };
        // No pawn stands on the first or last rank.
        let kind = if kind == 0 && !(8..56).contains(&square) { 1 } else { kind };
        score += VALUES.get(kind).unwrap_or(&0) * (1 - 2 * other as i32);
        codes[square] = Some((kind + 8 * other) as u8);
    }
    let luck = score + rng.below(800) as i32 - 400;
    let mut position = [0; 32];
    let mut count = 0;
    for (square, code) in codes.iter().enumerate() {
        if let Some(code) = code {
            position[square / 8] |= 1 << (square % 8);
            position[8 + count / 2] |= code << (count % 2 * 4);
            count += 1;
        }
    }
    position[24..26].copy_from_slice(&(score.clamp(-3000, 3000) as i16).to_le_bytes());
    position[26] = 1 + u8::from(luck > 150) - u8::from(luck < -150);
    position[28..].copy_from_slice(&game.to_le_bytes());
    position
}

/// A file of random positions in games of twenty; it goes away with this value.
struct File(PathBuf);

impl File {
    fn new(name: &str, count: u32) -> File {
        let path = std::env::temp_dir().join(format!("gannet-train-{name}-{}", std::process::id()));
        let mut rng = Rng::new(17, 0);
        let positions: Vec<Position> = (0..count).map(|number| random_position(&mut rng, number / 20)).collect();
        std::fs::write(&path, positions.as_flattened()).expect("there is room");
        File(path)
    }

    fn data(&self) -> Data {
        let paths = [self.0.clone()];
        Data::open(&paths, Split { share: 0.05, seed: 1 }, 2).expect("sound")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn settings(hidden: usize, kings: &[u8; 32]) -> Settings {
    Settings {
        layout: Layout::new(hidden, 8, kings),
        seed: 3,
        batch: 500,
        epochs: 2.0,
        rate: (0.003, 0.00003),
        result: (0.0, 0.5),
        decay: 0.01,
        loss: Loss { scale: 400.0, power: 2.0 },
    }
}

/// One king bucket, or three.
fn maps() -> [[u8; 32]; 2] {
    [[0; 32], std::array::from_fn(|square| (square / 4).min(2) as u8)]
}

fn run(trainer: &mut Trainer) {
    while !trainer.finished() {
        trainer.step().expect("numbers");
    }
}

#[test]
fn it_learns_and_its_integers_are_the_engines() {
    let file = File::new("learns", 12_000);
    for map in maps() {
        let mut settings = settings(32, &map);
        (settings.epochs, settings.result) = (8.0, (0.0, 0.0));
        let mut trainer = Trainer::new(file.data(), settings, None, 2).expect("enough positions");
        let before = trainer.validate();
        run(&mut trainer);
        let after = trainer.validate();
        assert!(before > 0.05 && after < 0.01, "{before} {after}");
        assert_eq!(trainer.epochs().len(), 8);
        let (weights, _) = trainer.quantise("a test".to_string());
        let integers = trainer.validate_integers(&weights);
        assert!((integers - after).abs() < 0.002, "{integers} {after}");
        let network = Network::read(&weights.file()).expect("within its limits");
        assert_eq!(Weights::from(&network), weights);
        // Started from the integers, it is where it was.
        let mut again =
            Trainer::new(file.data(), trainer.settings().clone(), Some(&weights), 2).expect("enough positions");
        assert!((again.validate() - integers).abs() < 1e-4);
    }
}

#[test]
fn threads_and_vectors_do_not_matter() {
    let file = File::new("threads", 9000);
    for map in maps() {
        let mut first: Option<Vec<u8>> = None;
        for kernels in Kernels::available() {
            for threads in [1, 2, 5] {
                let mut settings = settings(96, &map);
                settings.batch = 3000;
                let trainer = Trainer::new(file.data(), settings, None, threads).expect("enough positions");
                let mut trainer = trainer.with_kernels(kernels);
                run(&mut trainer);
                let file = trainer.quantise(format!("{:?}", trainer.epochs())).0.file();
                assert!(first.get_or_insert_with(|| file.clone()) == &file, "{threads} threads, {kernels:?}");
            }
        }
    }
}

/// The outputs of a network and the gradients of its loss, weight by weight in the plainest way.
struct Plain<'a> {
    model: &'a Model,
    positions: Vec<Position>,
}

impl Plain<'_> {
    fn weight(&self, row: usize, neuron: usize) -> f64 {
        f64::from(self.model.tile(neuron / TILE)[row].get(neuron % TILE))
    }

    /// The rows that are switched on for either side.
    fn rows(&self, position: &Position) -> [Vec<usize>; 2] {
        let men: Vec<_> = men_of(position).collect();
        [(true, 0), (false, 56)].map(|(side, turn)| {
            let king = men.iter().find(|man| man.1 == 5 && man.2 == side).map_or(0, |man| man.0 ^ turn);
            let flip = turn ^ if king % 8 >= 4 { 7 } else { 0 };
            let bucket = usize::from(self.model.layout.kings[king ^ if king % 8 >= 4 { 7 } else { 0 }]);
            let row = |&(square, kind, own): &(usize, usize, bool)| {
                bucket * INPUTS + if own == side { 0 } else { 384 } + kind * 64 + (square ^ flip)
            };
            men.iter().map(row).collect()
        })
    }

    /// The gradient of every row, summed over all positions; the output biases come last.
    fn gradient(&self, loss: Loss) -> (Vec<Vec<f64>>, Vec<f64>) {
        let layout = &self.model.layout;
        let (hidden, inputs) = (layout.shape.hidden, layout.inputs());
        let mut gradient = vec![vec![0.0; hidden]; layout.rows()];
        let mut biases = vec![0.0; layout.shape.output_buckets];
        for position in &self.positions {
            let rows = self.rows(position);
            let bucket = layout.output_bucket(rows[0].len());
            let sums: [Vec<f64>; 2] = [0, 1].map(|side| {
                (0..hidden)
                    .map(|neuron| {
                        let weights = rows[side].iter().map(|&row| self.weight(row, neuron));
                        weights.sum::<f64>() + self.weight(inputs, neuron)
                    })
                    .collect()
            });
            let mut output = f64::from(self.model.last()[0].get(bucket));
            for (side, sums) in sums.iter().enumerate() {
                for (neuron, sum) in sums.iter().enumerate() {
                    output += sum.clamp(0.0, 1.0).powi(2) * self.weight(inputs + 1 + 2 * bucket + side, neuron);
                }
            }
            let slope = f64::from(loss.of(output as f32, position, 0.0).1);
            biases[bucket] += slope;
            for (side, sums) in sums.iter().enumerate() {
                let out = inputs + 1 + 2 * bucket + side;
                for (neuron, sum) in sums.iter().enumerate() {
                    gradient[out][neuron] += slope * sum.clamp(0.0, 1.0).powi(2);
                    if (0.0..1.0).contains(sum) {
                        let delta = slope * self.weight(out, neuron) * 2.0 * sum;
                        gradient[inputs][neuron] += delta;
                        rows[side].iter().for_each(|&row| gradient[row][neuron] += delta);
                    }
                }
            }
        }
        (gradient, biases)
    }
}

#[test]
fn gradients_are_those_of_a_plain_computation() {
    let file = File::new("gradients", 3000);
    for map in maps() {
        let mut settings = settings(96, &map);
        settings.batch = 2100;
        let loss = settings.loss;
        for kernels in Kernels::available() {
            let trainer = Trainer::new(file.data(), settings.clone(), None, 2).expect("enough positions");
            let mut trainer = trainer.with_kernels(kernels);
            let (_, count) = trainer.learn(0, 0.0);
            let all = (0..2100).map(|place| trainer.data.get(trainer.order.at(place)));
            let positions: Vec<Position> = all.filter(|(_, held)| !held).map(|(position, _)| *position).collect();
            assert_eq!(count, positions.len() as u64);
            let (expected, biases) = Plain { model: &trainer.model, positions }.gradient(loss);
            let layout = trainer.model.layout.clone();
            let groups: Vec<&Gradient> = trainer.gradients.iter().filter(|gradient| gradient.count > 0).collect();
            for neuron in 0..96 {
                let worker = &mut trainer.workers[0];
                let found = &worker.add_up(&layout, kernels, &groups, neuron / TILE)[layout.shared()..];
                for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let (found, expected) = (f64::from(found.get(neuron % TILE)), expected[neuron]);
                    let close = (found - expected).abs() < 1e-4 * expected.abs().max(0.1);
                    assert!(close, "{kernels:?}, row {row}, neuron {neuron}: {found}, not {expected}");
                }
            }
            for (bucket, expected) in biases.iter().enumerate() {
                let found: f64 = groups.iter().map(|group| f64::from(group.last[0].get(bucket))).sum();
                assert!((found - expected).abs() < 1e-3, "{bucket}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn a_wider_network_or_one_with_king_buckets_starts_where_the_old_one_ended() {
    let file = File::new("init", 6000);
    let mut small = Trainer::new(file.data(), settings(32, &[0; 32]), None, 2).expect("enough positions");
    run(&mut small);
    let weights = small.quantise(String::new()).0;
    let loss = small.validate_integers(&weights);
    for (hidden, map) in [(96, maps()[0]), (32, maps()[1]), (64, maps()[1])] {
        let settings = settings(hidden, &map);
        let mut trainer = Trainer::new(file.data(), settings, Some(&weights), 2).expect("it fits");
        let (found, limit) = (trainer.validate(), if hidden > 32 { 1e-3 } else { 1e-4 });
        assert!((found - loss).abs() < limit, "{hidden}: {found}, not {loss}");
    }
    let refused = |settings: Settings| Trainer::new(file.data(), settings, Some(&weights), 2).err();
    let mut other = settings(32, &[0; 32]);
    other.layout.shape.output_buckets = 4;
    assert!(refused(other).is_some_and(|error| error.to_string().contains("8 output buckets, not 4")));
}

#[test]
fn too_few_positions_and_numbers_too_large_are_told() {
    let file = File::new("few", 1000);
    let mut few = settings(32, &[0; 32]);
    few.batch = 999;
    assert!(matches!(Trainer::new(file.data(), few, None, 1).err(), Some(TrainError::TooFew(..))));
    let mut fast = settings(32, &[0; 32]);
    fast.rate = (1e38, 1e38);
    let mut trainer = Trainer::new(file.data(), fast, None, 1).expect("enough positions");
    let error = (0..trainer.steps()).find_map(|_| trainer.step().err());
    assert!(matches!(error, Some(TrainError::NotANumber(_))), "{error:?}");
    assert!(Path::new(&file.0).exists());
}

#[test]
fn what_goes_on_from_a_checkpoint_ends_the_same() {
    let file = File::new("resume", 9000);
    for map in maps() {
        let new = || Trainer::new(file.data(), settings(96, &map), None, 2).expect("enough positions");
        let mut straight = new();
        run(&mut straight);
        let mut trainer = new();
        // At the beginning, within an epoch, at its end, within the next, at the end.
        for stop in [0, 5, trainer.steps_per_epoch(), trainer.steps_per_epoch() + 7, trainer.steps()] {
            while trainer.step_number() < stop {
                trainer.step().expect("numbers");
            }
            let bytes = trainer.checkpoint().expect("numbers");
            trainer = new();
            trainer.resume(&bytes).expect("it is its own");
            assert_eq!(trainer.step_number(), stop);
        }
        assert_eq!((trainer.epochs(), trainer.curve()), (straight.epochs(), straight.curve()));
        assert!(trainer.quantise(String::new()) == straight.quantise(String::new()));
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let file = File::new("checkpoint", 3000);
    let new = |settings: Settings| Trainer::new(file.data(), settings, None, 1).expect("enough positions");
    let mut trainer = new(settings(32, &[0; 32]));
    trainer.step().expect("numbers");
    let bytes = trainer.checkpoint().expect("numbers");
    let error = |trainer: &mut Trainer, bytes: &[u8]| {
        let error = trainer.resume(bytes).err();
        assert_eq!(trainer.step_number(), 1);
        error.map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(error(&mut trainer, b"GANNETNN and more").contains("it must begin with GANNETCP"));
    for length in (8..bytes.len()).step_by(bytes.len() / 50) {
        assert!(error(&mut trainer, &bytes[..length]).contains("the checksum does not match"), "{length}");
    }
    let mut later = bytes[..bytes.len() - 4].to_vec();
    later[8] = 9;
    later.extend(engine::crc32(&later).to_le_bytes());
    assert!(error(&mut trainer, &later).contains("its version is 9"));
    let mut short = bytes[..bytes.len() - 40].to_vec();
    short.extend(engine::crc32(&short).to_le_bytes());
    assert!(error(&mut trainer, &short).contains("shorter than it says"));
    let other = |change: &dyn Fn(&mut Settings)| {
        let mut changed = settings(32, &[0; 32]);
        change(&mut changed);
        new(changed).resume(&bytes).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(other(&|settings| settings.layout = Layout::new(64, 8, &[0; 32])).contains("→ 32)×2"));
    let message = other(&|settings| settings.seed = 4);
    assert!(message.contains("made with 'seed 3', but this is 'seed 4'"), "{message}");
    assert_eq!(other(&|_| {}), "");
}
