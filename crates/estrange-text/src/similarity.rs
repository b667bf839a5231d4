//! How far a rewritten text is from the original: the **surface distance**.
//!
//! It is one minus the ratio that Python's `difflib.SequenceMatcher(None, old, new).ratio()` gives for the characters
//! (code points) of two texts, and equal to it to the last bit, so that numbers can be compared with those that others
//! have published. The definition, in our words:
//!
//! - A character is *popular* when the new text has at least 200 characters and more than one in a hundred of them, plus
//!   one, are this one. Popular characters are no reason to match; other characters are *rare*.
//! - The longest run of rare characters that both texts have is found, in the old text the earliest of equal length, then
//!   in the new text the earliest. It grows in both directions over whatever is equal, popular or not: a *block*. Where
//!   there is no such run, what the two have in common at their start is the block.
//! - The same is done with what both have before the block, and with what both have after it, until nothing matches.
//! - The ratio is twice the length of all blocks over the length of both texts, and 1 where both are empty.
//!
//! Python looks at all pairs of equal rare characters again for every block. Here they are looked at once: all maximal
//! runs are gathered, longest first and in the order in which the definition prefers them, and each is taken if it lies
//! in a *field* that is still open, that is, between two blocks or ends that are next to each other, in both texts. A run
//! that a block has cut waits with what is left of it for the turn of its new length. As fields share nothing, this one
//! order for all of them finds the same blocks as one field after the other. Runs of one character, which are most of
//! them, are not gathered: when the longer ones have had their turn, few are left, and one pass through a field takes
//! them in order.

mod alphabet;
mod field;
mod fields;
mod runs;
mod sieve;

use alphabet::Texts;
use fields::Fields;
use runs::Gathered;

/// How many runs are held at a time, at most twice as many for a moment. Where there are more, the first in the order
/// are settled before the rest is gathered from what is still open.
const MOST_RUNS: usize = 1 << 20;

/// The similarity of two texts, from 0 to 1: Python's `SequenceMatcher(None, old, new).ratio()`, to the last bit.
///
/// Which of the two is the old one makes a difference. A text may have up to 2³² − 1 characters.
pub fn ratio(old: &str, new: &str) -> f64 {
    ratio_within(old, new, MOST_RUNS)
}

/// The distance of two texts, from 0 to 1: one minus their [`ratio`].
pub fn surface_distance(old: &str, new: &str) -> f64 {
    1.0 - ratio(old, new)
}

/// The ratio, found while about `most` runs are held at a time.
fn ratio_within(old: &str, new: &str, most: usize) -> f64 {
    let texts = Texts::read(old, new);
    let length = texts.old.len() + texts.new.len();
    if length == 0 {
        return 1.0;
    }
    2.0 * matched(&texts, most) as f64 / length as f64
}

/// The length of all blocks together.
fn matched(texts: &Texts, most: usize) -> usize {
    let mut fields = Fields::new(texts);
    loop {
        let gathered = Gathered::from(texts, &fields.open(), most);
        fields.settle(&gathered);
        if gathered.is_complete() {
            return fields.close();
        }
    }
}

#[cfg(test)]
mod tests;
