//! The engines of the board, one for each page that wants to search.
//!
//! A page asks again and again with the same words. The first time starts the search, the others tell how far it is;
//! other words end it and start another. Who has not asked for a while is gone, and the search ends. So nothing has to
//! be told to stop, and a page that finds the server started anew just goes on asking.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use chess::Game;
use engine::strength::{Chance, Player, Strength};
use engine::wdl::Model;
use engine::{Control, Engine, Limits, Outcome, STACK_SIZE, TimeLimit};

use super::progress::{Progress, Watcher};
use super::review::Reviews;
use super::shelf::Shelf;

/// So many engines there are at most, and so many searches at once.
pub const MAX_ENGINES: usize = 8;

/// Who has not asked for this long does not want the search any more. A page in the background may ask no more than once
/// a second.
const SILENCE: Duration = Duration::from_secs(4);
/// Who has not asked for this long has left, and the engine's memory is given back.
const ABSENCE: Duration = Duration::from_secs(120);
/// How often to look who is still there.
const ROUND: Duration = Duration::from_millis(500);

/// What to search.
pub struct Task {
    /// The position, and how it came about.
    pub game: Game,
    /// What for.
    pub aim: Aim,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A move within a time or by a clock, with full strength or as a weaker player.
    Play {
        /// For the move, or for the rest of the game.
        time: TimeLimit,
        /// How strong, if not as strong as can be.
        strength: Option<Strength>,
    },
    /// As many best lines as this, until nobody asks any more.
    Analyse {
        /// From 1.
        lines: usize,
    },
}

/// All engines, and who has them.
pub struct Lobby {
    hash: usize,
    threads: usize,
    desks: Mutex<Vec<PageEngine>>,
    /// The games that are looked at from end to end.
    pub reviews: Reviews,
    /// The games that are kept.
    pub shelf: Shelf,
}

/// An engine on its thread, and the page it works for.
struct PageEngine {
    page: String,
    /// When that page asked last.
    asked: Instant,
    /// The words it asked with; none when they are no longer being answered.
    words: Option<String>,
    control: Arc<Control>,
    progress: Arc<Mutex<Progress>>,
    jobs: Sender<PageSearch>,
}

/// Something to do for an engine.
struct PageSearch {
    task: Task,
    /// Whether what was learned from another page is to be forgotten.
    fresh: bool,
    control: Arc<Control>,
    progress: Arc<Mutex<Progress>>,
}

impl Lobby {
    /// No engine yet; each will have a table of so many MiB, and so many threads.
    pub fn open(hash: usize, threads: usize, shelf: Shelf) -> std::io::Result<Arc<Lobby>> {
        let reviews = Reviews::new(hash, threads);
        let lobby = Arc::new(Lobby { hash, threads, desks: Mutex::default(), reviews, shelf });
        let watched = Arc::downgrade(&lobby);
        Builder::new().name("warden".into()).spawn(move || {
            while let Some(lobby) = watched.upgrade() {
                lobby.look_round();
                lobby.reviews.look_round();
                drop(lobby);
                std::thread::sleep(ROUND);
            }
        })?;
        Ok(lobby)
    }

    /// How far the search is that this page asks for with these words. Starts it, if it is not running. On failure, why
    /// it cannot be had now.
    pub fn ask(&self, page: &str, words: &str, task: Task) -> Result<String, String> {
        let mut desks = self.desks();
        let (index, fresh) = match desks.iter().position(|desk| desk.page == page) {
            Some(index) => (index, false),
            None => self.seat(&mut desks, page)?,
        };
        let Some(desk) = desks.get_mut(index) else { return Err("there is no engine".to_string()) };
        desk.asked = Instant::now();
        if desk.words.as_deref() != Some(words) {
            desk.stop();
            desk.control = Arc::default();
            desk.progress = Arc::default();
            let (control, progress) = (Arc::clone(&desk.control), Arc::clone(&desk.progress));
            if desk.jobs.send(PageSearch { task, fresh, control, progress }).is_err() {
                desks.remove(index);
                return Err("the engine broke down; ask again for another".to_string());
            }
            desk.words = Some(words.to_string());
        }
        let progress = desk.progress.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(progress.describe())
    }

    /// Ends what is being searched for a page.
    pub fn rest(&self, page: &str) {
        if let Some(desk) = self.desks().iter_mut().find(|desk| desk.page == page) {
            desk.stop();
        }
    }

