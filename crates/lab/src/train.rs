//! `gannet-lab train`: learns a network from positions.

mod options;
mod write;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::train::{Data, Epoch, Split, Trainer};
use clap::Args;
use engine::nnue::{Network, Shape, Weights};

use self::options::Recipe;
use crate::failure::{Failure, Result};
use crate::pool;

const EXAMPLES: &str = "\
Examples:
  gannet-lab data expand data/games --out data/games.bin32 --shuffle 1
  gannet-lab train --data data/games.bin32 --out nets/new.gnet
  gannet-lab train --data data/new --init nets/gannet.gnet --lr 0.0003 --epochs 4 --out nets/new.gnet
  gannet-lab net verify nets/new.gnet

The same positions, settings and seed give the same network, byte for byte, with any number of
threads and on any machine.";

/// How often a line is said.
const SAY: Duration = Duration::from_secs(10);

/// Learn a network from positions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Positions as `data expand` writes them: files, or folders of files that end in .bin32
    #[arg(long, required = true, num_args = 1.., value_name = "PLACE")]
    data: Vec<PathBuf>,
    /// The network to write; beside it go .reference.txt, .json and .svg
    #[arg(long, value_name = "NET")]
    out: PathBuf,
    /// Start from this network instead of random weights; a narrower one is widened, one without king buckets is split
    #[arg(long, value_name = "NET")]
    init: Option<PathBuf>,
    #[command(flatten)]
    recipe: Recipe,
    /// Threads, at most 8 [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// A line to add to what the network says about how it was made
    #[arg(long, value_name = "TEXT")]
    note: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let threads = arguments.threads.map_or_else(pool::default_threads, usize::from);
    let out = arguments.out.with_extension("gnet");
    let init = arguments.init.as_deref().map(open).transpose()?;
    let recipe = &arguments.recipe;
    let settings = recipe.settings(init.as_ref())?;
    let failed = |error: ::train::TrainError| Failure::new(error.to_string());
    let split = Split { share: recipe.validation, seed: recipe.seed };
    let data = Data::open(&files(&arguments.data)?, split, threads).map_err(failed)?;
    let (training, held) = (data.training(), data.held().len());
    let mut trainer = Trainer::new(data, settings, init.as_ref(), threads).map_err(failed)?;
    println!(
        "{training} positions to learn from, {held} held out; {} steps of {}; {}; {:?}",
        trainer.steps(),
        recipe.batch,
        trainer.settings().layout.shape,
        trainer.kernels()
    );
    pool::catch_interrupts()?;
    let mut progress = Progress::new(&trainer);
    while !trainer.finished() {
        if pool::interrupted() {
            return Err(Failure::Interrupted);
        }
        let epoch = trainer.step().map_err(failed)?;
        progress.say(&trainer, epoch);
    }
    write::finish(&mut trainer, arguments, &out)
}

/// The weights of a network.
fn open(path: &Path) -> Result<Weights> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, error))?;
    let network = Network::read(&bytes).map_err(|error| Failure::file("understand", path, error))?;
    Ok(Weights::from(&network))
}

/// The files of these places, in the order of their names.
fn files(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for place in places {
        if !place.is_dir() {
            files.push(place.clone());
            continue;
        }
        let failed = |error| Failure::file("read", place, error);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(place).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "bin32") {
                found.push(path);
            }
        }
        if found.is_empty() {
            let message = "no file of positions (*.bin32) in it; 'gannet-lab data expand' makes them from games";
            return Err(Failure::file("use", place, message));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Tells how far the training is.
struct Progress {
    began: Instant,
    first: u64,
    said: Instant,
    at: u64,
    terminal: bool,
}

impl Progress {
    fn new(trainer: &Trainer) -> Progress {
        let now = Instant::now();
        let at = trainer.step_number();
        Progress { began: now, first: at, said: now, at, terminal: std::io::stdout().is_terminal() }
    }

    fn say(&mut self, trainer: &Trainer, epoch: Option<Epoch>) {
        if epoch.is_none() && self.said.elapsed() < SAY {
            return;
        }
        let step = trainer.step_number();
        let batch = trainer.settings().batch as f64;
        let speed = (step - self.at) as f64 * batch / self.said.elapsed().as_secs_f64();
        let seconds = self.began.elapsed().as_secs_f64() / (step - self.first).max(1) as f64;
        let left = duration(seconds * (trainer.steps() - step) as f64);
        let percent = 100.0 * step as f64 / trainer.steps() as f64;
        match epoch {
            Some(epoch) => println!(
                "epoch {:3}  {percent:5.1} %  training {:.6}  validation {:.6}  {:.0} k positions/s  {left} left",
                trainer.epochs().len(),
                epoch.training,
                epoch.validation,
                speed / 1e3
            ),
            None if self.terminal => println!(
                "           {percent:5.1} %  training {:.6}                       {:.0} k positions/s  {left} left",
                trainer.loss().0,
                speed / 1e3
            ),
            None => {}
        }
        (self.said, self.at) = (Instant::now(), step);
    }
}

/// Hours, minutes and seconds.
fn duration(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The shape of a network, in words for its provenance.
fn shape(shape: Shape) -> String {
    format!("(768*{} mirrored -> {})x2 -> SCReLU -> {}", shape.king_buckets, shape.hidden, shape.output_buckets)
}
