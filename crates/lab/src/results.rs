//! `gannet-lab results`: what the register knows of the runs so far, filtered, as a table of the terminal or of a document, or as a
//! page with charts.

mod document;
mod filter;
mod markdown;
mod page;
mod table;

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::files;
use crate::register::{self, Entry};
use filter::Filter;

const EXAMPLES: &str = "\
Examples:
  gannet-lab results
      the last twenty runs, and those that the repository here keeps
  gannet-lab results --command sprt --verdict H1 --last 100
      what was accepted
  gannet-lab results --html results.html --last 500
      one page with every test's likelihood ratio and Elo, and where tuned numbers went
  gannet-lab results --command sprt --last 3 --into docs/register.jsonl
      adds the last three tests to what the repository keeps
  gannet-lab results --update docs/experiments.md
      makes every table anew that stands between <!-- results FILTERS --> and <!-- end --> there
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
    /// As tables of a document
    #[arg(long, conflicts_with_all = ["html", "into", "update"])]
    markdown: bool,
    /// As a page with charts, which needs nothing but this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["into", "update"])]
    html: Option<PathBuf>,
    /// Add them to this register, unless they are in it
    #[arg(long, value_name = "REGISTER", conflicts_with = "update")]
    into: Option<PathBuf>,
    /// Make the tables of this document anew, from FILES or the register.jsonl beside it
    #[arg(long, value_name = "DOCUMENT")]
    update: Option<PathBuf>,
    #[command(flatten)]
    filter: Filter,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.update {
        let beside = vec![path.with_file_name("register.jsonl")];
        let files = if arguments.files.is_empty() { beside } else { arguments.files.clone() };
        return document::update(path, &read(&files)?);
    }
    let all = read(&arguments.files)?;
    let total = all.len();
    let chosen = arguments.filter.choose(all);
    if arguments.markdown {
        println!("{}", markdown::text(&chosen).trim_end());
        return Ok(());
    }
    if let Some(path) = &arguments.into {
        let known = if path.is_file() { register::read(path)? } else { Vec::new() };
        let fresh: Vec<Entry> = chosen.into_iter().filter(|entry| !known.contains(entry)).collect();
        register::add(path, &fresh)?;
        println!("{} added to {}", fresh.len(), path.display());
        return Ok(());
    }
    if let Some(path) = &arguments.html {
        files::write(path, &page::html(&chosen))?;
        println!("{} of {total} runs in {}", chosen.len(), path.display());
        return Ok(());
    }
    println!("{}", table::text(&chosen).trim_end());
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
