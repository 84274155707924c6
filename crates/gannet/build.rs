//! Tells the program by which compiler and for which target it is built.

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
}
