//! What can go wrong between formats, and what to do about it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use estrange_words::Hint;

use crate::error::BenchError;

/// Why something cannot be exported or imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The bench or run cannot be used.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The user's doing: there is something in the folder.
    #[error("{} is not empty: there is {entry} in it", .folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
        /// One of the things in it.
        entry: String,
    },
    /// The user's doing: there is no file of CLARC's in the folder.
    #[error("{} has no file of CLARC's", .folder.display())]
    NotClarc {
        /// The folder.
        folder: PathBuf,
    },
    /// A file is not what it has to be.
    #[error("{} is not as CLARC publishes it: {detail}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The user's doing: the format is one of pairs.
    #[error("the bench has no pairs")]
    NoPairs,
    /// The user's doing: no rung is of that setting.
    #[error("no pair has the setting `{setting}`")]
    NoSetting {
        /// The setting.
        setting: String,
        /// Those that there are.
        there: Vec<String>,
    },
    /// The user's doing: nothing is left of what was asked for.
    #[error("no pair is left to be written")]
    Nothing,
    /// A pair has a side that the bench does not have.
    #[error("the pair `{pair}` has a function that the bench does not have: {id}")]
    NoFunction {
        /// The pair.
        pair: String,
        /// The id of the function.
        id: String,
    },
    /// An id that the format cannot carry.
    #[error("the id `{id}` has white space in it, which files of this format cannot carry")]
    Id {
        /// The id.
        id: String,
    },
    /// A name out of a bench that must not lead to a file.
    #[error("`{}` is no name for a file or a folder", .name.escape_debug())]
    Name {
        /// The name.
        name: String,
    },
    /// Two things would have to be in one file.
    #[error("two parts of the bench have the same file: {name}")]
    SameFile {
        /// The file, relative to the folder of the export.
        name: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl ExchangeError {
    /// For `map_err`: what was tried, and on what.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

impl Hint for ExchangeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Bench(error) => return error.hint(),
            Self::NotEmpty { .. } => "name a new or empty folder; what is there was left as it is",
            Self::NotClarc { .. } => "name the folder that holds group1_standard.json and the like",
            Self::Malformed { .. } => "fetch the file again; each row needs a query, a code and how relevant it is",
            Self::NoPairs => "`estrange pairs SOURCE --out PAIRS` makes a bench that has some",
            Self::NoSetting { there, .. } => return Some(format!("there is {}", there.join(", ")).into()),
            Self::Nothing => {
                "only pairs that are crash-confirmed have a trigger and a fault; --format hf writes the others"
            }
            Self::NoFunction { .. } => "the bench was made by hand; `estrange pairs` writes both sides of every pair",
            Self::Id { .. } => "give the queries other ids, or choose --format mteb",
            Self::Name { .. } => {
                "it is of the bench, which was made by hand or to do harm; leave it out with --setting"
            }
            Self::SameFile { .. } => "export them one by one, with --setting and --seed",
            Self::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => "make room on the disk",
            Self::Io { .. } => return None,
        };
        Some(hint.into())
    }
}
