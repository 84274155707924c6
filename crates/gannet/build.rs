//! Tells the program by which compiler and for which target it is built, and where its ledger is.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let version = Command::new(variable("RUSTC")).arg("-V").output().ok().filter(|output| output.status.success());
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    // The compiler that builds this can be asked; if not, something is better than nothing.
    let version = version.map_or_else(|| "an unknown rustc".to_string(), |text| text.trim().to_string());
    println!("cargo::rustc-env=GANNET_COMPILER={version}");
    println!("cargo::rustc-env=GANNET_TARGET={}", variable("TARGET"));
    // A package that was published has the repository's ledger beside this file.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [package.join("../../docs/heuristics.md"), package.join("heuristics.md")];
    if let Some(ledger) = places.iter().find(|path| path.is_file()) {
        println!("cargo::rerun-if-changed={}", ledger.display());
        println!("cargo::rustc-env=GANNET_LEDGER={}", ledger.display());
    }
}
