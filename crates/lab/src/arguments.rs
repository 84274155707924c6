//! Arguments that several commands share: how long to think, and how games are played.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::{Args, Parser};

use crate::bench;
use crate::book::Book;
use crate::competitor::Common;
use crate::failure::{Failure, Result};
use crate::player::{Limit, TimeControl};
use crate::pool;
use crate::runner::{Adjudication, Conditions, Jitter};
use crate::syzygy::Tables;
use crate::trust::Trust;

/// Reads how many games or pairs are to be played: more than anybody can, but few enough to be counted.
pub const MANY: fn(&str) -> std::result::Result<u64, String> = |text| match text.parse() {
    Ok(number @ 1..=1_000_000_000) => Ok(number),
    _ => Err("expected a whole number from 1 to 1000000000".to_string()),
};

/// Reads how many games are to be played in pairs: an odd number becomes the next even one.
pub const PAIRED: fn(&str) -> std::result::Result<u64, String> =
    |text| MANY(text).map(|games| games.next_multiple_of(2));

/// Reads how many seconds somebody is waited for: up to a day.
pub const PATIENCE: fn(&str) -> std::result::Result<u64, String> = |text| match text.parse() {
    Ok(seconds @ 1..=86_400) => Ok(seconds),
    _ => Err("expected a whole number of seconds from 1 to 86400".to_string()),
};

/// Reads a share in percent.
const PERCENT: fn(&str) -> std::result::Result<f64, String> = |text| match text.parse() {
    Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
    _ => Err("expected a number from 0 to 100".to_string()),
};

/// Nodes a move at which ideas are screened and numbers tuned, unless another limit is given: depth 12 in most positions. Much
/// of the search acts only from some depth on; with fewer nodes it is neither seen nor tuned.
pub const SCREENING: u64 = 25_000;

/// Nodes a move at 8+0.08, of a machine that searches a million a second. The usual table is for this.
const USUAL: u64 = 280_000;

/// Nodes a move at which what a screening has found is verified: depth 16, as far as games on short clocks reach.
pub const VERIFICATION: u64 = 100_000;

/// What limits cost. Measured as docs/laboratory.md says, where there is more of it.
const COSTS: &str = "\
What a game costs in CPU time: 0.25 s at 5000 nodes a move (depth 8), 1.5 to 2 s at 25000 (depth 12),
7 s at 100000 (depth 16). 3000 games tell Elo to about 10, four times as many to 5: one and a half
and six hours on a core at 25000 nodes.";

/// The help of a command that plays games, with what these cost before its last part.
pub fn with_costs(help: &str) -> String {
    help.replacen("Exit status:", &format!("{COSTS}\n\nExit status:"), 1)
}

/// The arguments of a command as if these words had been typed behind its name: what is not said has its default.
pub fn typed<A: Args>(command: &str, words: &[OsString]) -> Result<A> {
    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line<A: Args> {
        #[command(flatten)]
        arguments: A,
    }
    let line = Line::<A>::try_parse_from(words);
    line.map(|line| line.arguments).map_err(|error| Failure::arguments(format!("for {command}: {}", told(&error))))
}

/// What is wrong with a command line, without the advice that belongs to a terminal.
fn told(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or(text).trim().to_string()
}

/// How long players may think: one of these, else [`SCREENING`] nodes.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
#[command(next_help_heading = "How long to think")]
pub struct LimitArguments {
    /// Search so many nodes a move [default: 25000, to screen and to tune; 100000 to verify]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search to this depth
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=200))]
    pub depth: Option<i32>,
    /// Search so many milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Play with a clock of seconds, such as 8+0.08 or 40/60+0.5; 8+0.08@250 counts time in nodes, 250 for a millisecond,
    /// so that games do not depend on the machine
    #[arg(long, value_name = "TIME")]
    pub tc: Option<TimeControl>,
    /// The same for a machine that searches a million nodes a second: as much longer or shorter here as the bench of this
    /// build takes, so that the games are as deep on every machine
    #[arg(long, value_name = "TIME")]
    pub clock: Option<TimeControl>,
    /// How much longer or shorter that is here, once it was measured.
    #[arg(skip)]
    scale: OnceLock<f64>,
}

