//! Who can play: anything that takes a game and returns a move. Here the engine inside this process.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use chess::{Color, Game, Move, Score};
use engine::variation;
use engine::wdl::Model;
use engine::{Bound, Control, Engine, Limits, Line, Outcome, Params, Reporter, Silent, Source, TimeLimit};

use crate::failure::{Failure, Result};

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// So many nodes a move.
    Nodes(u64),
    /// To this depth.
    Depth(i32),
    /// So long a move.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(TimeControl),
}

/// A clock for the game: `8+0.08`, or `40/60+0.5` with new time every forty moves; `8+0.08@250` where 250 nodes count as a
/// millisecond.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeControl {
    /// What each side starts with.
    pub base: Duration,
    /// What a move adds.
    pub increment: Duration,
    /// After how many moves the base is added again.
    pub moves: Option<u32>,
    /// What was made longer or shorter so that it means the same on this machine, and by how much.
    pub scale: Option<f64>,
    /// How many nodes count as a millisecond, if time is counted in nodes.
    pub rate: Option<u64>,
}

impl TimeControl {
    /// The same for a machine that needs so many times as long for as many nodes.
    pub fn scaled(self, scale: f64) -> TimeControl {
        let [base, increment] = [self.base, self.increment].map(|time| time.mul_f64(scale));
        TimeControl { base, increment, scale: Some(scale), ..self }
    }

    /// As it is played, for whoever is not to know of scales.
    pub fn played(&self) -> String {
        let milliseconds = |time: Duration| time.as_millis() as f64 / 1000.0;
        let moves = self.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        format!("{moves}{}+{}", milliseconds(self.base), milliseconds(self.increment))
    }
}

impl FromStr for TimeControl {
    type Err = Failure;

    fn from_str(text: &str) -> Result<TimeControl> {
        let bad = || {
            Failure::new(format!(
                "time control '{text}': expected seconds such as 8+0.08 or 40/60+0.5, or 8+0.08@250 with 250 nodes for a millisecond"
            ))
        };
        let seconds = |text: &str| {
            let seconds: f64 = text.parse().map_err(|_| bad())?;
            if !(0.0..=1e6).contains(&seconds) { Err(bad()) } else { Ok(Duration::from_secs_f64(seconds)) }
        };
        let (text, rate) = match text.split_once('@') {
            Some((text, rate)) => (text, Some(rate.parse().ok().filter(|&rate: &u64| rate > 0).ok_or_else(bad)?)),
            None => (text, None),
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n: &u32| n > 0).ok_or_else(bad)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = TimeControl { base: seconds(base)?, increment: seconds(increment)?, moves, scale: None, rate };
        if control.base.is_zero() { Err(bad()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scale {
            // The name of a scaled clock is what it was scaled from: it must be the same on every machine.
            Some(scale) => {
                let microseconds =
                    |time: Duration| Duration::from_micros((time.as_secs_f64() / scale * 1e6).round() as u64);
                let [base, increment] = [self.base, self.increment].map(microseconds);
                write!(f, "{} scaled", TimeControl { base, increment, scale: None, ..*self })
            }
            None => {
                if let Some(moves) = self.moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())?;
                self.rate.map_or(Ok(()), |rate| write!(f, "@{rate}"))
            }
        }
    }
}

impl Limit {
    /// Reads one that is written as on the command line, without the dashes: `nodes` and `25000`.
    pub fn parse(kind: &str, text: &str) -> Result<Limit> {
        let number = |most: u64| match text.parse() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(Failure::arguments(format!("{kind}={text}: expected a whole number from 1 to {most}"))),
        };
        Ok(match kind {
            "nodes" => Limit::Nodes(number(u64::MAX)?),
            "depth" => Limit::Depth(number(200)? as i32),
            "movetime" => Limit::MoveTime(Duration::from_millis(number(u64::from(u32::MAX))?)),
            "tc" => Limit::Clock(text.parse()?),
            _ => {
                return Err(Failure::arguments(format!(
                    "{kind}={text} is no limit: expected nodes=, depth=, movetime= or tc="
                )));
            }
        })
    }

    /// Whether time decides how long a player thinks.
    pub fn is_time(&self) -> bool {
        match self {
            Limit::MoveTime(_) => true,
            Limit::Clock(control) => control.rate.is_none(),
            Limit::Nodes(_) | Limit::Depth(_) => false,
        }
    }

