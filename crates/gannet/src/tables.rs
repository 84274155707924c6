//! `gannet tables`: whether endgame tables are as they were when they were made. The search checks small tables itself
//! before it uses them; large ones take longer to read than a player can wait.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use engine::syzygy::checksum;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

const AFTER_HELP: &str = "\
Example:
  gannet tables /tables/345 /tables/6";

/// Check Syzygy endgame tables for damage
///
/// Reads every .rtbw and .rtbz file of the folders and compares it with the checksum at its end. The last line is
/// `N passed, M failed`, and the exit status says whether all passed.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folders with tables, or single tables
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Why nothing could be checked.
enum TablesError {
    Unreadable(PathBuf, io::Error),
    /// No table is there.
    Empty,
    Output(io::Error),
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesError::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            TablesError::Empty => f.write_str("there are no Syzygy tables (.rtbw, .rtbz)"),
            TablesError::Output(error) => write!(f, "cannot write the result: {error}"),
        }
    }
}

impl From<io::Error> for TablesError {
    fn from(error: io::Error) -> TablesError {
        TablesError::Output(error)
    }
}

/// Checks. Status 0: every table is good. 1: one is not. 2: it could not be done.
pub fn run(arguments: &Arguments) -> ExitCode {
    match check_all(&arguments.paths, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => crate::fail(error, 2),
    }
}

fn check_all(paths: &[PathBuf], output: &mut impl Write) -> Result<bool, TablesError> {
    let mut tables = Vec::new();
    for path in paths {
        collect(path, &mut tables).map_err(|error| TablesError::Unreadable(path.clone(), error))?;
    }
    if tables.is_empty() {
        return Err(TablesError::Empty);
    }
    let total = tables.iter().map(|(_, length)| length).sum();
    let bar = progress(total);
    let mut failed = 0;
    for (path, length) in &tables {
        bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        if let Err(fault) = check(path, *length, &bar) {
            failed += 1;
            bar.suspend(|| writeln!(output, "{}: {fault}", path.display()))?;
        }
    }
    bar.finish_and_clear();
    writeln!(output, "{} read", HumanBytes(total))?;
    writeln!(output, "{} passed, {failed} failed", tables.len() - failed)?;
    Ok(failed == 0)
}

/// Adds a table, or those of a folder in the order of their names.
fn collect(path: &Path, tables: &mut Vec<(PathBuf, u64)>) -> io::Result<()> {
    if !path.is_dir() {
        tables.push((path.to_path_buf(), path.metadata()?.len()));
        return Ok(());
    }
    let mut found = Vec::new();
    for entry in path.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "rtbw" || kind == "rtbz") {
            let length = path.metadata()?.len();
            found.push((path, length));
        }
    }
    found.sort();
    tables.append(&mut found);
    Ok(())
}

fn check(path: &Path, length: u64, bar: &ProgressBar) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    match checksum::holds(&mut bar.wrap_read(file), length) {
        Ok(true) => Ok(()),
        Ok(false) => Err("damaged: its checksum is wrong".to_string()),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(format!("{length} bytes is not the length of a table; it may be incomplete"))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn progress(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}
