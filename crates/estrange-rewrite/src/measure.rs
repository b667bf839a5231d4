//! How far a variant is from what it was.

use std::ops::Range;

use crate::bind::Bound;

impl Bound<'_> {
    /// How many characters of a part of the text belong to names that are renamed.
    pub fn renamed_characters(&self, range: Range<usize>) -> usize {
        let inside = self.tokens.iter().filter(|(start, ..)| range.contains(&(*start as usize)));
        inside.map(|(start, end, _)| self.text[*start as usize..*end as usize].chars().count()).sum()
    }
}

/// The share of a snippet's characters that belong to identifiers that were changed.
pub fn perturbation_fraction(changed: usize, snippet: &str) -> f64 {
    let length = snippet.chars().count();
    if length == 0 { 0.0 } else { changed as f64 / length as f64 }
}

/// How many times as long the new text is, in characters.
pub fn expansion(old: &str, new: &str) -> f64 {
    let length = old.chars().count();
    if length == 0 { 1.0 } else { new.chars().count() as f64 / length as f64 }
}
