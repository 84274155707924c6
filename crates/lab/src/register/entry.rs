//! A line of the register: everything about a run that somebody may want to know later.

use serde::{Deserialize, Serialize};

use crate::stats::{Sprt, Verdict};

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// When it ended, UTC.
    pub date: String,
    /// The command: `sprt`, `match`, `spsa` or `ablate`.
    pub command: String,
    /// Eight digits, the same for a run and for one that went on with it.
    pub key: String,
    /// Whether it went on with an earlier run, whose games are counted here.
    #[serde(skip_serializing_if = "is_false")]
    pub resumed: bool,
    /// How it ended.
    pub status: Status,
    /// Who played: A and B of a test, with and without of a measurement.
    pub engines: Vec<Side>,
    /// How long they could think.
    pub limit: String,
    /// What the games began from.
    pub book: String,
    /// What openings were drawn with.
    pub seed: u64,
    /// Everything that decides what games are played, in words.
    pub conditions: String,
    /// How many games were played.
    pub games: u64,
    /// How many of them are not one that was played before; not known of every run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_games: Option<u64>,
    /// What they say.
    pub found: Found,
    /// The processor.
    pub machine: String,
    /// Games at a time.
    pub threads: usize,
    /// How long it took, together with what it went on with.
    pub seconds: f64,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All was played that was to be played.
    #[default]
    Done,
    /// Somebody ended it.
    Interrupted,
    /// Something went wrong.
    Failed,
}

/// An engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Side {
    /// What it is called.
    pub name: String,
    /// The commit it was built from, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The node count of its bench, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
    /// What was set, `Name=value,Name=value`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub options: String,
}

/// What the games of a run say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Found {
    /// How much better the first engine is than the second.
    Test(Test),
    /// How all of them compare.
    Standings(Vec<Standing>),
    /// Where numbers went.
    Tuning(Tuning),
    /// What each of many ideas brings: its name, Elo, and the 95 % error.
    Effects(Vec<(String, f64, f64)>),
}

impl Default for Found {
    fn default() -> Found {
        Found::Standings(Vec::new())
    }
}

/// The games of two engines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Test {
    /// Pairs of games by the points of the first.
    pub pentanomial: [u64; 5],
    /// Games that it won, drew and lost.
    pub games: [u64; 3],
    /// The sequential test, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Its log-likelihood ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// What was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The way there.
    pub path: Vec<Point>,
}

/// A moment of a test: games, Elo, its 95 % error, and the log-likelihood ratio or zero.
pub type Point = (u64, f64, f64, f64);

/// A player of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Who.
    pub name: String,
    /// Elo among all of them, and its 95 % error.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games that it won, drew and lost.
    pub games: [u64; 3],
}

/// A tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// How many pairs of games there were to be.
    pub pairs: u64,
    /// What was tuned.
    pub numbers: Vec<Number>,
    /// Where the numbers were after so many pairs.
    pub path: Vec<(u64, Vec<f64>)>,
}

/// A number that was tuned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// Its option.
    pub name: String,
    /// Where it began.
    pub start: f64,
    /// Where it is.
    pub value: f64,
    /// How far it is nudged at the end, in which its way is counted.
    pub step: f64,
}
