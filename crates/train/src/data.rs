//! The positions to learn from: files mapped into memory, so that any number of them takes none, and which of them are
//! held out.

use std::fs::File;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};

use engine::crc32;
use memmap2::Mmap;

use crate::error::TrainError;
use crate::position::{Position, SIZE, game_of, is_sound};

/// One file of positions.
struct Part {
    path: PathBuf,
    bytes: Mmap,
    /// How many positions stand in the files before.
    first: u64,
}

impl Part {
    fn open(path: &Path, first: u64) -> Result<Part, TrainError> {
        let failed = |error: std::io::Error| TrainError::Read(path.to_path_buf(), error.to_string());
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length == 0 || length % SIZE as u64 != 0 {
            let what = format!("{length} bytes are not a whole number of records");
            return Err(TrainError::NotPositions(path.to_path_buf(), what));
        }
        // SAFETY: the bytes are only ever looked at as numbers, whatever they are. Who makes the file shorter meanwhile ends
        // the process, as with every program that maps files; a copy would take the memory that large sets do not fit in.
        let bytes = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Ok(Part { path: path.to_path_buf(), bytes, first })
    }

    fn positions(&self) -> &[Position] {
        self.bytes.as_chunks().0
    }
}

/// All positions of a training.
pub struct Data {
    parts: Vec<Part>,
    count: u64,
    split: Split,
    training: u64,
    /// The numbers of the positions held out.
    held: Vec<u64>,
}

impl Data {
    /// Opens files and looks at every position once, with so many threads.
    pub fn open(paths: &[PathBuf], split: Split, threads: usize) -> Result<Data, TrainError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut count = 0;
        for path in paths {
            let part = Part::open(path, count)?;
            count += part.positions().len() as u64;
            parts.push(part);
        }
        let mut data = Data { parts, count, split, training: 0, held: Vec::new() };
        data.held = data.examine(threads)?;
        data.training = count - data.held.len() as u64;
        Ok(data)
    }

    /// Checks every position; returns the numbers of those held out.
    fn examine(&self, threads: usize) -> Result<Vec<u64>, TrainError> {
        let mut held = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            let positions = part.positions();
            let share = positions.len().div_ceil(threads.max(1)).max(1);
            let results: Vec<_> = std::thread::scope(|scope| {
                let workers: Vec<_> = positions
                    .chunks(share)
                    .enumerate()
                    .map(|(worker, chunk)| {
                        let first = (worker * share) as u64;
                        scope.spawn(move || examine(chunk, first, &self.split, index))
                    })
                    .collect();
                workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
            });
            for result in results {
                let numbers = result.map_err(|number| {
                    let what = format!("record {number} is not a position with a result");
                    TrainError::NotPositions(part.path.clone(), what)
                })?;
                held.extend(numbers.into_iter().map(|number| part.first + number));
            }
        }
        Ok(held)
    }

    /// How many positions there are, held out or not.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many of them to learn from.
    pub fn training(&self) -> u64 {
        self.training
    }

    /// The numbers of those held out, in ascending order.
    pub fn held(&self) -> &[u64] {
        &self.held
    }

    /// The files and how many positions each has.
    pub fn files(&self) -> impl Iterator<Item = (&Path, usize)> {
        self.parts.iter().map(|part| (part.path.as_path(), part.positions().len()))
    }

    /// Which games are held out.
    pub fn split(&self) -> Split {
        self.split
    }

    /// A line about each file: how many positions, and a checksum of the first and the last of them.
    pub fn describe(&self) -> impl Iterator<Item = String> {
        self.parts.iter().map(|part| {
            let positions = part.positions();
            let [first, last] =
                [&positions[..positions.len().min(1024)], &positions[positions.len().saturating_sub(1024)..]];
            let [first, last] = [first, last].map(|some| crc32(some.as_flattened()));
            format!("{} positions {first:08x} {last:08x}", positions.len())
        })
    }

    /// The position of a number below the count, and whether it is held out.
    #[inline]
    pub fn get(&self, number: u64) -> (&Position, bool) {
        let index = if self.parts.len() == 1 { 0 } else { self.parts.partition_point(|part| part.first <= number) - 1 };
        let part = &self.parts[index];
        let position = &part.positions()[(number - part.first) as usize];
        (position, self.split.holds_out(game_of(position), index))
    }
}

