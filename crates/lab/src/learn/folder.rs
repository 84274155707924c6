//! The folder of a ladder, and where everything is in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use engine::Source;
use engine::nnue::Network;

use super::Arguments;
use super::clock::Clock;
use super::plan;
use super::state::{Generation, State, VERSION};
use crate::bench;
use crate::failure::{Failure, Result};
use crate::files::{self, Draft, Target};

const STATE: &str = "learn.json";
const CLOCK: &str = "clock.json";
const START: &str = "start.gnet";
const BEST: &str = "best.gnet";
/// How a user and the engine name what everything begins with.
const BOOTSTRAP: &str = "<bootstrap>";

/// A folder that this process alone works on.
pub struct Folder {
    path: PathBuf,
    /// What is known.
    pub state: State,
    target: Target,
    clock: Clock,
}

impl Folder {
    /// Makes the folder, or takes up what is in it.
    pub fn open(arguments: &Arguments) -> Result<Folder> {
        let path = &arguments.folder;
        std::fs::create_dir_all(path).map_err(|error| Failure::file("make", path, error))?;
        let file = path.join(STATE);
        let target = Target::of_resumed(&file)?;
        let (state, fresh) =
            if file.exists() { (take_up(arguments, &file)?, false) } else { (begin(arguments)?, true) };
        let clock = Clock::begin(&path.join(CLOCK), state.spent);
        let mut folder = Folder { path: path.clone(), state, target, clock };
        if fresh {
            folder.save()?;
        }
        folder.tell_builds()?;
        Ok(folder)
    }

    /// Writes what is known.
    pub fn save(&mut self) -> Result<()> {
        self.state.spent = self.clock.now();
        self.target.write_json(&self.state)
    }

    /// Sees to it that there is a generation to work on; false if the goal is reached.
    pub fn begin_or_go_on(&mut self, arguments: &Arguments) -> Result<bool> {
        self.state.spent = self.clock.now();
        let build = build()?;
        if let Some(generation) = self.state.current() {
            if !generation.builds.contains(&build) {
                generation.builds.push(build);
            }
            if generation.played.is_none() && generation.nodes != arguments.nodes {
                let Generation { number, nodes, .. } = *generation;
                println!("generation {number} was begun with --nodes {nodes} and is played so to its end");
            }
            self.save()?;
            return Ok(true);
        }
        let Some(next) = plan::next(arguments.goal(), &self.state, arguments.first, arguments.growth) else {
            return Ok(false);
        };
        let number = self.state.generations.len() as u32 + 1;
        let generation = Generation::new(number, self.state.player(), arguments.nodes, next, build);
        self.state.generations.push(generation);
        self.save()?;
        Ok(true)
    }

    /// A copy of the generation that is being worked on, for reading.
    pub fn current(&self) -> Result<Generation> {
        let last = self.state.generations.last().cloned();
        last.ok_or_else(|| Failure::new(format!("{} has no generation", self.path.display())))
    }

    /// Notes something about the generation that is being worked on, and keeps it.
    pub fn note(&mut self, note: impl FnOnce(&mut Generation)) -> Result<()> {
        if let Some(generation) = self.state.generations.last_mut() {
            note(generation);
        }
        self.save()
    }

    /// Ends the generation.
    pub fn finish(&mut self, promoted: bool) -> Result<()> {
        if promoted {
            let number = self.current()?.number;
            copy(&self.network(number), &self.path.join(BEST))?;
        }
        let spent = self.clock.now();
        self.note(|generation| {
            generation.promoted = Some(promoted);
            generation.spent = Some(spent);
        })
    }

    /// Seconds that were spent.
    pub fn seconds(&self) -> f64 {
        self.clock.now().seconds
    }

    /// A file beside the state.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where a generation has its files.
    fn of(&self, number: u32) -> PathBuf {
        self.path.join(format!("generation-{number:03}"))
    }

    /// The games of a generation.
    pub fn games(&self, number: u32) -> PathBuf {
        self.of(number).join("games")
    }

    /// Its positions. The name stands in networks.
    pub fn positions(&self, number: u32) -> PathBuf {
        self.of(number).join(format!("generation-{number:03}.bin32"))
    }

    /// Its network.
    pub fn network(&self, number: u32) -> PathBuf {
        self.of(number).join("net.gnet")
    }

