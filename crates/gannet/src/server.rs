//! The Universal Chess Interface: what a GUI talks to.
//!
//! Three threads, three files. [`input`] reads lines; [`searcher`] owns the engine while it searches; this one, the
//! front, waits for either and never works long itself, so that every command is answered at once. What a command
//! may do while a search runs is the state machine of [`control`].

pub(crate) mod arguments;
mod control;
pub(crate) mod counting;
mod flip;
mod genfens;
mod go;
pub mod input;
mod lag;
mod searcher;
mod text;

use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant, SystemTime};

use chess::Game;
use engine::strength::{Chance, Player};
use engine::wdl::Model;
use engine::{Control, Engine, Limits, Params};
use uci::{BadGo, Command, Go, Hold, Openings, Position, PositionError, SetOption, SpeedTest, Spelling};

use crate::bench;
use crate::options::{self, DEFAULT_HASH, Settings};
use crate::output::{self, complain, inform, say};
use crate::reporter::{Printer, Style};
use control::State;
use input::Event;
use lag::Lag;
use searcher::{Finished, Job, Work};

/// How long leaving may wait for the last words of a search.
const PATIENCE: Duration = Duration::from_millis(100);

/// What needs the engine and does not end a search.
enum Later {
    /// `setoption`.
    Option(SetOption),
    /// `ucinewgame`.
    NewGame,
    /// `eval`, of this position.
    Evaluation(Box<Game>),
}

/// Runs the commands given as arguments, in order; with none, those that come from the input. `expose` lists every option.
pub fn run(arguments: &[String], expose: bool) -> io::Result<()> {
    let talkative = io::stdin().is_terminal() && io::stdout().is_terminal();
    let (sender, events) = mpsc::channel();
    output::write_for(talkative);
    let mut engine = Engine::new(DEFAULT_HASH).map_err(io::Error::other)?;
    // Now, while nobody waits: the first search would have to ask the system for every page of the table.
    engine.new_game();
    // All threads at once: with little memory, what one of them allocates could leave no room for the stack of the next.
    let jobs = searcher::start(sender.clone())?;
    if arguments.is_empty() {
        input::start(sender)?;
    }
    output::watch();
    let mut front = Front {
        events,
        pending: VecDeque::new(),
        later: Vec::new(),
        jobs,
        engine: Some(Box::new(engine)),
        settings: if expose { Settings { expose, ..Settings::default() } } else { Settings::default() },
        game: Game::default(),
        is_current: true,
        state: State::Idle,
        lag: Lag::default(),
        waiting: false,
        style: if talkative { Style::Table } else { Style::Uci },
        // Whoever gives commands as arguments is a person, or a script that a person looks after.
        talkative: talkative || !arguments.is_empty(),
        spelling: if talkative || !arguments.is_empty() { Spelling::Any } else { Spelling::Coordinates },
    };
    if arguments.is_empty() {
        if talkative {
            say(text::GREETING);
        }
        front.listen();
    } else {
        front.run_arguments(arguments);
    }
    Ok(())
}

/// The part that listens and answers.
struct Front {
    events: Receiver<Event>,
    /// What came while a count was running.
    pending: VecDeque<Event>,
    /// What came during a search and needs the engine: carried out when that is back.
    later: Vec<Later>,
    jobs: Sender<Job>,
    /// Away while the search thread has it.
    engine: Option<Box<Engine>>,
    settings: Settings,
    /// The last position that was understood.
    game: Game,
    /// Whether no other came after it, which was not.
    is_current: bool,
    state: State,
    lag: Lag,
    /// Whether commands wait for the search to end.
    waiting: bool,
    style: Style,
    /// Whether to complain about unknown commands.
    talkative: bool,
    /// How moves may be written.
    spelling: Spelling,
}

impl Front {
    /// Answers what comes until there is no more.
    fn listen(&mut self) {
        loop {
            let event = if self.is_deferring() { None } else { self.pending.pop_front() };
            let Some(event) = event.or_else(|| self.events.recv().ok()) else { break };
            match event {
                Event::Finished(finished) => self.finished(finished),
                event if !self.is_due(&event) => self.defer(event),
                Event::Command { command: Command::Quit, .. } => break,
                Event::Command { command, at } => {
                    let stops = command == Command::Stop;
                    self.execute(command, at);
                    if stops {
                        self.pass_on(at);
                    }
                }
                Event::LineTooLong => {
                    // It may have been a position. To search another one would be worse than to search none.
                    self.is_current = false;
                    complain(format_args!("a line of more than {} bytes cannot be a command", input::MAX_LINE));
                }
                Event::EndOfInput => break,
            }
        }
        self.leave();
    }

