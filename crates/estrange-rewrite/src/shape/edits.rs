//! Edits of a text: parts of it replaced, all at once.

use std::ops::Range;

/// Replacements of parts of a text. Parts do not overlap; what is inserted at the same place stands in the order in which
/// it was added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    all: Vec<(Range<usize>, String)>,
    /// What is put behind all.
    appended: String,
    /// Parts that are put behind all, each with where it begins there.
    moved: Vec<(Range<usize>, usize)>,
    /// Conditions, or whole statements, of which it is known that they decide always alike.
    known: Vec<String>,
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

    /// Moves a part of a text behind all that is there, into lines of its own, and leaves another text in its place.
    pub(crate) fn move_to_end(&mut self, text: &str, part: Range<usize>, instead: String) {
        self.appended.push('\n');
        self.moved.push((part.clone(), self.appended.len()));
        self.appended.push_str(text.get(part.clone()).unwrap_or_default());
        self.appended.push('\n');
        self.replace(part, instead);
    }

    /// Notes a condition with what stands before it, or a whole statement, as it is written: it decides always alike.
    pub(crate) fn known(&mut self, text: String) {
        self.known.push(text);
    }

    /// What was noted.
    pub(crate) fn all_known(&self) -> &[String] {
        &self.known
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

    /// The whole text with all edits, where `part` of it stands then, and where other parts do that it does not hold:
    /// nothing where one is no longer what it was.
    pub(crate) fn apply(
        &self,
        text: &str,
        part: Range<usize>,
        others: &[Option<Range<usize>>],
    ) -> (String, Range<usize>, Vec<Option<Range<usize>>>) {
        let (edits_before, edits_after) = (self.before(part.start), self.after(part.end));
        let before = edits_before.within(text, 0..part.start);
        let own = self.within(text, part.clone());
        let after = edits_after.within(text, part.end..text.len());
        let function = before.len()..before.len() + own.len();
        let new = before + &own + &after + &self.appended;
        let end = new.len() - self.appended.len();
        let places = others.iter().map(|other| {
            let other = other.clone()?;
            let start = match self.moved.iter().find(|(moved, _)| *moved == other) {
                Some((_, at)) => end + at,
                None if other.end <= part.start => edits_before.written_before(text, 0..other.start),
                None if other.start >= part.end => {
                    function.end + edits_after.written_before(text, part.end..other.start)
                }
                None => return None,
            };
            // A blank may have come between what was put before it and the part itself.
            let is_there = |start: &usize| new.get(*start..start + other.len()) == text.get(other.clone());
            [start, start + 1].into_iter().find(is_there).map(|start| start..start + other.len())
        });
        let places = places.collect();
        (new, function, places)
    }

    /// How much is written before the end of a range.
    fn written_before(&self, text: &str, range: Range<usize>) -> usize {
        self.within(text, range).len()
    }

    /// The edits before `end`; an insertion right at it belongs to what follows.
    fn before(&self, end: usize) -> Edits {
        let inside = self.all.iter().filter(|(part, _)| part.end < end || part.start < part.end && part.end <= end);
        Edits { all: inside.cloned().collect(), ..Edits::default() }
    }

    /// The edits after `start`; an insertion right at it belongs to what is before.
    fn after(&self, start: usize) -> Edits {
        let inside = self.all.iter().filter(|(part, _)| part.start >= start && part.end > start);
        Edits { all: inside.cloned().collect(), ..Edits::default() }
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
        let (new, part, _) = edits.apply(text, 3..5, &[]);
        assert_eq!((new.as_str(), &new[part]), ("x c--d ", "c--d"));
    }

    #[test]
    fn other_parts_are_found_again_unless_they_changed() {
        let mut edits = Edits::default();
        let text = "ab cd ef gh ij";
        edits.insert(0, "new");
        edits.insert(4, "--");
        edits.move_to_end(text, 6..8, "ef;".to_owned());
        edits.remove(9..10);
        let others = [0..2, 6..8, 9..11, 12..14].map(Some);
        let (new, part, places) = edits.apply(text, 3..5, &others);
        assert_eq!((new.as_str(), &new[part]), ("new ab c--d ef; h ij\nef\n", "c--d"));
        let found: Vec<Option<&str>> = places.into_iter().map(|place| Some(&new[place?])).collect();
        assert_eq!(found, [Some("ab"), Some("ef"), None, Some("ij")]);
    }

    #[test]
    fn an_insertion_at_the_edge_belongs_to_the_part() {
        let mut edits = Edits::default();
        edits.insert(3, "(");
        edits.insert(5, ")");
        let (new, part, _) = edits.apply("ab cd ef", 3..5, &[]);
        assert_eq!((new.as_str(), &new[part]), ("ab (cd) ef", "(cd)"));
    }

    #[test]
    fn words_stay_apart() {
        let mut edits = Edits::default();
        edits.replace(4..6, "x");
        assert_eq!(edits.within("else{}y", 0..7), "else x y");
    }
}
