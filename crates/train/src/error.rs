//! What can go wrong.

use std::fmt;
use std::path::PathBuf;

/// Why there is no network, or none yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TrainError {
    /// A file cannot be read: which, and what the system says.
    Read(PathBuf, String),
    /// A file does not hold positions: which, and how one sees that.
    NotPositions(PathBuf, String),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            TrainError::NotPositions(path, what) => write!(
                f,
                "{} is no file of positions: {what}; expected records of 32 bytes as 'gannet-lab data expand' writes them",
                path.display()
            ),
        }
    }
}

impl std::error::Error for TrainError {}
