//! `gannet-lab learn`: the whole way from nothing to a network in one command. Play, learn, compare, and play with what is
//! better; again and again.
//!
//! Everything that is done is in the folder, and what is not done yet follows from what is there: so the process can be
//! killed at any moment, and the same command goes on. Where generations or positions say when to end, no clock decides
//! anything, and the same command gives the same networks, byte for byte.

mod clock;
mod duel;
mod folder;
mod plan;
mod report;
mod stages;
mod state;

use std::path::PathBuf;

use clap::Args;

use self::folder::Folder;
use self::plan::{Goal, rungs_in_words};
use crate::failure::{Failure, Result};
use crate::pool;

const EXAMPLES: &str = "\
Examples:
  gannet-lab learn data/ladder --hours 1
      from nothing but the rules and the bootstrap evaluation; the same command with more hours goes on
  gannet-lab learn data/ladder --generations 6 --first 1000000
      sizes that do not depend on the machine: the same networks everywhere
  gannet-lab learn data/better --init nets/gannet.gnet --positions 40000000 --nodes 400 --first 5000000
      from a network that is there

Stop it in any way, also by switching off: the same command goes on where it was. FOLDER/report.md tells how far it has
come, FOLDER/best.gnet is the network so far: gannet, setoption name EvalFile value FOLDER/best.gnet

Exit status: 0 when the end that was asked for is reached, 1 it could not be, 2 bad arguments, 130 interrupted before.";

/// Learn from nothing: play, train, compare, again
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The folder of everything; it is made, or gone on in
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    goal: GoalArguments,
    /// Begin with this network instead of the bootstrap evaluation, and train on from it
    #[arg(long, value_name = "NET")]
    init: Option<PathBuf>,
    /// Positions of the first generation
    #[arg(long, default_value_t = 250_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    first: u64,
    /// Each generation has so many times the positions of the one before
    #[arg(long, default_value_t = 2.0, value_name = "F", value_parser = growth)]
    growth: f64,
    /// Nodes a move in self-play
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    nodes: u64,
    /// Neurons a side [default: by the number of positions]
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// King buckets, as `gannet-lab train` knows them [default: by the number of positions]
    #[arg(long, value_name = "MAP")]
    kings: Option<String>,
    /// Nodes a move in the match against the network before
    #[arg(long, default_value_t = 5000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Games of that match [default: one for 10000 positions of the generation, from 100 to 400]
    #[arg(long, value_name = "N", value_parser = crate::arguments::PAIRED)]
    match_games: Option<u64>,
    /// The seed of the games, the weights and the matches
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Threads [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Keep the state of a training every so many minutes
    #[arg(long, default_value_t = 5.0, value_name = "MINUTES")]
    checkpoint: f64,
    /// More words for `gannet-lab datagen`, such as "--dfrc-share 0"
    #[arg(long, default_value = "", value_name = "WORDS", allow_hyphen_values = true, hide_default_value = true)]
    play: String,
    /// More words for `gannet-lab train`, such as "--wdl 0.05 --epochs 20"
    #[arg(long, default_value = "", value_name = "WORDS", allow_hyphen_values = true, hide_default_value = true)]
    train: String,
}

/// When to end: one of these.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct GoalArguments {
    /// Go on for so many hours, with those that were spent in this folder before
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: Option<f64>,
    /// Go on until so many positions are played
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Go on until there are so many generations
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    generations: Option<u32>,
}

fn hours(text: &str) -> std::result::Result<f64, String> {
    text.parse()
        .ok()
        .filter(|hours| (0.001..=100_000.0).contains(hours))
        .ok_or("expected hours, such as 0.5".to_string())
}

fn growth(text: &str) -> std::result::Result<f64, String> {
    let growth = text.parse().ok().filter(|growth| (1.0..=10.0).contains(growth));
    growth.ok_or("expected a number from 1 to 10".to_string())
}

impl Arguments {
    fn goal(&self) -> Goal {
        let GoalArguments { hours, positions, generations } = self.goal;
        let counted = positions.map(Goal::Positions).or(generations.map(Goal::Generations));
        counted.unwrap_or(Goal::Hours(hours.unwrap_or(0.0)))
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(pool::default_threads, usize::from)
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    // What cannot be understood is said before anything is played.
    stages::check(arguments)?;
    let mut folder = Folder::open(arguments)?;
    pool::catch_interrupts()?;
    println!("{}\n{}", folder.headline(), rungs_in_words(arguments.hidden, arguments.kings.as_deref()));
    let outcome = climb(arguments, &mut folder);
    if let Err(failure) = folder.save() {
        eprintln!("{failure}");
    }
    if let Err(failure) = report::write(&folder) {
        eprintln!("{failure}");
    }
    println!("\n{}", report::table(&folder.state));
    match outcome {
        Ok(()) => println!("\n{}", report::ending(&folder)),
        Err(Failure::Interrupted) => println!("\nto go on: the same command"),
        Err(_) => {}
    }
    outcome
}

/// Goes through the stages until the end that was asked for.
fn climb(arguments: &Arguments, folder: &mut Folder) -> Result<()> {
    while folder.begin_or_go_on(arguments)? {
        stages::play(arguments, folder)?;
        stages::expand(arguments, folder)?;
        stages::train(arguments, folder)?;
        stages::compare(arguments, folder)?;
        report::write(folder)?;
    }
    stages::look_back(arguments, folder)
}
