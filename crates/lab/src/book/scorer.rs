//! How far from equal a position is, by short searches that begin with an empty table, so that any search of so many nodes
//! finds the same.

use chess::{Color, Game};
use engine::{Params, Source};

use crate::failure::Result;
use crate::player::{Go, Inside, Limit, Player};

/// The table of the engine that looks, in MiB. It is cleared before every look.
const HASH: usize = 1;
/// Most positions are far off, and shorter looks tell: the full look has so many times the nodes …
const SHORTER: [u64; 2] = [100, 20];
/// … and the score may be so much further off, in centipawns.
const SLACK: [i32; 2] = [250, 120];

/// An engine that judges openings.
pub struct Scorer(Inside);

impl Scorer {
    /// One that knows the engine of this build with its defaults, whoever plays.
    pub fn new() -> Result<Scorer> {
        Inside::new(&Params::default(), &Source::default(), HASH).map(Scorer)
    }

    /// White's score after so many nodes, in centipawns; none if the search has none.
    pub fn score(&mut self, game: &Game, nodes: u64) -> Option<i32> {
        self.0.new_game().ok()?;
        let score = self.0.think(game, &Go { limit: Limit::Nodes(nodes), clocks: None }).ok()?.score?.0;
        Some(if game.board().side_to_move() == Color::White { score } else { -score })
    }

    /// The same, if it is not further from a centre than this.
    pub fn score_near(&mut self, game: &Game, nodes: u64, centre: i32, distance: i32) -> Option<i32> {
        for (times, slack) in SHORTER.into_iter().zip(SLACK) {
            if (self.score(game, nodes / times + 1)? - centre).abs() > distance.saturating_add(slack) {
                return None;
            }
        }
        self.score(game, nodes).filter(|score| (score - centre).abs() <= distance)
    }
}