    /// How many searches are running, and how many engines there are.
    pub fn counts(&self) -> (usize, usize) {
        let desks = self.desks();
        (desks.iter().filter(|desk| desk.is_searching()).count(), desks.len())
    }

    fn desks(&self) -> MutexGuard<'_, Vec<PageEngine>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a page an engine: a new one, or that of the page that has not searched for the longest time. Where it is, and
    /// whether it has something to forget.
    fn seat(&self, desks: &mut Vec<PageEngine>, page: &str) -> Result<(usize, bool), String> {
        if desks.len() < MAX_ENGINES {
            desks.push(self.furnish(page)?);
            return Ok((desks.len() - 1, false));
        }
        let idle = desks.iter_mut().enumerate().filter(|(_, desk)| !desk.is_searching());
        let (index, desk) = idle.min_by_key(|(_, desk)| desk.asked).ok_or_else(|| {
            format!("all {MAX_ENGINES} engines are searching for other pages; this one waits for its turn")
        })?;
        desk.page = page.to_string();
        desk.words = None;
        Ok((index, true))
    }

    fn furnish(&self, page: &str) -> Result<PageEngine, String> {
        let mut engine = Engine::new(self.hash).map_err(|error| error.to_string())?;
        engine.set_threads(self.threads);
        let (jobs, waiting) = mpsc::channel();
        let thread = Builder::new().name("search".into()).stack_size(STACK_SIZE);
        thread.spawn(move || work(engine, &waiting)).map_err(|error| format!("cannot start a thread: {error}"))?;
        let (page, asked) = (page.to_string(), Instant::now());
        Ok(PageEngine { page, asked, words: None, control: Arc::default(), progress: Arc::default(), jobs })
    }

    /// Ends the searches that nobody waits for, and lets the engines go that nobody has wanted for long.
    fn look_round(&self) {
        let mut desks = self.desks();
        for desk in desks.iter_mut().filter(|desk| desk.asked.elapsed() > SILENCE && desk.is_searching()) {
            desk.stop();
        }
        desks.retain(|desk| desk.asked.elapsed() < ABSENCE);
    }
}

impl PageEngine {
    fn is_searching(&self) -> bool {
        self.words.is_some() && !self.progress.lock().unwrap_or_else(PoisonError::into_inner).done
    }

    /// Ends what is being searched; the same words will start it anew.
    fn stop(&mut self) {
        self.control.stop();
        self.words = None;
    }
}

/// The search thread: does what comes until nobody can send any more.
fn work(mut engine: Engine, jobs: &Receiver<PageSearch>) {
    for PageSearch { task: Task { game, aim }, fresh, control, progress } in jobs {
        if fresh {
            engine.new_game();
        }
        if control.is_stopped() {
            continue;
        }
        let start = Instant::now();
        let mut watcher = Watcher::new(game.clone(), Model::of(engine.evaluation()), progress);
        // What the search leaves behind half done, tables and histories, is only ever a hint to the next search.
        let search = AssertUnwindSafe(|| search(&mut engine, &game, aim, &control, &start, &mut watcher));
        let (best, nodes) = match catch_unwind(search) {
            Ok(outcome) => (outcome.best, outcome.nodes),
            Err(_) => {
                crate::complain("the search broke down; this is a fault of the engine, please report it");
                (game.board().legal_moves().first().copied(), 0)
            }
        };
        watcher.conclude(best, nodes, start.elapsed());
    }
}

fn search(
    engine: &mut Engine,
    game: &Game,
    aim: Aim,
    control: &Control,
    clock: &Instant,
    watcher: &mut Watcher,
) -> Outcome {
    match aim {
        Aim::Analyse { lines } => {
            let limits = Limits { multi_pv: lines, ..Limits::default() };
            engine.search_here(game, &limits, control, clock, watcher)
        }
        Aim::Play { time, strength } => {
            let limits = Limits { time, ..Limits::default() };
            match strength {
                None => engine.search_here(game, &limits, control, clock, watcher),
                Some(strength) => {
                    let mut player = Player { strength, chance: Chance::new(crate::server::seed()) };
                    engine.search_as(&mut player, game, &limits, control, clock, watcher)
                }
            }
        }
    }
}
