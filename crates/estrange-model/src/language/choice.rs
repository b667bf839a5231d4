//! Which of the tokens that may come next is taken.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// How tokens are chosen.
pub struct Choice {
    temperature: f64,
    random: ChaCha8Rng,
}

impl Choice {
    /// The likeliest each time at a temperature of 0; above it, others as well, the less likely the more often the
    /// higher it is. The same seed chooses the same.
    pub fn new(temperature: f64, seed: u64) -> Self {
        Self { temperature, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// One of some tokens, by how much each is expected; of those expected as much, the first. None, if that cannot be
    /// said of one.
    pub fn of(&mut self, expected: &[f32]) -> Option<u32> {
        let mut most = (0, f32::NEG_INFINITY);
        for (token, &value) in (0..).zip(expected) {
            if !value.is_finite() {
                return None;
            }
            if value > most.1 {
                most = (token, value);
            }
        }
        if self.temperature.is_nan() || self.temperature <= 0.0 {
            return Some(most.0);
        }
        let weight = |value: f32| (f64::from(value - most.1) / self.temperature).exp();
        let total: f64 = expected.iter().map(|value| weight(*value)).sum();
        let bits = 53;
        let mut drawn = (self.random.next_u64() >> (64 - bits)) as f64 / (1_u64 << bits) as f64 * total;
        for (token, &value) in (0..).zip(expected) {
            drawn -= weight(value);
            if drawn < 0.0 {
                return Some(token);
            }
        }
        // Only rounding leads here.
        Some(most.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_is_taken_unless_there_is_some_warmth() {
        let expected = [0.0, 3.0, -1.0, 3.0];
        assert!((0..9).all(|seed| Choice::new(0.0, seed).of(&expected) == Some(1)));
        assert_eq!(Choice::new(0.0, 0).of(&[1.0, f32::NAN]), None);
        assert_eq!(Choice::new(1.0, 0).of(&[1.0, f32::INFINITY]), None);
    }

    #[test]
    fn each_is_drawn_as_often_as_it_is_likely_and_the_same_again() {
        let expected = [0.0_f32, 1.0, 2.0];
        let drawn = |temperature, seed| {
            let mut choice = Choice::new(temperature, seed);
            (0..30_000).map(|_| choice.of(&expected).expect("one")).collect::<Vec<_>>()
        };
        let tokens = drawn(2.0, 7);
        let total: f64 = expected.iter().map(|value| (f64::from(*value) / 2.0).exp()).sum();
        for (token, value) in (0..).zip(expected) {
            let share = tokens.iter().filter(|drawn| **drawn == token).count() as f64 / tokens.len() as f64;
            assert!((share - (f64::from(value) / 2.0).exp() / total).abs() < 0.01, "{token}: {share}");
        }
        assert_eq!(tokens, drawn(2.0, 7));
        assert_ne!(tokens, drawn(2.0, 8));
        // Hardly any warmth is as good as none.
        assert!(drawn(0.01, 7).iter().all(|token| *token == 2));
    }
}
