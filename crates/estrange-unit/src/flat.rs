//! A translation unit as one text, and where each of its lines came from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A flattened translation unit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Flat {
    /// The text.
    pub text: String,
    /// The files it came from.
    pub files: Vec<PathBuf>,
    /// Runs of lines with a common origin, in order.
    pub runs: Vec<LineRun>,
}

/// Lines that follow each other in the text and in their file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRun {
    /// The offset of the first line in the text.
    pub start: u32,
    /// The file, as an index of files.
    pub file: u32,
    /// The number of the first line in its file, from one; zero for the command line.
    pub line: u32,
}

impl Flat {
    /// The file and line that an offset of the text came from.
    pub fn origin(&self, offset: u32) -> Option<(&Path, u32)> {
        let after = self.runs.partition_point(|run| run.start <= offset);
        let run = self.runs.get(after.checked_sub(1)?)?;
        let before = self.text.get(run.start as usize..offset as usize)?;
        let lines = before.bytes().filter(|byte| *byte == b'\n').count() as u32;
        Some((self.files.get(run.file as usize)?, run.line + lines))
    }
}
