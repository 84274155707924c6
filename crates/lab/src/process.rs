//! A UCI engine in a process of its own. It may crash, hang or talk nonsense; that costs it the game, not the match.

mod link;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::{Color, Game, Score, parse_uci};
use uci::client::{Client, Silence};
use uci::{Bound, Info, Shown};

use crate::failure::{Failure, Result};
use crate::player::{Fault, Go, Heard, Limit, Player, Thought};

/// How long an engine may take to leave.
const FAREWELL: Duration = Duration::from_millis(500);
/// How much later than agreed an engine may answer before it counts as stalled.
const GRACE: Duration = Duration::from_secs(2);

/// How to start an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineCommand {
    /// What it is called in tables.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options to set; it must have them, and they must take the values.
    pub options: Vec<(String, String)>,
    /// The size of its table in MiB, if it has such an option and it is not set already.
    pub hash: usize,
    /// Whether the user chose that size. If not, it is made to fit what the engine takes.
    pub hash_chosen: bool,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// How long it may think without any clock.
    pub patience: Duration,
    /// How long it may take to say `uciok` or `readyok`.
    pub startup: Duration,
}

/// A running engine.
pub struct Process {
    command: EngineCommand,
    client: Option<Client>,
}

/// What the last lines of analysis said.
#[derive(Default)]
struct Said {
    score: Option<Score>,
    depth: i32,
    nodes: u64,
}

impl Process {
    /// Starts an engine and sets its options.
    pub fn start(command: &EngineCommand) -> Result<Process> {
        let client = link::open(command)?;
        Ok(Process { command: command.clone(), client: Some(client) })
    }

    /// What to talk to, if the last game left it usable.
    fn client(&mut self) -> std::result::Result<&mut Client, Fault> {
        self.client.as_mut().ok_or(Fault::Disconnected)
    }

    /// Ends the process after a fault; the next game begins with a new one.
    fn broken(&mut self, fault: Fault) -> Fault {
        self.client = None;
        fault
    }

    /// How long to wait for a move.
    fn deadline(&self, go: &Go, side: Color) -> Duration {
        match (go.limit, go.clocks) {
            (Limit::MoveTime(time), _) => time + GRACE,
            (Limit::Clock(_), Some(clocks)) => clocks[side as usize].remaining + GRACE,
            _ => self.command.patience,
        }
    }
}

impl Process {
    /// Chooses a move, and passes on what is said meanwhile, both what is of use and line by line.
    pub fn search_aloud(
        &mut self,
        game: &Game,
        go: &Go,
        ear: &mut dyn FnMut(Heard),
        lines: &mut dyn FnMut(&str),
    ) -> std::result::Result<Thought, Fault> {
        let chess960 = self.command.chess960;
        let text = format!("{}\n{}", uci::position_line(game, chess960), go_text(go));
        let deadline = self.deadline(go, game.board().side_to_move());
        let (began, mut said) = (Instant::now(), Said::default());
        let listen = |line: String| {
            let Some(rest) = line.strip_prefix("info ") else { return };
            lines(rest);
            if let Some(best) = Info::parse(&line).and_then(|info| said.take(info))
                && let Ok(mv) = parse_uci(game.board(), &best)
            {
                ear(Heard { mv, score: said.score, nodes: said.nodes, time: began.elapsed() });
            }
        };
        let answer = self.client()?.go(&text, began + deadline, listen);
        let answer = answer.map_err(|silence| self.broken(silence.into()))?.best;
        match parse_uci(game.board(), &answer) {
            Ok(mv) => Ok(Thought {
                mv,
                score: said.score,
                depth: said.depth,
                nodes: said.nodes,
                time: began.elapsed(),
                clock: None,
            }),
            Err(_) => Err(self.broken(Fault::Illegal(answer.chars().take(20).collect()))),
        }
    }
}

impl Player for Process {
    fn may_be_late(&self) -> bool {
        true
    }

