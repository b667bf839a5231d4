//! Which lines a patch touches, before and after: those that go and those that come, not those around them.

use std::cmp::Ordering;

use crate::patch::{FileDiff, Kind, Line};

/// One place that a patch touches: neighbouring lines that go, come, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// In the old text.
    pub old: Span,
    /// In the new text.
    pub new: Span,
}

/// A place in a text. Lines are counted from one. Places are in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Span {
    /// Whole lines.
    Lines {
        /// The first of them.
        first: usize,
        /// The last of them.
        last: usize,
    },
    /// The gap between two lines.
    Gap {
        /// The line before it; zero at the beginning of the text.
        after: usize,
    },
}

impl Span {
    const fn new(first: usize, count: usize) -> Self {
        match count {
            0 => Self::Gap { after: first.saturating_sub(1) },
            _ => Self::Lines { first, last: first + count - 1 },
        }
    }

    /// The first line, counted from zero, and the line behind the last.
    const fn bounds(self) -> (usize, usize) {
        match self {
            Self::Lines { first, last } => (first - 1, last),
            Self::Gap { after } => (after, after),
        }
    }

    /// Whether it has something to do with the lines from `first` to `last`: one of them is in it, or it is a gap
    /// between two of them.
    pub const fn touches(self, first: usize, last: usize) -> bool {
        match self {
            Self::Lines { first: from, last: to } => from <= last && first <= to,
            Self::Gap { after } => first <= after && after < last,
        }
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bounds().cmp(&other.bounds())
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Touch {
    /// What two changes touch together that follow each other: `first` leads from an old text to one between, `second` from
    /// there to the new one. Places that meet become one.
    pub fn together(first: &[Self], second: &[Self]) -> Vec<Self> {
        // In the text between: where both changed something.
        let middle = first.iter().map(|touch| touch.new).chain(second.iter().map(|touch| touch.old));
        let mut places: Vec<(usize, usize)> = middle.map(Span::bounds).collect();
        places.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (from, to) in places {
            match merged.last_mut().filter(|last| from <= last.1) {
                Some(last) => last.1 = last.1.max(to),
                None => merged.push((from, to)),
            }
        }
        let span = |(from, to): (usize, usize)| Span::new(from + 1, to.saturating_sub(from));
        let back = |place| span(carried(place, first.iter().map(|touch| (touch.new, touch.old))));
        let on = |place| span(carried(place, second.iter().map(|touch| (touch.old, touch.new))));
        merged.into_iter().map(|place| Self { old: back(place), new: on(place) }).collect()
    }
}

/// A place of one text in the other, over changes that lie within it or outside of it.
fn carried((from, to): (usize, usize), changes: impl Iterator<Item = (Span, Span)>) -> (usize, usize) {
    // How much the other text has more before the beginning, and before the end.
    let (mut start, mut end) = (0_isize, 0_isize);
    for ((first, last), (other_first, other_last)) in changes.map(|(here, there)| (here.bounds(), there.bounds())) {
        let more = (other_last - other_first).cast_signed() - (last - first).cast_signed();
        if first < from {
            start += more;
        }
        if first <= to {
            end += more;
        }
    }
    (from.saturating_add_signed(start), to.saturating_add_signed(end))
}

impl FileDiff {
    /// The lines that change, where the headers of the hunks say. [`FileDiff::apply`] says where they really are.
    pub fn touched(&self) -> Vec<Touch> {
        self.hunks.iter().flat_map(|hunk| touches(&hunk.lines, hunk.old.first(), hunk.new.first())).collect()
    }
}

/// What the lines of a hunk touch that begins at these lines of the old and of the new text.
pub(crate) fn touches(lines: &[Line], old: usize, new: usize) -> Vec<Touch> {
    let (mut old, mut new) = (old, new);
    let mut found = Vec::new();
    for run in lines.chunk_by(|a, b| (a.kind == Kind::Context) == (b.kind == Kind::Context)) {
        let count = |kind: Kind| run.iter().filter(|line| line.kind == kind).count();
        let (kept, removed, added) = (count(Kind::Context), count(Kind::Removed), count(Kind::Added));
        if kept == 0 {
            found.push(Touch { old: Span::new(old, removed), new: Span::new(new, added) });
        }
        old = old.saturating_add(kept + removed);
        new = new.saturating_add(kept + added);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_touches_what_has_lines_on_both_sides_of_it() {
        let gap = Span::Gap { after: 3 };
        assert!(gap.touches(3, 4) && gap.touches(1, 9));
        assert!(!gap.touches(1, 3) && !gap.touches(4, 9) && !gap.touches(3, 3));
        let lines = Span::Lines { first: 3, last: 5 };
        assert!(lines.touches(5, 9) && lines.touches(1, 3) && lines.touches(4, 4));
        assert!(!lines.touches(6, 9) && !lines.touches(1, 2));
    }
}
