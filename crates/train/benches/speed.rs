//! Positions a second, per second of processor time: `cargo bench -p gannet-train --bench speed -- FILE [SHAPE…]`, with a file
//! of positions and shapes such as 512x1, the width and the number of king buckets, or 512x1+tail. A number alone is one of threads.

use std::path::PathBuf;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use train::{Data, Kernels, Layout, Loss, Settings, Split, Trainer};

/// Steps that are measured, after some that are not.
const STEPS: u32 = 20;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let Some((file, shapes)) = words.split_first() else {
        return println!("speed: the name of a file of positions expected");
    };
    let threads = shapes.iter().find_map(|word| word.parse().ok()).unwrap_or(1);
    let shapes: Vec<(usize, usize, bool)> = shapes
        .iter()
        .map(|word| (word.trim_end_matches("+tail"), word.ends_with("+tail")))
        .filter_map(|(word, tail)| word.split_once('x').map(|(hidden, kings)| (hidden, kings, tail)))
        .filter_map(|(hidden, kings, tail)| Some((hidden.parse().ok()?, kings.parse().ok()?, tail)))
        .collect();
    let shapes = if shapes.is_empty() { vec![(512, 1, false), (512, 1, true)] } else { shapes };
    println!("shape       kernels   threads   positions per CPU second   per second");
    for (hidden, kings, tail) in shapes {
        let map = std::array::from_fn(|square| (square * kings / 32) as u8);
        let layout = Layout::new(hidden, 8, &map);
        let layout = if tail { layout.with_tail() } else { layout };
        let name = format!("{hidden}x{kings}{}", if tail { "+tail" } else { "" });
        for kernels in Kernels::available() {
            measure(file, &name, layout.clone(), kernels, threads);
        }
    }
}

/// Measures one shape.
fn measure(file: &str, name: &str, layout: Layout, kernels: Kernels, threads: usize) {
    let settings = Settings {
        layout,
        seed: 1,
        batch: 16384,
        epochs: 100.0,
        rate: (0.001, 0.001),
        result: (0.1, 0.1),
        decay: 0.01,
        loss: Loss { scale: 400.0, power: 2.0 },
    };
    let data = Data::open(&[PathBuf::from(file)], Split { share: 0.01, seed: 1 }, 1);
    let trainer = data.and_then(|data| Trainer::new(data, settings, None, threads));
    let mut trainer = match trainer {
        Ok(trainer) => trainer.with_kernels(kernels),
        Err(error) => return println!("speed: {error}"),
    };
    let mut steps = |count: u32| (0..count).for_each(|_| drop(trainer.step()));
    steps(5);
    let (cpu, wall) = (processor_time(), Instant::now());
    steps(STEPS);
    let positions = f64::from(STEPS) * 16384.0;
    println!(
        "{:<11} {:<9} {threads:>7} {:>26.0} {:>12.0}",
        name,
        format!("{kernels:?}"),
        positions / (processor_time() - cpu),
        positions / wall.elapsed().as_secs_f64()
    );
}

/// Seconds that this process has had a processor.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
