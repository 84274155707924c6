//! A file for the results of a run. One run alone writes it, and what another has left there is kept until there is
//! something to take its place.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{beside, is_special, json, write, write_or_rescue};
use crate::failure::{Failure, Result};

/// A file for results.
pub struct Target {
    path: PathBuf,
    /// Whether what is there now is of another run, and goes to `FILE.old`.
    fresh: bool,
    _lock: Option<Lock>,
}

impl Target {
    /// Finds out before hours of games that a file can be written, and that nobody else writes it.
    pub fn new(path: &Path) -> Result<Target> {
        Target::of(path, true)
    }

    /// The same for a run that goes on with what the file holds.
    pub fn of_resumed(path: &Path) -> Result<Target> {
        Target::of(path, false)
    }

    fn of(path: &Path, fresh: bool) -> Result<Target> {
        if is_special(path) {
            return Ok(Target { path: path.to_path_buf(), fresh: false, _lock: None });
        }
        if path.is_dir() {
            return Err(Failure::file("write", path, "it is a folder"));
        }
        let lock = Lock::of(path)?;
        let probe = beside(path, ".new");
        std::fs::write(&probe, "").map_err(|error| Failure::file("write", path, error))?;
        let _ = std::fs::remove_file(&probe);
        Ok(Target { path: path.to_path_buf(), fresh, _lock: lock })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds what another run has left.
    pub fn holds_another(&self) -> bool {
        self.fresh && self.path.is_file()
    }

    /// Keeps what another run has left as `FILE.old`.
    pub fn make_room(&mut self) -> Result<()> {
        if self.holds_another() {
            std::fs::rename(&self.path, beside(&self.path, ".old"))
                .map_err(|error| Failure::file("move away the old", &self.path, error))?;
        }
        self.fresh = false;
        Ok(())
    }

    /// Writes what there is so far.
    pub fn write(&mut self, text: &str) -> Result<()> {
        self.make_room()?;
        write(&self.path, text)
    }

    /// Writes a value as JSON.
    pub fn write_json(&mut self, value: &impl Serialize) -> Result<()> {
        self.write(&json(value)?)
    }

    /// Writes what would be lost otherwise; where that fails, it is kept elsewhere, and the message says where.
    pub fn write_or_rescue(&mut self, text: &str) -> Result<()> {
        // If the old one cannot be moved, the new one cannot be written beside it either.
        let _ = self.make_room();
        write_or_rescue(&self.path, text)
    }
}

/// A file beside another that is locked as long as that is written. The system lets go of it when the process ends, however
/// that is, and it is removed when nobody needs it.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks a file; none on a file system without locks.
    fn of(path: &Path) -> Result<Option<Lock>> {
        let place = beside(path, ".lock");
        loop {
            let file = File::create(&place).map_err(|error| Failure::file("write", path, error))?;
            match file.try_lock() {
                // Whoever had it may have removed it just now; then another can have it as well.
                Ok(()) if !is_at(&file, &place) => {}
                Ok(()) => return Ok(Some(Lock { path: place, _file: file })),
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(Failure::file("write", path, "another gannet-lab is writing it"));
                }
                Err(std::fs::TryLockError::Error(_)) => return Ok(None),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Elsewhere nobody could tell that it was removed.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let key = |data: &std::fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), std::fs::metadata(path)), (Ok(a), Ok(b)) if key(&a) == key(&b))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("gannet-lab-target-{}-{name}", std::process::id()))
    }

    #[test]
    fn old_results_are_kept() {
        let path = scratch("old.json");
        write(&path, "1").expect("room");
        let read = |path: &Path| std::fs::read_to_string(path).ok();
        // A run that comes to nothing leaves them where they are.
        assert!(Target::new(&path).expect("room").holds_another());
        assert_eq!(read(&path).as_deref(), Some("1"));
        let mut target = Target::new(&path).expect("room");
        target.write("2").and_then(|()| target.write("3")).expect("room");
        let old = beside(&path, ".old");
        assert_eq!((read(&old).as_deref(), read(&path).as_deref()), (Some("1"), Some("3")));
        drop(target);
        Target::of_resumed(&path).and_then(|mut target| target.write("4")).expect("room");
        assert_eq!((read(&old).as_deref(), read(&path).as_deref()), (Some("1"), Some("4")));
        for path in [old, path] {
            std::fs::remove_file(path).expect("it is there");
        }
    }

    #[test]
    fn one_alone_writes() {
        let path = scratch("alone.json");
        let first = Target::new(&path).expect("room");
        for second in [Target::new(&path), Target::of_resumed(&path)] {
            let told = second.err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(told.contains("alone.json") && told.contains("another gannet-lab is writing it"), "{told}");
        }
        drop(first);
        drop(Target::new(&path).expect("nobody has it"));
        assert!(!beside(&path, ".lock").exists());
    }
}