    /// Runs commands one after the other, each search to its end.
    fn run_arguments(&mut self, arguments: &[String]) {
        for line in arguments.iter().flat_map(|argument| argument.lines()) {
            match Command::parse(line) {
                Command::Quit => return self.leave(),
                command => self.execute(command, Instant::now()),
            }
            while self.state.is_running() && !self.state.is_endless() && self.wait_for_job() {}
        }
        // Nobody will come to stop a search without end; it may go on until it has seen everything.
        if let Some(best) = self.state.let_go() {
            say(best);
        }
        if self.state.is_endless() {
            inform("this search has no limit: it ends when you interrupt it");
        }
        while self.state.is_running() && self.wait_for_job() {}
    }

    /// Whether commands have to wait for what is running.
    fn is_deferring(&self) -> bool {
        self.waiting || matches!(self.state, State::Counting { .. })
    }

    /// Whether what came is to be seen to now, or after what is running.
    fn is_due(&self, event: &Event) -> bool {
        // What nobody has asked to wait for does not keep anybody from leaving.
        let can_leave = !self.waiting && !matches!(self.state, State::Counting { lasts: true, .. });
        match event {
            Event::Command { command, .. } => match command {
                Command::IsReady | Command::Stop => true,
                Command::Quit => can_leave,
                // With others before it, it is meant for what they will start.
                Command::Wait => !self.is_deferring() || self.pending.is_empty(),
                _ => !self.is_deferring(),
            },
            Event::EndOfInput => can_leave,
            Event::LineTooLong | Event::Finished(_) => !self.is_deferring(),
        }
    }

    /// Keeps what came for later. Whoever comes after a `wait` cannot leave before it.
    fn defer(&mut self, event: Event) {
        self.waiting |= matches!(event, Event::Command { command: Command::Wait, .. });
        self.pending.push_back(event);
    }

    /// A `stop` has been obeyed at once; where a `go` waits for its turn, it is meant for that one as well.
    fn pass_on(&mut self, at: Instant) {
        let is_go = |event: &Event| matches!(event, Event::Command { command: Command::Go(_), .. });
        if self.is_deferring() && self.pending.iter().any(is_go) {
            self.pending.push_back(Event::Command { command: Command::Stop, at });
        }
    }

    /// Carries out a command, all but `quit`. UCI wants unknown ones ignored.
    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Uci => {
                self.style = Style::Uci;
                self.spelling = Spelling::Coordinates;
                output::write_for(false);
                say(text::identity(&self.settings));
            }
            Command::IsReady => say("readyok"),
            Command::Stop => {
                let best = self.state.stop();
                best.into_iter().for_each(say);
            }
            Command::PonderHit => {
                let best = self.state.ponderhit();
                best.into_iter().for_each(say);
            }
            Command::Go(go) => self.go(go, at),
            Command::SetOption(option) => self.when_engine_is_here("setoption", Later::Option(option)),
            Command::Position(position) => self.set_position(position),
            Command::NewGame => self.when_engine_is_here("ucinewgame", Later::NewGame),
            Command::Debug(on) => self.talkative = on,
            Command::Wait => self.wait(),
            Command::Picture => {
                if !self.is_current {
                    inform("the last position was not understood, so go has none to search; this is the one before");
                }
                say(text::picture(&self.game));
            }
            Command::Evaluation => match self.current() {
                Some(game) => self.when_engine_is_here("eval", Later::Evaluation(Box::new(game))),
                None => complain(NO_POSITION),
            },
            Command::Flip => match self.current().as_ref().and_then(flip::flip) {
                Some(game) => self.game = game,
                None => complain("there is no position that can be flipped"),
            },
            Command::Perft(depth) => self.perft(depth, true),
            Command::Bench(depth) => self.bench(depth.map_or(bench::DEPTH, i32::from)),
            Command::SpeedTest(test) => self.speed_test(test),
            Command::GenFens(openings) => self.generate_openings(openings),
            Command::Params => say(Params::default().tuner_lines().join("\n")),
            Command::Compiler => say(text::build()),
            Command::Help => say(text::HELP),
            Command::Misused(expected) => complain(expected),
            Command::Unknown(word) if self.talkative => complain(format_args!("unknown command '{word}'; try help")),
            // There is nothing to register, and whoever leaves is not here any more.
            Command::Register | Command::Quit | Command::Unknown(_) | Command::Nothing => {}
        }
    }
}

