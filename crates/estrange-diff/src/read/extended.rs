//! Git's lines between a diff's header and its hunks: modes, new names, binary content.

use super::Reader;
use crate::error::{BadPatch, Fault};
use crate::name;
use crate::patch::Change;

/// What git's lines say.
#[derive(Debug, Default)]
pub(super) struct Extended {
    /// What happens, if it is said.
    pub(super) change: Option<Change>,
    /// The old and the new name without first folders, of what is renamed or copied.
    pub(super) names: Option<(String, String)>,
}

const LINES: [&str; 12] = [
    "old mode ",
    "new mode ",
    "deleted file mode ",
    "new file mode ",
    "copy from ",
    "copy to ",
    "rename from ",
    "rename to ",
    "similarity index ",
    "dissimilarity index ",
    "index ",
    "GIT binary patch",
];

impl Extended {
    /// Whether a line is one of git's.
    pub(super) fn knows(line: &[u8]) -> bool {
        LINES.iter().any(|words| line.starts_with(words.as_bytes())) || line.starts_with(b"Binary files ")
    }
}

impl Reader<'_> {
    /// Reads git's lines, and passes over binary content.
    pub(super) fn extended(&mut self) -> Result<Extended, BadPatch> {
        let mut extended = Extended::default();
        let mut from = None;
        while let Some(line) = self.peek(0).filter(|line| Extended::knows(line)) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let name = |words: &str| line.strip_prefix(words.as_bytes()).map(name::alone);
            if let Some(name) = name("rename from ").or_else(|| name("copy from ")) {
                from = Some(name.ok_or_else(|| self.bad(Fault::Name))?);
            } else if let Some(name) = name("rename to ").or_else(|| name("copy to ")) {
                let to = name.ok_or_else(|| self.bad(Fault::Name))?;
                extended.names = from.take().map(|from| (from, to));
            }
            extended.change = change(line).or(extended.change);
            self.at += 1;
            if line == b"GIT binary patch" {
                self.pass_binary();
            }
            // Nothing of this file stands behind its binary content.
            if extended.change == Some(Change::Binary) {
                break;
            }
        }
        Ok(extended)
    }

    /// Passes over the two blocks of letters that git writes for binary content.
    fn pass_binary(&mut self) {
        while self.peek(0).is_some_and(|line| line.starts_with(b"literal ") || line.starts_with(b"delta ")) {
            while self.peek(0).is_some_and(|line| !line.is_empty() && line != b"\r") {
                self.at += 1;
            }
            self.at += 1;
        }
        self.at = self.at.min(self.lines.len());
    }
}

/// What a line of git's says that happens.
fn change(line: &[u8]) -> Option<Change> {
    let says = |words: &[u8]| line.starts_with(words);
    if says(b"GIT binary") || says(b"Binary files ") {
        Some(Change::Binary)
    } else if says(b"new file") {
        Some(Change::Created)
    } else if says(b"deleted file") {
        Some(Change::Deleted)
    } else if says(b"rename ") {
        Some(Change::Renamed)
    } else if says(b"copy ") {
        Some(Change::Copied)
    } else if says(b"old mode ") || says(b"new mode ") {
        Some(Change::Mode)
    } else {
        None
    }
}
