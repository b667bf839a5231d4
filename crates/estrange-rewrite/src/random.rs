//! Names out of nothing but a seed.
//!
//! Neither the old name nor its length or first letter has any influence: each name is the next one of a stream of
//! letters and digits that the seed and the function's identity begin.

use crate::bind::Symbol;
use crate::naming::{Naming, Taken};

/// Every name is so long: a length that varied could only tell something.
const LENGTH: usize = 8;
const FIRST: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const REST: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Draws names.
pub struct Random {
    stream: blake3::OutputReader,
}

impl Random {
    /// The names of one trial of one function: another function or trial has others.
    pub fn new(function: &str, seed: u64) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("estrange randomized names");
        hasher.update(&seed.to_le_bytes());
        hasher.update(function.as_bytes());
        Self { stream: hasher.finalize_xof() }
    }

    /// One of `letters`, all as likely.
    fn draw(&mut self, letters: &[u8]) -> char {
        // What is left of 256 after whole rounds would favour the first letters.
        let fair = 256 - 256 % letters.len();
        loop {
            let mut byte = [0];
            self.stream.fill(&mut byte);
            if (byte[0] as usize) < fair {
                return letters[byte[0] as usize % letters.len()] as char;
            }
        }
    }
}

impl Naming for Random {
    fn name(&mut self, _: &Symbol, taken: &Taken<'_>) -> Option<String> {
        loop {
            let mut name = String::from(self.draw(FIRST));
            for _ in 1..LENGTH {
                name.push(self.draw(REST));
            }
            if !taken.contains(&name) {
                return Some(name);
            }
        }
    }
}
