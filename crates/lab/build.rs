//! Tells the laboratory where its mates are.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A package that was published has the repository's suite beside this file.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [package.join("../../suites/mates.epd"), package.join("mates.epd")];
    if let Some(mates) = places.iter().find(|path| path.is_file()) {
        println!("cargo::rerun-if-changed={}", mates.display());
        println!("cargo::rustc-env=GANNET_MATES={}", mates.display());
    }
}
