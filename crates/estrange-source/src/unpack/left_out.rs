//! What was left out of a tree, and why.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Why an entry was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omission {
    /// A symbolic link to somewhere outside the tree, or in a roundabout way that cannot be checked.
    LinkOutside,
    /// A hard link to something that is no file of the tree.
    LinkToNothing,
    /// A device, a pipe or a socket.
    NotAFile,
    /// A name that is not UTF-8.
    NameNotUtf8,
    /// A name with a control character, such as a newline.
    NameControl,
    /// A path or a part of one that is too long.
    NameTooLong,
    /// A path of too many parts.
    NameTooDeep,
    /// What a version control system keeps for itself.
    VersionControl,
    /// The cache, where it lies in the folder to be read.
    Cache,
    /// A file or folder that may not be read.
    Unreadable,
    /// A submodule of git: another repository, which is a source of its own.
    Submodule,
}

/// The entries left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The reason.
    pub reason: Omission,
    /// How many.
    pub count: u64,
    /// The first few of them, made printable; of submodules, all.
    pub examples: Vec<String>,
}

/// Counts what is left out while a tree is made.
#[derive(Debug, Default)]
pub(crate) struct Omissions(BTreeMap<Omission, LeftOut>);

impl Omissions {
    pub(crate) fn add(&mut self, reason: Omission, name: &[u8]) {
        let entry = self.0.entry(reason).or_insert_with(|| LeftOut { reason, count: 0, examples: Vec::new() });
        entry.count += 1;
        if entry.examples.len() < 3 {
            entry.examples.push(printable(name));
        }
    }

    pub(crate) fn merge(&mut self, other: Omissions) {
        for (reason, more) in other.0 {
            let entry = self.0.entry(reason).or_insert_with(|| LeftOut { reason, count: 0, examples: Vec::new() });
            entry.count += more.count;
            entry.examples.extend(more.examples);
            entry.examples.truncate(3);
        }
    }

    pub(crate) fn into_list(self) -> Vec<LeftOut> {
        self.0.into_values().collect()
    }
}

/// A foreign name made fit for a terminal and a line: lossy, escaped and cut.
pub(crate) fn printable(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(&name[..name.len().min(200)]);
    let mut escaped: String = text
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect();
    if name.len() > 200 {
        escaped.push('…');
    }
    escaped
}
