//! The standings of a match: ratings with error bars, scores, and what went wrong.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::pairs::{Faults, Outcome, Score};
use crate::ratings::{self, Pairing, Rating};
use crate::register::Standing;
use crate::trust::Trust;

/// The standings.
pub struct Table {
    names: Vec<String>,
    pairings: Vec<(usize, usize)>,
    scores: Vec<Score>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    elo: f64,
    error: f64,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    faults: Faults,
}

impl Row {
    /// Elo and its error, if there are games enough for any: before the first pair nothing is known.
    fn estimate(&self) -> Option<(f64, f64)> {
        (self.error.is_finite() && self.error > 0.0).then_some((self.elo, self.error))
    }
}

#[derive(Serialize, Deserialize)]
struct PairingRow {
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    elo: f64,
    error: f64,
}

/// The standings as they are written to disk.
#[derive(Serialize, Deserialize)]
pub struct Standings {
    players: Vec<Row>,
    pairings: Vec<PairingRow>,
}

impl Table {
    /// Nothing has been played.
    pub fn new(names: &[String], pairings: &[(usize, usize)]) -> Table {
        Table { names: names.to_vec(), pairings: pairings.to_vec(), scores: vec![Score::default(); pairings.len()] }
    }

    /// Adds a game of a pairing.
    pub fn add(&mut self, pairing: usize, outcome: Outcome) {
        self.scores[pairing].add(outcome);
    }

    /// Why the games of a pairing are not to be trusted, if they are not.
    pub fn doubt(&self, trust: &Trust) -> Option<Failure> {
        let all = self.pairings.iter().zip(&self.scores);
        all.map(|(&(a, b), score)| trust.doubt([&self.names[a], &self.names[b]], score)).find_map(|doubt| doubt)
    }

    /// What a player did wrong.
    fn faults(&self, player: usize) -> Faults {
        let mut sum = Faults::default();
        for (&(first, second), score) in self.pairings.iter().zip(&self.scores) {
            for (_, faults) in [first, second].iter().zip(&score.faults).filter(|(side, _)| **side == player) {
                sum.add(faults);
            }
        }
        sum
    }

    /// How many pairings there are.
    pub fn pairings(&self) -> u64 {
        self.pairings.len().max(1) as u64
    }

    /// How many games have been played.
    pub fn games(&self) -> u64 {
        self.scores.iter().map(Score::total).sum()
    }

    fn ratings(&self) -> Vec<Rating> {
        let pairings: Vec<Pairing> = self
            .pairings
            .iter()
            .zip(&self.scores)
            .map(|(&(first, second), score)| {
                let ((mean, _), variance) = (score.pairs.mean_and_variance(), score.pairs.error_variance());
                Pairing { first, second, pairs: score.pairs.pairs() as f64, mean, variance }
            })
            .collect();
        ratings::ratings(self.names.len(), &pairings)
    }

