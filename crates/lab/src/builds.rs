//! Versions of the sources as programs: a git revision, the work tree as it stands, or a folder. Each is built once for
//! each processor, compiler and set of flags, and kept under the name of its content in the user's cache.

mod compile;
pub mod git;

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::files;
use crate::machine;
use compile::Work;
use engine::crc32;
use git::{Git, Snapshot};

/// So many builds are kept; beyond that, those that were not used for longest go.
const KEPT: usize = 40;
/// How long a bench may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// What stands beside each program.
const ABOUT: &str = "build.json";

/// Where sources come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sources {
    /// A revision of the repository that the program was started in.
    Revision(String),
    /// The work tree of that repository with all changes and new files.
    WorkTree,
    /// A folder.
    Folder(PathBuf),
}

impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sources::Revision(name) => f.write_str(name),
            Sources::WorkTree => f.write_str("the work tree"),
            Sources::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A version that is built.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Built {
    /// What it is called in tables: what was asked for, and which commit that is.
    pub name: String,
    /// The git tree of its sources, which names their content.
    pub tree: String,
    /// The commit, if the sources are those of one.
    pub commit: Option<String>,
    /// Whether every number is an option of it.
    pub tune: bool,
    /// The bench that it counts, if it can.
    pub bench: Option<u64>,
    /// When it was built.
    pub date: String,
    /// The program.
    #[serde(skip)]
    pub program: PathBuf,
}

/// Whether git knows a revision of this name where the program was started.
pub fn is_revision(name: &str) -> bool {
    Git::here().object(name, "commit").is_ok()
}

/// Whether the program was started inside a git repository.
pub fn is_in_repository() -> bool {
    Git::here().top().is_ok()
}

/// The program of a version, from the cache or built now. With `tune`, every number of it is an option.
pub fn obtain(sources: &Sources, tune: bool) -> Result<Built> {
    let cache = Cache::open()?;
    let _lock = cache.lock()?;
    let found = Found::of(sources, &cache)?;
    let folder = cache.folder_of(&found.tree, tune)?;
    let built = match Built::read(&folder) {
        Some(known) => Built { name: found.name.clone(), commit: found.commit.clone(), ..known },
        None => cache.build(sources, &found, tune, &folder)?,
    };
    // What was used last goes last.
    files::write_json(&folder.join(ABOUT), &built)?;
    cache.forget(KEPT)?;
    Ok(built)
}

/// Sources that were found.
struct Found {
    name: String,
    tree: String,
    commit: Option<String>,
    /// What is not in a commit.
    snapshot: Option<Snapshot>,
}

impl Found {
    fn of(sources: &Sources, cache: &Cache) -> Result<Found> {
        let git = Git::here();
        let commit_of =
            |git: &Git, name: &str| Some((git.object(name, "commit").ok()?, git.object(name, "tree").ok()?));
        let short = |hash: &str| hash.chars().take(8).collect::<String>();
        let folder = match sources {
            Sources::Revision(name) => {
                let (commit, tree) = commit_of(&git, name)
                    .ok_or_else(|| Failure::new(format!("git knows no revision '{name}' here")))?;
                let name = if commit.starts_with(name) { short(&commit) } else { format!("{name} {}", short(&commit)) };
                return Ok(Found { name, tree, commit: Some(commit), snapshot: None });
            }
            Sources::WorkTree => git.top().map_err(|_| {
                Failure::arguments("there is no work tree: the program was not started in a folder of a git repository")
            })?,
            Sources::Folder(path) => path.clone(),
        };
        let snapshot = Snapshot::take(&folder, &cache.path.join("snapshot"))?;
        let tree = snapshot.tree.clone();
        let word = if *sources == Sources::WorkTree { "worktree".to_string() } else { folder.display().to_string() };
        let clean = commit_of(&Git::at(&folder), "HEAD").filter(|(_, known)| *known == tree).map(|(commit, _)| commit);
        let name = match &clean {
            Some(commit) => format!("{word} {}", short(commit)),
            None => format!("{word} tree {}", short(&tree)),
        };
        Ok(Found { name, tree, commit: clean, snapshot: Some(snapshot) })
    }
}

impl Built {
    /// The build in a folder of the cache, if it is whole.
    fn read(folder: &Path) -> Option<Built> {
        let program = program_in(folder);
        let about: Built = files::read_json(&folder.join(ABOUT)).ok()?;
        program.is_file().then_some(Built { program, ..about })
    }
}

fn program_in(folder: &Path) -> PathBuf {
    folder.join(format!("engine{}", std::env::consts::EXE_SUFFIX))
}

/// The folder of all builds.
struct Cache {
    path: PathBuf,
}

impl Cache {
    fn open() -> Result<Cache> {
        let path = folder()?;
        std::fs::create_dir_all(path.join("builds")).map_err(|error| Failure::file("make", &path, error))?;
        // Tells backups and the like that everything here can be made again.
        let tag = path.join("CACHEDIR.TAG");
        if !tag.exists() {
            files::write(&tag, "Signature: 8a477f597d28d172789f06886806bc55\n# Builds of gannet-lab\n")?;
        }
        Ok(Cache { path })
    }

