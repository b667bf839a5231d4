//! A stretch of each of two texts.

use std::ops::Range;

/// A stretch of the old text and a stretch of the new text that may match each other. Neither is empty while it is open.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Where it starts in the old text.
    pub old_start: u32,
    /// Where it ends in the old text.
    pub old_end: u32,
    /// Where it starts in the new text.
    pub new_start: u32,
    /// Where it ends in the new text.
    pub new_end: u32,
}

impl Field {
    /// Its positions in the old text.
    pub fn olds(&self) -> Range<usize> {
        self.old_start as usize..self.old_end as usize
    }

    /// Its positions in the new text.
    pub fn news(&self) -> Range<usize> {
        self.new_start as usize..self.new_end as usize
    }

    /// Whether there is anything in it on both sides.
    pub fn is_open(&self) -> bool {
        self.old_start < self.old_end && self.new_start < self.new_end
    }
}
