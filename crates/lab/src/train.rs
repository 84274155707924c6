//! `gannet-lab train`: learns a network from positions.

mod options;
mod progress;
mod scale;
mod write;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::train::{Data, Kernels, Split, TrainError, Trainer};
use clap::Args;
use engine::Source;
use engine::nnue::{Network, Shape, Weights};

use self::options::Recipe;
use self::progress::Progress;
pub use self::write::Figures;
use crate::failure::{Failure, Result};
use crate::files::Draft;
use crate::pool;

const EXAMPLES: &str = "\
Examples:
  gannet-lab data expand data/games --out data/games.bin32 --shuffle 1
  gannet-lab train --data data/games.bin32 --out nets/new.gnet
  gannet-lab train --data data/games.bin32 --tail 16x32 --out nets/tail.gnet
  gannet-lab train --data data/new --init nets/gannet.gnet --lr 0.0003 --epochs 4 --out nets/new.gnet
  gannet-lab net verify nets/new.gnet

Every few minutes, and with Ctrl-C, the state goes into NET.checkpoint; the same command with --resume
goes on from there and ends as if nothing had happened. The same positions, settings and seed give the same network,
byte for byte, with any number of threads and on any machine.";

/// The environment variable that names the vector arithmetic to use, where it is not to be the fastest; the engine obeys it, too.
const ARITHMETIC: &str = "GANNET_SIMD";

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
    /// Go on with a training that was interrupted
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    recipe: Recipe,
    /// Keep the state every so many minutes
    #[arg(long, default_value_t = 5.0, value_name = "MINUTES", value_parser = options::above_zero)]
    checkpoint: f64,
    /// Threads, at most 8 [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// At the end, multiply the evaluation by what makes its mean size on held-out positions that of this network (or
    /// <bootstrap>), so that margins of the search keep their meaning
    #[arg(long, value_name = "NET")]
    like: Option<String>,
    /// A line to add to what the network says about how it was made
    #[arg(long, value_name = "TEXT")]
    note: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    pool::catch_interrupts()?;
    network(arguments).map(drop)
}

/// Learns the network and writes it, with all that stands beside it.
pub fn network(arguments: &Arguments) -> Result<Figures> {
    let threads = arguments.threads.map_or_else(pool::default_threads, usize::from);
    let out = arguments.out.with_extension("gnet");
    let init = arguments.init.as_deref().map(open).transpose()?;
    let like = arguments.like.as_deref().map(Source::load).transpose();
    let like = like.map_err(|error| Failure::arguments(format!("--like: {error}")))?;
    let recipe = &arguments.recipe;
    let settings = recipe.settings(init.as_ref())?;
    let checkpoint = Checkpoint::new(&out, arguments)?;
    // Whether there is a place for the network is better known before hours of work.
    drop(Draft::create(&out)?);
    let split = Split { share: recipe.validation, seed: recipe.seed };
    let data = Data::open(&files(&arguments.data)?, split, threads).map_err(failed)?;
    let (training, held) = (data.training(), data.held().len());
    let mut trainer = Trainer::new(data, settings, init.as_ref(), threads).map_err(failed)?;
    if let Some(name) = std::env::var_os(ARITHMETIC).filter(|name| !name.is_empty()) {
        let kernels = Kernels::named(&name.to_string_lossy());
        trainer = trainer.with_kernels(kernels.map_err(|error| Failure::arguments(format!("{ARITHMETIC}: {error}")))?);
    }
    if arguments.resume {
        checkpoint.read(&mut trainer)?;
    }
    println!(
        "{training} positions to learn from, {held} held out; {} steps of {}; {}; {:?}",
        trainer.steps(),
        recipe.batch,
        trainer.settings().layout.shape,
        trainer.kernels()
    );
    if init.is_some() && trainer.step_number() == 0 {
        println!("at the start           validation {:.6}", trainer.validate());
    }
    learn(&mut trainer, checkpoint)?;
    let before = trainer.validate();
    let scaled = like.map(|like| scale::rescale(&mut trainer, &like)).transpose()?;
    let figures = write::finish(&mut trainer, arguments, &out, before, scaled)?;
    // Nothing is left to go on with.
    let _ = std::fs::remove_file(beside(&out));
    Ok(figures)
}

