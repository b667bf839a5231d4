//! What can be wrong with a patch, and why one does not fit a text.

use std::borrow::Cow;

use estrange_words::Hint;

/// A text that is no sound patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the patch: {fault}")]
pub struct BadPatch {
    /// The line of the patch, counted from one.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a line of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The name is empty, is not UTF-8, or its quotes are wrong.
    #[error("this is no name of a file")]
    Name,
    /// Names of files, and no hunk behind them.
    #[error("no hunk follows the names of the files")]
    NoHunk,
    /// A hunk, and no names of files before it.
    #[error("a hunk stands without the names of its files")]
    StrayHunk,
    /// A line that begins like the header of a hunk, and is none.
    #[error("this is no header of a hunk")]
    HunkHeader,
    /// The patch ends within a hunk.
    #[error("the hunk ends {missing} lines too early")]
    HunkTooShort {
        /// How many lines its header promised besides.
        missing: usize,
    },
    /// More lines of a hunk than its header says.
    #[error("the hunk has more lines than its header says")]
    HunkTooLong,
    /// A line of a hunk that is neither kept, removed nor added.
    #[error("a line of a hunk begins with a blank, a minus or a plus")]
    HunkLine,
    /// A hunk that begins before the one before it.
    #[error("the hunks are not in order")]
    HunkOrder,
    /// A line without newline, with more lines behind it.
    #[error("only the last line of a file can lack its newline")]
    NoNewline,
    /// A file is said to be new or gone, and its hunks say something else.
    #[error("the file cannot be new or gone with such hunks")]
    Contradiction,
    /// A context diff.
    #[error("this is a context diff, not a unified one")]
    ContextDiff,
}

impl Hint for BadPatch {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self.fault {
            Fault::ContextDiff => "make it anew with diff -u",
            Fault::HunkTooShort { .. } | Fault::HunkTooLong | Fault::HunkHeader => {
                "it was changed by hand, or cut: `quilt refresh` or `git diff` write it anew"
            }
            _ => return None,
        };
        Some(hint.into())
    }
}

/// Why a diff does not fit a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// The lines of a hunk are not there.
    #[error("hunk {hunk} (line {line} of the patch) is not found in the text")]
    NotFound {
        /// Which hunk of the file, counted from one.
        hunk: usize,
        /// Its line in the patch.
        line: usize,
    },
    /// The patch makes the file, and it is there.
    #[error("the patch makes a file that is already there")]
    AlreadyThere,
    /// The patch removes the file, and would leave something of it.
    #[error("the patch removes the file, but not all of its lines")]
    SomethingLeft,
    /// The file is not there.
    #[error("the file is not there")]
    Missing,
    /// The patch's name of the file leads out of the tree, or has too few folders.
    #[error("its name cannot be used")]
    Name,
    /// The content is binary.
    #[error("the content is binary")]
    Binary,
}

/// The file of a patch that does not fit, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {misfit}")]
pub struct Unapplied {
    /// The file, as the patch names it.
    pub path: String,
    /// Why.
    pub misfit: Misfit,
}

impl Hint for Unapplied {
    fn hint(&self) -> Option<Cow<'static, str>> {
        matches!(self.misfit, Misfit::NotFound { .. })
            .then_some("the patch is for another version of the file, or others have to be applied before it".into())
    }
}
