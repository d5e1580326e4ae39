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

    /// A number of the gamma distribution of this shape, which must be above 0, and of scale 1.
    ///
    /// Below 1 the rejection method GS of Ahrens and Dieter ("Computer methods for sampling from gamma, beta, Poisson and binomial
    /// distributions", 1974); from 1 on the sum of exponential numbers for the whole part of the shape.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        let whole = shape.floor();
        let exponentials: f64 = (0..whole as usize).map(|_| -(1.0 - self.unit()).ln()).sum();
        exponentials + if shape > whole { self.gamma_below_one(shape - whole) } else { 0.0 }
    }

    fn gamma_below_one(&mut self, shape: f64) -> f64 {
        let border = 1.0 + shape / std::f64::consts::E;
        loop {
            let place = border * self.unit();
            let (value, kept) = if place <= 1.0 {
                let value = place.powf(1.0 / shape);
                (value, (-value).exp())
            } else {
                let value = -((border - place) / shape).ln();
                (value, value.powf(shape - 1.0))
            };
            if self.unit() <= kept {
                return value;
            }
        }
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
    fn mean_and_variance_of_gamma_numbers_are_the_shape() {
        let mut rng = Rng::new(3);
        for shape in [0.03, 0.12, 0.9, 1.0, 2.5] {
            let values: Vec<f64> = (0..200_000).map(|_| rng.gamma(shape)).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64;
            assert!((mean / shape - 1.0).abs() < 0.05, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.15, "{shape}: variance {variance}");
        }
    }

    #[test]
    fn the_stream_never_changes() {
        assert_eq!(Rng::new(42).next_u64(), 15_021_278_609_987_233_951);
    }
}