impl LimitArguments {
    /// The limit that was chosen.
    pub fn limit(&self) -> Limit {
        let movetime = || self.movetime.map(|ms| Limit::MoveTime(Duration::from_millis(ms)));
        self.nodes
            .map(Limit::Nodes)
            .or(self.depth.map(Limit::Depth))
            .or_else(movetime)
            .or(self.tc.map(Limit::Clock))
            .or_else(|| {
                self.clock.map(|control| Limit::Clock(control.scaled(self.scale.get().copied().unwrap_or(1.0))))
            })
            .unwrap_or(Limit::Nodes(SCREENING))
    }
}

impl LimitArguments {
    /// Measures this machine with so many games at a time, if the limit is to be scaled to it.
    pub fn settle(&self, threads: usize) -> Result<()> {
        if let (Some(control), None) = (self.clock, self.scale.get()) {
            if control.rate.is_some() {
                return Err(Failure::arguments(format!(
                    "--clock {control}: a clock of nodes is the same on every machine; use --tc"
                )));
            }
            let speed = bench::speed(threads)?;
            let scale = bench::REFERENCE as f64 / speed;
            let played = control.scaled(scale).played();
            eprintln!("{:.2} million nodes/s in each of {threads} threads: {control} is {played} here", speed / 1e6);
            self.scale.get_or_init(|| scale);
        }
        Ok(())
    }

    /// At what is verified that was found with this limit, as it is written on the command line.
    pub fn verification(&self) -> String {
        match self.limit() {
            Limit::Nodes(nodes) => format!("--nodes {}", nodes.max(VERIFICATION)),
            _ => self.text(),
        }
    }

    /// As it is written on the command line.
    fn text(&self) -> String {
        if let Some(control) = self.clock {
            return format!("--clock {control}");
        }
        match self.limit() {
            Limit::Nodes(nodes) => format!("--nodes {nodes}"),
            Limit::Depth(depth) => format!("--depth {depth}"),
            Limit::MoveTime(time) => format!("--movetime {}", time.as_millis()),
            Limit::Clock(control) => format!("--tc {}", control),
        }
    }
}

/// How games are played, whatever they are played for.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How games are played")]
pub struct GameArguments {
    /// Openings: an EPD, FEN or PGN file [default: the book that is built in]
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    pub book: Option<PathBuf>,
    /// Of each game in a PGN book, play so many plies
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub book_plies: usize,
    /// Openings: so many random plies from the start position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub random_plies: Option<u32>,
    /// The same seed gives the same openings and, at fixed nodes, the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at a time [default: one a core]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Transposition table of each engine, in MiB [default: 8, less where few nodes are searched, more where there is more
    /// time than 8+0.08, up to 64; if an engine does not take that, the nearest it takes]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub hash: Option<u64>,
    /// Play every game to its end by the rules
    #[arg(long)]
    pub no_adjudication: bool,
    /// A win when both sides agree on a score this far from zero, in centipawns
    #[arg(long, default_value_t = 600, value_name = "CP")]
    pub win_score: i32,
    /// … for so many moves each
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub win_moves: usize,
    /// A draw when both sides agree on a score this near to zero, in centipawns
    #[arg(long, default_value_t = 5, value_name = "CP")]
    pub draw_score: i32,
    /// … for so many moves each
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub draw_moves: usize,
    /// … and the game has come to this move
    #[arg(long, default_value_t = 40, value_name = "MOVE")]
    pub draw_from: u32,
    /// End games that endgame tables know: a folder of Syzygy tables
    #[arg(long, value_name = "FOLDER")]
    pub syzygy: Option<PathBuf>,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = 400, value_name = "PLIES")]
    pub max_plies: usize,
    /// How many milliseconds a clock, or the time for each move, may be overrun
    #[arg(long, default_value_t = 20, value_name = "MS")]
    pub margin: u64,
    /// How many seconds an engine may think when there is no clock
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = PATIENCE)]
    pub patience: u64,
    /// How many seconds an engine may take to start, and to be ready for a game
    #[arg(long, default_value_t = 10, value_name = "S", value_parser = PATIENCE)]
    pub startup: u64,
    /// End without a verdict when more than so many percent of the games between two engines, and at least three, were
    /// lost on time or by crashes, stalls and illegal moves; 100: never
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = PERCENT)]
    pub faults: f64,
    /// Let the nodes of each game and side differ from --nodes by up to so many percent, drawn by the seed: then an engine
    /// does not play the same game twice against itself
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=90))]
    pub node_jitter: u32,
    /// Chess960: engines are told, and --random-plies begins from any of the 960 start positions
    #[arg(long)]
    pub chess960: bool,
    /// Add a line about the run to this register, or `none` [default: what GANNET_LAB_REGISTER names, or the user's; see
    /// gannet-lab results]
    #[arg(long, value_name = "FILE")]
    pub register: Option<PathBuf>,
}

