//! The ledger of heuristics: what was claimed, what was measured, and how.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// What has been published about heuristics, in Elo.
pub const CLAIMS: [(&str, &str); 10] = [
    ("UseCountermoves", "+25…40"),
    ("UseQuiescence", "+150…250"),
    ("UseLateMovePruning", "+40…60"),
    ("UseRazoring", "+30…50"),
    ("UseHistoryGravity", "+20…40"),
    ("UseAspiration", "+30…50"),
    ("UseContinuationHistory", "+40…60"),
    ("UseMulticut", "+20…30"),
    ("UseRankedMovePicker", "≈ 0"),
    ("UseRankAwareGates", "≥ 0"),
];

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The heuristic's name.
    pub heuristic: String,
    /// Its switch.
    pub option: String,
    /// Whether it is on by default.
    pub default: bool,
    /// What the engine with it is better than the engine without it.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Pairs by the points of the engine with it.
    pub pentanomial: [u64; 5],
    /// How they were played.
    pub conditions: String,
    /// The bench of the build.
    pub bench: Option<u64>,
    /// When.
    pub date: String,
}

/// All measurements.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ledger {
    rows: Vec<Row>,
}

impl Row {
    /// The row for the terminal.
    pub fn line(&self) -> String {
        format!(
            "{:<28} {:>+8.1} ± {:<6.1} {:>6} games {:?}",
            self.option, self.elo, self.error, self.games, self.pentanomial
        )
    }

    /// Whether zero is outside the 95 % interval, and on which side.
    fn verdict(&self) -> &'static str {
        match self.elo {
            elo if elo > self.error => "helps",
            elo if elo < -self.error => "hurts",
            _ => "unclear",
        }
    }
}

impl Ledger {
    /// Whether a heuristic has been measured like this, with at least so many games or at most so large an error.
    pub fn has(&self, option: &str, conditions: &str, bench: Option<u64>, games: u64, error: f64) -> bool {
        self.rows.iter().any(|row| {
            let like_this = row.option == option && row.conditions == conditions && row.bench == bench;
            like_this && (row.games >= games || row.error <= error)
        })
    }

    /// Adds a measurement in place of the one before.
    pub fn put(&mut self, row: Row) {
        self.rows.retain(|old| old.option != row.option);
        self.rows.push(row);
    }

    /// The ledger as a page of the documentation.
    pub fn page(&self) -> String {
        let mut page = String::from(
            "# The ledger of heuristics\n\n\
             What each idea of the search is worth in this engine: the engine with it against the engine without it,\n\
             everything else as by default. Written by `gannet-lab ablate`; do not edit. An idea can be worth little because\n\
             another one does the same work, and more at longer limits than at shorter ones, or less.\n\n\
             | heuristic | option | default | published claim | measured Elo | 95 % | verdict | games | pairs | measured | bench |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        let mut conditions: Vec<&str> = Vec::new();
        for row in rows {
            let claim = CLAIMS.iter().find(|(option, _)| *option == row.option).map_or("—", |(_, claim)| claim);
            let number = conditions.iter().position(|&known| known == row.conditions).unwrap_or_else(|| {
                conditions.push(&row.conditions);
                conditions.len() - 1
            });
            let bench = row.bench.map_or("—".to_string(), |nodes| nodes.to_string());
            let default = if row.default { "on" } else { "off" };
            let _ = writeln!(
                page,
                "| {} | `{}` | {default} | {claim} | {:+.1} | ± {:.1} | {} | {} | {:?} | {} ({}) | {bench} |",
                row.heuristic,
                row.option,
                row.elo,
                row.error,
                row.verdict(),
                row.games,
                row.pentanomial,
                row.date,
                number + 1
            );
        }
        for (number, text) in conditions.iter().enumerate() {
            let _ = write!(page, "\n({}) {text}.\n", number + 1);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(option: &str, elo: f64) -> Row {
        Row {
            heuristic: option.trim_start_matches("Use").to_string(),
            option: option.to_string(),
            default: true,
            elo,
            error: 5.0,
            games: 1000,
            pentanomial: [1, 2, 3, 4, 5],
            conditions: "5000 nodes".to_string(),
            bench: Some(123),
            date: "2026-01-01".to_string(),
        }
    }

    #[test]
    fn the_page_lists_the_best_first_and_each_once() {
        let mut ledger = Ledger::default();
        for row in [row("UseRazoring", 3.0), row("UseNullMove", 90.0), row("UseRazoring", -7.0)] {
            ledger.put(row);
        }
        let page = ledger.page();
        let rows: Vec<&str> = page.lines().filter(|line| line.contains("`Use")).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("UseNullMove") && rows[0].contains("helps") && rows[0].contains("| — |"));
        assert!(rows[1].contains("hurts") && rows[1].contains("+30…50"));
        assert!(ledger.has("UseRazoring", "5000 nodes", Some(123), 1000, 0.0));
        assert!(ledger.has("UseRazoring", "5000 nodes", Some(123), 2000, 5.0));
        assert!(!ledger.has("UseRazoring", "5000 nodes", Some(123), 2000, 4.0));
        assert!(!ledger.has("UseRazoring", "5000 nodes", Some(124), 1000, 9.0));
    }
}