    /// What plays as the network of a generation, as it is written on a command line; 0 is what the ladder began with.
    pub fn player(&self, number: u32) -> OsString {
        match number {
            0 if self.state.start == BOOTSTRAP => BOOTSTRAP.into(),
            0 => self.path.join(START).into(),
            _ => self.network(number).into(),
        }
    }

    /// The same, read.
    pub fn source(&self, number: u32) -> Result<Source> {
        let name = self.player(number);
        let name = name.to_str().ok_or_else(|| {
            Failure::new(format!("{}: the name of the folder must be UTF-8", Path::new(&name).display()))
        })?;
        Source::load(name).map_err(|error| Failure::new(error.to_string()))
    }

    /// The network that is best so far, where there is one.
    pub fn best(&self) -> Option<PathBuf> {
        Some(self.path.join(BEST)).filter(|path| path.exists())
    }

    /// A line to begin with.
    pub fn headline(&self) -> String {
        let (state, place) = (&self.state, self.path.display());
        match state.generations.len() {
            0 => format!("{place}: begins with {}", state.start),
            count => format!("{place}: goes on, {count} generations begun, {} positions", state.positions()),
        }
    }

    /// Says whose games these are, if not this build's.
    fn tell_builds(&self) -> Result<()> {
        let build = build()?;
        let others: Vec<String> = (self.state.generations.iter())
            .filter(|generation| !generation.builds.contains(&build))
            .map(|generation| format!("{} by {}", generation.number, generation.builds.join(", ")))
            .collect();
        if !others.is_empty() {
            println!(
                "note: another build of this program made generation {}; this is {build}. Their games are learned from all the \
                 same; the networks are no longer those that one build alone would make",
                others.join("; ")
            );
        }
        Ok(())
    }
}

/// What names this build.
fn build() -> Result<String> {
    bench::own_sum().map(|sum| format!("{} {sum:08x}", env!("CARGO_PKG_VERSION")))
}

/// A ladder that begins.
fn begin(arguments: &Arguments) -> Result<State> {
    let path = &arguments.folder;
    if path.join("generation-001").exists() {
        let message = format!("it holds generations but no {STATE}; take an empty folder");
        return Err(Failure::file("begin in", path, message));
    }
    let (start, start_net) = match &arguments.init {
        None => (BOOTSTRAP.to_string(), 0),
        Some(init) => {
            let sum = checksum(init)?;
            copy(init, &path.join(START))?;
            let name = init.file_name().unwrap_or(init.as_os_str()).to_string_lossy().into_owned();
            (name, sum)
        }
    };
    let (seed, spent) = (arguments.seed, Default::default());
    Ok(State { version: VERSION, start, start_net, seed, generations: Vec::new(), look_back: None, spent })
}

/// A ladder that goes on.
fn take_up(arguments: &Arguments, file: &Path) -> Result<State> {
    let refuse = |message: String| Err(Failure::file("go on with", file, message));
    let raw: serde_json::Value = files::read_json(file)?;
    let version = raw.get("version").and_then(serde_json::Value::as_u64);
    if version != Some(u64::from(VERSION)) {
        let found = version.map_or("no version".to_string(), |version| format!("version {version}"));
        return refuse(format!("it is of {found}; this program reads version {VERSION}"));
    }
    let state: State = serde_json::from_value(raw).map_err(|error| Failure::file("understand", file, error))?;
    if state.seed != arguments.seed {
        return refuse(format!("it began with --seed {}, not {}", state.seed, arguments.seed));
    }
    if let Some(init) = &arguments.init {
        let sum = checksum(init)?;
        if sum != state.start_net {
            return refuse(format!("it began with {} ({:08x}), not {sum:08x}", state.start, state.start_net));
        }
    }
    Ok(state)
}

/// The checksum of a network in a file.
fn checksum(path: &Path) -> Result<u32> {
    let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, error))?;
    let network = Network::shared(&bytes).map_err(|error| Failure::file("understand", path, error))?;
    Ok(Source::Network(network).id())
}

/// Copies a file so that it is there whole or not at all.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = std::fs::read(from).map_err(|error| Failure::file("read", from, error))?;
    let mut draft = Draft::create(to)?;
    draft.write(&bytes)?;
    draft.finish()
}
