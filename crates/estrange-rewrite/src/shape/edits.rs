//! Edits of a text: parts of it replaced, all at once.

use std::ops::Range;

/// Replacements of parts of a text. Parts do not overlap; what is inserted at the same place stands in the order in which
/// it was added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    all: Vec<(Range<usize>, String)>,
    /// What is put behind all.
    appended: String,
}

impl Edits {
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.all.push((range, text.into()));
    }

    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    pub(crate) fn remove(&mut self, range: Range<usize>) {
        self.replace(range, "");
    }

    /// Puts a text behind all that is there.
    pub(crate) fn append(&mut self, text: &str) {
        self.appended.push_str(text);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.appended.is_empty()
    }

    /// Forgets insertions and replacements inside of parts that are replaced as a whole.
    pub(crate) fn drop_within(&mut self, parts: &[Range<usize>]) {
        self.all.retain(|(range, _)| !parts.iter().any(|part| part.start < range.start && range.end <= part.end));
    }

    /// A part of a text with the edits that lie in it.
    pub(crate) fn within(&self, text: &str, range: Range<usize>) -> String {
        let mut inside: Vec<&(Range<usize>, String)> =
            self.all.iter().filter(|(part, _)| range.start <= part.start && part.end <= range.end).collect();
        inside.sort_by_key(|(part, _)| (part.start, part.end));
        let mut written = String::with_capacity(range.len());
        let mut from = range.start;
        for (part, new) in inside {
            push_apart(&mut written, text.get(from..part.start).unwrap_or_default());
            push_apart(&mut written, new);
            from = part.end.max(from);
        }
        push_apart(&mut written, text.get(from..range.end).unwrap_or_default());
        written
    }

    /// The whole text with all edits, and where `part` of it stands then.
    pub(crate) fn apply(&self, text: &str, part: Range<usize>) -> (String, Range<usize>) {
        let before = self.before(text, part.start);
        let own = self.within(text, part.clone());
        let after = self.within_open(text, part.end);
        let function = before.len()..before.len() + own.len();
        (before + &own + &after + &self.appended, function)
    }

    /// What stands before `end`; an insertion right at it belongs to what follows.
    fn before(&self, text: &str, end: usize) -> String {
        let inside = self.all.iter().filter(|(part, _)| part.end < end || part.start < part.end && part.end <= end);
        Edits { all: inside.cloned().collect(), ..Edits::default() }.within(text, 0..end)
    }

    /// What stands after `start`; an insertion right at it belongs to what is before.
    fn within_open(&self, text: &str, start: usize) -> String {
        let inside = self.all.iter().filter(|(part, _)| part.start >= start && part.end > start);
        Edits { all: inside.cloned().collect(), ..Edits::default() }.within(text, start..text.len())
    }
}

/// Adds a text to another, so that words stay apart: what was a block behind `else` may become a word.
fn push_apart(written: &mut String, text: &str) {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    if written.ends_with(is_part) && text.starts_with(is_part) {
        written.push(' ');
    }
    written.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_again() {
        let mut edits = Edits::default();
        let text = "ab cd ef";
        edits.replace(0..2, "x");
        edits.insert(4, "--");
        edits.remove(6..8);
        let (new, part) = edits.apply(text, 3..5);
        assert_eq!((new.as_str(), &new[part]), ("x c--d ", "c--d"));
    }

    #[test]
    fn an_insertion_at_the_edge_belongs_to_the_part() {
        let mut edits = Edits::default();
        edits.insert(3, "(");
        edits.insert(5, ")");
        let (new, part) = edits.apply("ab cd ef", 3..5);
        assert_eq!((new.as_str(), &new[part]), ("ab (cd) ef", "(cd)"));
    }

    #[test]
    fn words_stay_apart() {
        let mut edits = Edits::default();
        edits.replace(4..6, "x");
        assert_eq!(edits.within("else{}y", 0..7), "else x y");
    }
}
