//! Counts over games: how many, how long, how they ended, what is kept of them.

use serde::Serialize;

use super::filter::{Filter, Keeper};
use crate::records::{BLOCK_OVERHEAD, End, FLAG_CHESS960, Fault, GameInfo, RecordError, Replay, Shard, What};

/// Games and what they hold, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Plies.
    pub plies: u64,
    /// Positions that the filter keeps.
    pub kept: u64,
    /// Bytes of the games, without headers of shards.
    pub bytes: u64,
    /// Black's wins, draws, White's wins.
    pub results: [u64; 3],
    /// Games by how they ended, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Games from Chess960 positions.
    pub chess960: u64,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, info: &GameInfo, plies: u64, kept: u64, bytes: u64) {
        self.games += 1;
        self.plies += plies;
        self.kept += kept;
        self.bytes += bytes;
        self.results[info.result as usize] += 1;
        self.ends[info.end as usize] += 1;
        self.chess960 += u64::from(info.flags & FLAG_CHESS960);
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
        self.bytes += other.bytes;
        self.chess960 += other.chess960;
        for (sum, new) in self.results.iter_mut().zip(other.results) {
            *sum += new;
        }
        for (sum, new) in self.ends.iter_mut().zip(other.ends) {
            *sum += new;
        }
    }

    /// Counts a shard; damaged games are passed over and told of.
    pub fn of_shard(shard: &Shard, filter: &Filter) -> (Tally, Vec<Fault>) {
        let mut tally = Tally::default();
        let mut faults = shard.faults.clone();
        for block in &shard.blocks {
            match shard.replay(block).and_then(|replay| kept(replay, filter)) {
                Ok((info, plies, kept)) => {
                    tally.add(&info, plies, kept, shard.game(block).len() as u64 + BLOCK_OVERHEAD)
                }
                Err(error) => faults.push(shard.game_fault(block, What::Game(error))),
            }
        }
        (tally, faults)
    }

    /// Wins of White, draws, wins of Black, in per cent of the games.
    pub fn percentages(&self) -> [f64; 3] {
        let [black, draws, white] = self.results;
        [white, draws, black].map(|count| per(100 * count, self.games))
    }

    /// Plies a game.
    pub fn length(&self) -> f64 {
        per(self.plies, self.games)
    }

    /// Bytes a ply, all overhead included.
    pub fn bytes_per_ply(&self) -> f64 {
        per(self.bytes, self.plies)
    }

    /// The same as a value for JSON.
    pub fn json(&self) -> TallyJson {
        let [black, draws, white] = self.results;
        TallyJson {
            games: self.games,
            plies: self.plies,
            kept_positions: self.kept,
            white_wins: white,
            draws,
            black_wins: black,
            chess960_games: self.chess960,
            ends: End::ALL.iter().zip(self.ends).map(|(end, count)| (end.to_string(), count)).collect(),
            bytes_per_ply: self.bytes_per_ply(),
        }
    }
}

/// A tally with names.
#[derive(Serialize)]
pub struct TallyJson {
    games: u64,
    plies: u64,
    kept_positions: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    chess960_games: u64,
    ends: std::collections::BTreeMap<String, u64>,
    bytes_per_ply: f64,
}

/// A share, and zero of nothing.
pub fn per(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn kept(mut replay: Replay<'_>, filter: &Filter) -> std::result::Result<(GameInfo, u64, u64), RecordError> {
    let (mut plies, mut kept) = (0, 0);
    let mut keeper = Keeper::new(filter);
    while let Some(ply) = replay.peek()? {
        plies += 1;
        kept += u64::from(keeper.keeps(replay.board(), ply));
        kept += replay.side().map_or(0, |side| filter.kept_beside(replay.board(), side));
        replay.advance(ply);
    }
    Ok((replay.info, plies, kept))
}
