//! Where positions go: into one file, in order or in random order, however many they are.
//!
//! Random order by two steps: every position goes into a bucket drawn at random, and each bucket is shuffled. That
//! is as good as shuffling all of them at once, and buckets that do not fit into memory can wait on the disk.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::position::{Position, read};
use crate::failure::{Failure, Result};
use crate::files::{self, Draft};
use crate::rng::Rng;

/// A bucket of about this many positions is shuffled within the processor's cache.
const BUCKET: u64 = 1 << 17;
/// More files than this at a time are not opened.
const MAX_FILES: u64 = 512;
/// So many positions are collected before they are written to a bucket's file.
const CHUNK: usize = 1 << 13;

/// How to shuffle.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The same seed, the same order.
    pub seed: u64,
    /// How many bytes of memory to use, about.
    pub memory: u64,
    /// How many positions to expect, about.
    pub expected: u64,
}

/// A file of positions that is being written.
pub struct Output {
    draft: Draft,
    shuffler: Option<Shuffler>,
    count: u64,
}

impl Output {
    /// Begins a file; with an order, positions are shuffled.
    pub fn create(path: &Path, order: Option<Order>) -> Result<Output> {
        let draft = Draft::create(path)?;
        let shuffler = order.map(|order| Shuffler::new(path, order)).transpose()?;
        Ok(Output { draft, shuffler, count: 0 })
    }

    /// Takes positions.
    pub fn push(&mut self, positions: &[Position]) -> Result<()> {
        self.count += positions.len() as u64;
        match &mut self.shuffler {
            Some(shuffler) => shuffler.push(positions),
            None => self.draft.write(positions.as_flattened()),
        }
    }

    /// Ends the file; returns how many positions it holds.
    pub fn finish(mut self) -> Result<u64> {
        if let Some(shuffler) = self.shuffler {
            shuffler.finish(|positions| self.draft.write(positions.as_flattened()))?;
        }
        self.draft.finish()?;
        Ok(self.count)
    }
}

/// The buckets.
struct Shuffler {
    rng: Rng,
    buckets: Vec<Vec<Position>>,
    /// One file a bucket, where memory is not enough.
    files: Vec<PartFile>,
}

impl Shuffler {
    fn new(path: &Path, order: Order) -> Result<Shuffler> {
        let bytes = order.expected.saturating_mul(size_of::<Position>() as u64);
        let on_disk = bytes > order.memory;
        let buckets = if on_disk {
            // Each bucket must fit; they are never equally full, so keep some distance.
            (bytes.saturating_mul(4) / order.memory.max(1)).clamp(1, MAX_FILES)
        } else {
            (order.expected / BUCKET).clamp(1, 1 << 14)
        };
        let files =
            (0..if on_disk { buckets } else { 0 }).map(|index| PartFile::create(path, index)).collect::<Result<_>>()?;
        Ok(Shuffler { rng: Rng::new(order.seed, 0), buckets: vec![Vec::new(); buckets as usize], files })
    }

    fn push(&mut self, positions: &[Position]) -> Result<()> {
        for position in positions {
            let index = self.rng.below(self.buckets.len());
            let bucket = &mut self.buckets[index];
            bucket.push(*position);
            if bucket.len() >= CHUNK
                && let Some(file) = self.files.get_mut(index)
            {
                file.write(bucket)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, mut write: impl FnMut(&[Position]) -> Result<()>) -> Result<()> {
        let mut files = self.files.into_iter();
        for mut bucket in self.buckets {
            if let Some(mut file) = files.next() {
                file.write(&mut bucket)?;
                read(&file.path, |positions| {
                    bucket.extend_from_slice(positions);
                    Ok(())
                })?;
            }
            self.rng.shuffle(&mut bucket);
            write(&bucket)?;
        }
        Ok(())
    }
}

/// A bucket's file; it goes away with this value.
struct PartFile {
    path: PathBuf,
    file: File,
}

impl PartFile {
    fn create(path: &Path, index: u64) -> Result<PartFile> {
        let path = files::beside(path, &format!(".part{index}"));
        let file = File::create(&path).map_err(|error| Failure::file("write", &path, error))?;
        Ok(PartFile { path, file })
    }

    /// Appends a bucket's positions and empties it.
    fn write(&mut self, bucket: &mut Vec<Position>) -> Result<()> {
        self.file.write_all(bucket.as_flattened()).map_err(|error| Failure::file("write", &self.path, error))?;
        bucket.clear();
        Ok(())
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // Nothing can be done if it stays.
        let _ = std::fs::remove_file(&self.path);
    }
}
