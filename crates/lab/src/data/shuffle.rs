//! `gannet-lab data shuffle`: files of training positions as one, in random order.

use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::position::{SIZE, game_of, is_sound, read, set_game};
use super::scatter::{Order, Output};
use crate::failure::{Failure, Result};
use crate::pool;

const EXAMPLES: &str = "\
Example:
  gannet-lab data shuffle b.bin32 c.bin32 --out bc.bin32 --seed 1";

/// Put training positions of one or more files into one, in random order
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of positions (.bin32)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The same seed, the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory to use, in MiB; what is more goes through files beside the output
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    pool::catch_interrupts()?;
    let mut expected = 0;
    for path in &arguments.files {
        let data = path.metadata().map_err(|error| Failure::file("read", path, error))?;
        if !data.is_file() || data.len() == 0 {
            return Err(Failure::file("read", path, "a file of positions expected"));
        }
        expected += data.len() / SIZE as u64;
    }
    let bar = ProgressBar::new(expected);
    let order = Order { seed: arguments.seed, memory: arguments.memory << 20, expected };
    let mut output = Output::create(&arguments.out, Some(order))?;
    // Games of different files must not share numbers.
    let mut first = 0u32;
    for path in &arguments.files {
        let (mut next, mut number) = (first, 0u64);
        read(path, |positions| {
            if pool::interrupted() {
                return Err(Failure::Interrupted);
            }
            for position in positions.iter_mut() {
                if !is_sound(position) {
                    let what =
                        format!("record {number} is not a position with a result; `data expand` writes such files");
                    return Err(Failure::file("understand", path, what));
                }
                number += 1;
                let game = first.wrapping_add(game_of(position));
                set_game(position, game);
                next = next.max(game.wrapping_add(1));
            }
            bar.inc(positions.len() as u64);
            output.push(positions)
        })?;
        first = next;
    }
    let count = output.finish()?;
    bar.finish_and_clear();
    println!("{count} positions written to {} in random order", arguments.out.display());
    Ok(())
}
