//! A file that something changes: a fix, a commit, a pull request.

use estrange_diff::{FileDiff, Touch};

/// A file that a fix, or any other change, changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path before; none where it is new.
    pub old_path: Option<String>,
    /// Its path after; none where it is gone.
    pub new_path: Option<String>,
    /// The lines that change, in the two states.
    pub touched: Vec<Touch>,
}

impl ChangedFile {
    /// Its paths, which may be the same.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        [self.new_path.as_deref(), self.old_path.as_deref()].into_iter().flatten()
    }

    /// What a diff of git's does to a file.
    pub(crate) fn of(diff: &FileDiff) -> Self {
        Self { old_path: diff.old_path(1), new_path: diff.new_path(1), touched: diff.touched() }
    }
}
