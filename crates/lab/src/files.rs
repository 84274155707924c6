//! Results on disk: written all at once, so that a reader or a power cut never meets half a file.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Result};

/// The same path with something added to its name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Writes a file beside the old one, then in its place.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let new = beside(path, ".new");
    std::fs::write(&new, text).map_err(|error| Failure::file("write", &new, error))?;
    std::fs::rename(&new, path).map_err(|error| Failure::file("write", path, error))
}

/// Writes a value as JSON.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::file("write", path, error))?;
    write(path, &(text + "\n"))
}

/// Reads a value as JSON.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, error))?;
    serde_json::from_str(&text).map_err(|error| Failure::file("understand", path, error))
}

/// Checks before hours of games that a result can be written; what is there already is kept as `FILE.old`.
pub fn prepare(path: &Path) -> Result<()> {
    let probe = beside(path, ".new");
    std::fs::write(&probe, "").map_err(|error| Failure::file("write", path, error))?;
    let _ = std::fs::remove_file(&probe);
    if path.is_file() {
        std::fs::rename(path, beside(path, ".old")).map_err(|error| Failure::file("move away the old", path, error))?;
    }
    Ok(())
}
