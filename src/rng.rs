//! Chance: a seeded generator whose numbers are the same on every machine and release.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};

/// A fast generator with reproducible output.
///
/// The algorithm is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", 2019), named explicitly because `rand`'s default small generator may change
/// between releases. Bounded sampling is done here for the same reason.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The generator started by `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator for one of several independent consumers of the same seed.
    pub fn derived(seed: u64, stream: u64) -> Rng {
        Rng::new(seed ^ (stream + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to but not including `bound`, which must be positive.
    ///
    /// Multiply-shift (Lemire, "Fast random integer generation in an interval", 2019) without its
    /// rejection step: with bounds of a thousand the bias is below one in four million.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// True with probability `percent` / 100.
    #[inline]
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn bounded_numbers_are_uniform_and_reproducible() {
        let (mut a, mut b) = (Rng::new(1), Rng::new(1));
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            let n = a.below(7);
            assert_eq!(n, b.below(7));
            counts[n] += 1;
        }
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn the_stream_never_changes() {
        assert_eq!(Rng::new(42).next_u64(), 15_021_278_609_987_233_951);
    }
}
