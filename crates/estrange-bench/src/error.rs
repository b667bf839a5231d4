//! What can go wrong with a bench, whose doing it was, and what to do about it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;
use estrange_words::Hint;
use parquet::errors::ParquetError;

use crate::run::{LostRun, is_of_a_run};

/// Why a bench cannot be written or opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The user's doing: there is no bench in this folder.
    #[error("{} is not a bench: it has no manifest.json", .folder.display())]
    NotABench {
        /// The folder.
        folder: PathBuf,
    },
    /// The user's doing: there is no part of a build in this folder.
    #[error("{} is not a part of a build: it has no part.json", .folder.display())]
    NotAPart {
        /// The folder.
        folder: PathBuf,
    },
    /// The user's doing: this folder holds a part of a build.
    #[error("{} is not a bench: it is a part of one", .folder.display())]
    IsAPart {
        /// The folder.
        folder: PathBuf,
    },
    /// The user's doing: there is no run in this folder.
    #[error("{} is not a run: it has no run.json", .folder.display())]
    NotARun {
        /// The folder.
        folder: PathBuf,
    },
    /// A build was stopped before its end, or is under way.
    #[error("{} is not a bench: the build into it has not finished", .folder.display())]
    Unfinished {
        /// The folder.
        folder: PathBuf,
    },
    /// Made by another version of Estrange.
    #[error("{} has the format version {found}; this program knows version {known}", .folder.display())]
    UnknownVersion {
        /// The bench.
        folder: PathBuf,
        /// The version it has.
        found: String,
        /// The version that is known.
        known: u32,
    },
    /// A run that was made by another version of Estrange.
    #[error("{} has the format version {found}; this program knows version {known}", .folder.display())]
    UnknownRunVersion {
        /// The run.
        folder: PathBuf,
        /// The version it has.
        found: String,
        /// The version that is known.
        known: u32,
        /// The command that makes it again, as far as that can be told.
        again: Option<String>,
    },
    /// A file is not what was written.
    #[error("{} is damaged: {detail}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The user's doing: the folder is in use for something else.
    #[error("{} is neither empty nor a {wanted}: it holds {entry}", .folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// What it may hold: a bench or a run.
        wanted: &'static str,
        /// Something that is in it.
        entry: String,
    },
    /// Another command writes there.
    #[error("another command is writing to {}", .folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// A run would take the place of one that has more, or something else.
    #[error("{} holds a run that would be lost: {lost}", .folder.display())]
    RunWouldBeLost {
        /// The folder.
        folder: PathBuf,
        /// What the new run does not have.
        lost: LostRun,
    },
    /// Our doing: an id names one function.
    #[error("two functions have the id {id}")]
    DoubleId {
        /// The id.
        id: String,
    },
    /// Our doing: a function comes from nowhere.
    #[error("function {id} is from {spec}, which is not among the sources")]
    UnlistedSource {
        /// The function.
        id: String,
        /// The source it names.
        spec: String,
    },
    /// Records and batches do not fit together.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The machine's doing.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Why records cannot become a batch, or a batch records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A column is missing, or not what it has to be.
    #[error("column `{column}`{}: {detail}", in_row(*.row))]
    Column {
        /// The column.
        column: String,
        /// The row of the batch that is wrong, from 0; in an error of a file, the row of the file. None where it is all of
        /// them.
        row: Option<usize>,
        /// What is wrong with it.
        detail: String,
    },
    /// More than a batch can hold.
    #[error("{bytes} bytes do not fit into one batch")]
    TooLarge {
        /// How much it is.
        bytes: usize,
    },
    /// Arrow refused.
    #[error(transparent)]
    Arrow(ArrowError),
}

/// Rows are counted from 1 for those who read it.
fn in_row(row: Option<usize>) -> String {
    row.map(|row| format!(", row {}", row + 1)).unwrap_or_default()
}

impl BatchError {
    /// The same of a batch whose first row is this one of its file.
    pub(crate) fn in_rows_from(self, first: usize) -> Self {
        match self {
            Self::Column { column, row, detail } => Self::Column { column, row: row.map(|row| first + row), detail },
            other => other,
        }
    }
}

impl BenchError {
    /// For `map_err`: what was tried, and on what.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// For `map_err`: a file that Parquet cannot read.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(ParquetError) -> Self {
        let path = path.to_owned();
        move |error| match into_io(error) {
            Ok(source) => Self::Io { action: "read", path: path.clone(), source },
            Err(error) => Self::Damaged { path: path.clone(), detail: error.to_string() },
        }
    }

    /// For `map_err`: a file that Parquet cannot write.
    pub(crate) fn unwritable(path: &Path) -> impl Fn(ParquetError) -> Self {
        let path = path.to_owned();
        move |error| {
            let source = into_io(error).unwrap_or_else(io::Error::other);
            Self::Io { action: "write", path: path.clone(), source }
        }
    }
}

impl Hint for BenchError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::NotABench { .. } => "name the folder that was given to `estrange build` as --out",
            Self::NotAPart { .. } => "name folders that were given to `estrange build --part` as --out",
            Self::IsAPart { .. } => "put it together with the other parts: `estrange merge PART... --out BENCH`",
            Self::NotARun { .. } => "name the folder that was given to `estrange search` as --out",
            Self::Unfinished { .. } => "run the same `estrange build` again; finished work is kept",
            Self::UnknownVersion { .. } => {
                "use the version of Estrange that made it, or build it again: its manifest.json has its sources and options"
            }
            Self::UnknownRunVersion { again: Some(again), .. } => {
                return Some(format!("`{again}` makes it again; answers that were kept are not paid for twice").into());
            }
            Self::UnknownRunVersion { .. } => "use the version of Estrange that made it, or make it anew",
            Self::Damaged { path, .. } if is_of_a_run(path) => {
                "search again with the same --out, or copy the run again from where it came"
            }
            Self::Damaged { .. } => "build the bench again, or copy it again from where it came",
            Self::Occupied { wanted, .. } => {
                return Some(format!("name a new or empty folder, or a {wanted} that may be replaced").into());
            }
            Self::RunWouldBeLost { .. } => "name another folder with --out, or let it be replaced with --replace",
            Self::Locked { .. } => "wait for it to end, or name another folder",
            Self::DoubleId { .. } | Self::UnlistedSource { .. } => "this is a mistake in Estrange; please report it",
            Self::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "make room on the disk and run the same command again; nothing half-written is taken for a bench"
            }
            Self::Batch(_) | Self::Io { .. } => return None,
        };
        Some(hint.into())
    }
}

/// The system's own error, where Parquet only passed it on.
fn into_io(error: ParquetError) -> Result<io::Error, ParquetError> {
    match error {
        ParquetError::External(inner) => {
            inner.downcast::<io::Error>().map(|inner| *inner).map_err(ParquetError::External)
        }
        other => Err(other),
    }
}
