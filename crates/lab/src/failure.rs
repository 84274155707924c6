//! What ends a command early: a message that names what went wrong and where.

use std::fmt;
use std::path::Path;

/// A message for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    /// A failure to do something with a file.
    pub fn file(what: &str, path: &Path, error: impl fmt::Display) -> Failure {
        Failure(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// What most functions of the laboratory return.
pub type Result<T> = std::result::Result<T, Failure>;
