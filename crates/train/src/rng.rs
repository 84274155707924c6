//! Random numbers of a run: streams that are the same everywhere, one for each index.

use engine::SplitMix64;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// The generator number `index` of the run with this seed. Each index has a stream of its own.
    pub fn new(seed: u64, index: u64) -> Rng {
        let base = SplitMix64::new(seed).next();
        let mixed = SplitMix64::new(base ^ index.wrapping_mul(0xD134_2543_DE82_EF95)).next();
        Rng(SplitMix64::new(mixed))
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
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
