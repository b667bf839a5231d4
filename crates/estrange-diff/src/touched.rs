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

    /// Where the lines from `first` to `last` of the new text stood in the old one, which `touches` leads from, in the order
    /// of the text. None where all of them came with it. A change that begins outside of the lines and reaches into them
    /// counts as theirs, with all lines that it takes the place of.
    pub fn back(touches: &[Self], first: usize, last: usize) -> Option<(usize, usize)> {
        let (from, to) = (first.saturating_sub(1), last);
        // What lies before moves both ends alike, what lies within moves the second; what reaches over an end moves it to
        // where it reaches itself.
        let (mut before, mut within) = (0_isize, 0_isize);
        let (mut reaches_over_start, mut reaches_over_end) = (None, None);
        for Self { old, new } in touches {
            let ((old_from, old_to), (new_from, new_to)) = (old.bounds(), new.bounds());
            let more = (old_to - old_from).cast_signed() - (new_to - new_from).cast_signed();
            if new_to <= from {
                before += more;
            } else if new_from < to {
                within += more;
                if new_from < from {
                    reaches_over_start = Some(old_from);
                }
                if new_to > to {
                    reaches_over_end = Some(old_to);
                }
            }
        }
        let start = reaches_over_start.unwrap_or_else(|| from.saturating_add_signed(before));
        let end = reaches_over_end.unwrap_or_else(|| to.saturating_add_signed(before + within));
        (start < end).then_some((start + 1, end))
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

    #[test]
    fn lines_are_found_where_they_stood_before() {
        let lines = |first, last| Span::Lines { first, last };
        let gap = |after| Span::Gap { after };
        let back = |touches: &[(Span, Span)]| {
            let touches: Vec<Touch> = touches.iter().map(|&(old, new)| Touch { old, new }).collect();
            Touch::back(&touches, 11, 20)
        };
        assert_eq!(back(&[]), Some((11, 20)));
        // Three lines came before them, and two went behind them.
        assert_eq!(back(&[(gap(2), lines(3, 5)), (lines(28, 29), gap(30))]), Some((8, 17)));
        // What comes or goes right before the first or right behind the last is not theirs.
        assert_eq!(back(&[(lines(11, 12), gap(10))]), Some((13, 22)));
        assert_eq!(back(&[(gap(10), lines(9, 10)), (gap(18), lines(21, 25))]), Some((9, 18)));
        // Within: two lines became five.
        assert_eq!(back(&[(lines(13, 14), lines(13, 17))]), Some((11, 17)));
        // Over the beginning, over the end.
        assert_eq!(back(&[(lines(8, 9), lines(8, 12))]), Some((8, 17)));
        assert_eq!(back(&[(lines(19, 30), lines(19, 24))]), Some((11, 30)));
        // All of them are new; or took the place of others.
        assert_eq!(back(&[(gap(10), lines(11, 20))]), None);
        assert_eq!(back(&[(gap(4), lines(5, 40))]), None);
        assert_eq!(back(&[(lines(5, 9), lines(5, 40))]), Some((5, 9)));
    }
}
