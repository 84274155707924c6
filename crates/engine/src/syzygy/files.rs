//! How tables are read: page by page, through a cache of fixed size that all tables and threads share.
//!
//! A probe reads a few short pieces of a table, mostly those that the last probes have read. Asking the system each
//! time costs more than all the rest of the probe; mapping the files into memory would be as fast as this, but a file
//! that is cut short or fails to be read would then end the program.
//!
//! Before that, a table that is not too large is read as a whole, once, to see whether it is as it was when it was made.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use super::checksum;

/// Bytes of a page.
const PAGE: usize = 4096;
/// Pages in the cache: 16 MiB once all are in use.
const PAGES: usize = 4096;

/// A piece of a file.
#[derive(Default)]
struct Page {
    /// Which file, and where in it; nothing yet if none.
    place: Option<(usize, u64)>,
    /// A whole page, or less at the end of the file.
    bytes: Vec<u8>,
}

/// Where the tables come from.
pub(super) struct Files {
    pages: Arc<[Mutex<Page>]>,
    opened: Mutex<HashSet<PathBuf>>,
    /// Tables of more bytes are not read as a whole.
    checked: u64,
}

impl Files {
    /// Nothing read yet.
    pub fn new(checked: u64) -> Files {
        Files { pages: (0..PAGES).map(|_| Mutex::default()).collect(), opened: Mutex::default(), checked }
    }

    /// The number of a file that comes for the first time.
    fn enter(&self, path: &Path) -> io::Result<usize> {
        let mut opened = lock(&self.opened);
        let id = opened.len();
        if opened.insert(path.to_path_buf()) { Ok(id) } else { Err(io::Error::other("it could not be used before")) }
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let metadata = path.metadata()?;
        if metadata.is_file() { Ok(metadata.len()) } else { Err(ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }

    /// A table that is good is opened once. One that comes again is not, and its file is left alone from then on:
    /// to find out anew at every probe would take more time than the search has.
    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let id = self.enter(path)?;
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length <= self.checked && !checksum::holds(&mut file, length)? {
            return Err(io::Error::other("it is damaged: its checksum is wrong"));
        }
        Ok(Box::new(Cached { id, file: Mutex::new(file), pages: Arc::clone(&self.pages) }))
    }
}

/// A file read through the cache.
struct Cached {
    id: usize,
    file: Mutex<File>,
    pages: Arc<[Mutex<Page>]>,
}

impl Cached {
    /// Reads a page from the file, less than a whole one only at its end.
    fn fill(&self, number: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(number * PAGE as u64))?;
        (&mut *file).take(PAGE as u64).read_to_end(bytes)?;
        Ok(())
    }
}

impl RandomAccessFile for Cached {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let (number, start) = (offset / PAGE as u64, (offset % PAGE as u64) as usize);
        // Neighbouring pages stand side by side, different files far from each other.
        let slot = (self.id.wrapping_mul(0x9e37_79b9) >> 8).wrapping_add(number as usize) % PAGES;
        let mut page = lock(&self.pages[slot]);
        if page.place != Some((self.id, number)) {
            page.place = None;
            self.fill(number, &mut page.bytes)?;
            page.place = Some((self.id, number));
        }
        let found = page.bytes.get(start..).unwrap_or_default();
        let count = found.len().min(buffer.len());
        buffer[..count].copy_from_slice(&found[..count]);
        Ok(count)
    }
}

/// What is behind the locks here is whole at any moment, whoever broke down while holding one.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_reads_what_the_file_holds() {
        let path = std::env::temp_dir().join(format!("gannet-pages-{}", std::process::id()));
        let mut content: Vec<u8> = (0..10 * PAGE + 128).map(|i| (i * i / 7) as u8).collect();
        let sum = checksum::of(&mut &content[..], content.len() as u64).expect("whole");
        content.extend(sum);
        fs::write(&path, &content).expect("a file");
        let files = Files::new(u64::MAX);
        let file = files.open(&path).expect("opened");
        for round in 0..2 {
            for offset in (0..content.len()).step_by(997) {
                let length = (offset % 1500 + 1).min(content.len() - offset);
                let mut buffer = vec![0; length];
                file.read_exact_at(&mut buffer, offset as u64, ReadHint::Data).expect("inside the file");
                assert_eq!(buffer, content[offset..offset + length], "round {round}");
            }
        }
        let mut buffer = [0; 8];
        for offset in [content.len() as u64 - 7, content.len() as u64, u64::MAX / 2, u64::MAX] {
            assert!(file.read_exact_at(&mut buffer, offset, ReadHint::Data).is_err());
        }
        assert!(files.open(&path).is_err(), "only once");
        let _ = fs::remove_file(path);
    }
}
