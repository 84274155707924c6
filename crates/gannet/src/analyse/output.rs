//! Where games go: to the standard output one by one, or into a file that is there whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So many links in a row are followed.
const MAX_LINKS: usize = 40;

/// Where games go.
pub enum Output {
    /// The standard output.
    Standard,
    /// A pipe or a device, which cannot be replaced.
    Special(File),
    /// A file, written beside its place under a name of its own and then moved there. What is not finished is removed again.
    File(Draft),
}

/// A file that is not yet in its place.
pub struct Draft {
    file: File,
    /// Where it is; nothing when it has been moved.
    temporary: Option<PathBuf>,
    /// Where it belongs.
    path: PathBuf,
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            // Half a file is of no use.
            let _ = fs::remove_file(temporary);
        }
    }
}

impl Output {
    /// To this file, or to the standard output. A link stays, and what it leads to is replaced; an old file's mode is kept.
    pub fn open(path: Option<&Path>) -> io::Result<Output> {
        let Some(path) = path else { return Ok(Output::Standard) };
        let path = target(path);
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if old.as_ref().is_some_and(|data| !data.is_file()) {
            return File::options().write(true).open(path).map(Output::Special);
        }
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let temporary = PathBuf::from(name);
        let file = File::create(&temporary)?;
        if let Some(mode) = old.map(|data| data.permissions()).filter(|mode| !Permissions::readonly(mode)) {
            // Where it cannot be kept, the file is worth more than its mode.
            let _ = file.set_permissions(mode);
        }
        Ok(Output::File(Draft { file, temporary: Some(temporary), path }))
    }

    /// Writes a whole game.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Output::Standard => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Output::Special(file) | Output::File(Draft { file, .. }) => file.write_all(text.as_bytes()),
        }
    }

    /// Puts the file in its place.
    pub fn finish(self) -> io::Result<()> {
        let Output::File(mut draft) = self else { return Ok(()) };
        draft.file.sync_all()?;
        if let Some(temporary) = &draft.temporary {
            fs::rename(temporary, &draft.path)?;
        }
        draft.temporary = None;
        Ok(())
    }
}

/// What a path leads to in the end, whether it is there or not.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    path
}
