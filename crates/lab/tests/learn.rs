//! The whole way from nothing to a network, as a user sees it: whatever happens on the way, it comes to the same end.

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{errors, field, good, lab, program, read};

/// A small ladder: two generations, some hundred games.
const SMALL: [&str; 18] = [
    "--generations",
    "2",
    "--first",
    "2500",
    "--growth",
    "1.5",
    "--nodes",
    "25",
    "--match-nodes",
    "60",
    "--match-games",
    "8",
    "--hidden",
    "32",
    "--checkpoint",
    "0.0005",
    "--play",
    "--hash 1 --win-score 600",
];
const TRAINING: [&str; 2] = ["--train", "--batch 128 --epochs 3 --validation 0.1"];

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn arguments<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["learn", folder], &SMALL[..], &TRAINING, more].concat()
}

/// Everything that must not depend on what happened on the way.
fn outcome(folder: &Path) -> Vec<Vec<u8>> {
    let files = ["generation-001/generation-001.bin32", "generation-001/net.gnet", "generation-001/net.reference.txt"];
    let more = ["generation-002/generation-002.bin32", "generation-002/net.gnet", "generation-002/net.json"];
    files.iter().chain(&more).map(|name| std::fs::read(folder.join(name)).unwrap_or_default()).collect()
}