    /// About how many nodes a move gets, on a machine that searches a million a second; none for a depth. Of a clock it is
    /// what a game of forty moves would use.
    pub fn nodes(&self) -> Option<u64> {
        let of = |time: Duration| (time.as_secs_f64() * 1e6) as u64;
        match self {
            Limit::Nodes(nodes) => Some(*nodes),
            Limit::Depth(_) => None,
            Limit::MoveTime(time) => Some(of(*time)),
            Limit::Clock(control) => {
                let time = control.base / control.moves.unwrap_or(40).clamp(1, 40) + control.increment;
                let rate = control.rate.map_or(1.0, |rate| rate as f64 / 1000.0);
                Some(of(time.div_f64(control.scale.unwrap_or(1.0)).mul_f64(rate)))
            }
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
            Limit::MoveTime(time) => write!(f, "{} ms a move", time.as_millis()),
            Limit::Clock(control) if control.scale.is_some() => write!(f, "clock {control}"),
            Limit::Clock(control) => write!(f, "{control} s"),
        }
    }
}

/// The clock of one side.
#[derive(Clone, Copy, Debug)]
pub struct SideClock {
    /// What is left.
    pub remaining: Duration,
    /// What a move adds.
    pub increment: Duration,
    /// Moves until new time, if that is how it is played.
    pub moves_to_go: Option<u32>,
}

/// What a player may use for the move at hand.
#[derive(Clone, Copy, Debug)]
pub struct Go {
    /// The limit of the match.
    pub limit: Limit,
    /// The clocks of White and Black, where the limit is one.
    pub clocks: Option<[SideClock; 2]>,
}

/// A move and what the player thought of it.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// The move.
    pub mv: Move,
    /// Its score for the player, if told: that of the last line of analysis, as a GUI would see it.
    pub score: Option<Score>,
    /// The depth reached.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// What was left on the player's clock afterwards, where one runs.
    pub clock: Option<Duration>,
}

/// What a player can do wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its process ended or closed its pipes.
    Disconnected,
    /// It did not answer in time.
    Stalled,
    /// It sent a move that is not legal.
    Illegal(String),
    /// Its process has ended and cannot be started again, for this reason. Whoever is not there has not lost a game.
    Gone(String),
    /// Nothing: the user has asked to end while it was thinking.
    Interrupted,
}

/// What a player says while it thinks: the best line so far begins with this move.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// The move.
    pub mv: Move,
    /// Its score, if told.
    pub score: Option<Score>,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
}

/// Something that plays games.
pub trait Player: Send {
    /// How long it may think, if that is not as the match says.
    fn limit(&self) -> Option<Limit> {
        None
    }
    /// Whether its time can be counted in nodes.
    fn counts_nodes(&self) -> bool {
        false
    }
    /// Whether it is waited for only so long, whatever the limit.
    fn may_be_late(&self) -> bool {
        false
    }
    /// Makes ready for a new game.
    fn new_game(&mut self) -> std::result::Result<(), Fault>;
    /// Chooses a move for the side to move, which has one, and tells what it thinks meanwhile.
    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault>;
    /// Chooses a move in silence.
    fn think(&mut self, game: &Game, go: &Go) -> std::result::Result<Thought, Fault> {
        self.search(game, go, &mut |_| {})
    }
}

/// Passes on the first move of every exact line.
struct Listener<'a>(&'a mut dyn FnMut(Heard));

impl Reporter for Listener<'_> {
    fn line(&mut self, line: &Line<'_>) {
        if let Some(&mv) = line.pv.first().filter(|_| line.is_exact_best()) {
            (self.0)(Heard { mv, score: Some(line.score), nodes: line.nodes, time: line.time });
        }
    }
}

/// What a GUI would know of a search: lines whose mates cannot be counted are bounds to it, the last exact line counts,
/// and where that is of another move, one more comes with the move. A match between processes hears the same.
struct Viewer<'a> {
    game: &'a Game,
    inner: &'a mut dyn Reporter,
    /// The last line that was exact to the search.
    last: Option<(Vec<Move>, Score)>,
    /// The first move of the last line that is exact to a GUI.
    exact: Option<Move>,
    /// The last score that is one, or a mate in at most so many moves, and its depth.
    heard: Option<(Score, i32)>,
}

impl<'a> Viewer<'a> {
    fn new(game: &'a Game, inner: &'a mut dyn Reporter) -> Viewer<'a> {
        Viewer { game, inner, last: None, exact: None, heard: None }
    }

    /// The score and depth of the best move in the end.
    fn conclude(self, best: Move, outcome: &Outcome, evaluation: impl FnOnce() -> Score) -> (Score, i32) {
        if self.exact == Some(best)
            && let Some(heard) = self.heard
        {
            return heard;
        }
        let known = self.last.as_ref().filter(|(pv, _)| pv.first() == Some(&best));
        let (score, pv) = known.map_or((outcome.score, &outcome.pv), |(pv, score)| (*score, pv));
        // A move that was never searched has no score of its own.
        let score = if score > -Score::MATE { score } else { evaluation() };
        (variation::shown(self.game, score, pv), outcome.depth.max(1))
    }
}

