//! Reads a patch: prose, then diffs, with prose between them.

mod extended;
mod hunk;

use crate::description::Description;
use crate::error::{BadPatch, Fault};
use crate::name::{self, Named};
use crate::patch::{Change, FileDiff, Hunk, Patch};
use extended::Extended;

impl Patch {
    /// Reads a whole patch. A text without any diff is a patch of no files.
    pub fn read(content: &[u8]) -> Result<Self, BadPatch> {
        let mut reader = Reader::new(content);
        let mut prose = [String::new(), String::new()];
        let mut files: Vec<FileDiff> = Vec::new();
        while let Some(line) = reader.peek(0) {
            if let Some(file) = reader.file()? {
                files.push(file);
            } else if reader.is_prose(line)? {
                let place = &mut prose[usize::from(!files.is_empty())];
                place.push_str(String::from_utf8_lossy(line).trim_end_matches('\r'));
                place.push('\n');
                reader.at += 1;
            } else {
                reader.at += 1;
            }
        }
        let [description, remarks] = prose;
        Ok(Self { description: Description::read(&description), files, remarks })
    }
}

/// The lines of a patch, and how far they are read.
struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(content: &'a [u8]) -> Self {
        let mut lines: Vec<&[u8]> = content.split(|&byte| byte == b'\n').collect();
        if lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        Self { lines, at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<&'a [u8]> {
        self.lines.get(self.at + ahead).copied()
    }

    /// A fault in the next line.
    fn bad(&self, fault: Fault) -> BadPatch {
        BadPatch { line: self.at + 1, fault }
    }

    /// The rest of the next line behind some words.
    fn after(&self, words: &str) -> Option<&'a [u8]> {
        self.peek(0)?.strip_prefix(words.as_bytes())
    }

    /// The diff of a file, if one begins here.
    fn file(&mut self) -> Result<Option<FileDiff>, BadPatch> {
        let line = self.at + 1;
        let file = if let Some(rest) = self.after("diff --git ").filter(|_| self.is_git()) {
            self.git(rest)?
        } else if self.is_names() {
            self.plain()?
        } else if let Some((old, new)) = self.peek(0).and_then(binary) {
            self.at += 1;
            whole(old, new, Change::Binary)
        } else {
            return Ok(None);
        };
        Ok(Some(FileDiff { line, ..file }))
    }

    /// Whether the header of git's that stands here has something behind it: prose may quote one.
    fn is_git(&self) -> bool {
        let next = self.peek(1).unwrap_or_default();
        Extended::knows(next) || next.starts_with(b"--- ")
    }

    /// Whether the two names of a file stand here.
    fn is_names(&self) -> bool {
        let begins = |ahead, with: &[u8]| self.peek(ahead).is_some_and(|line| line.starts_with(with));
        begins(0, b"--- ") && begins(1, b"+++ ")
    }

    /// A diff that begins with the two names of its file.
    fn plain(&mut self) -> Result<FileDiff, BadPatch> {
        let line = self.at;
        let (old, new, hunks) = self.names_and_hunks()?;
        let first = hunks.first().map(|hunk| (hunk.old, hunk.new));
        let empty = |range: crate::patch::Range| range.start == 0 && range.count == 0;
        let (no_old, no_new) = first.map_or((false, false), |(old, new)| (empty(old), empty(new)));
        let is_new = old.is_nothing() || (old.is_timeless() && no_old);
        let is_gone = new.is_nothing() || (new.is_timeless() && no_new);
        let change = match (is_new, is_gone) {
            (true, false) => Change::Created,
            (false, true) => Change::Deleted,
            (false, false) => Change::Modified,
            (true, true) => return Err(BadPatch { line: line + 1, fault: Fault::Contradiction }),
        };
        let (old, new) = (Some(old.name).filter(|_| !is_new), Some(new.name).filter(|_| !is_gone));
        let file = FileDiff { old, new, change, hunks, line: line + 1 };
        if is_sound(&file) { Ok(file) } else { Err(BadPatch { line: line + 1, fault: Fault::Contradiction }) }
    }

    /// The names of a file, and its hunks.
    fn names_and_hunks(&mut self) -> Result<(Named, Named, Vec<Hunk>), BadPatch> {
        // Where the headers have a carriage return, so has every line, and `patch` takes them all away.
        let carriage = self.peek(0).is_some_and(|line| line.ends_with(b"\r"));
        let old = self.after("--- ").and_then(name::header).ok_or_else(|| self.bad(Fault::Name))?;
        self.at += 1;
        let new = self.after("+++ ").and_then(name::header).ok_or_else(|| self.bad(Fault::Name))?;
        self.at += 1;
        let hunks = self.hunks(carriage)?;
        if hunks.is_empty() {
            return Err(self.bad(Fault::NoHunk));
        }
        Ok((old, new, hunks))
    }

    /// A diff with git's header.
    fn git(&mut self, names: &[u8]) -> Result<FileDiff, BadPatch> {
        let start = self.bad(Fault::Name);
        self.at += 1;
        let extended = self.extended()?;
        let file = if self.is_names() {
            let file = self.plain()?;
            let said = extended.change.filter(|&change| change != Change::Mode);
            FileDiff { change: said.unwrap_or(file.change), ..file }
        } else {
            let change = extended.change.ok_or_else(|| self.bad(Fault::NoHunk))?;
            let renamed = extended.names.map(|(old, new)| (format!("a/{old}"), format!("b/{new}")));
            let (old, new) = renamed.or_else(|| name::pair(names)).ok_or(start.clone())?;
            whole(old, new, change)
        };
        if is_sound(&file) { Ok(file) } else { Err(BadPatch { fault: Fault::Contradiction, ..start }) }
    }

    /// Whether a line outside of all diffs is prose, and not what programs write there.
    fn is_prose(&self, line: &[u8]) -> Result<bool, BadPatch> {
        if line.starts_with(b"@@ -") && hunk::header(line).is_some() {
            return Err(self.bad(Fault::StrayHunk));
        }
        if line.starts_with(b"***************") && self.peek(1).is_some_and(|next| next.starts_with(b"*** ")) {
            return Err(self.bad(Fault::ContextDiff));
        }
        let programs: [&[u8]; 5] = [b"diff ", b"Index: ", b"Only in ", b"=======", b"-- "];
        Ok(!programs.iter().any(|words| line.starts_with(words)))
    }
}

