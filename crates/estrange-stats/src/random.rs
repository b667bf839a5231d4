//! Random numbers that are the same for the same seed, on every machine and whatever runs beside.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// A source of random numbers for one round of many; rounds are independent of each other and of their order.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// The numbers of a round.
    pub(crate) fn of_round(seed: u64, round: usize) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(round as u64);
        Self(generator)
    }

    /// A number below a bound, each as likely as the next.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        // The upper half of a product is even but for a small remainder, which is drawn again (Lemire's method).
        let mut product = u64::from(self.0.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let remainder = bound.wrapping_neg() % bound;
            while (product as u32) < remainder {
                product = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// 64 bits, each as likely set as not.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_all_as_likely() {
        let mut random = Random::of_round(1, 0);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn rounds_differ_and_repeat() {
        let numbers = |seed, round| {
            let mut random = Random::of_round(seed, round);
            [random.bits(), random.bits()]
        };
        assert_eq!(numbers(1, 1), numbers(1, 1));
        assert_ne!(numbers(1, 1), numbers(1, 2));
        assert_ne!(numbers(1, 1), numbers(2, 1));
    }
}
