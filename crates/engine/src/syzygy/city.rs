//! CityHash by Pike and Alakuijala, in the first version and the form with cyclic redundancy checks, over sequences of
//! 64-bit words: the hash function that the checksums of Syzygy tables are made with.

/// A word as it stands in a file.
pub type Word = [u8; 8];

/// The function's own constants.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;
const FOLD: u64 = 0x9ddf_ea08_eb38_2d69;

/// Words that are mixed at a time, and the fewest that are mixed without padding.
const STRIDE: usize = 5;
const LEAST: usize = 6 * STRIDE;

/// Two words made one.
const fn fold(low: u64, high: u64) -> u64 {
    let first = shift((low ^ high).wrapping_mul(FOLD));
    shift((high ^ first).wrapping_mul(FOLD)).wrapping_mul(FOLD)
}

const fn shift(value: u64) -> u64 {
    value ^ (value >> 47)
}

/// A word of the sequence.
fn word(words: &[Word], index: usize) -> u64 {
    u64::from_le_bytes(words[index])
}

/// The hash of 256 bits, of a sequence of any length.
pub fn hash256(words: &[Word]) -> [u64; 4] {
    if words.len() >= LEAST {
        return hash_long(words, 0);
    }
    let mut padded = [Word::default(); LEAST];
    padded[..words.len()].copy_from_slice(words);
    hash_long(&padded, !(size_of_val(words) as u32))
}

/// The hash of 128 bits, of a sequence of four words or more.
pub fn hash128(words: &[Word]) -> [u64; 2] {
    const SHORT: usize = 900;
    if size_of_val(words) > SHORT {
        let [.., third, fourth] = hash256(words);
        return [third, fourth];
    }
    let (seed, rest) = words.split_at(2);
    let seed = [word(seed, 0) ^ K3, word(seed, 1)];
    if rest.len() < 2 * BLOCK { murmur(rest, seed) } else { blocks(rest, seed) }
}

/// What is carried from stride to stride.
struct Mixer {
    sums: [u64; STRIDE],
    last: u64,
    checks: [u64; STRIDE],
}

impl Mixer {
    fn mix(&mut self, words: &[Word], multiplier: u64, less: u32) {
        let [a, b, c, d, e] = self.sums;
        let turned = [(b, 41), (c, 27), (d, 41), (e, 33), (self.last, 25)];
        for (index, (value, by)) in turned.into_iter().enumerate() {
            let sum = value.rotate_right(by ^ less).wrapping_mul(multiplier).wrapping_add(word(words, index));
            self.sums[index] = sum;
            self.checks[index] = crc32c(self.checks[index], sum);
        }
        self.last = a;
    }
}

/// At least thirty words.
fn hash_long(words: &[Word], seed: u32) -> [u64; 4] {
    let (length, seed) = (size_of_val(words) as u64, u64::from(seed));
    let b = word(words, 12).wrapping_add(K0);
    let start = [fold(b, length), word(words, 15).wrapping_mul(K0).wrapping_add(length)];
    let mut mixer = Mixer {
        sums: [word(words, 7).wrapping_add(K0), b, start[0], start[1], word(words, 23).wrapping_add(seed)],
        last: start[0].wrapping_add(start[1]),
        checks: [seed, 0, 0, 0, 0],
    };
    let whole = words.len() / LEAST * LEAST;
    for (index, stride) in words[..whole].chunks_exact(STRIDE).enumerate() {
        let (multiplier, less) = if index % 2 == 0 { (1, 1) } else { (K0, 0) };
        mixer.mix(stride, multiplier, less);
    }
    let strides = words[whole..].chunks_exact(STRIDE);
    let left = !strides.remainder().is_empty();
    strides.for_each(|stride| mixer.mix(stride, K0, 0));
    if left {
        // The last words once more, so that it is a whole stride.
        mixer.mix(&words[words.len() - STRIDE..], K0, 0);
    }
    finish(&mixer, start)
}

fn finish(mixer: &Mixer, start: [u64; 2]) -> [u64; 4] {
    let sum = |terms: &[u64]| terms.iter().fold(0, |sum: u64, term| sum.wrapping_add(*term));
    let times = |value: u64| shift(value.wrapping_mul(K0)).wrapping_mul(K0);
    let ([a, b, c, d, e], [f, g, h, i, j]) = (mixer.sums, mixer.checks);
    let j = sum(&[j, i << 32]);
    let a = fold(a, j);
    let h = sum(&[h, g << 32]);
    let b = sum(&[b, h]);
    let c = sum(&[fold(c, f), i]);
    let d = fold(d, sum(&[e, start[0]]));
    let j = sum(&[j, e]);
    let i = sum(&[i, fold(h, mixer.last)]);
    let e = sum(&[fold(a, d), j]);
    let f = sum(&[fold(b, c), a]);
    let g = sum(&[fold(j, i), c]);
    let first = sum(&[e, f, g, h]);
    let a = sum(&[times(sum(&[a, g])), b]);
    let second = sum(&[start[1], a, first]);
    let a = sum(&[times(a), c]);
    let third = sum(&[a, second]);
    [first, second, third, sum(&[times(sum(&[a, e])), third])]
}