    fn new_game(&mut self) -> std::result::Result<(), Fault> {
        if self.client.is_none() {
            let fault = |failure| match failure {
                Failure::Interrupted => Fault::Interrupted,
                failure => Fault::Gone(failure.to_string()),
            };
            self.client = Some(link::open(&self.command).map_err(fault)?);
        }
        let until = Instant::now() + self.command.startup;
        let client = self.client()?;
        let ready = client.send("ucinewgame", until).and_then(|()| client.ready(until, drop));
        ready.map_err(|silence| self.broken(silence.into()))
    }

    fn search(&mut self, game: &Game, go: &Go, ear: &mut dyn FnMut(Heard)) -> std::result::Result<Thought, Fault> {
        self.search_aloud(game, go, ear, &mut |_| {})
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut client) = self.client.take() {
            let _ = client.send("quit", Instant::now() + FAREWELL);
            client.wait(FAREWELL);
        }
    }
}

impl From<Silence> for Fault {
    fn from(silence: Silence) -> Fault {
        match silence {
            Silence::Gone => Fault::Disconnected,
            Silence::Stalled => Fault::Stalled,
            Silence::Interrupted => Fault::Interrupted,
        }
    }
}

/// What to search for a UCI engine.
fn go_text(go: &Go) -> String {
    match (go.limit, go.clocks) {
        (Limit::Nodes(nodes), _) => format!("go nodes {nodes}"),
        (Limit::Depth(depth), _) => format!("go depth {depth}"),
        (Limit::MoveTime(time), _) => format!("go movetime {}", time.as_millis()),
        (Limit::Clock(_), Some([white, black])) => {
            let mut text = format!(
                "go wtime {} btime {} winc {} binc {}",
                white.remaining.as_millis().max(1),
                black.remaining.as_millis().max(1),
                white.increment.as_millis(),
                black.increment.as_millis()
            );
            if let Some(moves) = white.moves_to_go.min(black.moves_to_go) {
                let _ = write!(text, " movestogo {moves}");
            }
            text
        }
        (Limit::Clock(control), None) => format!("go movetime {}", control.increment.as_millis().max(1)),
    }
}

