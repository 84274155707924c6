//! Training as a user sees it: a network from games, whatever happens on the way, and clear words about what is wrong.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use common::{errors, good, lab, program, read};

/// A folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Positions of some games, made once.
fn positions() -> &'static Path {
    static POSITIONS: OnceLock<PathBuf> = OnceLock::new();
    POSITIONS.get_or_init(|| {
        let folder = folder("train-data");
        let games = text(&folder.join("games"));
        let positions = folder.join("games.bin32");
        good(&["datagen", "--out", &games, "--games", "80", "--nodes", "50", "--hash", "1"]);
        good(&["data", "expand", &games, "--out", &text(&positions), "--shuffle", "1"]);
        positions
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A small training.
fn arguments<'a>(data: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let recipe = ["--hidden", "64", "--batch", "1024", "--validation", "0.1", "--kings", "2"];
    let epochs = if more.contains(&"--epochs") { &[][..] } else { &["--epochs", "40"] };
    [&["train", "--data", data, "--out", out], &recipe[..], epochs, more].concat()
}

#[test]
fn killed_at_any_moment_it_goes_on_and_ends_the_same() {
    let (data, folder) = (text(positions()), folder("train-killed"));
    let (straight, broken) = (folder.join("straight.gnet"), folder.join("broken.gnet"));
    let began = Instant::now();
    good(&arguments(&data, &text(&straight), &["--threads", "1"]));
    let length = began.elapsed();
    let out = text(&broken);
    for part in 1..=5 {
        // With `--resume` from the beginning: there may be nothing to go on with yet.
        let threads = if part % 2 == 0 { "1" } else { "3" };
        let mut child: Child = program()
            .args(arguments(&data, &out, &["--resume", "--checkpoint", "0.0005", "--threads", threads]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(length.mul_f64(f64::from(part) / 9.0).max(Duration::from_millis(10)));
        child.kill().expect("it runs or has run");
        child.wait().expect("it ends");
    }
    if !broken.exists() {
        good(&arguments(&data, &out, &["--resume"]));
    }
    assert!(std::fs::read(&broken).ok() == std::fs::read(&straight).ok(), "the networks differ");
    for extension in ["reference.txt", "json"] {
        assert_eq!(read(&broken.with_extension(extension)), read(&straight.with_extension(extension)));
    }
    assert!(!broken.with_extension("checkpoint").exists());
    good(&["net", "verify", &out]);
    // From there on, wider.
    let wider = text(&folder.join("wider.gnet"));
    good(&[
        "train",
        "--data",
        &data,
        "--init",
        &out,
        "--hidden",
        "96",
        "--epochs",
        "1",
        "--batch",
        "512",
        "--validation",
        "0.1",
        "--out",
        &wider,
    ]);
    let told = good(&["net", "info", &wider]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("(768×2 mirrored → 96)×2 → 1×8"));
}

#[test]
fn a_network_with_a_tail_is_learned_looked_at_and_used() {
    let (data, folder) = (text(positions()), folder("train-tail"));
    let (net, again, picture) = (folder.join("net.gnet"), folder.join("again.gnet"), folder.join("net.svg"));
    let (net, again, picture) = (text(&net), text(&again), text(&picture));
    good(&arguments(&data, &net, &["--tail", "16x32", "--epochs", "5", "--like", "<bootstrap>"]));
    good(&["net", "verify", &net]);
    let told = good(&["net", "info", &net]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("(768×2 mirrored → 64)×2 → pairs → (16 → 32 → 1)×8"));
    good(&["net", "picture", &net, "--out", &picture]);
    let common = ["train", "--data", &data, "--epochs", "1", "--batch", "512", "--validation", "0.1", "--out", &again];
    good(&[&common[..], &["--init", &net]].concat());
    let refused = |more: &[&str]| errors(&lab(&[&common[..], more].concat()));
    assert!(refused(&["--init", &net, "--tail", "none"]).contains("it has a tail"));
    assert!(refused(&["--tail", "16x32", "--hidden", "96"]).contains("expected a multiple of 64"));
    assert!(refused(&["--tail", "8x32"]).contains("16x32"));
}

#[test]
fn threads_and_vectors_do_not_matter() {
    let (data, folder) = (text(positions()), folder("train-vectors"));
    let first = folder.join("first.gnet");
    good(&arguments(&data, &text(&first), &["--threads", "1", "--epochs", "5"]));
    let expected = std::fs::read(&first).expect("it is there");
    for (index, arithmetic) in ["AVX-512", "avx2", "scalar"].iter().enumerate() {
        let out = folder.join(format!("{index}.gnet"));
        let words = arguments(&data, &text(&out), &["--threads", "2", "--epochs", "5"]).join("\n");
        let output = program().env("GANNET_SIMD", arithmetic).args(words.lines()).output().expect("it runs");
        if !output.status.success() && *arithmetic != "scalar" {
            // This machine has it not, and says so.
            assert!(errors(&output).contains("is no vector arithmetic of this machine"), "{}", errors(&output));
            continue;
        }
        assert!(String::from_utf8_lossy(&output.stdout).to_lowercase().contains(&arithmetic.to_lowercase()));
        assert!(std::fs::read(&out).ok().as_ref() == Some(&expected), "{arithmetic}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let (data, folder) = (text(positions()), folder("train-wrong"));
    let out = text(&folder.join("net.gnet"));
    let complaint = |arguments: &[&str]| {
        let output = lab(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(!folder.join("net.gnet").exists());
        errors(&output)
    };
    let cut = folder.join("cut.bin32");
    std::fs::write(&cut, &std::fs::read(&data).expect("it is there")[..1000]).expect("room");
    assert!(complaint(&arguments(&text(&cut), &out, &[])).contains("1000 bytes are not a whole number of records"));
    assert!(complaint(&arguments("no/such/place", &out, &[])).contains("cannot read no/such/place"));
    let empty = folder.join("empty");
    std::fs::create_dir(&empty).expect("room");
    assert!(complaint(&arguments(&text(&empty), &out, &[])).contains("no file of positions (*.bin32)"));
    assert!(complaint(&arguments(&data, &out, &["--init", &data])).contains("not a Gannet network"));
    assert!(complaint(&arguments(&data, "no/such/folder/net", &[])).contains("cannot write no/such/folder/net.gnet"));
    assert!(complaint(&arguments(&data, &out, &["--lr", "1e30"])).contains("is not a number any more"));
    assert!(complaint(&arguments(&data, &out, &["--scale", "0"])).contains("expected a number above 0"));
    let few = ["train", "--data", &data, "--out", &out, "--batch", "10000000"];
    assert!(complaint(&few).contains("at least a batch of 10000000"));
    let checkpoint = folder.join("net.checkpoint");
    std::fs::write(&checkpoint, "GANNETCP").expect("room");
    assert!(complaint(&arguments(&data, &out, &[])).contains("go on with --resume, or remove the file"));
    assert!(complaint(&arguments(&data, &out, &["--resume"])).contains("the checksum does not match"));
}
