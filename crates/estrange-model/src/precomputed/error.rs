//! What can be wrong with a file of what was made before.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use estrange_words::Hint;

/// Why a file cannot be used, or lacks what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum PrecomputedError {
    /// The file's name does not tell what it holds.
    #[error("{} is not known to hold vectors or rankings", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is not of the form that its name tells.
    #[error("{}{}: {detail}", path.display(), if *line > 0 { format!(", line {line}") } else { String::new() })]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; 0 where it has none.
        line: usize,
        /// What is wrong.
        detail: String,
    },
    /// The file lacks something for some of the ids that were asked for.
    #[error("{} lacks {what} for {missing} of {all} ids, such as `{id}`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        what: &'static str,
        /// The first id that it lacks.
        id: String,
        /// How many ids it lacks.
        missing: usize,
        /// Of how many.
        all: usize,
    },
    /// An id stands for more than one text, or a ranking for more than one collection.
    #[error("in {} `{id}` stands for texts of more than one corpus", path.display())]
    Ambiguous {
        /// The file.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// A ranking has a document that is not among those to be ranked.
    #[error("{} ranks the document `{id}`, which is not among the documents", path.display())]
    UnknownDocument {
        /// The file.
        path: PathBuf,
        /// The document's id.
        id: String,
    },
}

impl Hint for PrecomputedError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            PrecomputedError::Unknown { .. } => {
                "name a .jsonl or .npy file of vectors, a .trec or .run file of rankings, or a folder of either"
            }
            PrecomputedError::Io { .. } => "vectors in a file NAME.npy need their ids in NAME.ids.txt beside it",
            PrecomputedError::Malformed { .. } => "make the file again, or take this line out",
            PrecomputedError::Ambiguous { .. } => {
                "put the corpus before each id, as exports call it: group1-neutralized/ID; or give a folder with a file for \
                 each corpus, such as group1-neutralized.jsonl; or search one setting and view alone"
            }
            PrecomputedError::Missing { .. } | PrecomputedError::UnknownDocument { .. } => {
                "ids are those of the exported queries and corpus; was the file made from the same bench?"
            }
        }))
    }
}

pub(super) fn malformed(path: &Path, line: usize, detail: impl Into<String>) -> PrecomputedError {
    PrecomputedError::Malformed { path: path.to_owned(), line, detail: detail.into() }
}
