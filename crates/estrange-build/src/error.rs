//! Why a build as a whole failed. A loss of a source, file or function is no error: it is in the bench.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_bench::BenchError;
use estrange_evidence::{ClangError, CompilerError, GccError};
use estrange_lower::LowerError;
use estrange_model::ModelError;
use estrange_oracle::OracleError;
use estrange_sandbox::ToolError;
use estrange_unit::ParserLoss;
use estrange_words::Hint;

use crate::not_foreign::NotForeign;

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
    /// A tool cannot be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// gcc cannot be used.
    #[error("gcc cannot be used: {0}")]
    Gcc(#[from] GccError),
    /// clang cannot be used.
    #[error("clang cannot be used: {0}")]
    Clang(#[from] ClangError),
    /// One of the two compilers cannot be used.
    #[error("a compiler cannot be used: {0}")]
    Compilers(#[from] CompilerError),
    /// The compiler of a target cannot be used.
    #[error("a compiler cannot be used: {0}")]
    Lower(#[from] LowerError),
    /// The prover cannot be used.
    #[error("alive-tv cannot be used: {0}")]
    Alive(#[source] ClangError),
    /// The oracle cannot be used.
    #[error("the oracle cannot be used: {0}")]
    Oracle(#[from] OracleError),
    /// A foreign step of a recipe cannot be carried out. The user's doing.
    #[error(transparent)]
    Foreign(#[from] NotForeign),
    /// The sandbox cannot be used.
    #[error(transparent)]
    Sandbox(#[from] estrange_sandbox::Error),
    /// A model cannot be asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The parser cannot be used.
    #[error("libclang cannot be used: {0}")]
    Parser(#[source] ParserLoss),
    /// A mistake of ours: fewer answers than questions.
    #[error("{0} gave no answer")]
    NoAnswer(&'static str),
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
    /// The options cannot be written down.
    #[error("the options cannot be written down: {0}")]
    Options(String),
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

impl Hint for BuildError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            BuildError::Bench(error @ BenchError::Io { .. }) => {
                return Some(error.hint().unwrap_or("name another folder with --out".into()));
            }
            BuildError::Bench(BenchError::UnknownVersion { .. }) => {
                "name another folder with --out, or remove this one"
            }
            BuildError::Bench(error) => return error.hint(),
            BuildError::Cache { .. } => "free some space, or name another folder with --cache",
            BuildError::Tool(error) => return error.hint(),
            BuildError::Gcc(error) => return error.hint(),
            BuildError::Clang(error) | BuildError::Alive(error) => return error.hint(),
            BuildError::Compilers(error) => return error.hint(),
            BuildError::Lower(error) => return error.hint(),
            BuildError::Oracle(error) => return error.hint(),
            BuildError::Foreign(error) => return error.hint(),
            BuildError::Sandbox(error) => return error.hint(),
            BuildError::Model(error) => return error.hint(),
            BuildError::Parser(error) => return error.hint(),
            BuildError::Tokenizer(error) => return error.hint(),
            BuildError::Thesaurus(error) => return error.hint(),
            BuildError::Balance(_) => "allow more with --max-per-source, or give more sources",
            BuildError::Merge(error) => return error.hint(),
            BuildError::NoAnswer(_) | BuildError::Options(_) => "this is a mistake in Estrange; please report it",
            BuildError::NoSource | BuildError::Cancelled | BuildError::Threads(_) => return None,
        };
        Some(hint.into())
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

impl Hint for MergeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(Cow::Borrowed(match self {
            Self::NoPart | Self::Missing { .. } => {
                "name the folder of every part, as in `estrange merge PART... --out BENCH`"
            }
            Self::Different { .. } => "make all parts with the same command but for --part and --out",
            Self::Twice { .. } => "name each part once",
        }))
    }
}

fn missing(parts: &[u32]) -> String {
    let numbers: Vec<String> = parts.iter().map(u32::to_string).collect();
    format!("{} {}", numbers.join(", "), if parts.len() == 1 { "is" } else { "are" })
}