    /// Games that a player lost, drew and won.
    fn results(&self, player: usize) -> [u64; 3] {
        let mut sum = [0; 3];
        for (&(first, second), score) in self.pairings.iter().zip(&self.scores) {
            let [losses, draws, wins] = score.games;
            let own = if player == first {
                [losses, draws, wins]
            } else if player == second {
                [wins, draws, losses]
            } else {
                continue;
            };
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        sum
    }

    /// The rows, the best first.
    fn rows(&self) -> Vec<Row> {
        let ratings = self.ratings();
        let mut rows: Vec<Row> = (0..self.names.len())
            .map(|player| {
                let [losses, draws, wins] = self.results(player);
                Row {
                    name: self.names[player].clone(),
                    elo: ratings[player].elo,
                    error: ratings[player].error,
                    games: losses + draws + wins,
                    points: wins as f64 + draws as f64 / 2.0,
                    wins,
                    draws,
                    losses,
                    faults: self.faults(player),
                }
            })
            .collect();
        rows.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        rows
    }

    /// The standings in a line.
    pub fn line(&self) -> String {
        let cells: Vec<String> = self
            .rows()
            .iter()
            .map(|row| match row.estimate() {
                Some((elo, error)) => format!("{} {elo:+.0} ± {error:.0} ({}/{})", row.name, row.points, row.games),
                None => format!("{} ({}/{})", row.name, row.points, row.games),
            })
            .collect();
        cells.join(", ")
    }

    /// The standings as the register keeps them.
    pub fn registered(&self) -> Vec<Standing> {
        let standing = |row: Row| Standing {
            name: row.name,
            elo: row.elo,
            error: row.error,
            games: [row.wins, row.draws, row.losses],
        };
        self.rows().into_iter().map(standing).collect()
    }

    /// The standings as a table.
    pub fn text(&self) -> String {
        let rows = self.rows();
        let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!(
            "{:<width$} {:>8} {:>7} {:>7} {:>8} {:>7} {:>6} {:>6} {:>6}  time illegal crash stall\n",
            "engine", "Elo", "95 %", "games", "points", "score", "won", "drawn", "lost"
        );
        for row in &rows {
            let share = 100.0 * row.points / row.games.max(1) as f64;
            let Faults { time_losses, illegal_moves, disconnects, stalls } = row.faults;
            let [elo, error] = match row.estimate() {
                Some((elo, error)) => [format!("{elo:+.1}"), format!("{error:.1}")],
                None => ["-", "-"].map(String::from),
            };
            let _ = writeln!(
                text,
                "{:<width$} {elo:>8} {error:>7} {:>7} {:>8.1} {share:>6.1}% {:>6} {:>6} {:>6}  {time_losses:>4} {illegal_moves:>7} {disconnects:>5} {stalls:>5}",
                row.name, row.games, row.points, row.wins, row.draws, row.losses
            );
        }
        for (&(first, second), score) in self.pairings.iter().zip(&self.scores) {
            let [losses, draws, wins] = score.games;
            let _ = write!(
                text,
                "\n{} – {}: +{wins} ={draws} -{losses}, pairs {:?}, Elo {}",
                self.names[first],
                self.names[second],
                score.pairs.0,
                score.pairs.elo()
            );
        }
        text
    }

    /// The standings as they are written to disk.
    pub fn standings(&self) -> Standings {
        let pairing = |(&(first, second), score): (&(usize, usize), &Score)| {
            let [losses, draws, wins] = score.games;
            let elo = score.pairs.elo();
            PairingRow {
                first: self.names[first].clone(),
                second: self.names[second].clone(),
                wins,
                draws,
                losses,
                pentanomial: score.pairs.0,
                elo: elo.value,
                error: elo.error,
            }
        };
        Standings { players: self.rows(), pairings: self.pairings.iter().zip(&self.scores).map(pairing).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs;

    #[test]
    fn results_and_faults_go_to_the_right_player() {
        let names = ["a", "b", "c"].map(str::to_string);
        let mut table = Table::new(&names, &[(0, 1), (0, 2), (1, 2)]);
        // The second player of each pairing loses by time, the first stalls, the second crashes.
        for (pairing, results) in ["TL", "sD", "CW"].iter().enumerate() {
            for outcome in pairs::from_text(results).expect("every letter is known") {
                table.add(pairing, outcome);
            }
        }
        assert_eq!(table.games(), 6);
        assert_eq!([0, 1, 2].map(|player| table.results(player)), [[2, 1, 1], [1, 0, 3], [2, 1, 1]]);
        assert_eq!((table.faults(1).time_losses, table.faults(0).stalls, table.faults(2).disconnects), (1, 1, 1));
        let rows = table.rows();
        assert_eq!(rows[0].name, "b");
        assert!(table.text().contains("a – c: +0 =1 -1"), "{}", table.text());
    }

    #[test]
    fn one_game_is_no_estimate() {
        let mut table = Table::new(&["a", "b"].map(str::to_string), &[(0, 1)]);
        let one = |text: &str| pairs::from_text(text).expect("a letter")[0];
        table.add(0, one("W"));
        assert_eq!(table.line(), "a (1/1), b (0/1)");
        assert!(table.text().contains("a             -       -       1"), "{}", table.text());
        table.add(0, one("D"));
        assert!(table.line().contains(" ± "), "{}", table.line());
    }
}