/// What cannot be done with a position that was not understood.
const NO_POSITION: &str = "there is no position; the last one was not understood";

/// Where a weaker player's choices come from: games are not to be alike.
pub fn seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64) ^ u64::from(std::process::id()) << 32
}

/// What commands do to the search.
impl Front {
    /// The position to search, unless the last one was not understood.
    fn current(&self) -> Option<Game> {
        self.is_current.then(|| self.game.clone())
    }

    fn set_position(&mut self, position: Result<Position, PositionError>) {
        match position.and_then(|position| position.game(self.spelling)) {
            Ok(game) => (self.game, self.is_current) = (game, true),
            Err(error) => {
                self.is_current = false;
                complain(error);
            }
        }
    }

    fn go(&mut self, go: Result<Box<Go>, BadGo>, at: Instant) {
        self.settle();
        let go = match go {
            Ok(go) => go,
            Err(BadGo { error, hold }) => return self.refuse(error, hold),
        };
        for word in &go.unknown {
            complain(format_args!("go does not know '{word}'"));
        }
        let Some(game) = self.current() else {
            return self.refuse("there is no position to search; the last one was not understood", go.hold);
        };
        if let Some(depth) = go.perft {
            return self.perft(depth, false);
        }
        let (moves, illegal) = match go.legal_moves(game.board(), self.spelling) {
            Ok(found) => found,
            Err(error) => return self.refuse(error, go.hold),
        };
        for text in illegal {
            complain(format_args!("searchmoves: '{text}' is not a legal move here"));
        }
        let limits = go::limits(&go, game.board(), moves, &self.settings);
        let lag = self.lag.asked(&game, limits.time, go.hold.ponder);
        self.search(game, Limits { lag, ..limits }, go.hold, at);
    }

    /// Searches; the answer comes with an event.
    fn search(&mut self, game: Game, limits: Limits, hold: Hold, at: Instant) {
        let (board, style, chess960) = (game.board(), self.style, self.settings.chess960);
        let first = board.legal_moves().first().copied();
        let fallback = first.map_or_else(|| style.no_move(), |mv| style.best_move(board, mv, None, chess960));
        let mut printer = Printer::new(game.clone(), chess960, style, self.settings.multi_pv);
        let player = self.settings.strength().map(|strength| Player { strength, chance: Chance::new(seed()) });
        // A weak player ends by itself in any case.
        let limited = limits.is_limited() || player.is_some();
        printer.show_wdl = self.settings.show_wdl;
        let work = move |engine: &mut Engine, control: &Control| {
            printer.model = Model::of(engine.evaluation());
            let outcome = match player {
                Some(mut player) => engine.search_as(&mut player, &game, &limits, control, &at, &mut printer),
                None => engine.search_here(&game, &limits, control, &at, &mut printer),
            };
            if let Some(moves) = limits.mate.filter(|_| limits.depth == Some(outcome.depth) && !control.is_stopped())
                && outcome.score.mate_moves().is_none_or(|found| found <= 0 || found > moves)
            {
                let depth = outcome.depth;
                inform(format_args!(
                    "no mate in {moves} found up to depth {depth}; that does not prove that there is none"
                ));
            }
            Some(printer.conclude(&outcome, at.elapsed(), engine.evaluate(&game)))
        };
        let control = Arc::<Control>::default();
        let state = State::searching(Arc::clone(&control), hold, limited);
        self.start(state, control, Box::new(work), Some(fallback));
    }

    /// Answers a `go` that cannot be carried out: what was wrong, and no move.
    fn refuse(&mut self, error: impl std::fmt::Display, hold: Hold) {
        complain(error);
        let best = self.state.hold(self.style.no_move(), hold);
        best.into_iter().for_each(say);
    }

