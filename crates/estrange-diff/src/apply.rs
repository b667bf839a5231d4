//! Applies the diff of one file to its text.

use crate::error::Misfit;
use crate::locate::Search;
use crate::patch::{Change, FileDiff, Hunk, Kind};
use crate::touched::{Touch, touches};

/// A text with a diff applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: Vec<u8>,
    /// The lines that changed, where they really are.
    pub touched: Vec<Touch>,
    /// How far from its header's line each hunk was found.
    pub offsets: Vec<isize>,
}

impl FileDiff {
    /// Applies the diff to the text of the file; an empty text stands for a file that is not there.
    ///
    /// Every line of a hunk has to be in the text. Where they are not at the line that the header says, the nearest
    /// place is taken, as GNU `patch` takes it.
    pub fn apply(&self, text: &[u8]) -> Result<Applied, Misfit> {
        match self.change {
            Change::Binary => return Err(Misfit::Binary),
            Change::Created if !text.is_empty() => return Err(Misfit::AlreadyThere),
            _ => (),
        }
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut work = Work { lines: &lines, frozen: 0, text: Vec::with_capacity(text.len()), written: 0 };
        let (mut touched, mut offsets) = (Vec::new(), Vec::new());
        for (number, hunk) in self.hunks.iter().enumerate() {
            let offset = offsets.last().copied().unwrap_or(0);
            let lost = Misfit::NotFound { hunk: number + 1, line: hunk.line };
            let search = Search { text: &lines, frozen: work.frozen, offset };
            let at = search.locate(hunk).ok_or_else(|| lost.clone())?;
            touched.extend(touches(&hunk.lines, at + 1, work.written + at - work.frozen + 1));
            offsets.push(at.cast_signed() - (hunk.old.first().cast_signed() - 1));
            work.hunk(hunk, at).ok_or(lost)?;
        }
        work.copy_to(lines.len());
        if self.change == Change::Deleted && !work.text.is_empty() {
            return Err(Misfit::SomethingLeft);
        }
        Ok(Applied { text: work.text, touched, offsets })
    }
}

/// A new text as it comes about.
struct Work<'t> {
    lines: &'t [&'t [u8]],
    /// How many of the old lines are dealt with.
    frozen: usize,
    text: Vec<u8>,
    /// How many lines the new text has.
    written: usize,
}

impl Work<'_> {
    /// Applies a hunk at a line, counted from zero, where its old lines were found.
    fn hunk(&mut self, hunk: &Hunk, at: usize) -> Option<()> {
        let mut at = at;
        for line in &hunk.lines {
            match line.kind {
                Kind::Context => at += 1,
                Kind::Removed => {
                    self.copy_to(at);
                    at += 1;
                    self.frozen = at;
                }
                Kind::Added => {
                    self.copy_to(at);
                    self.add(&line.text)?;
                }
            }
        }
        Some(())
    }

    /// Takes over the old lines before this one.
    fn copy_to(&mut self, to: usize) {
        let lines = self.lines.get(self.frozen..to).unwrap_or_default();
        lines.iter().for_each(|line| self.text.extend_from_slice(line));
        self.written += lines.len();
        self.frozen = self.frozen.max(to);
    }

    /// Adds a line; none comes behind one that has no newline.
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let is_whole = self.text.is_empty() || self.text.ends_with(b"\n");
        self.text.extend_from_slice(line);
        self.written += 1;
        is_whole.then_some(())
    }
}
