//! Why there are no pairs at all.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_build::BuildError;
use estrange_words::Hint;

/// Why there are no pairs at all. What is lost of a source, a fix or a pair is in the bench.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// The functions cannot be had, run or written down.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// No source has any.
    #[error("no fix and no pair was found")]
    Nothing,
    /// A bench has no pairs.
    #[error("the bench has no pairs of functions with and without a bug")]
    NoPairs,
    /// It has none of which running showed anything.
    #[error("none of the {pairs} pairs of the bench is crash-confirmed: nothing of them was run")]
    NoConfirmed {
        /// How many pairs there are.
        pairs: usize,
    },
    /// A folder cannot be read or written.
    #[error("{} cannot be used: {source}", .path.display())]
    Folder {
        /// It.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Hint for PairError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Build(error) => error.hint(),
            Self::Nothing => {
                Some("Debian packages with security patches, git repositories and folders of pairs have some".into())
            }
            Self::NoPairs | Self::NoConfirmed { .. } => {
                Some("`estrange pairs SOURCE --out PAIRS` makes a bench that has some, and confirms them".into())
            }
            Self::Folder { .. } => None,
        }
    }
}