/// A diff without hunks.
fn whole(old: String, new: String, change: Change) -> FileDiff {
    let old = Some(old).filter(|name| change != Change::Created && name != "/dev/null");
    let new = Some(new).filter(|name| change != Change::Deleted && name != "/dev/null");
    FileDiff { old, new, change, hunks: Vec::new(), line: 0 }
}

/// The names in what `diff` says of binary files.
fn binary(line: &[u8]) -> Option<(String, String)> {
    let rest = line.strip_prefix(b"Binary files ")?;
    let text = std::str::from_utf8(rest).ok()?.trim_end_matches('\r').strip_suffix(" differ")?;
    let (old, new) = text.split_once(" and ")?;
    Some((name::alone(old.as_bytes())?, name::alone(new.as_bytes())?))
}

/// Whether a file that is new has only lines that come, and one that goes only lines that go.
fn is_sound(file: &FileDiff) -> bool {
    let one = file.hunks.len() <= 1;
    match file.change {
        Change::Created => one && file.old.is_none() && file.hunks.iter().all(|hunk| hunk.old.count == 0),
        Change::Deleted => one && file.new.is_none() && file.hunks.iter().all(|hunk| hunk.new.count == 0),
        Change::Mode | Change::Binary => file.hunks.is_empty(),
        Change::Modified | Change::Renamed | Change::Copied => file.old.is_some() && file.new.is_some(),
    }
}
