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
    /// There are too few positions: how many to learn from, how many held out, and how many a step needs.
    TooFew(u64, usize, usize),
    /// The network to start from does not fit: why.
    Init(String),
    /// A number became too large or none at all, in this step.
    NotANumber(u64),
    /// A checkpoint cannot be used: why.
    Checkpoint(String),
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
            TrainError::TooFew(training, held, batch) => write!(
                f,
                "{training} positions to learn from and {held} held out; at least a batch of {batch} and one held-out game \
                 expected"
            ),
            TrainError::Init(what) => write!(f, "this network cannot be the start: {what}"),
            TrainError::NotANumber(step) => {
                write!(f, "the loss is not a number any more in step {step}; a lower learning rate may help")
            }
            TrainError::Checkpoint(what) => write!(f, "this checkpoint cannot be used: {what}"),
        }
    }
}

impl std::error::Error for TrainError {}
