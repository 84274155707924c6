//! The folder of a run: its settings, its shards, and where to go on.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Done, Settings};
use crate::data::{Filter, Tally};
use crate::failure::{Failure, Result};
use crate::files;
use crate::pool::{self, Jobs};
use crate::records::{Header, Shard, ShardWriter, shards};

const SETTINGS: &str = "datagen.json";
const SUMMARY: &str = "summary.json";
const LOCK: &str = "datagen.lock";

/// A folder that this process alone writes to.
pub struct Folder {
    path: PathBuf,
    /// What the folder holds.
    pub tally: Tally,
    writer: ShardWriter,
    /// Held as long as the folder is written to; the system lets go of it even when the process is killed.
    _lock: File,
}

impl Folder {
    /// Makes the folder, or takes up one of the same settings; one of another build only if that is wanted. A game that
    /// was torn by a kill is cut off.
    pub fn open(path: &Path, settings: &Settings, threads: usize, other_build: bool) -> Result<Folder> {
        std::fs::create_dir_all(path).map_err(|error| Failure::file("make", path, error))?;
        let lock = lock(path)?;
        compare_settings(path, settings, other_build)?;
        let (tally, number) = take_up(path, settings, threads)?;
        let inside = path.to_path_buf();
        let seed = settings.seed;
        let name = move |number| inside.join(format!("seed{seed}-{number:05}.games"));
        let writer = ShardWriter::new(number, Header { seed, first: tally.games }, name);
        Ok(Folder { path: path.to_path_buf(), tally, writer, _lock: lock })
    }

    /// Writes the next game.
    pub fn write(&mut self, done: &Done) -> Result<()> {
        let bytes = self.writer.write(&done.bytes)?;
        self.tally.add(&done.info, done.plies, done.kept, bytes);
        Ok(())
    }

    /// Ends the last shard.
    pub fn close(&mut self) -> Result<()> {
        self.writer.close()
    }

    /// Writes what the run came to.
    pub fn write_summary(&self, summary: &impl Serialize) -> Result<()> {
        files::write_json(&self.path.join(SUMMARY), summary)
    }
}

fn lock(path: &Path) -> Result<File> {
    let path = path.join(LOCK);
    let file = File::create(&path).map_err(|error| Failure::file("write", &path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(Failure::file("lock", &path, "another datagen is writing to this folder"))
        }
        // A file system without locks: go without.
        Err(std::fs::TryLockError::Error(_)) => Ok(file),
    }
}

/// A folder has one set of settings for all its games.
fn compare_settings(path: &Path, settings: &Settings, other_build: bool) -> Result<()> {
    let file = path.join(SETTINGS);
    if !file.exists() {
        if !shards(&[path.to_path_buf()])?.is_empty() {
            let message = format!("it holds games but no {SETTINGS}; take an empty folder");
            return Err(Failure::file("go on in", path, message));
        }
        return files::write_json(&file, settings);
    }
    let mut old: Settings = files::read_json(&file)?;
    let builds = std::mem::replace(&mut old.builds, settings.builds.clone());
    if old == *settings {
        return compare_builds(path, Settings { builds, ..old }, settings, other_build);
    }
    let value = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    let (old, new) = (value(&old), value(settings));
    let fields = new.as_object().into_iter().flatten().filter(|&(name, now)| old.get(name) != Some(now));
    let differences: Vec<_> =
        fields.map(|(name, now)| format!("{name} was {}, now {now}", old.get(name).unwrap_or_default())).collect();
    let message = format!("its games have other settings ({}); take another folder", differences.join("; "));
    Err(Failure::file("go on in", path, message))
}

/// Another build may play other games by the same settings, so a folder is not continued by one without being told to.
fn compare_builds(path: &Path, mut old: Settings, new: &Settings, other_build: bool) -> Result<()> {
    if old.builds.is_empty() {
        eprintln!("note: {} does not say which build played its games; it may search differently", path.display());
        return Ok(());
    }
    let others: Vec<_> = new.builds.iter().filter(|build| !old.builds.contains(build)).cloned().collect();
    if others.is_empty() {
        return Ok(());
    }
    if !other_build {
        let (old, new) = (old.builds.join(", "), others.join(", "));
        let message = format!(
            "another build of this program played its games (checksum {old}, now {new}), which may search differently; take \
             another folder, or go on with --other-build"
        );
        return Err(Failure::file("go on in", path, message));
    }
    old.builds.extend(others);
    files::write_json(&path.join(SETTINGS), &old)
}

/// Counts the games that are there; returns also the number of the next shard.
fn take_up(path: &Path, settings: &Settings, threads: usize) -> Result<(Tally, u64)> {
    let paths = shards(&[path.to_path_buf()])?;
    let jobs = Jobs { range: 0..paths.len() as u64, done: BTreeMap::new(), threads };
    let mut tally = Tally::default();
    let mut failure = None;
    pool::run(
        jobs,
        || Ok(()),
        |(), job, _| {
            let path = &paths[job as usize];
            let shard = Shard::open(path)?;
            let is_last = job as usize == paths.len() - 1;
            if is_last && shard.is_only_header() {
                std::fs::remove_file(path).map_err(|error| Failure::file("remove the empty", path, error))?;
                return Ok(Some((None, Tally::default())));
            }
            let torn = is_last && shard.header.is_some() && shard.good_end() < shard.size();
            if torn {
                cut(path, shard.good_end())?;
            }
            let (tally, faults) = Tally::of_shard(&shard, &Filter::default());
            // Numbers follow from what was counted, so a hole in the middle would make games come twice.
            match faults.iter().find(|_| !torn || faults.len() > 1) {
                Some(fault) => Err(Failure::new(format!("{fault}; `gannet-lab data merge` saves the rest"))),
                None => Ok(Some((shard.header, tally))),
            }
        },
        |job, (header, part)| {
            let expected = Header { seed: settings.seed, first: tally.games };
            if header.is_some_and(|header| header != expected) {
                let message = format!("its first game should be number {} of seed {}", tally.games, settings.seed);
                failure = Some(Failure::file("go on after", &paths[job as usize], message));
                return ControlFlow::Break(());
            }
            tally.merge(&part);
            ControlFlow::Continue(())
        },
    )?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let last = paths.last().and_then(|path| path.file_stem()?.to_str()?.rsplit('-').next()?.parse::<u64>().ok());
    Ok((tally, last.map_or(0, |number| number + 1)))
}

/// Cuts off what a kill left of the last game.
fn cut(path: &Path, len: u64) -> Result<()> {
    let cut = || File::options().write(true).open(path)?.set_len(len);
    cut().map_err(|error| Failure::file("cut the torn game off", path, error))
}