impl Said {
    /// Takes what is of use from a line of analysis and returns its best move; lines of other ranks and bounds are
    /// passed over.
    fn take(&mut self, info: Info) -> Option<String> {
        if !info.is_best() {
            return None;
        }
        self.nodes = info.nodes.unwrap_or(self.nodes);
        // A bound is no score, but whoever mates in at most so many moves does mate.
        let mates = match (info.bound, info.score) {
            (Bound::Lower, Some(Shown::Mate(moves))) => moves > 0,
            (Bound::Upper, Some(Shown::Mate(moves))) => moves <= 0,
            _ => false,
        };
        if info.bound != Bound::Exact && !mates {
            return None;
        }
        if let Some(shown) = info.score {
            self.score = Some(shown.into());
            self.depth = info.depth.and_then(|depth| i32::try_from(depth).ok()).unwrap_or(self.depth);
        }
        info.pv.into_iter().next()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An engine that is a shell script: what it does for each line it reads.
    fn script(cases: &str) -> EngineCommand {
        let program = format!(
            "while read line; do case \"$line\" in uci) echo option name Hash type spin default 4 min 1 max 8; echo uciok;; isready) echo readyok;; quit) exit;; {cases} esac; done"
        );
        EngineCommand {
            name: "script".to_string(),
            program: PathBuf::from("sh"),
            arguments: vec!["-c".to_string(), program],
            options: Vec::new(),
            hash: 1,
            hash_chosen: true,
            chess960: false,
            patience: Duration::from_millis(500),
            startup: Duration::from_secs(20),
        }
    }

    fn think(cases: &str) -> std::result::Result<Thought, Fault> {
        let mut process = Process::start(&script(cases)).expect("a shell");
        process.new_game()?;
        process.think(&Game::default(), &Go { limit: Limit::Nodes(1), clocks: None })
    }

    #[test]
    fn a_good_engine_is_understood() {
        let talk = "go*) echo info depth 7 multipv 1 score cp 31 nodes 1234 pv e2e4; echo info string score cp 5; echo info depth 8 score cp 99 lowerbound nodes 2000; echo bestmove e2e4 ponder e7e5;;";
        let thought = think(talk).expect("a move");
        assert_eq!(chess::uci(thought.mv, false).to_string(), "e2e4");
        assert_eq!((thought.score, thought.depth, thought.nodes), (Some(Score(31)), 7, 2000));
        let mate = |score: &str| {
            let talk =
                format!("go*) echo info depth 9 score cp 7; echo info depth 9 score {score}; echo bestmove e2e4;;");
            think(&talk).expect("a move").score.and_then(Score::mate_moves)
        };
        assert_eq!([mate("mate -2"), mate("mate -2 upperbound"), mate("mate 2 lowerbound")], [-2, -2, 2].map(Some));
        assert_eq!([mate("mate -2 lowerbound"), mate("mate 2 upperbound"), mate("cp 5 upperbound")], [None; 3]);
    }

    #[test]
    fn bad_engines_are_faulted() {
        assert_eq!(think("go*) exit;;").err(), Some(Fault::Disconnected));
        assert_eq!(think("go*) ;;").err(), Some(Fault::Stalled));
        assert_eq!(think("go*) yes info depth 1;;").err(), Some(Fault::Stalled));
        assert_eq!(think("go*) echo bestmove e2e5;;").err(), Some(Fault::Illegal("e2e5".to_string())));
        assert_eq!(think("go*) echo bestmove;;").err(), Some(Fault::Illegal(String::new())));
        let garbage = "go*) head -c 300000 /dev/zero; echo; printf '\\377\\376 bestmove\\n'; echo bestmove '(none)';;";
        assert_eq!(think(garbage).err(), Some(Fault::Illegal("(none)".to_string())));
    }

    #[test]
    fn a_broken_engine_is_started_again() {
        let mut process =
            Process::start(&script("position*moves*) exit;; go*) echo bestmove e2e4;;")).expect("a shell");
        let go = Go { limit: Limit::Nodes(1), clocks: None };
        for _ in 0..2 {
            assert_eq!(process.new_game(), Ok(()));
            let mut game = Game::default();
            let thought = process.think(&game, &go).expect("the first move");
            assert!(game.play(thought.mv));
            assert_eq!(process.think(&game, &go).err(), Some(Fault::Disconnected));
        }
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let missing = EngineCommand { program: PathBuf::from("/no/such/engine"), ..script("") };
        let message = Process::start(&missing).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(message.contains("/no/such/engine"), "{message}");
        let unknown = EngineCommand { options: vec![("Contempt".to_string(), "1".to_string())], ..script("") };
        let message = Process::start(&unknown).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(message.contains("Contempt"), "{message}");
        let large = EngineCommand { hash: 9, ..script("") };
        let message = Process::start(&large).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(message.contains("engine sh: option Hash cannot be set to '9': expected a whole number from 1 to 8"));
        assert!(message.contains("--hash"), "{message}");
        let fitting = EngineCommand { hash_chosen: false, ..large };
        assert_eq!(Process::start(&fitting).err(), None);
        let message = |program: &str| {
            let startup = Duration::from_secs(1);
            let arguments = vec!["-c".to_string(), program.to_string()];
            let command = EngineCommand { arguments, startup, ..script("") };
            Process::start(&command).err().map(|failure| failure.to_string()).unwrap_or_default()
        };
        assert!(message("exit").contains("sh: it ended before it said uciok"));
        assert!(message("cat > /dev/null").contains("sh: no uciok within 1 seconds"));
        let half = "while read line; do test $line = uci && echo uciok; done";
        assert!(message(half).contains("sh: no readyok after its options were set within 1 seconds"));
    }
}
