//! Results on disk: written all at once, so that a reader or a power cut never meets half a file.

mod target;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Result};
pub use target::Target;

/// The same path with something added to its name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether there is something at this path that must be written into, not replaced: a pipe or a device.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Writes a file beside the old one, then in its place.
pub fn write(path: &Path, text: &str) -> Result<()> {
    if is_special(path) {
        return std::fs::write(path, text).map_err(|error| Failure::file("write", path, error));
    }
    let new = beside(path, ".new");
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&new, path)).map_err(|error| {
        // Half a file is of no use, and takes the room that the next attempt may need.
        let _ = std::fs::remove_file(&new);
        Failure::file("write", path, error)
    })
}

/// A large file that is being written beside the old one and takes its place when it is whole. Given up before, it goes
/// away.
pub struct Draft {
    path: PathBuf,
    new: PathBuf,
    file: BufWriter<File>,
}

impl Draft {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Draft> {
        let new = beside(path, ".new");
        let file = File::create(&new).map_err(|error| Failure::file("write", &new, error))?;
        Ok(Draft { path: path.to_path_buf(), new, file: BufWriter::with_capacity(1 << 20, file) })
    }

    /// Adds to it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|error| Failure::file("write", &self.new, error))
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> Result<()> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        written.map_err(|error| Failure::file("write", &self.new, error))?;
        std::fs::rename(&self.new, &self.path).map_err(|error| Failure::file("write", &self.path, error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Half a file takes the room that the next attempt may need. Once in its place it has another name.
        let _ = std::fs::remove_file(&self.new);
    }
}

/// Writes what would be lost otherwise; where that fails, it is kept elsewhere, and the message says where.
pub fn write_or_rescue(path: &Path, text: &str) -> Result<()> {
    write(path, text).map_err(|failure| Failure::new(format!("{failure}; {}", rescue(path, text))))
}

/// Keeps what could not be written to a path among the temporary files or, if that fails too, prints it. Returns where
/// it is, in words.
fn rescue(path: &Path, text: &str) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let refuge = std::env::temp_dir().join(format!("gannet-lab-{}-{}", std::process::id(), name.to_string_lossy()));
    match write(&refuge, text) {
        Ok(()) => format!("it is in {} instead", refuge.display()),
        Err(failure) => {
            println!("{text}");
            format!("{failure}; so it is printed")
        }
    }
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Failure::new(format!("cannot make JSON: {error}")))
}

/// Writes a value as JSON.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write(path, &json(value)?)
}

/// Reads a value as JSON.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    serde_json::from_str(&text).map_err(|error| Failure::file("understand", path, error))
}

/// Checks that no two results of a command would be written to the same file.
pub fn distinct(results: &[(&str, &Path)]) -> Result<()> {
    for (index, (what, path)) in results.iter().enumerate() {
        if let Some((other, _)) = results[..index].iter().find(|(_, earlier)| earlier == path) {
            let place = path.display();
            return Err(Failure::arguments(format!(
                "cannot write {place}: {other} and {what} cannot both be this file"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_takes_its_place_or_goes_away() {
        let path = std::env::temp_dir().join(format!("gannet-lab-draft-{}", std::process::id()));
        let written =
            |text: &str| Draft::create(&path).and_then(|mut draft| draft.write(text.as_bytes()).map(|()| draft));
        written("first").and_then(Draft::finish).expect("there is room");
        drop(written("second"));
        assert!(!beside(&path, ".new").exists());
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "first");
        std::fs::remove_file(&path).expect("it is there");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_does_not_fit_is_kept_elsewhere() {
        let full = Path::new("/dev/full");
        assert!(Target::new(full).is_ok());
        let message = write_or_rescue(full, "games").err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(message.contains("/dev/full"), "{message}");
        let refuge = message.split("it is in ").nth(1).and_then(|rest| rest.strip_suffix(" instead"));
        let refuge = Path::new(refuge.unwrap_or_else(|| panic!("no place is named: {message}")));
        assert_eq!(std::fs::read_to_string(refuge).ok().as_deref(), Some("games"));
        let _ = std::fs::remove_file(refuge);
        assert!(is_special(full), "the device is still one");
    }
}
