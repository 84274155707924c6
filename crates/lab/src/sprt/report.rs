//! What a test has found, in words: its verdict, and a block for a commit message.

use super::Saved;
use crate::merge;
use crate::stats::{Model, Pentanomial, Verdict};

impl Saved {
    /// The verdict and the block.
    pub fn report(&self) -> String {
        let unit = if self.sprt.is_some_and(|sprt| sprt.model == Model::Normalised) { "nElo" } else { "Elo" };
        let verdict = match (self.verdict, self.sprt) {
            _ if self.doubt.is_some() => "no verdict: the games are not to be trusted".to_string(),
            (Some(Verdict::H1), Some(sprt)) => format!("H1 accepted: A gains, more than {} {unit}", sprt.elo0),
            (Some(Verdict::H0), Some(sprt)) => format!("H0 accepted: A does not gain {} {unit}", sprt.elo1),
            (Some(_), _) => "undecided: more games are needed".to_string(),
            (None, _) => "fixed number of games: see the error bars".to_string(),
        };
        format!("{verdict}\n\n{}", self.commit_block())
    }

    /// The measurement, ready for a commit message.
    fn commit_block(&self) -> String {
        let Saved { games, wins, draws, losses, pentanomial, openings, distinct_games, .. } = self;
        let pairs = Pentanomial(*pentanomial);
        let mut block = format!(
            "A: {}\nB: {}\nLimit: {}\nElo: {} (95 %), nElo: {}\n",
            self.a,
            self.b,
            merge::in_short(&self.conditions),
            pairs.elo(),
            pairs.normalised_elo(),
        );
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let model = if sprt.model == Model::Normalised { "normalised" } else { "logistic" };
            let llr = sprt.llr(&pairs);
            block += &format!("LLR: {llr:.2} [{lower:.2}, {upper:.2}] for {model} [{}, {}]\n", sprt.elo0, sprt.elo1);
        }
        block += &format!("Games: {games} W: {wins} D: {draws} L: {losses}\nPairs: {pentanomial:?}\n");
        block += &match openings {
            0 => format!("Different games: {distinct_games}"),
            _ => format!("Openings: {openings}, different games: {distinct_games}"),
        };
        for (side, faults) in ["A", "B"].iter().zip(&self.faults) {
            block.extend(faults.text().map(|text| format!("\n{side} lost {text}")));
        }
        block
    }
}