/// An even number of words, but fewer than two blocks.
fn murmur(words: &[Word], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let (length, end) = (size_of_val(words) as u64, words.len());
    let [before, last] = [word(words, end - 2), word(words, end - 1)];
    let mixed = |value: u64| shift(value.wrapping_mul(K1)).wrapping_mul(K1);
    let (mut c, mut d);
    if end == 2 {
        a = mixed(a);
        c = b.wrapping_mul(K1).wrapping_add(fold(before, last.wrapping_add(length).rotate_right(16)) ^ last);
        d = shift(a.wrapping_add(before));
    } else {
        c = fold(last.wrapping_add(K1), a);
        d = fold(b.wrapping_add(length), c.wrapping_add(before));
        a = a.wrapping_add(d);
    }
    for pair in words[..end - 2].chunks_exact(2) {
        a = (a ^ mixed(word(pair, 0))).wrapping_mul(K1);
        b ^= a;
        c = (c ^ mixed(word(pair, 1))).wrapping_mul(K1);
        d ^= c;
    }
    let (a, b) = (fold(a, c), fold(d, b));
    [a ^ b, fold(b, a)]
}

/// Words that `blocks` takes at a time.
const BLOCK: usize = 8;

/// Two blocks or more.
fn blocks(words: &[Word], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let times = |value: u64, by: u32, factor: u64| value.rotate_right(by).wrapping_mul(factor);
    let mut z = (size_of_val(words) as u64).wrapping_mul(K1);
    let first = times(y ^ K1, 49, K1).wrapping_add(word(words, 0));
    let mut v = [first, times(first, 42, K1).wrapping_add(word(words, 1))];
    let mut w = [times(y.wrapping_add(z), 35, K1).wrapping_add(x), times(x.wrapping_add(word(words, 11)), 53, K1)];
    let (pairs, rest) = words.split_at(words.len() / (2 * BLOCK) * (2 * BLOCK));
    for block in pairs.chunks_exact(BLOCK) {
        x = times(x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(block, 1)), 37, K1) ^ w[1];
        y = times(y.wrapping_add(v[1]).wrapping_add(word(block, 6)), 42, K1);
        y = y.wrapping_add(v[0]).wrapping_add(word(block, 5));
        z = times(z.wrapping_add(w[0]), 33, K1);
        v = weak(&block[..4], v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = weak(&block[4..], z.wrapping_add(w[1]), y.wrapping_add(word(block, 2)));
        (x, z) = (z, x);
    }
    x = x.wrapping_add(times(v[0].wrapping_add(z), 49, K0));
    z = z.wrapping_add(times(w[0], 37, K0));
    // What is left, four words at a time, from the end; the last four may have been taken already.
    for done in (4..rest.len() + 4).step_by(4) {
        let end = words.len() - done;
        let four = &words[end..end + 4];
        y = times(x.wrapping_add(y), 42, K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(four, 2));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(four, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak(four, v[0].wrapping_add(z), v[1]);
    }
    let (x, y) = (fold(x, v[0]), fold(y.wrapping_add(z), w[0]));
    [fold(x.wrapping_add(v[1]), w[1]).wrapping_add(y), fold(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

/// Four words and two seeds made two.
fn weak(four: &[Word], a: u64, b: u64) -> [u64; 2] {
    let start = a.wrapping_add(word(four, 0));
    let sum = start.wrapping_add(word(four, 1)).wrapping_add(word(four, 2));
    let turned = b.wrapping_add(start).wrapping_add(word(four, 3)).rotate_right(21);
    let second = turned.wrapping_add(sum.rotate_right(44)).wrapping_add(start);
    [sum.wrapping_add(word(four, 3)), second]
}

/// The cyclic redundancy check of Castagnoli, eight bytes further, as processors have an instruction for it. Tables are
/// fast enough and need no such processor.
fn crc32c(check: u64, value: u64) -> u64 {
    let bytes = (value ^ (check & 0xffff_ffff)).to_le_bytes();
    let parts = bytes.iter().zip(&REMAINDERS).map(|(byte, table)| table[usize::from(*byte)]);
    u64::from(parts.fold(0, |sum, part| sum ^ part))
}

/// What a byte adds to the check, for each of the eight places that it may have.
static REMAINDERS: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut value, mut place) = (byte as u32, 8);
        while place > 0 {
            place -= 1;
            let mut bit = 0;
            while bit < 8 {
                value = (value >> 1) ^ (0x82f6_3b78 * (value & 1));
                bit += 1;
            }
            tables[place][byte] = value;
        }
        byte += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that look like nothing in particular.
    fn some(count: usize) -> Vec<Word> {
        let next = |value: &u64| Some(value.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f));
        std::iter::successors(next(&1), next).take(count).map(u64::to_le_bytes).collect()
    }

    /// The figures come from a version in C after the original, which finds the checksums of real tables right.
    #[test]
    fn sequences_of_every_length_are_hashed_as_the_original_does() {
        let words = some(8192);
        assert_eq!(
            hash256(&words),
            [0x3f71_67b5_d015_ef2a, 0x1bc6_b12c_0d36_313f, 0x6358_ffd3_64e0_b0f4, 0x078b_e5db_bcb2_b9d3]
        );
        let folded =
            (1..=600).map(|count| hash256(&words[..count])).fold(0, |all, [a, b, c, d]| fold(all, a ^ b ^ c ^ d));
        assert_eq!(folded, 0xc0ab_4a81_d871_c03e);
        let folded =
            (4..=400).step_by(4).map(|count| hash128(&words[..count])).fold(0, |all, [a, b]| fold(all, a ^ (b << 1)));
        assert_eq!(folded, 0x6ddc_8a5f_ed3b_d3e7);
    }
}
