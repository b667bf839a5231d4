//! Which sources are for training and which for evaluation.
//!
//! A source goes whole, by its name, the seed and the share alone. So the sides of the others stay as they are when a
//! source is added, every version of a source is on the same side, and two data sets made with the same seed and share
//! never have a source on different sides. The price is that with few sources the shares are only roughly those asked for.

use estrange_words::Split;

/// The side of the source with this name, where `eval_share` of all sources, from 0 to 1, are for evaluation.
///
/// A source that is for evaluation stays so when the share grows. Below 0 counts as 0, above 1 as 1.
pub fn split(source: &str, seed: u64, eval_share: f64) -> Split {
    // Between 0 and, not included, 1: 53 bits are what such a number holds.
    let place = (hash("split", seed, source) >> 11) as f64 / (1u64 << 53) as f64;
    if place < eval_share { Split::Eval } else { Split::Train }
}

/// A number for a name, the same for ever; `purpose` keeps what is decided by it independent.
pub(crate) fn hash(purpose: &str, seed: u64, name: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(purpose.as_bytes()).update(&[0]).update(&seed.to_le_bytes()).update(name.as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_share_is_met_over_many_sources() {
        for share in [0.0, 0.2, 0.5, 1.0] {
            let eval = (0..2_000).filter(|source| split(&format!("source-{source}"), 7, share) == Split::Eval).count();
            assert!((eval as f64 / 2_000.0 - share).abs() < 0.03, "{eval} of 2000 for {share}");
        }
    }

    #[test]
    fn the_sides_are_the_same_in_every_release() {
        let sides: String =
            (0..16).map(|source| if split(&source.to_string(), 0, 0.5) == Split::Eval { 'e' } else { 't' }).collect();
        assert_eq!(sides, "eteeeeteettttett");
    }

    proptest! {
        #[test]
        fn a_greater_share_moves_sources_one_way(source in ".*", seed: u64, one in 0.0..1.0f64, two in 0.0..1.0f64) {
            prop_assert!(split(&source, seed, one.min(two)) <= split(&source, seed, one.max(two)));
        }
    }
}