impl GameArguments {
    /// What holds where nothing is said.
    #[cfg(test)]
    pub fn usual() -> GameArguments {
        typed("a test", &[]).expect("defaults are good")
    }

    /// The openings.
    pub fn openings(&self) -> Result<Book> {
        match (&self.book, self.random_plies) {
            (Some(path), _) => Book::open(path, self.book_plies, self.seed, self.chess960),
            (None, Some(plies)) => Ok(Book::random(self.seed, plies, self.chess960)),
            (None, None) => Book::built_in(self.seed),
        }
    }

    /// What holds for every game.
    pub fn conditions(&self, limit: Limit) -> Result<Conditions> {
        let adjudication = Adjudication {
            win_score: self.win_score,
            win_moves: self.win_moves,
            draw_score: self.draw_score,
            draw_moves: self.draw_moves,
            draw_from: self.draw_from,
        };
        let tables = self.syzygy.as_deref().map(Tables::open).transpose()?.map(Arc::new);
        Ok(Conditions {
            limit,
            jitter: self.jitter(),
            margin: Duration::from_millis(self.margin),
            adjudication: (!self.no_adjudication).then_some(adjudication),
            max_plies: self.max_plies,
            tables,
        })
    }

    /// What holds for every player.
    pub fn common(&self, limit: Limit) -> Common {
        let hash = self.hash(limit) as usize;
        let [patience, startup] = [self.patience, self.startup].map(Duration::from_secs);
        Common { hash, hash_chosen: self.hash.is_some(), chess960: self.chess960, patience, startup }
    }

    /// The table of each engine in MiB. It is cleared before every game, which takes as long as many short searches; so
    /// by default it has room for the nodes of a hundred moves, sixteen bytes each, but no more than is usual: 8 MiB, and as
    /// much more as a move has more time than at 8+0.08, up to 64.
    pub fn hash(&self, limit: Limit) -> u64 {
        let nodes = limit.nodes().unwrap_or(USUAL);
        let room = (nodes.saturating_mul(100 * 16) >> 20).saturating_add(1).next_power_of_two();
        let usual = (nodes / (USUAL / 8)).next_power_of_two().clamp(8, 64);
        self.hash.unwrap_or(room.min(usual))
    }

    /// Whether numbers of nodes differ.
    fn jitter(&self) -> Option<Jitter> {
        (self.node_jitter > 0).then_some(Jitter { percent: self.node_jitter, seed: self.seed })
    }

    /// How much may go wrong.
    pub fn trust(&self) -> Trust {
        Trust { percent: self.faults }
    }

    /// Games at a time.
    pub fn threads(&self) -> usize {
        self.concurrency.unwrap_or_else(pool::default_threads).max(1)
    }

