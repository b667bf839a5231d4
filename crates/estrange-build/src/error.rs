//! Why a build as a whole failed. A loss of a source, file or function is no error: it is in the bench.

use std::io;
use std::path::PathBuf;

use estrange_bench::BenchError;

/// Why there is no bench.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The bench cannot be written. The folder's or the disk's fault.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The cache cannot be used.
    #[error("the cache at {} cannot be used: {source}", path.display())]
    Cache {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A compiler or the parser is missing.
    #[error("{what} cannot be used: {detail}")]
    Tool {
        /// Which.
        what: &'static str,
        /// Why.
        detail: String,
    },
    /// The tokenizer cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] estrange_inference::tokenizer::TokenizerError),
    /// The thesaurus cannot be used.
    #[error(transparent)]
    Thesaurus(#[from] estrange_text::thesaurus::ThesaurusError),
    /// The bound on a source's share cannot be kept.
    #[error(transparent)]
    Balance(#[from] estrange_text::balance::Impossible),
    /// Parts do not make up a build.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// No source could be had.
    #[error("none of the sources could be had")]
    NoSource,
    /// It was told to stop.
    #[error("stopped; the same command goes on from here")]
    Cancelled,
    /// The threads could not be started.
    #[error("the worker threads cannot be started: {0}")]
    Threads(String),
}

impl From<estrange_store::StoreError> for BuildError {
    fn from(error: estrange_store::StoreError) -> Self {
        BuildError::Cache { path: error.path, source: error.source }
    }
}

impl BuildError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            BuildError::Bench(error @ BenchError::Io { .. }) => {
                Some(error.hint().unwrap_or_else(|| "name another folder with --out".to_owned()))
            }
            BuildError::Bench(BenchError::UnknownVersion { .. }) => {
                Some("name another folder with --out, or remove this one".to_owned())
            }
            BuildError::Bench(error) => error.hint(),
            BuildError::Cache { .. } => Some("free some space, or name another folder with --cache".to_owned()),
            BuildError::Tool { .. } => Some("`estrange doctor` says what is missing, and how to install it".to_owned()),
            BuildError::Tokenizer(error) => Some(error.hint().to_owned()),
            BuildError::Thesaurus(error) => Some(error.hint().to_owned()),
            BuildError::Balance(_) => Some("allow more with --max-per-source, or give more sources".to_owned()),
            BuildError::Merge(error) => Some(error.hint()),
            BuildError::NoSource | BuildError::Cancelled | BuildError::Threads(_) => None,
        }
    }
}

/// Why parts cannot be put together. Always the user's doing.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is none.
    #[error("there is no part to merge")]
    NoPart,
    /// They are of different builds.
    #[error("{} and {} are parts of different builds: they differ in their {what}", first.display(), second.display())]
    Different {
        /// What differs.
        what: String,
        /// A part.
        first: PathBuf,
        /// Another one.
        second: PathBuf,
    },
    /// One is there twice.
    #[error("part {part} of {of} is there twice")]
    Twice {
        /// Which.
        part: u32,
        /// Of how many.
        of: u32,
    },
    /// Some are not there.
    #[error("of {of} parts, {} missing", missing(parts))]
    Missing {
        /// Which.
        parts: Vec<u32>,
        /// Of how many.
        of: u32,
    },
}

impl MergeError {
    fn hint(&self) -> String {
        match self {
            Self::NoPart | Self::Missing { .. } => {
                "name the folder of every part, as in `estrange merge PART... --out BENCH`"
            }
            Self::Different { .. } => "make all parts with the same command but for --part and --out",
            Self::Twice { .. } => "name each part once",
        }
        .to_owned()
    }
}

fn missing(parts: &[u32]) -> String {
    let numbers: Vec<String> = parts.iter().map(u32::to_string).collect();
    format!("{} {}", numbers.join(", "), if parts.len() == 1 { "is" } else { "are" })
}
