//! Says which network the compiler embeds: the one of the repository, or the file that EVALFILE names. A damaged one
//! fails the build.

use std::path::{Path, PathBuf};

#[allow(dead_code, reason = "the engine uses more of it")]
#[path = "src/base/crc.rs"]
mod crc;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.join("../..");
    let named = std::env::var_os("EVALFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    // A relative path is meant from where the user stands, which for make is the root of the repository.
    // A package that was published has the repository's network beside this file.
    let usual = [root.join("nets/gannet.gnet"), package.join("gannet.gnet")];
    let usual = || usual.into_iter().find(|path| path.is_file()).unwrap_or_else(|| root.join("nets/gannet.gnet"));
    let path = named.map_or_else(usual, |named| root.join(named));
    println!("cargo::rerun-if-changed={}", path.display());
    // A device would be read for ever.
    if path.exists() && !path.is_file() {
        println!("cargo::error=the network {} is not a file", path.display());
        return;
    }
    match std::fs::read(&path) {
        Ok(file) if !file.starts_with(b"GANNETNN") => {
            println!("cargo::error={} is not a Gannet network (it must begin with GANNETNN)", path.display());
        }
        Ok(file) if !is_whole(&file) => {
            println!("cargo::error=the network {} is damaged: its checksum does not match", path.display());
        }
        Ok(_) => println!("cargo::rustc-env=GANNET_NETWORK={}", path.display()),
        Err(error) => println!("cargo::error=cannot read the network {}: {error}", path.display()),
    }
}

/// Whether the last four bytes are the CRC-32 of those before. The engine checks more, but what a transfer or a disk
/// does to a file shows here.
fn is_whole(file: &[u8]) -> bool {
    let Some((content, sum)) = file.split_last_chunk::<4>() else { return false };
    crc::crc32(content) == u32::from_le_bytes(*sum)
}
