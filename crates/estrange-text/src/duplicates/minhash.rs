//! MinHash signatures, and the bands that similar ones are likely to share.

use super::hashing;
use super::shingles::Shingles;

/// How many hash functions a signature has.
const FUNCTIONS: usize = 128;

/// The most that may be overlooked of pairs exactly at the threshold.
const OVERLOOKED: f64 = 0.001;

/// The multiplier and the summand of each hash function.
const COEFFICIENTS: [(u64, u64); FUNCTIONS] = {
    let mut coefficients = [(0, 0); FUNCTIONS];
    let mut state = 0x6573_7472_616e_6765_u64;
    let mut index = 0;
    while index < FUNCTIONS {
        let (after, multiplier) = step(state);
        let (after, summand) = step(after);
        coefficients[index] = (multiplier | 1, summand);
        state = after;
        index += 1;
    }
    coefficients
};

/// One step of the generator SplitMix64.
const fn step(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, hashing::mix(state))
}

/// For each hash function, the least hash of a set's members.
pub(super) struct MinHash([u32; FUNCTIONS]);

impl MinHash {
    pub(super) fn of(shingles: &Shingles) -> Self {
        let mut least = [u32::MAX; FUNCTIONS];
        for &shingle in shingles.hashes() {
            for (least, &(multiplier, summand)) in least.iter_mut().zip(&COEFFICIENTS) {
                let hash = (shingle.wrapping_mul(multiplier).wrapping_add(summand) >> 32) as u32;
                *least = hash.min(*least);
            }
        }
        Self(least)
    }
}

/// How signatures are cut.
pub(super) struct Bands {
    rows: usize,
}

impl Bands {
    /// The longest bands with which hardly a pair at the threshold is overlooked: the longer, the fewer the pairs that
    /// are compared in vain.
    pub(super) fn for_threshold(threshold: f64) -> Self {
        let threshold = threshold.clamp(0.0, 1.0);
        let overlooked = |rows: usize| (1.0 - threshold.powi(rows as i32)).powi((FUNCTIONS / rows) as i32);
        let rows = [16, 8, 4, 2].into_iter().find(|&rows| overlooked(rows) < OVERLOOKED);
        Self { rows: rows.unwrap_or(1) }
    }

    /// A hash for each band; bands at different places never count as the same.
    pub(super) fn of(&self, signature: &MinHash) -> Vec<u64> {
        let bands = signature.0.chunks(self.rows).enumerate();
        bands
            .map(|(place, rows)| rows.iter().fold(place as u64, |hash, &row| hashing::chain(hash, row.into())))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_fit_the_threshold() {
        let rows = |threshold| Bands::for_threshold(threshold).rows;
        assert_eq!([rows(1.0), rows(0.98), rows(0.9), rows(0.7), rows(0.5), rows(0.0)], [16, 16, 8, 4, 2, 1]);
    }
}
