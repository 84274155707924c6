//! The checksum that a Syzygy table ends with. Without it a bit that has changed in the data gives wrong answers that
//! nobody notices.

use std::io::{self, ErrorKind, Read};

use super::city::{Word, hash128, hash256};

/// A table is hashed in pieces of so many bytes; the checksum is the hash of their hashes.
const PIECE: u64 = 1 << 24;
/// Bytes of the checksum.
const SIZE: u64 = 16;
/// Without the checksum, a table has a multiple of so many bytes.
const UNIT: u64 = 64;

/// Reads a whole table of so many bytes: whether it is as it was when it was made.
pub fn holds(table: &mut impl Read, length: u64) -> io::Result<bool> {
    let Some(content) = length.checked_sub(SIZE).filter(|&content| content > 0 && content.is_multiple_of(UNIT)) else {
        return Err(ErrorKind::InvalidData.into());
    };
    let expected = of(table, content)?;
    let mut found = [0; SIZE as usize];
    table.read_exact(&mut found)?;
    Ok(found == expected)
}

/// The checksum of so many bytes, at least a unit.
pub(super) fn of(content: &mut impl Read, length: u64) -> io::Result<[u8; SIZE as usize]> {
    let (mut hashes, mut piece) = (Vec::new(), Vec::new());
    for start in (0..length).step_by(PIECE as usize) {
        piece.resize((length - start).min(PIECE) as usize, 0);
        content.read_exact(&mut piece)?;
        hashes.extend(hash256(words(&piece)).map(u64::to_le_bytes));
    }
    let mut bytes = [0; SIZE as usize];
    bytes.as_chunks_mut().0.copy_from_slice(&hash128(&hashes).map(u64::to_le_bytes));
    Ok(bytes)
}

fn words(bytes: &[u8]) -> &[Word] {
    bytes.as_chunks().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_bit_and_any_other_length_is_seen() {
        let mut table: Vec<u8> = (0..UNIT * 9).map(|index| (index * index / 7) as u8).collect();
        let sum = of(&mut &table[..], table.len() as u64).expect("whole");
        table.extend(sum);
        let holds = |table: &[u8]| holds(&mut &table[..], table.len() as u64);
        assert!(holds(&table).expect("whole"));
        for bit in 0..table.len() * 8 {
            let mut changed = table.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!holds(&changed).expect("whole"), "bit {bit}");
        }
        for length in 0..table.len() {
            assert!(!holds(&table[..length]).unwrap_or(false), "{length} bytes");
        }
    }

    #[test]
    fn the_real_tables_hold() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
        let Ok(entries) = folder.read_dir() else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let content = std::fs::read(&path).expect("readable");
            assert!(holds(&mut &content[..], content.len() as u64).unwrap_or(true), "{}", path.display());
        }
    }
}
