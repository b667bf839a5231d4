//! Which token follows, by the logits of all.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// Chooses tokens.
pub struct Sampler {
    temperature: f64,
    random: ChaCha8Rng,
}

impl Sampler {
    /// Takes the likeliest token at a temperature of 0, and draws from the softmax above it. The same seed draws the same.
    pub fn new(temperature: f64, seed: u64) -> Self {
        Self { temperature, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A token; of those that are equally likely, the first. A logit that is not finite is an error.
    pub fn sample(&mut self, logits: &[f32]) -> Result<u32, f32> {
        let mut max = (0, f32::NEG_INFINITY);
        for (token, &value) in (0..).zip(logits) {
            if !value.is_finite() {
                return Err(value);
            }
            if value > max.1 {
                max = (token, value);
            }
        }
        if self.temperature.is_nan() || self.temperature <= 0.0 {
            return Ok(max.0);
        }
        let weight = |value: f32| (f64::from(value - max.1) / self.temperature).exp();
        let total: f64 = logits.iter().map(|value| weight(*value)).sum();
        let bits = 53;
        let mut drawn = (self.random.next_u64() >> (64 - bits)) as f64 / (1_u64 << bits) as f64 * total;
        for (token, &value) in (0..).zip(logits) {
            drawn -= weight(value);
            if drawn < 0.0 {
                return Ok(token);
            }
        }
        // Only rounding leads here.
        Ok(max.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_is_taken_unless_there_is_a_temperature() {
        let logits = [0.0, 3.0, -1.0, 3.0];
        assert!((0..9).all(|seed| Sampler::new(0.0, seed).sample(&logits) == Ok(1)));
        assert!(Sampler::new(0.0, 0).sample(&[1.0, f32::NAN]).is_err());
        assert_eq!(Sampler::new(1.0, 0).sample(&[1.0, f32::INFINITY]), Err(f32::INFINITY));
    }

    #[test]
    fn each_is_drawn_as_often_as_it_is_likely_and_the_same_again() {
        let logits = [0.0_f32, 1.0, 2.0];
        let drawn = |temperature, seed| {
            let mut sampler = Sampler::new(temperature, seed);
            (0..30_000).map(|_| sampler.sample(&logits).expect("one")).collect::<Vec<_>>()
        };
        let tokens = drawn(2.0, 7);
        let total: f64 = logits.iter().map(|value| (f64::from(*value) / 2.0).exp()).sum();
        for (token, value) in (0..).zip(logits) {
            let share = tokens.iter().filter(|drawn| **drawn == token).count() as f64 / tokens.len() as f64;
            assert!((share - (f64::from(value) / 2.0).exp() / total).abs() < 0.01, "{token}: {share}");
        }
        assert_eq!(tokens, drawn(2.0, 7));
        assert_ne!(tokens, drawn(2.0, 8));
        // Hardly any temperature is as good as none.
        assert!(drawn(0.01, 7).iter().all(|token| *token == 2));
    }
}
