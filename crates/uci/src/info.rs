//! `info …`: what an engine says while it searches, written and read.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chess::Score;

/// A score as it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// In centipawns.
    Centipawns(i32),
    /// In so many moves there is mate; zero or negative for the side that is mated.
    Mate(i32),
}

impl From<Score> for Shown {
    fn from(score: Score) -> Shown {
        score.mate_moves().map_or(Shown::Centipawns(score.centipawns()), Shown::Mate)
    }
}

impl From<Shown> for Score {
    /// Nothing that is shown as centipawns is a mate, however large it is.
    fn from(shown: Shown) -> Score {
        match shown {
            Shown::Centipawns(number) => {
                let most = Score::TABLEBASE_WIN.0;
                Score(number.clamp(-most, most))
            }
            Shown::Mate(moves) => {
                let plies = 2 * moves.unsigned_abs().min(500) as usize;
                if moves > 0 { Score::mate_in(plies - 1) } else { Score::mated_in(plies) }
            }
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Centipawns(number) => write!(f, "cp {number}"),
            Shown::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What a score is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// It is the score.
    #[default]
    Exact,
    /// It is so much at least.
    Lower,
    /// It is so much at most.
    Upper,
}

/// A line of analysis. What was not said is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// The longest line that was looked at, in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line, from 1.
    pub multipv: Option<u32>,
    /// From the side that is to move.
    pub score: Option<Shown>,
    /// What the score is worth.
    pub bound: Bound,
    /// Chances to win, draw and lose, in thousandths.
    pub wdl: Option<[u16; 3]>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Endgame positions looked up.
    pub tbhits: Option<u64>,
    /// Time so far.
    pub time: Option<Duration>,
    /// The moves, as they were written.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line of analysis; none if it is no `info`, or one of words. What it does not know is skipped, and a field whose
    /// value makes no sense was not said.
    pub fn parse(line: &str) -> Option<Info> {
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("info") || words.peek() == Some(&"string") {
            return None;
        }
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = value(words.peek()),
                "seldepth" => info.seldepth = value(words.peek()),
                "multipv" => info.multipv = value(words.peek()),
                "nodes" => info.nodes = value(words.peek()),
                "nps" => info.nps = value(words.peek()),
                "hashfull" => info.hashfull = value(words.peek()),
                "tbhits" => info.tbhits = value(words.peek()),
                "time" => info.time = value(words.peek()).map(Duration::from_millis),
                "cp" => info.score = value(words.peek()).map(Shown::Centipawns),
                "mate" => info.score = value(words.peek()).map(Shown::Mate),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => {
                    let mut rest = words.clone();
                    let mut next = || value(rest.next().as_ref());
                    info.wdl = next().zip(next()).zip(next()).map(|((win, draw), loss)| [win, draw, loss]);
                }
                "pv" => info.pv = words.by_ref().map(str::to_string).collect(),
                "string" => break,
                _ => {}
            }
        }
        Some(info)
    }

    /// Whether this is of the best line.
    pub fn is_best(&self) -> bool {
        self.multipv.is_none_or(|rank| rank == 1)
    }

    /// Whether this is of the best line and tells its score: programs take score and variation from the last one that does.
    pub fn is_exact_best(&self) -> bool {
        self.is_best() && self.bound == Bound::Exact && self.score.is_some()
    }
}

/// What counts of all that was said during a search: the last exact line of the best move.
pub fn last_exact<T: AsRef<str>>(lines: &[T]) -> Option<Info> {
    lines
        .iter()
        .rev()
        .filter_map(|line| Info::parse(line.as_ref()))
        .find(|info| info.is_exact_best() && !info.pv.is_empty())
}

/// A number, if this is one.
fn value<T: FromStr>(word: Option<&&str>) -> Option<T> {
    word?.parse().ok()
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let mut field = |name: &str, value: Option<u64>| value.map_or(Ok(()), |value| write!(f, " {name} {value}"));
        field("depth", self.depth.map(u64::from))?;
        field("seldepth", self.seldepth.map(u64::from))?;
        field("multipv", self.multipv.map(u64::from))?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let mut field = |name: &str, value: Option<u64>| value.map_or(Ok(()), |value| write!(f, " {name} {value}"));
        field("nodes", self.nodes)?;
        field("nps", self.nps)?;
        field("hashfull", self.hashfull.map(u64::from))?;
        field("tbhits", self.tbhits)?;
        field("time", self.time.map(|time| time.as_millis() as u64))?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_the_same() {
        for line in [
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 3000 nps 2000 hashfull 7 tbhits 2 time 1500 pv e1g1",
            "info depth 0 score mate 0 wdl 0 0 1000",
            "info depth 9 score mate -2 upperbound nodes 5 pv e2e4 e7e5",
            "info score cp 19996 lowerbound",
            "info",
        ] {
            let info = Info::parse(line).expect(line);
            assert_eq!(info.to_string(), line);
            assert_eq!(Info::parse(&info.to_string()), Some(info));
        }
    }

    #[test]
    fn what_is_not_known_is_skipped() {
        assert_eq!(Info::parse("info string depth 5"), None);
        assert_eq!(Info::parse("bestmove e2e4"), None);
        let info =
            Info::parse("info currmove e2e4 currmovenumber 3 depth x nodes 7 score cp 1.5 pv d2d4").expect("analysis");
        let expected = Info { nodes: Some(7), pv: vec!["d2d4".to_string()], ..Info::default() };
        assert_eq!(info, expected);
    }

    #[test]
    fn the_last_exact_line_is_of_the_best_move() {
        let lines = [
            "info depth 1 score cp 5 pv a2a3",
            "info depth 2 multipv 1 score cp 6 pv b2b3",
            "info depth 2 multipv 2 score cp 7 pv c2c3",
            "info depth 3 multipv 1 score cp 8 lowerbound pv d2d3",
            "info depth 3 currmove e2e3",
            "info string done",
        ];
        assert_eq!(last_exact(&lines).and_then(|info| info.score), Some(Shown::Centipawns(6)));
        assert_eq!(last_exact(&lines[3..]), None);
    }

    #[test]
    fn scores_come_back() {
        for score in [Score(-120), Score::DRAW, Score::mate_in(5), Score::mated_in(4), Score::mated_in(0)] {
            assert_eq!(Score::from(Shown::from(score)), score);
            assert_eq!(Shown::from(score).to_string(), score.to_string());
        }
        assert!(!Score::from(Shown::Centipawns(i32::MAX)).is_mate());
        assert!(Score::from(Shown::Mate(i32::MIN)).is_mate());
    }
}
