//! The register: a file to which every run of `sprt`, `match`, `spsa` and `ablate` adds a line of JSON, so that what was
//! measured once can be found again. Each user has one, and a repository keeps those that count in `docs/register.jsonl`.

mod entry;
mod run;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::builds::git::Git;
use crate::failure::{Failure, Result};
pub use entry::{Entry, Found, Number, Point, Side, Standing, Status, Test, Tuning};
pub use run::{Counts, Run, path, rounded, thinned};

/// What names another register, or `none`.
const VARIABLE: &str = "GANNET_LAB_REGISTER";
/// What stands for no register.
const NONE: &str = "none";

/// The register that a run adds its line to: the one that was asked for, else the user's; none if that is what was asked
/// for, or if there is no place for one.
pub fn place(asked: Option<&Path>) -> Option<PathBuf> {
    let asked = asked.map(Path::to_path_buf).or_else(|| variable(VARIABLE));
    asked.or_else(users).filter(|path| path != Path::new(NONE))
}

/// The register that a repository keeps, if the program was started inside one that does.
pub fn of_repository() -> Option<PathBuf> {
    let path = Git::here().top().ok()?.join("docs/register.jsonl");
    path.is_file().then_some(path)
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The user's own, where the system keeps what belongs to a user and cannot be made again.
fn users() -> Option<PathBuf> {
    let folder = match std::env::consts::OS {
        "windows" => variable("APPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Application Support")),
        _ => variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share"))),
    };
    folder.map(|folder| folder.join("gannet-lab/register.jsonl"))
}

/// Adds lines to a register, whole or not at all, whoever else does so at the same time.
pub fn add(path: &Path, entries: &[Entry]) -> Result<()> {
    let fail = |error| Failure::file("add to the register", path, error);
    let mut text = String::new();
    for entry in entries {
        let line = serde_json::to_string(entry);
        text += &line.map_err(|error| Failure::new(format!("cannot make JSON: {error}")))?;
        text.push('\n');
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path).map_err(fail)?;
    // A file system without locks: go without.
    let _ = file.lock();
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(fail)
}

/// Reads a register. What is no line of one is told and left out, so that one bad line hides no good one.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.filter_map(|(number, line)| match serde_json::from_str(line) {
        Ok(entry) => Some(entry),
        Err(error) => {
            eprintln!("gannet-lab: {}, line {}, is no run and is left out: {error}", path.display(), number + 1);
            None
        }
    });
    Ok(read.collect())
}

/// The runs of several registers in the order of their ends, each once. A run that was gone on with gives way to the one
/// that went on.
pub fn collect(registers: impl IntoIterator<Item = Vec<Entry>>) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for entry in registers.into_iter().flatten() {
        if !all.contains(&entry) {
            all.push(entry);
        }
    }
    all.sort_by(|a, b| a.date.cmp(&b.date));
    let mut kept: Vec<Entry> = Vec::new();
    for entry in all {
        if entry.resumed
            && let Some(earlier) = kept.iter().rposition(|other| other.key == entry.key)
        {
            kept.remove(earlier);
        }
        kept.push(entry);
    }
    kept
}

#[cfg(test)]
mod tests;