    /// One process at a time builds; the others wait, and find what it has built.
    fn lock(&self) -> Result<File> {
        let path = self.path.join("lock");
        let file = File::create(&path).map_err(|error| Failure::file("write", &path, error))?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            eprintln!("waiting for another gannet-lab that builds");
            file.lock().map_err(|error| Failure::file("lock", &path, error))?;
        }
        Ok(file)
    }

    /// Where the program of a content is kept: by what the compiler makes of it on this machine.
    fn folder_of(&self, tree: &str, tune: bool) -> Result<PathBuf> {
        let compiler = Command::new("rustc").arg("-vV").stdin(Stdio::null()).output();
        let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let flags = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"].map(|name| std::env::var(name).ok());
        let place = format!("{compiler}{flags:?}{}{}{tune}", machine::cpu(), machine::cpu_features());
        let tree: String = tree.chars().take(16).collect();
        Ok(self.path.join("builds").join(format!("{tree}-{:08x}", crc32(place.as_bytes()))))
    }

    fn build(&self, sources: &Sources, found: &Found, tune: bool, folder: &Path) -> Result<Built> {
        let began = Instant::now();
        eprintln!("building {} (once; it is kept in {})", found.name, folder.display());
        let workshop = self.path.join("workshop");
        let source = workshop.join("source");
        let _ = std::fs::remove_dir_all(&source);
        std::fs::create_dir_all(&source).map_err(|error| Failure::file("make", &source, error))?;
        match (&found.snapshot, &found.commit) {
            (Some(snapshot), _) => snapshot.lay_out(&source)?,
            (None, Some(commit)) => git::lay_out(commit, &source, &workshop.join("index"))?,
            (None, None) => return Err(Failure::new(format!("{sources} has no content"))),
        }
        let work = Work { source: &source, target: &workshop.join("target"), tune };
        let program = work.build().map_err(|failure| Failure::new(format!("cannot build {sources}: {failure}")))?;
        let bench = bench_of(&program);
        let built = Built {
            name: found.name.clone(),
            tree: found.tree.clone(),
            commit: found.commit.clone(),
            tune,
            bench,
            date: machine::now(),
            program: program_in(folder),
        };
        // Whole or not at all: it gets its name when everything is in it.
        let new = files::beside(folder, ".new");
        let _ = std::fs::remove_dir_all(&new);
        let put = || -> std::io::Result<()> {
            std::fs::create_dir_all(&new)?;
            std::fs::copy(&program, program_in(&new))?;
            Ok(())
        };
        put().map_err(|error| Failure::file("write", &new, error))?;
        files::write_json(&new.join(ABOUT), &built)?;
        let _ = std::fs::remove_dir_all(folder);
        std::fs::rename(&new, folder).map_err(|error| Failure::file("write", folder, error))?;
        let _ = std::fs::remove_dir_all(&source);
        let bench = bench.map_or("no bench".to_string(), |bench| format!("bench {bench}"));
        eprintln!("built {} in {:.0} s, {bench}", built.name, began.elapsed().as_secs_f64());
        Ok(built)
    }

    /// All builds, those used last first.
    fn list(&self) -> Result<Vec<(SystemTime, PathBuf)>> {
        let folder = self.path.join("builds");
        let fail = |error| Failure::file("read", &folder, error);
        let mut list = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let used = std::fs::metadata(path.join(ABOUT)).and_then(|data| data.modified());
            list.push((used.unwrap_or(SystemTime::UNIX_EPOCH), path));
        }
        list.sort_by(|a, b| b.cmp(a));
        Ok(list)
    }

    /// Removes all builds but so many that were used last. Returns how many are gone.
    fn forget(&self, kept: usize) -> Result<usize> {
        let list = self.list()?;
        for (_, path) in list.iter().skip(kept) {
            std::fs::remove_dir_all(path).map_err(|error| Failure::file("remove", path, error))?;
        }
        Ok(list.len().saturating_sub(kept))
    }
}

/// Where builds and what goes with them are kept: where `GANNET_LAB_CACHE` says, else in the user's cache.
pub fn folder() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let system = match std::env::consts::OS {
        "windows" => variable("LOCALAPPDATA"),
        "macos" => variable("HOME").map(|home| home.join("Library/Caches")),
        _ => variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache"))),
    };
    variable("GANNET_LAB_CACHE")
        .or_else(|| system.map(|folder| folder.join("gannet-lab")))
        .ok_or_else(|| Failure::new("there is no folder for builds: set GANNET_LAB_CACHE to one"))
}

/// The nodes that a program's bench counts; none if it has no such command.
fn bench_of(program: &Path) -> Option<u64> {
    let mut command = Command::new(program);
    let mut child =
        command.arg("bench").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut output = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = std::io::Read::read_to_end(&mut output, &mut bytes);
        bytes
    });
    let began = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if began.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    nodes_in(&String::from_utf8_lossy(&reader.join().ok()?))
}

/// The count in `2900747 nodes 1234567 nps`.
fn nodes_in(text: &str) -> Option<u64> {
    text.lines().rev().find_map(|line| {
        let (nodes, rest) = line.trim().split_once(" nodes ")?;
        rest.contains("nps").then(|| nodes.parse().ok())?
    })
}

/// List the versions that were built, or remove some
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
The folder is gannet-lab in the user's cache, or what GANNET_LAB_CACHE names. By itself it keeps 40
builds; those that were not used for longest go first.")]
pub struct Arguments {
    /// Remove all builds but so many that were used last; 0 also removes what they were built with
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let cache = Cache::open()?;
    if let Some(kept) = arguments.keep {
        let _lock = cache.lock()?;
        let gone = cache.forget(kept)?;
        if kept == 0 {
            let workshop = cache.path.join("workshop");
            if workshop.exists() {
                std::fs::remove_dir_all(&workshop).map_err(|error| Failure::file("remove", &workshop, error))?;
            }
        }
        println!("{gone} removed");
    }
    for (_, path) in cache.list()? {
        let Some(built) = Built::read(&path) else { continue };
        let bench = built.bench.map_or("—".to_string(), |bench| bench.to_string());
        println!("{:<40} bench {bench:>9}  built {}  {}", built.name, built.date, built.program.display());
    }
    println!("in {}", cache.path.display());
    Ok(())
}

#[cfg(test)]
mod tests;
