//! Ten thousand games in one run hold memory flat.
#![cfg(target_os = "linux")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
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
        .stderr(Stdio::piped())
        .spawn()
        .expect("the laboratory runs");
    // Behind the last opening of the book an engine of its own looks for more: it takes its memory then, once.
    let (told, book_ended) = mpsc::channel();
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let listener = std::thread::spawn(move || {
        for line in errors.lines().map_while(Result::ok).filter(|line| line.contains("openings of the book are played"))
        {
            let _ = told.send(line);
        }
    });
    let status = format!("/proc/{}/status", child.id());
    let (mut within, mut behind) = (Vec::new(), Vec::new());
    while child.try_wait().is_ok_and(|status| status.is_none()) {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmData:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        let samples = if behind.is_empty() && book_ended.try_recv().is_err() { &mut within } else { &mut behind };
        samples.extend(kibibytes);
        std::thread::sleep(Duration::from_millis(20));
    }
    listener.join().expect("it only reads");
    assert_eq!(field(&json, "games"), 10_000);
    for (part, kibibytes) in [("within the book", within), ("behind it", behind)] {
        // The first tenth of the time is for reading the book and for what is needed for the first time.
        let settled = &kibibytes[kibibytes.len() / 10..];
        let growth = settled.iter().max().zip(settled.first()).map_or(0, |(most, first)| most - first);
        println!("{part}: {} samples, grown by {growth} KiB", settled.len());
        assert!(settled.len() >= 5 && growth < 1024, "{part} memory grew by {growth} KiB: {kibibytes:?}");
    }
}
