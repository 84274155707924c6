//! Says which network the compiler embeds: the one of the repository, or the file that EVALFILE names.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("EVALFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    // A relative path is meant from where the user stands, which for make is the root of the repository.
    let path = root.join(named.unwrap_or_else(|| PathBuf::from("nets/gannet.gnet")));
    println!("cargo::rerun-if-changed={}", path.display());
    match std::fs::read(&path) {
        Ok(file) if file.starts_with(b"GANNETNN") => println!("cargo::rustc-env=GANNET_NETWORK={}", path.display()),
        Ok(_) => println!("cargo::error={} is not a Gannet network", path.display()),
        Err(error) => println!("cargo::error=cannot read the network {}: {error}", path.display()),
    }
}
