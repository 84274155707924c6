//! Results counted by material and score. Both sides of the board are the same to the model, so a position counts for
//! whoever is ahead: half the bins, and nothing lost.

use std::collections::BTreeMap;

use chess::{Color, Score, Value};
use engine::wdl::{MATERIAL, material};

use crate::records::{Fault, RecordError, Replay, Shard, What, game_ply};

/// Centipawns a bin.
const WIDTH: Value = 5;
/// Scores further from zero count as this: such games are decided.
const MOST: Value = 4000;
/// Bins a material.
const BINS: usize = (MOST / WIDTH) as usize + 1;

/// Which positions count.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The network that played, by its checksum; none for any.
    pub net: Option<u32>,
    /// Plies at the beginning of a game that are left out, random ones included.
    pub first_ply: u32,
}

/// Results of positions with about the same score and material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// The material.
    pub material: i32,
    /// The score, from zero upwards.
    pub score: f64,
    /// Wins, draws and losses of the side that is ahead.
    pub results: [u64; 3],
}

impl Bin {
    /// Positions.
    pub fn total(&self) -> u64 {
        self.results.iter().sum()
    }
}

/// All that is counted.
#[derive(Clone, Debug)]
pub struct Counts {
    /// By material and score; wins, draws and losses of the side that is ahead.
    cells: Vec<[u64; 3]>,
    /// Games that counted.
    pub games: u64,
    /// Positions that counted.
    pub positions: u64,
    /// Games of other networks, by their checksums.
    pub others: BTreeMap<u32, u64>,
    /// Damage that was passed over.
    pub faults: Vec<Fault>,
}

impl Counts {
    /// Nothing yet.
    pub fn new() -> Counts {
        let cells = vec![[0; 3]; MATERIAL.count() * BINS];
        Counts { cells, games: 0, positions: 0, others: BTreeMap::new(), faults: Vec::new() }
    }

    /// Counts a shard; damaged games are passed over.
    pub fn of_shard(shard: &Shard, wanted: &Wanted) -> Counts {
        let mut counts = Counts::new();
        counts.faults.clone_from(&shard.faults);
        // A game may turn out to be damaged near its end, so its positions are held back until then.
        let mut held = Vec::new();
        for block in &shard.blocks {
            held.clear();
            match shard.replay(block).and_then(|replay| positions(replay, wanted, &mut held)) {
                Ok(Ok(())) => {
                    counts.games += 1;
                    held.iter().for_each(|&position| counts.add(position));
                }
                Ok(Err(net)) => *counts.others.entry(net).or_default() += 1,
                Err(error) => counts.faults.push(shard.game_fault(block, What::Game(error))),
            }
        }
        counts
    }

    /// Adds a position: its material, its score, and 0 to 2 half points for the side that the score is for.
    pub fn add(&mut self, (material, score, half_points): (i32, Value, u8)) {
        let material = material.clamp(*MATERIAL.start(), *MATERIAL.end()) - MATERIAL.start();
        let bin = (score.abs().min(MOST) + WIDTH / 2) / WIDTH;
        let result = if score < 0 { half_points } else { 2 - half_points };
        if let Some(cell) = self.cells.get_mut(material as usize * BINS + bin as usize) {
            cell[usize::from(result.min(2))] += 1;
            self.positions += 1;
        }
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: Counts) {
        for (sum, new) in self.cells.iter_mut().zip(other.cells) {
            (0..3).for_each(|result| sum[result] += new[result]);
        }
        self.games += other.games;
        self.positions += other.positions;
        for (net, games) in other.others {
            *self.others.entry(net).or_default() += games;
        }
        self.faults.extend(other.faults);
    }

    /// The bins that hold something, by material and score.
    pub fn bins(&self) -> Vec<Bin> {
        let bin = |(index, &results): (usize, &[u64; 3])| Bin {
            material: MATERIAL.start() + (index / BINS) as i32,
            score: f64::from(WIDTH) * (index % BINS) as f64,
            results,
        };
        self.cells.iter().enumerate().map(bin).filter(|bin| bin.total() > 0).collect()
    }
}

/// Collects the positions of a game that count, or says which other network played it.
fn positions(
    mut replay: Replay<'_>,
    wanted: &Wanted,
    held: &mut Vec<(i32, Value, u8)>,
) -> std::result::Result<std::result::Result<(), u32>, RecordError> {
    let (net, result) = (replay.info.net, replay.info.result);
    if wanted.net.is_some_and(|wanted| wanted != net) {
        return Ok(Err(net));
    }
    while let Some(ply) = replay.peek()? {
        let (board, score) = (replay.board(), Value::from(ply.score));
        if game_ply(board) >= wanted.first_ply && !Score(score).is_decisive() {
            held.push((material(board), score, result.half_points(Color::White)));
        }
        replay.advance(ply);
    }
    Ok(Ok(()))
}