impl Reporter for Viewer<'_> {
    fn line(&mut self, line: &Line<'_>) {
        if line.multipv == 1 {
            let exact = line.bound == Bound::Exact;
            let counted = variation::shown(self.game, line.score, line.pv) == line.score;
            let lower = if exact { line.score > Score::DRAW } else { line.bound == Bound::Lower };
            if (exact && counted) || (line.score.is_mate() && (line.score > Score::DRAW) == lower) {
                self.heard = Some((line.score, line.depth));
            }
            if exact {
                self.last = Some((line.pv.to_vec(), line.score));
            }
            if exact && counted {
                self.exact = line.pv.first().copied();
            }
        }
        self.inner.line(line);
    }
}

/// A score in the numbers of a GUI.
fn told(score: Score) -> Score {
    if score.is_mate() { score } else { Score(score.centipawns()) }
}

/// Kept back by engines in this process for the time between deciding and being heard.
const OVERHEAD: Duration = Duration::from_millis(2);

/// The engine of this build, searching in the calling thread.
pub struct Inside {
    engine: Engine,
}

impl Inside {
    /// An engine with these parameters, this evaluation and a table of this many MiB.
    pub fn new(params: &Params, source: &Source, hash: usize) -> Result<Inside> {
        let mut engine = Engine::new(hash)
            .map_err(|error| Failure::new(format!("cannot make an engine with a table of {hash} MiB: {error}")))?;
        *engine.params_mut() = params.clone();
        engine.set_evaluation(source.clone());
        Ok(Inside { engine })
    }

    /// Changes its parameters.
    pub fn set_params(&mut self, params: &Params) {
        *self.engine.params_mut() = params.clone();
    }

    fn choose(&mut self, game: &Game, go: &Go, reporter: &mut dyn Reporter) -> std::result::Result<Thought, Fault> {
        let clock = Instant::now();
        let limits = engine_limits(go, game.board().side_to_move());
        let mut viewer = Viewer::new(game, reporter);
        let outcome = self.engine.search_here(game, &limits, &Control::default(), &clock, &mut viewer);
        let mv = outcome.best.ok_or_else(|| Fault::Illegal("no move".to_string()))?;
        let (score, depth) = viewer.conclude(mv, &outcome, || self.engine.evaluate(game));
        Ok(Thought {
            mv,
            score: Some(told(Model::of(self.engine.evaluation()).normalise(score, game.board()))),
            depth,
            nodes: outcome.nodes,
            time: limits
                .nodes_per_ms
                .map_or(clock.elapsed(), |rate| Duration::from_micros(outcome.nodes * 1000 / rate)),
            clock: None,
        })
    }
}

/// What the engine library calls this limit.
pub fn engine_limits(go: &Go, side: Color) -> Limits {
    let mut limits = Limits::default();
    match go.limit {
        Limit::Nodes(nodes) => limits.nodes = Some(nodes),
        Limit::Depth(depth) => limits.depth = Some(depth),
        Limit::MoveTime(time) => (limits.time, limits.overhead) = (TimeLimit::MoveTime(time), OVERHEAD),
        Limit::Clock(control) => {
            limits.nodes_per_ms = control.rate;
            if let Some(clocks) = go.clocks {
                let SideClock { remaining, increment, moves_to_go } = clocks[side as usize];
                limits.time = TimeLimit::Clock { remaining, increment, moves_to_go };
                limits.overhead = OVERHEAD;
            }
        }
    }
    limits
}

impl Player for Inside {
    fn counts_nodes(&self) -> bool {
        true
    }

    fn new_game(&mut self) -> std::result::Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault> {
        self.choose(game, go, &mut Listener(ear))
    }

    fn think(&mut self, game: &Game, go: &Go) -> std::result::Result<Thought, Fault> {
        self.choose(game, go, &mut Silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_worth_so_many_nodes() {
        let clock = |text: &str| text.parse::<TimeControl>().expect(text);
        assert_eq!(Limit::Nodes(7).nodes(), Some(7));
        assert_eq!(Limit::MoveTime(Duration::from_millis(100)).nodes(), Some(100_000));
        assert_eq!(Limit::Depth(9).nodes(), None);
        assert_eq!(Limit::Clock(clock("8+0.08")).nodes(), Some(280_000));
        // The same games, whatever the machine.
        assert_eq!(Limit::Clock(clock("8+0.08").scaled(2.0)).nodes(), Some(280_000));
        assert_eq!(Limit::Clock(clock("8+0.08@250")).nodes(), Some(70_000));
    }

    #[test]
    fn time_controls_go_both_ways() {
        for text in ["8+0.08", "60+0", "40/60+0.5"] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
        for text in ["", "+", "x", "0+1", "-1+0", "8+", "8+x", "0/60", "a/60", "nan", "inf", "1e300"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
