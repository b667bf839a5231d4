//! Which lines a patch touches, before and after: those that go and those that come, not those around them.

use crate::patch::{Kind, Line};

/// One place that a patch touches: neighbouring lines that go, come, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// In the old text.
    pub old: Span,
    /// In the new text.
    pub new: Span,
}

/// A place in a text. Lines are counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

    /// Whether it has something to do with the lines from `first` to `last`: one of them is in it, or it is a gap
    /// between two of them.
    pub const fn touches(self, first: usize, last: usize) -> bool {
        match self {
            Self::Lines { first: from, last: to } => from <= last && first <= to,
            Self::Gap { after } => first <= after && after < last,
        }
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
