//! The same for networks with a tail.

use engine::nnue::{FIRST, SECOND, TAIL_NUMBERS};

use super::*;
use crate::layout::{LAST_ROWS, last_place};

fn tail_settings(hidden: usize, kings: &[u8; 32]) -> Settings {
    let plain = settings(hidden, kings);
    Settings { layout: plain.layout.clone().with_tail(), ..plain }
}

#[test]
fn it_learns_with_a_tail_and_its_integers_are_the_engines() {
    let file = File::new("tail-learns", 12_000);
    for map in maps() {
        let mut settings = tail_settings(64, &map);
        (settings.epochs, settings.result) = (8.0, (0.0, 0.0));
        let mut trainer = Trainer::new(file.data(), settings, None, 2).expect("enough positions");
        let before = trainer.validate();
        run(&mut trainer);
        let after = trainer.validate();
        assert!(before > 0.05 && after < 0.02, "{before} {after}");
        let (weights, _) = trainer.quantise("a test".to_string());
        let integers = trainer.validate_integers(&weights);
        assert!((integers - after).abs() < 0.002, "{integers} {after}");
        let network = Network::read(&weights.file()).expect("within its limits");
        assert_eq!(Weights::from(&network), weights);
        // Started from the integers, it is where it was, but for the products, which are rounded there.
        for hidden in [64, 128] {
            let settings = Settings { layout: tail_settings(hidden, &map).layout, ..trainer.settings().clone() };
            let trainer = Trainer::new(file.data(), settings, Some(&weights), 2);
            let found = trainer.expect("it fits").validate();
            assert!((found - integers).abs() < 0.002, "{hidden}: {found}, not {integers}, {after}");
        }
        // Twice as much of everything.
        let sum = |weights: &Weights, trainer: &Trainer| -> i32 {
            trainer.references(200).map(|position| crate::integer::evaluate(weights, position).abs()).sum()
        };
        let once = sum(&weights, &trainer);
        trainer.rescale(2.0);
        let twice = sum(&trainer.quantise(String::new()).0, &trainer);
        assert!((twice - 2 * once).abs() <= 200, "{twice} {once}");
    }
}

#[test]
fn a_tail_goes_on_from_a_tail_only() {
    let file = File::new("tail-init", 3000);
    for (from, to, message) in [
        (settings(64, &[0; 32]), tail_settings(64, &[0; 32]), "it has no tail, and the new one is to have a tail"),
        (tail_settings(64, &[0; 32]), settings(64, &[0; 32]), "it has a tail, and the new one is to have no tail"),
    ] {
        let weights = Trainer::new(file.data(), from, None, 1).expect("enough positions").quantise(String::new()).0;
        let error = Trainer::new(file.data(), to, Some(&weights), 1).err();
        assert!(error.is_some_and(|error| error.to_string().contains(message)), "{message}");
    }
}

#[test]
fn threads_vectors_and_interruptions_do_not_matter_to_a_tail() {
    let file = File::new("tail-threads", 6000);
    for map in maps() {
        let mut settings = tail_settings(128, &map);
        settings.batch = 3000;
        let mut first: Option<Vec<u8>> = None;
        for kernels in Kernels::available() {
            for threads in [1, 3] {
                let new = || {
                    let trainer = Trainer::new(file.data(), settings.clone(), None, threads);
                    trainer.expect("enough positions").with_kernels(kernels)
                };
                let mut trainer = new();
                trainer.step().expect("numbers");
                let bytes = trainer.checkpoint().expect("numbers");
                trainer = new();
                trainer.resume(&bytes).expect("it is its own");
                run(&mut trainer);
                let file = trainer.quantise(format!("{:?}", trainer.epochs())).0.file();
                assert!(first.get_or_insert_with(|| file.clone()) == &file, "{threads} threads, {kernels:?}");
            }
        }
    }
}

