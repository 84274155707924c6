//! Random numbers that are the same everywhere: SplitMix64, seeded by a run's seed and an index within it.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator number `index` of the run with this seed. Each index has a stream of its own.
    pub fn new(seed: u64, index: u64) -> Rng {
        let mut mixed = Rng(seed);
        let base = mixed.next();
        let mut mixed = Rng(base ^ index.wrapping_mul(0xD134_2543_DE82_EF95));
        Rng(mixed.next())
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_and_repeat() {
        let draw = |seed, index| {
            let mut rng = Rng::new(seed, index);
            [rng.next(), rng.next()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
        assert_ne!(draw(1, 0), draw(1, 1));
    }

    #[test]
    fn numbers_stay_in_range_and_spread() {
        let mut rng = Rng::new(7, 0);
        let mut seen = [0; 5];
        let mut sum = 0.0;
        for _ in 0..10_000 {
            seen[rng.below(5)] += 1;
            sum += rng.unit();
        }
        assert!(seen.iter().all(|&count| (1800..2200).contains(&count)), "{seen:?}");
        assert!((4900.0..5100.0).contains(&sum));
    }
}
