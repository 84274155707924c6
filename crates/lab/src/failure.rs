//! What ends a command early: a message that names what went wrong and where.

use std::fmt;
use std::path::Path;

/// Why a command did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Something went wrong: a message for the user.
    Message(String),
    /// What the user has asked for makes no sense: a message, before anything is begun.
    Arguments(String),
    /// The user has asked to end before the work was done. A command that can has saved and shown what there is.
    Interrupted,
}

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure::Message(message.into())
    }

    /// A failure to understand the command line.
    pub fn arguments(message: impl Into<String>) -> Failure {
        Failure::Arguments(message.into())
    }

    /// A failure to do something with a file.
    pub fn file(what: &str, path: &Path, error: impl fmt::Display) -> Failure {
        Failure::Message(format!("cannot {what} {}: {error}", path.display()))
    }

    /// What the program ends with. 130 is what shells show for a program that Ctrl-C has ended.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Message(_) => 1,
            Failure::Arguments(_) => 2,
            Failure::Interrupted => 130,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Message(message) | Failure::Arguments(message) => f.write_str(message),
            Failure::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Failure {}

/// What most functions of the laboratory return.
pub type Result<T> = std::result::Result<T, Failure>;
