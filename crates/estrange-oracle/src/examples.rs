//! Inputs to ask people and models about: on them a function returns, and they are written by their values.

use estrange_words::End;

use crate::input::Input;
use crate::oracle::{COMPARED, FIRST, OracleError, Prepared};

/// So many inputs are written down for each that is wanted.
const TRIED: usize = 4;

impl Prepared<'_> {
    /// Inputs on which the function returns and does the same each time, at most so many. They hand over values and memory
    /// alone: nothing outside of the call decides. The seed says which.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn examples(&self, most: usize) -> Result<Vec<Input>, OracleError> {
        let mut numbers: Vec<u32> = (0..self.state.kept()).filter(|input| self.is_clean(*input)).collect();
        numbers.sort_by_key(|number| mixed(self.seed, *number));
        let mut found: Vec<Input> = Vec::new();
        for number in numbers.into_iter().take(most * TRIED) {
            if found.len() == most {
                break;
            }
            let input = self.written(self.state.input(number))?;
            if input.is_plain() && !found.contains(&input) {
                found.push(input);
            }
        }
        Ok(found)
    }

    /// Whether it returns on an input, whatever untouched memory holds.
    fn is_clean(&self, input: u32) -> bool {
        let first = self.state.seen(FIRST, input);
        first.end == End::Returned && (FIRST..COMPARED).all(|row| self.state.seen(row, input).is_like(first))
    }
}

/// A number that two numbers decide, and that looks like any other (the end of SplitMix64).
fn mixed(seed: u64, number: u32) -> u64 {
    let mut bits = seed.wrapping_add(u64::from(number).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