/// Takes all steps that are left.
fn learn(trainer: &mut Trainer, mut checkpoint: Checkpoint) -> Result<()> {
    let mut progress = Progress::new(trainer);
    while !trainer.finished() {
        if pool::interrupted() {
            checkpoint.keep(&checkpoint.state(trainer)?)?;
            println!("To go on: the same command with --resume");
            return Err(Failure::Interrupted);
        }
        let epoch = trainer.step().map_err(|error| checkpoint.explain(&error))?;
        progress.say(trainer, epoch);
        if checkpoint.is_due()
            && let Err(failure) = checkpoint.keep(&checkpoint.state(trainer)?)
        {
            // There may be room again the next time.
            eprintln!("{failure}; going on without");
        }
    }
    // Clamped weights can hide for long that others are no numbers.
    checkpoint.state(trainer).map(drop)
}

fn failed(error: TrainError) -> Failure {
    Failure::new(error.to_string())
}

/// Where the state of a training is kept.
fn beside(out: &Path) -> PathBuf {
    out.with_extension("checkpoint")
}

/// The file that a training goes on from.
struct Checkpoint {
    path: PathBuf,
    every: Duration,
    written: Instant,
    /// Whether there is one to go on from.
    there: bool,
}

impl Checkpoint {
    /// Beside the network to write; an earlier one is not overwritten.
    fn new(out: &Path, arguments: &Arguments) -> Result<Checkpoint> {
        let path = beside(out);
        let there = path.is_file();
        if there && !arguments.resume {
            let message = format!(
                "{} is the state of a training that was interrupted: go on with --resume, or remove the file",
                path.display()
            );
            return Err(Failure::arguments(message));
        }
        if !there && arguments.resume {
            println!("There is no {}, so it begins at the beginning", path.display());
        }
        let every = Duration::from_secs_f64((60.0 * arguments.checkpoint).min(1e9));
        Ok(Checkpoint { path, every, written: Instant::now(), there })
    }

    /// Brings a training to where it was.
    fn read(&self, trainer: &mut Trainer) -> Result<()> {
        if !self.there {
            return Ok(());
        }
        let bytes = std::fs::read(&self.path).map_err(|error| Failure::file("read", &self.path, error))?;
        trainer.resume(&bytes).map_err(|error| Failure::file("go on from", &self.path, error))
    }

    fn is_due(&self) -> bool {
        self.written.elapsed() >= self.every
    }

    /// The state to keep; an error if it has weights that are no numbers, with which nobody should go on.
    fn state(&self, trainer: &Trainer) -> Result<Vec<u8>> {
        trainer.checkpoint().map_err(|error| self.explain(&error))
    }

    /// Keeps a state. Whatever fails, the file is whole: this state or the one before.
    fn keep(&mut self, state: &[u8]) -> Result<()> {
        self.written = Instant::now();
        let mut draft = Draft::create(&self.path)?;
        draft.write(state)?;
        draft.finish()?;
        self.there = true;
        Ok(())
    }

    /// What has ended the training, and what there is in spite of it.
    fn explain(&self, error: &TrainError) -> Failure {
        let kept = if self.there { "the last good state is in" } else { "no good state was kept yet in" };
        Failure::new(format!("{error}; {kept} {}", self.path.display()))
    }
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

/// The shape of a network, in words for its provenance.
fn shape(shape: Shape) -> String {
    let Shape { hidden, king_buckets, output_buckets, tail } = shape;
    let rest = if tail { "pairs -> (16 -> 32 -> 1)x" } else { "SCReLU -> " };
    format!("(768*{king_buckets} mirrored -> {hidden})x2 -> {rest}{output_buckets}")
}
