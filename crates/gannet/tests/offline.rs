//! The build without crates from outside has manifests of its own, which must not drift away from the others.

use std::fs::read_to_string;
use std::path::Path;

/// A section of a manifest, without comments and empty lines.
fn section(manifest: &str, name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(manifest);
    let text = read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).collect()
}

#[test]
fn version_and_profile_are_the_same() {
    for name in ["workspace.package", "profile.release"] {
        let ours = section("Cargo.toml", name);
        assert!(!ours.is_empty(), "{name}");
        assert_eq!(ours, section("offline/Cargo.toml", name), "{name}");
    }
}

#[test]
fn nothing_comes_from_outside() {
    for package in ["chess", "engine", "gannet", "uci"] {
        let dependencies = section(&format!("offline/{package}/Cargo.toml"), "dependencies");
        assert!(dependencies.iter().all(|line| line.contains("path = \"../")), "{package}: {dependencies:?}");
    }
    let lock = read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../offline/Cargo.lock")).expect("a lock");
    assert!(!lock.contains("source = "), "{lock}");
}
