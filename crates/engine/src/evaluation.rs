//! Static evaluation: what a position is worth without searching.
//!
//! An evaluator listens to the board as an observer, so that it can keep its sums up to date move by move
//! instead of looking at the whole board each time.

pub mod bootstrap;

use std::fmt;
use std::sync::{Arc, OnceLock};

use chess::{Board, Observer, Piece, Score, Square, Value};

pub use crate::base::Evaluator;
use crate::nnue::{Accumulators, Network, NetworkError};
use bootstrap::Bootstrap;

/// What to evaluate with.
#[derive(Clone, Debug)]
pub enum Source {
    /// Material and squares, from which learning starts.
    Bootstrap,
    /// A network.
    Network(Arc<Network>),
}

impl Source {
    /// The source that a user names: a network file, `<bootstrap>`, or nothing (`<empty>`) for the default.
    pub fn load(name: &str) -> Result<Source, LoadError> {
        match name {
            "" | "<empty>" => return Ok(Source::default()),
            "<bootstrap>" => return Ok(Source::Bootstrap),
            _ => {}
        }
        let fail = |cause: String| LoadError { name: name.to_string(), cause };
        let information = std::fs::metadata(name).map_err(|error| fail(error.to_string()))?;
        // What the kernel offers as a file may have nothing to read yet, and none of it has a size.
        if !information.is_file() || information.len() == 0 {
            let kind = if information.is_file() { "an empty file" } else { "not a file" };
            return Err(fail(kind.into()));
        }
        if information.len() > MAX_FILE {
            return Err(fail(format!("{} bytes; a network has at most {MAX_FILE}", information.len())));
        }
        let file = std::fs::read(name).map_err(|error| fail(error.to_string()))?;
        Network::shared(&file).map(Source::Network).map_err(|error| fail(error.to_string()))
    }

    /// A number that names the network: its checksum, or 0 for the bootstrap evaluation.
    pub fn id(&self) -> u32 {
        match self {
            Source::Bootstrap => 0,
            Source::Network(network) => network.checksum(),
        }
    }

    /// The network in this binary, as a file.
    pub fn embedded_file() -> &'static [u8] {
        include_bytes!(env!("GANNET_NETWORK"))
    }

    /// Why the network in this binary cannot be used, if so.
    pub fn embedded_error() -> Option<&'static LoadError> {
        embedded().as_ref().err()
    }
}

impl Default for Source {
    /// The network in this binary. (The build checks its checksum and a test the rest; a binary with a network that it
    /// cannot use all the same falls back on the bootstrap evaluation, and [`Source::embedded_error`] says so.)
    fn default() -> Source {
        embedded().clone().unwrap_or(Source::Bootstrap)
    }
}

/// What this binary was built with, read once.
fn embedded() -> &'static Result<Source, LoadError> {
    static EMBEDDED: OnceLock<Result<Source, LoadError>> = OnceLock::new();
    EMBEDDED.get_or_init(|| {
        let fail = |error: NetworkError| LoadError { name: "of this build".to_string(), cause: error.to_string() };
        Network::shared(Source::embedded_file()).map(Source::Network).map_err(fail)
    })
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Bootstrap => f.write_str("bootstrap"),
            Source::Network(network) => write!(f, "network {:08x} {}", network.checksum(), network.shape()),
        }
    }
}

/// No network can be larger.
const MAX_FILE: u64 = 256 << 20;

/// Why an evaluation could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// What was asked for.
    pub name: String,
    /// What is wrong with it.
    pub cause: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network {}: {}", self.name, self.cause)
    }
}

impl std::error::Error for LoadError {}

/// The evaluation in use. One `match` a call is cheaper than generating the whole search once for each.
#[derive(Clone)]
pub enum Evaluation {
    /// Material and squares.
    Bootstrap(Bootstrap),
    /// A network.
    Network(Accumulators),
}

impl Evaluation {
    /// An evaluation from this source.
    pub fn new(source: &Source) -> Evaluation {
        match source {
            Source::Bootstrap => Evaluation::Bootstrap(Bootstrap::new()),
            Source::Network(network) => Evaluation::Network(Accumulators::new(network.clone())),
        }
    }

    /// The score of the current position for the side to move, clear of proven scores.
    #[inline(always)]
    pub fn score(&mut self, board: &Board) -> Score {
        let bound = Score::WIN_BOUND.0 - 1;
        Score(self.evaluate(board).clamp(-bound, bound))
    }
}

macro_rules! delegate {
    ($self:ident, $evaluator:ident => $call:expr) => {
        match $self {
            Evaluation::Bootstrap($evaluator) => $call,
            Evaluation::Network($evaluator) => $call,
        }
    };
}

impl Observer for Evaluation {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        delegate!(self, e => e.add(piece, square));
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        delegate!(self, e => e.remove(piece, square));
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        delegate!(self, e => e.shift(piece, from, to));
    }
}

impl Evaluator for Evaluation {
    fn reset(&mut self, board: &Board) {
        delegate!(self, e => e.reset(board));
    }

    #[inline(always)]
    fn begin(&mut self) {
        delegate!(self, e => e.begin());
    }

    #[inline(always)]
    fn undo(&mut self) {
        delegate!(self, e => e.undo());
    }

    #[inline(always)]
    fn evaluate(&mut self, board: &Board) -> Value {
        delegate!(self, e => e.evaluate(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_is_whole() {
        assert!(matches!(Source::default(), Source::Network(_)));
        assert_eq!(Source::embedded_error(), None);
    }

    #[test]
    fn sources_are_named_or_refused() {
        assert!(matches!(Source::load("<bootstrap>"), Ok(Source::Bootstrap)));
        assert!(matches!(Source::load(""), Ok(Source::Network(_))));
        for name in ["/no/such/file", "/", "/dev/zero", file!()] {
            let error = Source::load(name).err().map(|error| error.to_string());
            assert!(error.is_some_and(|text| text.contains(name)), "{name}");
        }
    }
}