    /// What openings are called, wherever their file is.
    pub fn book_name(&self) -> String {
        match (&self.book, self.random_plies) {
            (Some(path), _) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            (None, Some(plies)) => format!("{plies} random plies"),
            (None, None) => "built-in book".to_string(),
        }
    }

    /// Everything that decides what games are played, in words.
    pub fn describe(&self, limit: Limit) -> String {
        let book = match &self.book {
            Some(path) => path.display().to_string(),
            None => self.book_name(),
        };
        let (seed, hash, plies) = (self.seed, self.hash(limit), self.max_plies);
        let end = if self.no_adjudication {
            "no adjudication".to_string()
        } else {
            format!(
                "win at {} cp for {} moves, draw at {} cp for {} moves from move {}",
                self.win_score, self.win_moves, self.draw_score, self.draw_moves, self.draw_from
            )
        };
        let end = if self.syzygy.is_some() { end + ", endgame tables" } else { end };
        let book = if self.chess960 { book + ", Chess960" } else { book };
        let limit = match self.node_jitter {
            0 => limit.to_string(),
            percent => format!("{limit} ± {percent} %"),
        };
        format!("{limit}, {book}, seed {seed}, hash {hash} MiB, {end}, at most {plies} plies")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        play: GameArguments,
    }

    #[test]
    fn help_tells_what_games_cost() {
        assert_eq!(with_costs("a\n\nExit status: 0"), format!("a\n\n{COSTS}\n\nExit status: 0"));
    }

    #[test]
    fn games_come_in_pairs() {
        assert_eq!(["1", "2", "3", "40000"].map(PAIRED), [2, 2, 4, 40_000].map(Ok));
        assert_eq!([PAIRED("999999999"), MANY("3")], [1_000_000_000, 3].map(Ok));
        assert!(["0", "-1", "x", "", "1000000001"].into_iter().all(|text| PAIRED(text).is_err()));
    }

    #[test]
    fn a_scaled_clock_keeps_its_name() {
        let control: TimeControl = "40/8+0.08".parse().expect("a clock");
        for scale in [1.0, 0.37, 2.741_828] {
            let scaled = control.scaled(scale);
            assert_eq!(Limit::Clock(scaled).to_string(), "clock 40/8+0.08 scaled");
            assert!((scaled.base.as_secs_f64() - 8.0 * scale).abs() < 1e-6);
        }
        assert_eq!(control.scaled(0.5).played(), "40/4+0.04");
        assert_eq!(Limit::Clock(control).to_string(), "40/8+0.08 s");
    }

    #[test]
    fn what_was_found_is_verified_deeper() {
        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            limit: LimitArguments,
        }
        let verification = |words: &[&str]| Line::parse_from([&["lab"], words].concat()).limit.verification();
        assert_eq!(Line::parse_from(["lab"]).limit.limit(), Limit::Nodes(25_000));
        assert_eq!(verification(&[]), "--nodes 100000");
        assert_eq!(verification(&["--nodes", "400000"]), "--nodes 400000");
        assert_eq!(verification(&["--clock", "8+0.08"]), "--clock 8+0.08");
    }

    #[test]
    fn tables_fit_the_limit() {
        let line = Line::parse_from(["lab"]);
        for (nodes, hash) in
            [(1, 1), (100, 1), (500, 1), (1000, 2), (2000, 4), (5000, 8), (280_000, 8), (1_000_000, 32), (u64::MAX, 64)]
        {
            assert_eq!(line.play.hash(Limit::Nodes(nodes)), hash, "{nodes} nodes");
        }
        assert_eq!(line.play.hash(Limit::Depth(3)), 8);
        for (clock, hash) in [("0.1+0.01", 8), ("8+0.08", 8), ("10+0.1", 16), ("40+0.4", 64), ("600+6", 64)] {
            assert_eq!(line.play.hash(Limit::Clock(clock.parse().expect("a clock"))), hash, "{clock}");
        }
        assert_eq!(Line::parse_from(["lab", "--hash", "64"]).play.hash(Limit::Nodes(1)), 64);
    }
}
