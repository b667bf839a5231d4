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
            Self::Folder { .. } => None,
        }
    }
}