/// What a plain computation in double precision makes of a position and a network with a tail.
struct Pass {
    bucket: usize,
    rows: [Vec<usize>; 2],
    /// Of both sides: before and after clipping.
    sums: [Vec<f64>; 2],
    clipped: [Vec<f64>; 2],
    products: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    output: f64,
}

fn squared(sum: f64) -> f64 {
    sum.clamp(0.0, 1.0).powi(2)
}

/// The derivative of the same.
fn slope_of_square(sum: f64) -> f64 {
    if (0.0..1.0).contains(&sum) { 2.0 * sum } else { 0.0 }
}

impl Plain<'_> {
    fn dense(&self, bucket: usize, input: usize, neuron: usize) -> f64 {
        let (row, place) = self.model.dense_place(bucket, input, neuron);
        f64::from(self.model.learned[row].get(place))
    }

    fn last(&self, bucket: usize, number: usize) -> f64 {
        let (row, place) = last_place(number);
        f64::from(self.model.last()[bucket * LAST_ROWS + row].get(place))
    }

    fn pass(&self, position: &Position) -> Pass {
        let layout = &self.model.layout;
        let (hidden, inputs) = (layout.shape.hidden, layout.inputs());
        let rows = self.rows(position);
        let bucket = layout.output_bucket(rows[0].len());
        let sums: [Vec<f64>; 2] = [0, 1].map(|side| {
            let sum = |neuron| rows[side].iter().chain([&inputs]).map(|&row| self.weight(row, neuron)).sum();
            (0..hidden).map(sum).collect()
        });
        let clipped = [0, 1].map(|side: usize| sums[side].iter().map(|sum| sum.clamp(0.0, 1.0)).collect::<Vec<f64>>());
        let pairs = |side: &Vec<f64>| -> Vec<f64> {
            (0..hidden).filter(|neuron| neuron % 64 < 32).map(|neuron| side[neuron] * side[neuron + 32]).collect()
        };
        let products: Vec<f64> = clipped.iter().flat_map(pairs).collect();
        let first: Vec<f64> = (0..FIRST)
            .map(|neuron| {
                let terms = products.iter().enumerate().map(|(input, p)| p * self.dense(bucket, input, neuron));
                terms.sum::<f64>() + self.last(bucket, neuron)
            })
            .collect();
        let weights = FIRST + FIRST * SECOND;
        let second: Vec<f64> = (0..SECOND)
            .map(|neuron| {
                let terms =
                    (0..FIRST).map(|input| squared(first[input]) * self.last(bucket, FIRST + input * SECOND + neuron));
                terms.sum::<f64>() + self.last(bucket, weights + neuron)
            })
            .collect();
        let outputs = (0..SECOND).map(|neuron| squared(second[neuron]) * self.last(bucket, weights + SECOND + neuron));
        let output = outputs.sum::<f64>() + self.last(bucket, TAIL_NUMBERS - 1);
        Pass { bucket, rows, sums, clipped, products, first, second, output }
    }

    /// The gradient of every row of the hidden layer, of the dense weights by bucket, input and neuron, and of what follows by
    /// bucket and number.
    fn tail_gradient(&self, loss: Loss) -> (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
        let shape = self.model.layout.shape;
        let (hidden, inputs) = (shape.hidden, self.model.layout.inputs());
        let mut rows = vec![vec![0.0; hidden]; inputs + 1];
        let mut dense = vec![0.0; shape.output_buckets * hidden * FIRST];
        let mut last = vec![0.0; shape.output_buckets * TAIL_NUMBERS];
        let weights = FIRST + FIRST * SECOND;
        for position in &self.positions {
            let pass = self.pass(position);
            let slope = f64::from(loss.of(pass.output as f32, position, 0.0).1);
            let last = &mut last[pass.bucket * TAIL_NUMBERS..][..TAIL_NUMBERS];
            last[TAIL_NUMBERS - 1] += slope;
            let mut above = [0.0; FIRST];
            for neuron in 0..SECOND {
                last[weights + SECOND + neuron] += slope * squared(pass.second[neuron]);
                let output = self.last(pass.bucket, weights + SECOND + neuron);
                let delta = slope * output * slope_of_square(pass.second[neuron]);
                last[weights + neuron] += delta;
                for input in 0..FIRST {
                    last[FIRST + input * SECOND + neuron] += delta * squared(pass.first[input]);
                    above[input] += delta * self.last(pass.bucket, FIRST + input * SECOND + neuron);
                }
            }
            let deltas: Vec<f64> =
                (0..FIRST).map(|neuron| above[neuron] * slope_of_square(pass.first[neuron])).collect();
            (0..FIRST).for_each(|neuron| last[neuron] += deltas[neuron]);
            for input in 0..hidden {
                let mut delta = 0.0;
                for neuron in 0..FIRST {
                    dense[(pass.bucket * hidden + input) * FIRST + neuron] += deltas[neuron] * pass.products[input];
                    delta += deltas[neuron] * self.dense(pass.bucket, input, neuron);
                }
                let (side, product) = (input / (hidden / 2), input % (hidden / 2));
                let low = product / 32 * 64 + product % 32;
                for (neuron, other) in [(low, low + 32), (low + 32, low)] {
                    if (0.0..1.0).contains(&pass.sums[side][neuron]) {
                        let delta = delta * pass.clipped[side][other];
                        pass.rows[side].iter().chain([&inputs]).for_each(|&row| rows[row][neuron] += delta);
                    }
                }
            }
        }
        (rows, dense, last)
    }
}

