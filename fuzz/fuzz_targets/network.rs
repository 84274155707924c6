//! Any bytes as a network file: an error with a message, or a network that evaluates.

#![no_main]

use engine::nnue::Network;
use libfuzzer_sys::fuzz_target;

/// A good file, into which the bytes are written.
const FILE: &[u8] = include_bytes!("../../nets/gannet.gnet");

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    // The bytes in place of the head of a good file, and its end cut off where the first two say.
    let mut file = FILE.to_vec();
    let length = bytes.len().min(file.len());
    file[..length].copy_from_slice(&bytes[..length]);
    if let [a, b, ..] = *bytes {
        file.truncate(usize::from(u16::from_le_bytes([a, b])));
    }
    read(&file);
});

fn read(file: &[u8]) {
    if let Err(error) = Network::read(file) {
        assert!(!error.to_string().is_empty());
    }
}
