//! Where games go: to the standard output one by one, or into a file that is there whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where games go.
pub enum Output {
    /// The standard output.
    Standard,
    /// A pipe or a device, which cannot be replaced.
    Special(File),
    /// A file, written beside its place under a name of its own and then moved there.
    File {
        /// What has been written so far.
        file: File,
        /// Where it is.
        temporary: PathBuf,
        /// Where it belongs.
        path: PathBuf,
    },
}

impl Output {
    /// To this file, or to the standard output.
    pub fn open(path: Option<&Path>) -> io::Result<Output> {
        let Some(path) = path else { return Ok(Output::Standard) };
        if std::fs::metadata(path).is_ok_and(|data| data.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return File::options().write(true).open(path).map(Output::Special);
        }
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let temporary = PathBuf::from(name);
        let file = File::create(&temporary)?;
        Ok(Output::File { file, temporary, path: path.to_path_buf() })
    }

    /// Writes a whole game.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Standard => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Output::Special(file) | Output::File { file, .. } => file.write_all(text.as_bytes()),
        }
    }

    /// Puts the file in its place.
    pub fn finish(self) -> io::Result<()> {
        let Output::File { file, temporary, path } = self else { return Ok(()) };
        let done = file.sync_all().and_then(|()| std::fs::rename(&temporary, &path));
        if done.is_err() {
            // Half a file is of no use.
            let _ = std::fs::remove_file(&temporary);
        }
        done
    }

    /// Leaves everything as it was.
    pub fn abandon(self) {
        if let Output::File { temporary, .. } = self {
            let _ = std::fs::remove_file(&temporary);
        }
    }
}
