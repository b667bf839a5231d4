//! Where a text stands in another one, as the tables say it.
//!
//! What a table says is checked against the texts themselves: a part that is not what it is said to be is not there.

use std::ops::Range;

use crate::record::{Function, Helper, Variant};

impl Function {
    /// Where its text stands in its unit.
    pub fn in_unit(&self) -> Option<Range<usize>> {
        part(&self.unit, &self.text, self.unit_start, self.unit_end)
    }

    /// Where its text stands in its linked unit; nothing where there is none, or where it is spelled otherwise there.
    pub fn in_linked_unit(&self) -> Option<Range<usize>> {
        part(self.linked_unit.as_deref()?, &self.text, self.linked_start, self.linked_end)
    }

    /// Where its text stands in the document with its helpers.
    pub fn in_long_text(&self) -> Option<Range<usize>> {
        let end = self.long_start?.checked_add(u32::try_from(self.text.len()).ok()?);
        part(self.long_text.as_deref()?, &self.text, self.long_start, end)
    }
}

impl Helper {
    /// Where its text stands in the linked unit of the function that calls it; nothing where it is not in it, or where it
    /// is spelled otherwise there.
    pub fn in_linked_unit(&self, unit: &str) -> Option<Range<usize>> {
        part(unit, &self.text, self.linked_start, self.linked_end)
    }
}

impl Variant {
    /// Where its text stands in its unit.
    pub fn in_unit(&self) -> Option<Range<usize>> {
        part(&self.unit, &self.text, self.unit_start, self.unit_end)
    }
}

/// The part of `whole` that is said to be `text`, if it is.
fn part(whole: &str, text: &str, start: Option<u32>, end: Option<u32>) -> Option<Range<usize>> {
    let range = usize::try_from(start?).ok()?..usize::try_from(end?).ok()?;
    (whole.get(range.clone())? == text).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_what_it_is_said_to_be_or_not_there() {
        let whole = "f() {} ä f() {}";
        assert_eq!(part(whole, "f() {}", Some(0), Some(6)), Some(0..6));
        assert_eq!(part(whole, "f() {}", Some(10), Some(16)), Some(10..16));
        let wrong = [(1, 7), (0, 99), (6, 0), (7, 8), (u32::MAX, u32::MAX)];
        assert!(wrong.iter().all(|(start, end)| part(whole, "f() {}", Some(*start), Some(*end)).is_none()));
        assert_eq!(part(whole, "f() {}", None, Some(6)), None);
    }
}
