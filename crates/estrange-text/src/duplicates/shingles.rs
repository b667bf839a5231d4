//! A text as the set of its shingles, and as one fingerprint.

use std::cmp::Ordering;

use super::hashing;
use crate::lexer::{Kind, lex, lex_directive};

/// The shingles of a text, as hashes, sorted and each once.
#[derive(Debug, Clone)]
pub(super) struct Shingles(Vec<u64>);

impl Shingles {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn hashes(&self) -> &[u64] {
        &self.0
    }

    /// The Jaccard similarity of two sets; where their sizes alone rule out the threshold, zero.
    pub(super) fn similarity(&self, other: &Shingles, threshold: f64) -> f64 {
        let (small, large) = (self.0.len().min(other.0.len()), self.0.len().max(other.0.len()));
        if large == 0 || (small as f64) < threshold * large as f64 - 1e-6 {
            return 0.0;
        }
        let (mut left, mut right, mut shared) = (0, 0, 0);
        while let (Some(one), Some(two)) = (self.0.get(left), other.0.get(right)) {
            let order = one.cmp(two);
            shared += usize::from(order == Ordering::Equal);
            left += usize::from(order != Ordering::Greater);
            right += usize::from(order != Ordering::Less);
        }
        shared as f64 / (small + large - shared) as f64
    }
}

/// The BLAKE3 hash of a text's tokens: the same for two texts that differ in comments and white space only.
pub fn fingerprint(text: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    each_token(text, |token| feed(&mut hasher, token));
    *hasher.finalize().as_bytes()
}

/// A text's fingerprint, and its shingles of `width` tokens.
pub(super) fn read(text: &str, width: usize) -> ([u8; 32], Shingles) {
    let mut hasher = blake3::Hasher::new();
    let mut tokens = Vec::new();
    each_token(text, |token| {
        feed(&mut hasher, token);
        tokens.push(hashing::bytes(token));
    });
    let mut shingles: Vec<u64> =
        tokens.windows(width).map(|run| run.iter().fold(0, |hash, &token| hashing::chain(hash, token))).collect();
    shingles.sort_unstable();
    shingles.dedup();
    (*hasher.finalize().as_bytes(), Shingles(shingles))
}

/// Adds a token, with its length before it so that no two sequences of tokens look the same.
fn feed(hasher: &mut blake3::Hasher, token: &[u8]) {
    hasher.update(&(token.len() as u64).to_le_bytes());
    hasher.update(token);
}

/// Hands out the spelling of each token but comments; those of a directive one by one and a line end after them, which
/// is part of what a directive says.
fn each_token(text: &str, mut take: impl FnMut(&[u8])) {
    for token in lex(text) {
        match token.kind {
            Kind::Comment => {}
            Kind::Directive => {
                for token in lex_directive(text, &token).filter(|token| token.kind != Kind::Comment) {
                    take(token.spelling(text).as_bytes());
                }
                take(b"\n");
            }
            _ => take(token.spelling(text).as_bytes()),
        }
    }
}