#[test]
fn gradients_of_a_tail_are_those_of_a_plain_computation() {
    let file = File::new("tail-gradients", 1500);
    let close = |found: f32, expected: f64| (f64::from(found) - expected).abs() < 2e-4 * expected.abs().max(0.1);
    for map in maps() {
        let mut settings = tail_settings(128, &map);
        settings.batch = 1100;
        let loss = settings.loss;
        for kernels in Kernels::available() {
            let trainer = Trainer::new(file.data(), settings.clone(), None, 2).expect("enough positions");
            let mut trainer = trainer.with_kernels(kernels);
            trainer.learn(0, 0.0);
            let all = (0..1100).map(|place| trainer.data.get(trainer.order.at(place)));
            let positions: Vec<Position> = all.filter(|(_, held)| !held).map(|(position, _)| *position).collect();
            let (rows, dense, last) = Plain { model: &trainer.model, positions }.tail_gradient(loss);
            let layout = trainer.model.layout.clone();
            let groups: Vec<&Gradient> = trainer.gradients.iter().filter(|gradient| gradient.count > 0).collect();
            let mut all = Vec::new();
            for tile in 0..layout.tiles() {
                all.extend(trainer.workers[0].add_up(&layout, kernels, &groups, tile).to_vec());
            }
            for (row, expected) in rows.iter().enumerate() {
                for (neuron, &expected) in expected.iter().enumerate() {
                    let found =
                        all[neuron / TILE * trainer.model.tile_rows() + layout.shared() + row].get(neuron % TILE);
                    assert!(close(found, expected), "{kernels:?}, row {row}, {neuron}: {found}, not {expected}");
                }
            }
            for (index, &expected) in dense.iter().enumerate() {
                let (row, place) = trainer.model.dense_place(index / FIRST / 128, index / FIRST % 128, index % FIRST);
                let found = all[row].get(place);
                assert!(close(found, expected), "{kernels:?}, dense {index}: {found}, not {expected}");
            }
            for (index, &expected) in last.iter().enumerate() {
                let (row, place) = last_place(index % TAIL_NUMBERS);
                let row = index / TAIL_NUMBERS * LAST_ROWS + row;
                let found = groups.iter().map(|group| group.last[row].get(place)).sum();
                assert!(close(found, expected), "{kernels:?}, number {index}: {found}, not {expected}");
            }
            assert!(dense.iter().filter(|gradient| gradient.abs() > 1e-3).count() > 1000);
            assert!(last.iter().filter(|gradient| gradient.abs() > 1e-3).count() > 1000);
        }
    }
}
