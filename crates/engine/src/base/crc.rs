//! CRC-32 with the polynomial of Ethernet and zip, eight bytes at a time.

const POLYNOMIAL: u32 = 0xEDB8_8320;

/// `TABLES[k][b]`: what byte `b` does to the sum when `k` more bytes follow.
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ POLYNOMIAL } else { sum >> 1 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut byte = 0;
        while byte < 256 {
            let sum = tables[k - 1][byte];
            tables[k][byte] = sum >> 8 ^ tables[0][(sum & 255) as usize];
            byte += 1;
        }
        k += 1;
    }
    tables
};

/// A checksum that grows as bytes arrive.
#[derive(Clone, Copy, Debug)]
pub struct Crc(u32);

impl Crc {
    /// The sum of nothing.
    #[allow(clippy::new_without_default, reason = "nothing wants one")]
    pub fn new() -> Crc {
        Crc(!0)
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        let mut sum = self.0;
        for chunk in chunks {
            let word = u64::from_le_bytes(*chunk) ^ u64::from(sum);
            sum = 0;
            for (k, table) in TABLES.iter().enumerate() {
                sum ^= table[(word >> (56 - 8 * k) & 255) as usize];
            }
        }
        for &byte in rest {
            sum = sum >> 8 ^ TABLES[0][((sum ^ u32::from(byte)) & 255) as usize];
        }
        self.0 = sum;
    }

    /// The sum of everything added.
    pub fn sum(self) -> u32 {
        !self.0
    }
}

/// The checksum of these bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.add(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_known_sum() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }

    #[test]
    fn parts_make_the_whole() {
        let bytes: Vec<u8> = (0..100u32).map(|i| (i * i) as u8).collect();
        for cut in 0..=bytes.len() {
            let mut crc = Crc::new();
            crc.add(&bytes[..cut]);
            crc.add(&bytes[cut..]);
            assert_eq!(crc.sum(), crc32(&bytes));
        }
    }
}
