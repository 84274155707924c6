//! The bench of this build: the node count that names it, and how fast this machine gets through it.

use std::path::PathBuf;
use std::time::Instant;

use engine::{Control, Engine, Params, Source, crc32};

use crate::builds;
use crate::failure::{Failure, Result};
use crate::files;
use crate::settings;

/// Nodes a second at which a scaled clock is not scaled, in `bench` on one thread while every other thread is as busy.
pub const REFERENCE: u64 = 1_000_000;

/// The node count that names this build. It is counted once; after that it is known from the user's cache.
pub fn nodes() -> Result<u64> {
    nodes_with("")
}

/// The same of this build with settings, such as `UseNullMove=false`.
pub fn nodes_with(options: &str) -> Result<u64> {
    let (params, source) = settings::read(options)?;
    let is_default = params == Params::default() && source.id() == Source::default().id();
    let known = known_count(if is_default { None } else { Some(options) });
    let read = known.as_deref().and_then(|path| std::fs::read_to_string(path).ok());
    if let Some(nodes) = read.and_then(|text| text.trim().parse().ok()) {
        return Ok(nodes);
    }
    let nodes = count(params, source)?;
    if let Some(path) = known {
        // Whoever cannot keep it counts again.
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let _ = folder.map(|()| files::write(&path, &format!("{nodes}\n")));
    }
    Ok(nodes)
}

/// The file that keeps the count of this very program, with these settings.
fn known_count(options: Option<&str>) -> Option<PathBuf> {
    let sum = own_sum().ok()?;
    // A network that is named may be another one tomorrow.
    let options = match options {
        Some(options) if options.to_ascii_lowercase().contains("evalfile") => return None,
        Some(options) => format!("-{:08x}", crc32(options.as_bytes())),
        None => String::new(),
    };
    Some(builds::folder().ok()?.join("bench").join(format!("{sum:08x}{options}")))
}

/// A sum over this program, which tells builds apart.
pub fn own_sum() -> Result<u32> {
    let read = std::env::current_exe().and_then(std::fs::read);
    read.map(|bytes| crc32(&bytes)).map_err(|error| Failure::new(format!("cannot read this program: {error}")))
}

/// Counts.
fn count(params: Params, source: Source) -> Result<u64> {
    let failed = |error: String| Failure::new(format!("cannot count the bench of this build: {error}"));
    let mut engine = Engine::new(engine::bench::HASH).map_err(|error| failed(error.to_string()))?;
    *engine.params_mut() = params;
    engine.set_evaluation(source);
    engine::bench::nodes(&mut engine, engine::bench::DEPTH, &Control::default()).map_err(failed)
}

/// Nodes a second of one thread while so many search, as in games played at a time.
pub fn speed(threads: usize) -> Result<f64> {
    let one = || -> Result<f64> {
        let began = Instant::now();
        let nodes = count(Params::default(), Source::default())?;
        Ok(nodes as f64 / began.elapsed().as_secs_f64().max(1e-3))
    };
    let all: Result<Vec<f64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(one)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<f64>>| {
            thread.join().unwrap_or_else(|_| Err(Failure::new("the bench panicked; the message is above")))
        };
        threads.into_iter().map(join).collect()
    });
    let all = all?;
    Ok(all.iter().sum::<f64>() / all.len() as f64)
}
