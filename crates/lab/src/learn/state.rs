//! What is known of a ladder: `learn.json`. A stage whose result stands here is done; everything else is done again, or gone
//! on with from its own files.

use serde::{Deserialize, Serialize};

use super::clock::Spent;
use super::duel::Duel;
use super::plan::Next;

/// The version of the file.
pub const VERSION: u32 = 1;

/// A ladder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// The version of this file.
    pub version: u32,
    /// What it began with: `<bootstrap>`, or the name of the network.
    pub start: String,
    /// The checksum of that network; 0 for the bootstrap evaluation.
    pub start_net: u32,
    /// The seed of everything.
    pub seed: u64,
    /// The generations, the last of which may not be done.
    pub generations: Vec<Generation>,
    /// The network in use against what the ladder began with.
    #[serde(default)]
    pub look_back: Option<LookBack>,
    /// Time spent.
    pub spent: Spent,
}

/// A generation: games, and what was learned from them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// From 1 on.
    pub number: u32,
    /// The builds that have worked on it, by version and checksum.
    pub builds: Vec<String>,
    /// Who plays: a generation's network, or 0 for what the ladder began with.
    pub player: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// How many positions it is to have; None where time alone says so.
    pub wanted: Option<u64>,
    /// Until when it may play, in seconds of the ladder.
    pub until: Option<f64>,
    /// The hours of the ladder that this was planned for.
    #[serde(default)]
    pub hours: Option<f64>,
    /// How many positions were played.
    pub played: Option<u64>,
    /// How many positions it gives to learn from.
    pub positions: Option<u64>,
    /// What was learned.
    pub learned: Option<Learned>,
    /// Its network against the player.
    pub duel: Option<Duel>,
    /// Whether its network plays from now on.
    pub promoted: Option<bool>,
    /// What was spent when it was done.
    pub spent: Option<Spent>,
}

/// A network.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// Its shape.
    pub network: String,
    /// The generations it has learned from.
    pub window: Vec<u32>,
    /// Positions to learn from.
    pub positions: u64,
    /// The loss of the last epoch.
    pub training: f64,
    /// The loss of what was held out.
    pub validation: f64,
    /// The same of the network of integers.
    pub quantised: f64,
    /// What it was multiplied by, to be as large as the one before.
    pub factor: f64,
}

/// The network in use against what the ladder began with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LookBack {
    /// Whose network.
    pub generation: u32,
    /// The match.
    pub duel: Duel,
}

impl Generation {
    /// A generation of which nothing is done.
    pub fn new(number: u32, player: u32, nodes: u64, next: Next, build: String) -> Generation {
        Generation {
            number,
            builds: vec![build],
            player,
            nodes,
            wanted: next.positions,
            until: next.until,
            hours: next.hours,
            played: None,
            positions: None,
            learned: None,
            duel: None,
            promoted: None,
            spent: None,
        }
    }
}

impl State {
    /// The generation that is being worked on.
    pub fn current(&mut self) -> Option<&mut Generation> {
        self.generations.last_mut().filter(|generation| generation.promoted.is_none())
    }

    /// Whose network plays: the last that was promoted, 0 for what it began with.
    pub fn player(&self) -> u32 {
        let promoted = self.generations.iter().rev().find(|generation| generation.promoted == Some(true));
        promoted.map_or(0, |generation| generation.number)
    }

    /// The positions of all generations.
    pub fn positions(&self) -> u64 {
        self.generations.iter().filter_map(|generation| generation.positions.or(generation.played)).sum()
    }
}
