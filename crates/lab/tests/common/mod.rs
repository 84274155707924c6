//! What the tests of the program share: running it, and looking at what it wrote.
#![allow(dead_code, reason = "not every test uses everything")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The laboratory, which leaves the register of whoever tests it alone.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet-lab"));
    command.env("GANNET_LAB_REGISTER", "none");
    command
}

/// Runs the laboratory, in a folder of its own for what it writes without being told where.
pub fn lab<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Output {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let name = format!("run-{}-{}", std::process::id(), RUNS.fetch_add(1, Relaxed));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = program().args(arguments).current_dir(&folder).output();
    let _ = std::fs::remove_dir_all(&folder);
    output.expect("the laboratory runs")
}

/// Runs the laboratory, which must succeed.
pub fn good<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(arguments: &[S]) -> Output {
    let output = lab(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", errors(&output));
    output
}

/// The engine's program, built from the sources as they are, with the profile of this test.
pub fn gannet() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_gannet-lab")).parent().expect("a folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--package", "gannet", "--profile", profile, "--target-dir"])
        .arg(folder.parent().expect("a folder"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "the engine is not built: {}", errors(&output));
    folder.join(if cfg!(windows) { "gannet.exe" } else { "gannet" })
}

/// Waits until something has happened and a process would catch Ctrl-C and `kill`; before that it would just end.
#[track_caller]
pub fn wait_until_caught(child: &mut Child, until: impl Fn() -> bool) {
    let began = Instant::now();
    while !(until() && is_caught(child.id())) {
        if began.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("nothing happens");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process catches both signals by now, as far as the system tells.
fn is_caught(id: u32) -> bool {
    const INT_AND_TERM: u64 = 1 << (2 - 1) | 1 << (15 - 1);
    let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/status")) else { return true };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim);
    let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok());
    mask.is_none_or(|mask| mask & INT_AND_TERM == INT_AND_TERM)
}

/// What it complained about.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A fresh path for a file of a test.
pub fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for suffix in ["", ".old", ".new"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", path.display()));
    }
    path
}

/// A file of a test as text.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The games of a PGN file without comments, which hold times, and without dates.
pub fn moves(path: &Path) -> Vec<String> {
    let mut inside = false;
    let bare: String = read(path)
        .lines()
        .filter(|line| !line.starts_with("[Date"))
        .flat_map(|line| line.chars().chain(['\n']))
        .filter(|&letter| {
            inside = (inside || letter == '{') && letter != '}';
            !inside && letter != '}'
        })
        .collect();
    bare.split_whitespace().map(str::to_string).collect()
}

/// How many games are in a PGN file.
pub fn games(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.matches("[Event ").count())
}

/// The text of a field of a JSON file.
pub fn field(path: &Path, name: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(&read(path)).expect("JSON");
    value[name].clone()
}
