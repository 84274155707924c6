//! A random order of any number of things that needs no memory: the number at any place is computed.

use crate::rng::Rng;

/// A permutation of the numbers below a bound. A number is taken as two digits to a base just large enough; by turns each
/// digit is moved round by an amount that the other decides, as in a Feistel network; what is beyond the bound goes round
/// again.
#[derive(Clone, Debug)]
pub struct Order {
    count: u64,
    base: u64,
    keys: [u64; Order::ROUNDS],
}

impl Order {
    const ROUNDS: usize = 6;

    /// An order of `count` things, decided by the seed and the number of the epoch; at most 2⁶² things.
    pub fn new(count: u64, seed: u64, epoch: u64) -> Order {
        let mut rng = Rng::new(seed, epoch);
        let root = count.isqrt();
        let base = if root * root < count { root + 1 } else { root.max(1) };
        Order { count, base, keys: std::array::from_fn(|_| rng.next()) }
    }

    /// The number at a place, which is below the count.
    #[inline]
    pub fn at(&self, place: u64) -> u64 {
        debug_assert!(place < self.count);
        let mut number = place;
        loop {
            number = self.scramble(number);
            if number < self.count {
                return number;
            }
        }
    }

    #[inline]
    fn scramble(&self, number: u64) -> u64 {
        let (mut high, mut low) = (number / self.base, number % self.base);
        for keys in self.keys.as_chunks::<2>().0 {
            high = self.moved(high, low ^ keys[0]);
            low = self.moved(low, high ^ keys[1]);
        }
        high * self.base + low
    }

    /// A digit, moved round by what the other says.
    #[inline]
    fn moved(&self, digit: u64, other: u64) -> u64 {
        let mixed = other.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32;
        let sum = digit + ((mixed * self.base) >> 32);
        if sum >= self.base { sum - self.base } else { sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [1, 2, 3, 5, 64, 1000, 4096, 5001] {
            let order = Order::new(count, 9, 1);
            let mut seen = vec![false; count as usize];
            for place in 0..count {
                let number = order.at(place) as usize;
                assert!(!std::mem::replace(&mut seen[number], true), "{number} of {count} twice");
            }
        }
    }

    #[test]
    fn orders_differ_and_look_random() {
        let count = 100_000;
        let [first, second] = [0, 1].map(|epoch| Order::new(count, 1, epoch));
        let equal = (0..count).filter(|&place| first.at(place) == second.at(place)).count();
        assert!(equal < 20, "{equal} in the same place");
        // Neighbours are a third of the range apart on average, and a quarter of the first half stays in its first half …
        let apart: u64 = (1..count).map(|place| first.at(place).abs_diff(first.at(place - 1))).sum();
        assert!((0.32..0.347).contains(&(apart as f64 / count as f64 / count as f64)));
        let stay = (0..count / 2).filter(|&place| first.at(place) < count / 2).count();
        assert!((24_500..25_500).contains(&stay), "{stay}");
    }
}
