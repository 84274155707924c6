//! Ten thousand games in one run hold memory flat.
#![cfg(target_os = "linux")]

mod common;

use std::process::Stdio;
use std::time::Duration;

use common::{field, scratch};

#[test]
fn ten_thousand_games_hold_memory_flat() {
    let json = scratch("memory.json");
    let mut child = common::program()
        .args([
            "sprt",
            "--a",
            "",
            "--b",
            "",
            "--fixed",
            "--games",
            "10000",
            "--nodes",
            "5",
            "--max-plies",
            "30",
            "--json",
        ])
        .arg(&json)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the laboratory runs");
    let status = format!("/proc/{}/status", child.id());
    let mut kibibytes: Vec<u64> = Vec::new();
    while child.try_wait().is_ok_and(|status| status.is_none()) {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        kibibytes.extend(line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(field(&json, "games"), 10_000);
    // The first tenth of the time is for reading the book and for tables that are touched for the first time.
    let settled = &kibibytes[kibibytes.len() / 10..];
    let growth = settled.iter().max().zip(settled.first()).map_or(0, |(most, first)| most - first);
    println!("{} samples, grown by {growth} KiB", settled.len());
    assert!(settled.len() >= 5 && growth < 1024, "memory grew by {growth} KiB: {kibibytes:?}");
}
