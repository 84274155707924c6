//! The Universal Chess Interface, for both of its ends. An engine reads [`Command`]s, each line once, and writes [`Info`]s; whoever
//! drives engines does it with the [`client`](crate::client), which waits for nothing without end.
//!
//! ```
//! use uci::{Command, Info};
//!
//! let Command::Go(Ok(go)) = Command::parse("go depth 12 nodes 0") else { panic!("a go") };
//! assert_eq!(go.depth.map(|depth| depth.get()), Some(12));
//!
//! let info = Info::parse("info depth 9 score cp 31 lowerbound pv e2e4").expect("analysis");
//! assert!(!info.is_exact_best());
//! assert_eq!(info.to_string(), "info depth 9 score cp 31 lowerbound pv e2e4");
//! ```

#[cfg(feature = "client")]
pub mod client;
mod command;
mod declared;
mod genfens;
mod go;
mod info;
mod position;
mod set_option;

pub use command::{Command, SpeedTest, is_keyword};
pub use declared::Declared;
pub use genfens::Openings;
pub use go::{BadGo, Go, GoError, Hold, MAX_PERFT, Time};
pub use info::{Bound, Info, Shown, last_exact};
pub use position::{Position, PositionError, Spelling, parse_move, position_line};
pub use set_option::SetOption;
