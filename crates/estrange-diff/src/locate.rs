//! Finds where a hunk belongs, as GNU `patch --fuzz=0` does: where its header says, else as near as possible.

use crate::patch::{Hunk, Kind, Line};

/// What is known before a hunk is looked for.
pub(crate) struct Search<'t> {
    /// The lines of the text.
    pub(crate) text: &'t [&'t [u8]],
    /// How many of them are behind a change, and fixed.
    pub(crate) frozen: usize,
    /// How far from its header's line the hunk before was found.
    pub(crate) offset: isize,
}

impl Search<'_> {
    /// The line of the text, counted from zero, where the hunk's old lines begin.
    pub(crate) fn locate(&self, hunk: &Hunk) -> Option<usize> {
        let pattern: Vec<&[u8]> =
            hunk.lines.iter().filter(|line| line.kind.is_old()).map(|line| line.text.as_slice()).collect();
        let first = isize::try_from(hunk.old.first()).ok()? - 1;
        let guess = first.checked_add(self.offset)?;
        if pattern.is_empty() {
            return usize::try_from(guess).ok().filter(|guess| (self.frozen..=self.text.len()).contains(guess));
        }
        // The last line at which the pattern fits into the text.
        let last = self.text.len().checked_sub(pattern.len())?;
        let fits = |at: &usize| self.text[*at..*at + pattern.len()] == pattern[..];
        let (before, behind) = (context(hunk.lines.iter()), context(hunk.lines.iter().rev()));
        // Less context on one side says that the file begins or ends there.
        if before < behind && first <= 0 {
            return Some(0).filter(|at| self.frozen == 0 && fits(at));
        }
        if behind < before {
            return Some(last).filter(|at| *at >= self.frozen && fits(at));
        }
        self.nearest(guess, last, fits)
    }

    /// The nearest line to a guess, from the frozen ones to the last, that fits; of two, the later.
    fn nearest(&self, guess: isize, last: usize, fits: impl Fn(&usize) -> bool) -> Option<usize> {
        let inside = |at: isize| usize::try_from(at).ok().filter(|at| (self.frozen..=last).contains(at));
        let farthest = guess.unsigned_abs().max(guess.abs_diff(isize::try_from(last).ok()?));
        (0..=isize::try_from(farthest).ok()?).find_map(|distance| {
            let sides = [guess.checked_add(distance), guess.checked_sub(distance)];
            sides.into_iter().flatten().filter_map(inside).find(|at| fits(at))
        })
    }
}

/// How many lines of context come first.
fn context<'l>(lines: impl Iterator<Item = &'l Line>) -> usize {
    lines.take_while(|line| line.kind == Kind::Context).count()
}
