//! What a patch is made of: files, hunks and lines; and the same patch the other way round.

use crate::description::Description;
use crate::name::stripped;

/// A whole patch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// What stands before the first diff.
    pub description: Description,
    /// The files, in the order of the patch. One file may come several times.
    pub files: Vec<FileDiff>,
    /// What stands between and behind the diffs, without what programs write there.
    pub remarks: String,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// The old name as the patch has it; none where the file is new.
    pub old: Option<String>,
    /// The new name as the patch has it; none where the file goes.
    pub new: Option<String>,
    /// What happens.
    pub change: Change,
    /// Where lines change; none for a change of name or mode alone.
    pub hunks: Vec<Hunk>,
    /// Where its diff begins in the patch, counted from one.
    pub line: usize,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// Lines of it change.
    Modified,
    /// It is new.
    Created,
    /// It goes.
    Deleted,
    /// It gets another name; lines may change besides.
    Renamed,
    /// It becomes two; lines may change besides.
    Copied,
    /// Only its mode changes.
    Mode,
    /// Its content is binary, and no lines of it are known.
    Binary,
}

/// Some neighbouring lines, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Where it stands in the old file.
    pub old: Range,
    /// Where it stands in the new file.
    pub new: Range,
    /// What the header says behind the numbers, often the name of a function.
    pub section: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// Where its header stands in the patch, counted from one.
    pub line: usize,
}

/// Lines of a file, as a hunk's header has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first line, counted from one. Where there are no lines, the line before them.
    pub start: usize,
    /// How many.
    pub count: usize,
}

impl Range {
    /// The first line, or the line before which there would be some.
    pub const fn first(self) -> usize {
        if self.count == 0 { self.start.saturating_add(1) } else { self.start }
    }
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What becomes of it.
    pub kind: Kind,
    /// The line with its newline, if it has one.
    pub text: Vec<u8>,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It stays.
    Context,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

impl Kind {
    /// Whether the old file has it.
    pub const fn is_old(self) -> bool {
        matches!(self, Self::Context | Self::Removed)
    }

    /// Whether the new file has it.
    pub const fn is_new(self) -> bool {
        matches!(self, Self::Context | Self::Added)
    }

    const fn reversed(self) -> Self {
        match self {
            Self::Context => Self::Context,
            Self::Removed => Self::Added,
            Self::Added => Self::Removed,
        }
    }
}

impl Patch {
    /// The patch that takes this one back: its files come in the opposite order.
    pub fn reversed(&self) -> Self {
        let files = self.files.iter().rev().map(FileDiff::reversed).collect();
        Self { description: self.description.clone(), files, remarks: self.remarks.clone() }
    }
}

impl FileDiff {
    /// The old path, without its first `strip` folders.
    pub fn old_path(&self, strip: usize) -> Option<String> {
        stripped(self.old.as_deref()?, strip)
    }

    /// The new path, without its first `strip` folders.
    pub fn new_path(&self, strip: usize) -> Option<String> {
        stripped(self.new.as_deref()?, strip)
    }

    /// The name for people: the new one, or that of a file that goes.
    pub fn name(&self) -> &str {
        self.new.as_deref().or(self.old.as_deref()).unwrap_or_default()
    }

    /// The diff that takes this one back.
    pub fn reversed(&self) -> Self {
        let change = match self.change {
            Change::Created => Change::Deleted,
            Change::Deleted => Change::Created,
            // The other name of what was copied stays.
            other => other,
        };
        let hunks = self.hunks.iter().map(Hunk::reversed).collect();
        Self { old: self.new.clone(), new: self.old.clone(), change, hunks, line: self.line }
    }
}

impl Hunk {
    fn reversed(&self) -> Self {
        let mut lines: Vec<Line> = Vec::with_capacity(self.lines.len());
        for run in self.lines.chunk_by(|a, b| (a.kind == Kind::Context) == (b.kind == Kind::Context)) {
            let turned = |kind: Kind| run.iter().filter(move |line| line.kind == kind).map(Line::reversed);
            lines.extend(turned(Kind::Context));
            lines.extend(turned(Kind::Added));
            lines.extend(turned(Kind::Removed));
        }
        Self { old: self.new, new: self.old, section: self.section.clone(), lines, line: self.line }
    }
}

impl Line {
    fn reversed(&self) -> Self {
        Self { kind: self.kind.reversed(), text: self.text.clone() }
    }
}