    /// Carries this out now, or after the search that has the engine: it would be a surprise to get a best move for it.
    fn when_engine_is_here(&mut self, command: &str, what: Later) {
        if self.state.is_running() {
            inform(format_args!("{command} waits for the end of this search"));
            self.later.push(what);
        } else {
            self.carry_out(what);
        }
    }

    fn carry_out(&mut self, what: Later) {
        let Some(engine) = self.engine.as_mut() else { return };
        match what {
            Later::Option(option) => {
                if let Err(error) = options::set(&option, &mut self.settings, engine) {
                    complain(error);
                }
                engine.syzygy_mut().take_notices().iter().for_each(inform);
            }
            // Also where nothing has been learned: then the first search need not wait for the pages of a new table.
            Later::NewGame => engine.new_game(),
            Later::Evaluation(game) => say(text::evaluation(engine, &game)),
        }
    }

    fn perft(&mut self, depth: u32, lasts: bool) {
        self.settle();
        let Some(game) = self.current() else { return complain(NO_POSITION) };
        let chess960 = self.settings.chess960;
        self.count(lasts, move |control| counting::perft(game.board(), depth, chess960, control));
    }

    fn bench(&mut self, depth: i32) {
        if let Some(params) = self.settle().map(|engine| engine.params().clone()) {
            self.count(true, move |control| counting::bench(depth, params, control));
        }
    }

    fn speed_test(&mut self, test: SpeedTest) {
        if let Some(params) = self.settle().map(|engine| engine.params().clone()) {
            self.count(true, move |control| counting::speed_test(test, params, control));
        }
    }

    fn generate_openings(&mut self, openings: Openings) {
        if let Some(evaluation) = self.settle().map(|engine| engine.evaluation().clone()) {
            let chess960 = self.settings.chess960;
            self.count(true, move |control| genfens::run(&openings, chess960, evaluation, control));
        }
    }

    fn wait(&mut self) {
        if self.state.is_endless() {
            complain("there is no point in waiting: this search has no limit and ends with stop");
        } else {
            self.waiting = self.state.is_running();
        }
    }

    /// Starts something that gives no best move, with the engine at rest; whoever leaves waits for it, or not.
    fn count(&mut self, lasts: bool, work: impl FnOnce(&Control) + Send + 'static) {
        let control = Arc::<Control>::default();
        let state = State::Counting { control: Arc::clone(&control), lasts };
        let work: Work = Box::new(move |_, control| {
            work(control);
            None
        });
        self.start(state, control, work, None);
    }

    fn start(&mut self, state: State, control: Arc<Control>, work: Work, fallback: Option<String>) {
        let Some(engine) = self.engine.take() else { return };
        self.state = state;
        // The search thread outlives every job; if it is gone, so is this program.
        let _ = self.jobs.send(Job { engine, control, work, fallback });
    }

    fn finished(&mut self, finished: Finished) {
        if self.is_deferring() {
            // What was to wait comes now, and its time begins now.
            for event in &mut self.pending {
                if let Event::Command { at, .. } = event {
                    *at = Instant::now();
                }
            }
        }
        self.engine = Some(finished.engine);
        self.waiting = false;
        let best = self.state.finished(finished.best);
        best.into_iter().for_each(say);
        self.lag.answered(finished.took);
        std::mem::take(&mut self.later).into_iter().for_each(|what| self.carry_out(what));
    }

    /// Ends what is running, as `stop` would, and waits for it: then the engine is here.
    fn settle(&mut self) -> Option<&mut Engine> {
        let best = self.state.stop();
        best.into_iter().for_each(say);
        while self.state.is_running() && self.wait_for_job() {}
        self.engine.as_deref_mut()
    }

    /// Waits for the search thread; commands that come meanwhile are kept. False if nothing will come any more.
    fn wait_for_job(&mut self) -> bool {
        match self.events.recv() {
            Ok(Event::Finished(finished)) => self.finished(finished),
            Ok(event) => self.pending.push_back(event),
            Err(_) => return false,
        }
        true
    }

    /// Ends what is running, but does not wait for it for ever.
    fn leave(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        self.later.clear();
        let best = self.state.stop();
        best.into_iter().for_each(say);
        while self.state.is_running() {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Finished(finished)) => self.finished(finished),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}
