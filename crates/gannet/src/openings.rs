//! What openings are called.
#![allow(dead_code, reason = "the table is on its way")]

/// An opening with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Its code: a letter from A to E and two digits; empty where there is none.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many plies of the game belong to it.
    pub plies: usize,
}