#[test]
fn killed_twenty_times_it_ends_the_same() {
    let (straight, broken) = (folder("ladder-straight"), folder("ladder-broken"));
    let (s, b) = (text(&straight), text(&broken));
    let began = Instant::now();
    let told = good(&arguments(&s, &["--threads", "1"]));
    let length = began.elapsed();
    assert!(String::from_utf8_lossy(&told.stdout).contains("report.md"));
    let (mut kills, mut dice) = (0, 12345u64);
    for round in 0..20 {
        let threads = if round % 2 == 0 { "2" } else { "1" };
        let mut child = program()
            .args(arguments(&b, &["--threads", threads]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Up to a tenth of the whole, so that the kills are spread over all of its stages.
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(length.mul_f64(0.1 * (dice >> 33) as f64 / (1u64 << 31) as f64) + Duration::from_millis(5));
        kills += u32::from(child.try_wait().is_ok_and(|status| status.is_none()));
        child.kill().expect("it runs or has run");
        child.wait().expect("it ends");
    }
    assert!(kills >= 18, "it was over after {kills} kills, before the others came");
    good(&arguments(&b, &[]));
    let (expected, found) = (outcome(&straight), outcome(&broken));
    assert!(expected.iter().all(|file| !file.is_empty()));
    assert!(expected == found, "{:?}", expected.iter().zip(&found).map(|(a, b)| a == b).collect::<Vec<_>>());
    for part in ["player", "elo_text", "promoted", "window"] {
        let of = |folder: &Path| {
            let rows = field(&folder.join("report.json"), "generations");
            rows.as_array().expect("rows").iter().map(|row| row[part].clone()).collect::<Vec<_>>()
        };
        assert_eq!(of(&straight), of(&broken), "{part}");
    }
    assert_eq!(std::fs::read(straight.join("best.gnet")).ok(), std::fs::read(broken.join("best.gnet")).ok());
    goes_on_where_it_is_done(&straight);
}

/// It is over; the same again does nothing, and more of it goes on.
fn goes_on_where_it_is_done(folder: &Path) {
    let place = text(folder);
    let before = outcome(folder);
    good(&arguments(&place, &[]));
    assert!(!folder.join("generation-003").exists());
    // Positions that were thrown away are made again from their games.
    std::fs::remove_file(folder.join("generation-002/generation-002.bin32")).expect("it is there");
    let more: Vec<&str> = arguments(&place, &[]).iter().map(|&word| if word == "2" { "3" } else { word }).collect();
    good(&more);
    assert_eq!(outcome(folder), before);
    assert_eq!(field(&folder.join("report.json"), "generations").as_array().map(Vec::len), Some(3));
    let page = read(&folder.join("report.md"));
    assert!(page.contains("| 3 |") && page.contains("](elo.svg)"), "{page}");
    for picture in ["elo.svg", "losses.svg"] {
        assert!(read(&folder.join(picture)).contains("</svg>"), "{picture}");
    }
    let provenance = good(&["net", "info", &text(&folder.join("generation-003/net.gnet"))]);
    let provenance = String::from_utf8_lossy(&provenance.stdout).into_owned();
    assert!(provenance.contains("generation 3 of a ladder") && provenance.contains("scaled: by"), "{provenance}");
}

#[test]
fn what_is_wrong_is_said() {
    let place = folder("ladder-wrong");
    let p = text(&place);
    let complaint = |words: &[&str]| {
        let output = lab(words);
        assert!(!output.status.success(), "{words:?}");
        errors(&output)
    };
    assert!(complaint(&["learn", &p]).contains("--hours"));
    assert!(complaint(&["learn", &p, "--hours", "0"]).contains("expected hours"));
    assert!(complaint(&arguments(&p, &["--init", file!()])).contains("No such file"));
    let small = |train: &'static str| [&["learn", &p], &SMALL[..], &["--train", train]].concat();
    assert!(complaint(&small("--bach 3")).contains("train (--train): unexpected argument '--bach'"));
    assert!(complaint(&small("--batch 1000000")).contains("at least a batch of 1000000"));
    // A loss that is no number: the step and the file are named, and other words begin anew.
    let told = complaint(&small("--batch 128 --epochs 3 --validation 0.1 --lr 1e30"));
    assert!(told.contains("is not a number any more in step") && told.contains("net.checkpoint"), "{told}");
    let checkpoint = place.join("generation-001/net.checkpoint");
    std::fs::write(&checkpoint, "GANNETCP").expect("room");
    assert!(complaint(&arguments(&p, &[])).contains("the checksum does not match"));
    std::fs::remove_file(&checkpoint).expect("it is there");
    good(&arguments(&p, &[]));
    assert!(complaint(&arguments(&p, &["--seed", "2"])).contains("it began with --seed 1, not 2"));
    let state = place.join("learn.json");
    let known = read(&state);
    std::fs::write(&state, known.replace("\"version\": 1", "\"version\": 9")).expect("room");
    assert!(complaint(&arguments(&p, &[])).contains("it is of version 9; this program reads version 1"));
    std::fs::remove_file(&state).expect("it is there");
    assert!(complaint(&arguments(&p, &[])).contains("holds generations but no learn.json"));
    // Another build's games are as good; it is said.
    let other = known.replace("\"builds\": [\n        \"", "\"builds\": [\n        \"0.0.1 of yore ");
    assert_ne!(other, known);
    std::fs::write(&state, other).expect("room");
    let told = good(&arguments(&p, &[]));
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("another build of this program made generation 1 by 0.0.1 of yore"), "{told}");
}

/// Games that this program cannot read are named before anything is lost.
#[test]
fn games_of_another_version_are_named() {
    let place = folder("ladder-version");
    let p = text(&place);
    let words = ["learn", &p, "--generations", "1", "--first", "100000000", "--nodes", "25", "--threads", "1"];
    let child = program().args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("it starts");
    let shard = || {
        let entries = std::fs::read_dir(place.join("generation-001/games")).ok()?;
        let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        paths.find(|path| std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\xB6Gannet") && bytes.len() > 500))
    };
    let began = Instant::now();
    while shard().is_none() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let shard = shard().expect("a minute is enough for a game");
    let mut bytes = std::fs::read(&shard).expect("it is there");
    bytes[8] = 2;
    let sum = engine::crc32(&bytes[..28]);
    bytes[28..32].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(&shard, bytes).expect("room");
    let output = lab(&words);
    assert!(!output.status.success());
    assert!(errors(&output).contains("game records of version 2"), "{}", errors(&output));
}
