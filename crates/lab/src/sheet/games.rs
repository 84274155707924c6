//! The file of the games of a match or a test, which only ever grows by whole games. What cannot be written waits until there is room.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::files::Target;

/// How long to wait after a failure before writing is tried again.
const PAUSE: Duration = Duration::from_secs(5);

/// How far a file of games has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The file.
    path: PathBuf,
    /// Its length, up to the end of the last game that was counted.
    bytes: u64,
    /// Games that were counted but could not be written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    waiting: String,
}

/// A file of games.
pub struct Games {
    target: Target,
    /// Opened when there is a game to write: until then it may hold those of another match.
    file: Option<File>,
    mark: Mark,
    /// When writing last failed.
    failed: Option<Instant>,
}

impl Games {
    /// A file of games at this path, which goes on from the mark if that is of the same file. An older file at a new
    /// path is kept as `FILE.old`, and the new one begins with the games that could not be written to the file of the mark.
    /// Without a path the file of the mark is used, if there is a mark.
    pub fn open(path: Option<&Path>, mark: Option<&Mark>) -> Result<Option<Games>> {
        let (mark, resumed) = match (path, mark) {
            (None, None) => return Ok(None),
            (None, Some(mark)) => (mark.clone(), true),
            (Some(path), Some(mark)) if is_same(path, &mark.path) => (mark.clone(), true),
            (Some(path), mark) => {
                if let Some(mark) = mark.filter(|mark| mark.bytes > 0) {
                    eprintln!("gannet-lab: the first games of the match stay in {}", mark.path.display());
                }
                let waiting = mark.map_or_else(String::new, |mark| mark.waiting.clone());
                (Mark { path: path.to_path_buf(), bytes: 0, waiting }, false)
            }
        };
        let target = if resumed { Target::of_resumed(&mark.path)? } else { Target::new(&mark.path)? };
        let mut games = Games { target, file: None, mark, failed: None };
        if resumed {
            games.begin()?;
        }
        Ok(Some(games))
    }

    /// Opens the file where its last game ends.
    fn begin(&mut self) -> Result<()> {
        self.target.make_room()?;
        let fail = |error: std::io::Error| Failure::file("write", &self.mark.path, error);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&self.mark.path).map_err(fail)?;
        let data = file.metadata().map_err(fail)?;
        if data.is_file() && data.len() < self.mark.bytes {
            let message = format!("it has {} bytes, but had {} when the match was saved", data.len(), self.mark.bytes);
            return Err(Failure::file("go on with", &self.mark.path, message));
        }
        cut(&file, self.mark.bytes).map_err(fail)?;
        self.file = Some(file);
        Ok(())
    }

    /// Adds a game; if it cannot be written, says so and keeps it.
    pub fn append(&mut self, pgn: &str) {
        self.mark.waiting += pgn;
        if self.failed.is_none_or(|time| time.elapsed() >= PAUSE)
            && let Err(failure) = self.write()
        {
            eprintln!("gannet-lab: {failure}; the match goes on, and writing is tried again");
        }
    }

    /// Writes what waits.
    pub fn write(&mut self) -> Result<()> {
        if self.mark.waiting.is_empty() {
            return Ok(());
        }
        let written = self.write_all();
        self.failed = written.is_err().then(Instant::now);
        written
    }

    fn write_all(&mut self) -> Result<()> {
        if self.file.is_none() {
            self.begin()?;
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        if let Err(error) = file.write_all(self.mark.waiting.as_bytes()) {
            // Half a game, if that much was written; what fails here fails again with the next game.
            let _ = cut(file, self.mark.bytes);
            return Err(Failure::file("write", &self.mark.path, error));
        }
        self.mark.bytes += self.mark.waiting.len() as u64;
        self.mark.waiting.clear();
        Ok(())
    }

    /// Waits until the disk has everything that was written.
    pub fn sync(&self) -> Result<()> {
        match &self.file {
            Some(file) if file.metadata().is_ok_and(|data| data.is_file()) => {
                file.sync_data().map_err(|error| Failure::file("write", &self.mark.path, error))
            }
            _ => Ok(()),
        }
    }

    /// How far the file has come.
    pub fn mark(&self) -> Mark {
        self.mark.clone()
    }
}

/// Cuts off what is not a whole game, or was not counted.
fn cut(mut file: &File, bytes: u64) -> std::io::Result<()> {
    if file.metadata()?.is_file() {
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
    }
    Ok(())
}

/// Whether two paths are those of one file, also where they are not written alike.
fn is_same(one: &Path, other: &Path) -> bool {
    let plain = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    plain(one) == plain(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("gannet-lab-{}-{name}", std::process::id()))
    }

    #[test]
    fn what_was_not_counted_is_written_again() {
        let path = scratch("games.pgn");
        let mut games = Games::open(Some(&path), None).expect("room").expect("a file");
        games.append("one\n");
        let mark = games.mark();
        games.append("two\n");
        // As if the power went off in the middle of the third.
        games.append("thr");
        drop(games);
        for mark in [mark.clone(), Mark { bytes: 0, waiting: "one\n".to_string(), ..mark.clone() }] {
            let mut games = Games::open(None, Some(&mark)).expect("room").expect("a file");
            games.append("2\n");
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some("one\n2\n"));
        }
        // The same file, written in another way.
        let folder = scratch("folder");
        std::fs::create_dir_all(&folder).expect("room");
        let other = folder.join("..").join(path.file_name().expect("a name"));
        assert!(path != other && Games::open(Some(&other), Some(&mark)).is_ok());
        let _ = std::fs::remove_dir(folder);
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some("one\n"));
        let long = Mark { bytes: 1000, ..mark.clone() };
        let message = Games::open(Some(&path), Some(&long)).err().map(|failure| failure.to_string());
        assert!(message.is_some_and(|text| text.contains("games.pgn") && text.contains("1000")));
        // Another path is another file: what is there is none of ours.
        let other = scratch("other.pgn");
        std::fs::write(&other, "something else").expect("room");
        drop(Games::open(Some(&other), Some(&mark)).expect("room"));
        assert_eq!(std::fs::read_to_string(&other).ok().as_deref(), Some("something else"));
        Games::open(Some(&other), Some(&mark)).expect("room").expect("a file").append("three\n");
        assert_eq!(std::fs::read_to_string(&other).ok().as_deref(), Some("three\n"));
        let old = files::beside(&other, ".old");
        assert_eq!(std::fs::read_to_string(&old).ok().as_deref(), Some("something else"));
        for path in [path, other, old] {
            let _ = std::fs::remove_file(path);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_loses_no_game() {
        let mut games = Games::open(Some(Path::new("/dev/full")), None).expect("it exists").expect("a file");
        games.append("one\n");
        games.append("two\n");
        assert!(games.write().is_err_and(|failure| failure.to_string().contains("/dev/full")));
        assert_eq!(games.mark().waiting, "one\ntwo\n");
        let path = scratch("room.pgn");
        let (full, elsewhere) = (games.mark(), Mark { path: path.clone(), ..games.mark() });
        // When there is room, and when the user has named another file.
        for (named, mark) in [(None, elsewhere), (Some(path.as_path()), full)] {
            let mut games = Games::open(named, Some(&mark)).expect("room").expect("a file");
            assert!(games.write().is_ok());
            assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some("one\ntwo\n"));
        }
        let _ = std::fs::remove_file(files::beside(&path, ".old"));
        let _ = std::fs::remove_file(path);
    }
}