/// Which of a file's positions are held out, or which is no position.
fn examine(positions: &[Position], first: u64, split: &Split, file: usize) -> Result<Vec<u64>, u64> {
    let mut held = Vec::new();
    for (number, position) in (first..).zip(positions) {
        if !is_sound(position) {
            return Err(number);
        }
        if split.holds_out(game_of(position), file) {
            held.push(number);
        }
    }
    Ok(held)
}

/// Which games are held out for validation: whole ones, because positions of one game resemble each other too much to
/// stand on both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The share of the games.
    pub share: f64,
    /// Another seed, other games.
    pub seed: u64,
}

impl Split {
    /// Whether a game is held out; `file` is the number of its file.
    #[inline]
    pub fn holds_out(&self, game: u32, file: usize) -> bool {
        let seed = (self.seed as u32).wrapping_add(file as u32);
        let mixed = game.wrapping_mul(0x9E37_79B1).wrapping_add(seed.wrapping_mul(0x85EB_CA6B));
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D);
        f64::from(mixed ^ mixed >> 16) < (self.share * 4_294_967_296.0).floor()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::position::{Labels, pack};
    use chess::Board;

    /// A file of so many positions in games of ten.
    pub fn write_file(name: &str, count: u32) -> PathBuf {
        let path = std::env::temp_dir().join(format!("gannet-train-{name}-{}", std::process::id()));
        let bytes: Vec<Position> = (0..count)
            .map(|number| pack(&Board::start(), Labels { score: 20, half_points: 1, ply: 0, game: number / 10 }))
            .collect();
        std::fs::write(&path, bytes.as_flattened()).expect("there is room");
        path
    }

    #[test]
    fn files_are_one_set_and_whole_games_are_held_out() {
        let paths = [write_file("one", 5000), write_file("two", 3000)];
        let split = Split { share: 0.1, seed: 3 };
        let data = Data::open(&paths, split, 3).expect("sound");
        assert_eq!((data.count(), data.training() + data.held().len() as u64), (8000, 8000));
        assert!((600..1000).contains(&data.held().len()), "{}", data.held().len());
        let mut held = Vec::new();
        for number in 0..data.count() {
            let (position, out) = data.get(number);
            let expected = if number < 5000 { number / 10 } else { (number - 5000) / 10 };
            assert_eq!(u64::from(game_of(position)), expected);
            held.extend(out.then_some(number));
        }
        assert_eq!(held, data.held());
        assert_eq!(Data::open(&paths, split, 1).expect("sound").held(), data.held());
        paths.iter().for_each(|path| std::fs::remove_file(path).expect("it is there"));
    }

    #[test]
    fn what_is_no_file_of_positions_is_refused() {
        let error = |paths: &[PathBuf]| {
            let split = Split { share: 0.01, seed: 1 };
            Data::open(paths, split, 2).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(error(&[PathBuf::from("no/such/file")]).starts_with("cannot read no/such/file"));
        let path = write_file("bad", 100);
        let mut bytes = std::fs::read(&path).expect("it is there");
        bytes[77 * SIZE + 26] = 4;
        std::fs::write(&path, &bytes).expect("there is room");
        assert!(error(std::slice::from_ref(&path)).contains("record 77 "));
        std::fs::write(&path, &bytes[..50]).expect("there is room");
        assert!(error(std::slice::from_ref(&path)).contains("50 bytes"));
        std::fs::write(&path, "").expect("there is room");
        assert!(error(std::slice::from_ref(&path)).contains("0 bytes"));
        std::fs::remove_file(path).expect("it is there");
    }
}
