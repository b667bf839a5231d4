//! Exact and near duplicates among many texts.
//!
//! Two texts are **exact** duplicates when their tokens are the same, comments and white space aside. They are **near**
//! duplicates when the sets of their shingles, runs of five tokens in a row, have a Jaccard similarity of at least the
//! threshold, 0.9 unless another is given. Names and literals are compared as they are: code that was merely renamed is
//! not a duplicate. A text of fewer tokens than one shingle has exact duplicates only.
//!
//! Candidates come from MinHash signatures cut into bands, so that the work grows with the number of texts and not with
//! that of pairs; whatever is reported was compared shingle by shingle. Two texts exactly at the threshold are overlooked
//! with a probability below one in a thousand, more similar ones more rarely still. Where very many texts that stay are
//! alike, only the most promising are compared. The hashes are fixed: the same texts give the same answer everywhere.

mod hashing;
mod minhash;
mod shingles;

use std::collections::HashMap;

use rayon::prelude::*;

use minhash::{Bands, MinHash};
use shingles::Shingles;

pub use shingles::fingerprint;

/// The most texts that one text is compared with, those that share the most bands first.
const MOST_COMPARED: usize = 64;

/// How duplicates are told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The Jaccard similarity from which on two texts are duplicates; above 1, only exact ones are.
    pub threshold: f64,
    /// How many tokens a shingle has; at least one.
    pub shingle: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { threshold: 0.9, shingle: 5 }
    }
}

/// What a text is among the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The first of its kind.
    Kept,
    /// A duplicate of one that came before.
    Duplicate {
        /// The index of that one, which is always kept.
        of: usize,
        /// How similar the two are, up to 1.
        similarity: f64,
        /// Whether their tokens are the same.
        exact: bool,
    },
}

/// The verdict on each of `texts`, in their order. Of texts that are alike, the first is kept; another is a duplicate of
/// the one most similar to it among those kept.
pub fn duplicates<T: AsRef<str> + Sync>(texts: &[T], options: Options) -> Vec<Verdict> {
    let signatures: Vec<Signature> = texts.par_iter().map(|text| Signature::of(text.as_ref(), options)).collect();
    verdicts(&signatures, options, |_, _| false)
}

/// The same by signatures, for texts that are too many to be in memory. Two for whose indices `spared` holds, the earlier
/// one first, are not near duplicates of each other.
pub fn verdicts(signatures: &[Signature], options: Options, spared: impl Fn(usize, usize) -> bool) -> Vec<Verdict> {
    let mut firsts: HashMap<[u8; 32], usize> = HashMap::new();
    let mut kept = Kept::default();
    let mut verdicts: Vec<Verdict> = Vec::with_capacity(signatures.len());
    for (index, text) in signatures.iter().enumerate() {
        let verdict = match firsts.get(&text.fingerprint) {
            Some(&first) => match verdicts[first] {
                Verdict::Kept => Verdict::Duplicate { of: first, similarity: 1.0, exact: true },
                Verdict::Duplicate { of, .. } if spared(of, index) => {
                    kept.most_similar(signatures, index, options.threshold, &spared)
                }
                duplicate => duplicate,
            },
            None => {
                firsts.insert(text.fingerprint, index);
                kept.most_similar(signatures, index, options.threshold, &spared)
            }
        };
        if verdict == Verdict::Kept {
            kept.add(text, index);
        }
        verdicts.push(verdict);
    }
    verdicts
}

/// What a text is compared by; a few kilobytes at most.
#[derive(Debug, Clone)]
pub struct Signature {
    fingerprint: [u8; 32],
    shingles: Shingles,
    /// One hash a band; none where there is no shingle.
    bands: Vec<u64>,
}

impl Signature {
    /// The signature of a text.
    pub fn of(text: &str, options: Options) -> Self {
        let (fingerprint, shingles) = shingles::read(text, options.shingle.max(1));
        let bands = match shingles.is_empty() {
            true => Vec::new(),
            false => Bands::for_threshold(options.threshold).of(&MinHash::of(&shingles)),
        };
        Self { fingerprint, shingles, bands }
    }

    /// The same for two texts exactly if their tokens are the same.
    pub fn fingerprint(&self) -> [u8; 32] {
        self.fingerprint
    }
}

/// The texts that are kept, by their bands.
#[derive(Default)]
struct Kept {
    buckets: HashMap<u64, Vec<usize>>,
}

impl Kept {
    /// Enters a text. A bucket that is full already tells little, and is left as it is.
    fn add(&mut self, text: &Signature, index: usize) {
        for &band in &text.bands {
            let bucket = self.buckets.entry(band).or_default();
            if bucket.len() < MOST_COMPARED {
                bucket.push(index);
            }
        }
    }

    /// Whether one of the texts kept is like that at `index`, and which.
    fn most_similar(
        &self,
        signatures: &[Signature],
        index: usize,
        threshold: f64,
        spared: &impl Fn(usize, usize) -> bool,
    ) -> Verdict {
        let text = &signatures[index];
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for band in &text.bands {
            for &candidate in self.buckets.get(band).into_iter().flatten() {
                *shared.entry(candidate).or_default() += 1;
            }
        }
        let mut candidates: Vec<(usize, usize)> = shared.into_iter().collect();
        candidates.sort_unstable_by_key(|&(candidate, bands)| (std::cmp::Reverse(bands), candidate));
        let mut best: Option<(usize, f64)> = None;
        for (candidate, _) in candidates.into_iter().take(MOST_COMPARED) {
            if spared(candidate, index) {
                continue;
            }
            let similarity = text.shingles.similarity(&signatures[candidate].shingles, threshold);
            let is_better =
                best.is_none_or(|(index, most)| similarity > most || (similarity == most && candidate < index));
            if similarity >= threshold && is_better {
                best = Some((candidate, similarity));
            }
        }
        match best {
            Some((of, similarity)) => Verdict::Duplicate { of, similarity, exact: false },
            None => Verdict::Kept,
        }
    }
}

#[cfg(test)]
mod tests;
