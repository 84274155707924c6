//! `gannet-lab results`: what the register knows of the runs so far, filtered, as a table.

mod filter;
mod table;

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::register::{self, Entry};
use filter::Filter;

const EXAMPLES: &str = "\
Examples:
  gannet-lab results
      the last twenty runs, and those that the repository here keeps
  gannet-lab results --command sprt --verdict H1 --last 100
      what was accepted
  gannet-lab results --find NullMove --limit \"25000 nodes\" --since 2026-11-01
      everything about null moves at one limit

Every run of sprt, match, spsa and ablate adds a line to a register: the user's, which is register.jsonl
in gannet-lab's folder of data, unless --register or GANNET_LAB_REGISTER names another file, or none.
Without FILES, the register of the user is read, and docs/register.jsonl of the repository around.";

/// List what was measured so far
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Registers to read [default: the user's, and the one of the repository]
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filter: Filter,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let all = read(&arguments.files)?;
    let total = all.len();
    let chosen = arguments.filter.choose(all);
    print!("{}", table::text(&chosen));
    if chosen.len() < total {
        println!("\n{} of {total} runs", chosen.len());
    }
    Ok(())
}

/// The runs of the registers that were named, or of those there are.
fn read(files: &[PathBuf]) -> Result<Vec<Entry>> {
    let registers = if files.is_empty() {
        let known = [register::of_repository(), register::place(None)];
        known.into_iter().flatten().filter(|path| path.is_file()).collect()
    } else {
        files.to_vec()
    };
    if registers.is_empty() {
        let place = register::place(None).map_or("none".to_string(), |path| path.display().to_string());
        return Err(Failure::new(format!("nothing is registered yet: the register is {place}")));
    }
    let read: Vec<_> = registers.iter().map(|path| register::read(path)).collect::<Result<_>>()?;
    Ok(register::collect(read))
}

#[cfg(test)]
mod tests;
