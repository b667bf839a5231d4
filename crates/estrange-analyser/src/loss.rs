//! Why an analyser says nothing of a unit.

use estrange_sandbox::{ToolEnd, ToolOutput};
use serde::{Deserialize, Serialize};

use crate::sarif::SarifError;

/// Why there is no answer for a unit. None of these is an error, and none means that nothing was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "loss", rename_all = "kebab-case")]
pub enum Loss {
    /// The analyser does not accept the text: it cannot be parsed, or a header is not there.
    #[error("the analyser does not accept it: {message}")]
    Refused {
        /// The analyser's words.
        message: String,
    },
    /// It took longer than it may.
    #[error("the analyser reached its time limit")]
    TimedOut,
    /// It took more memory than it may.
    #[error("the analyser took too much memory")]
    OverMemory,
    /// It printed more than is read.
    #[error("the analyser wrote too much")]
    OverOutput,
    /// A signal ended it: it crashed.
    #[error("the analyser was ended by signal {signal}")]
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// It ended by itself, with a code that means failure.
    #[error("the analyser failed with code {code}: {message}")]
    Failed {
        /// The exit code.
        code: i32,
        /// Its last words.
        message: String,
    },
    /// What it wrote is not what it should write.
    #[error("what the analyser wrote cannot be read: {what}")]
    Unreadable {
        /// What is wrong with it.
        what: String,
    },
    /// What it wrote tells of no run that came to results.
    #[error("the analyser tells of no finished run")]
    NoRun,
    /// What it wrote tells of a run that failed.
    #[error("the analyser says that its run failed: {message}")]
    Unsuccessful {
        /// Its words.
        message: String,
    },
}

impl Loss {
    /// Output that cannot be read.
    pub(crate) fn unreadable(what: impl Into<String>) -> Self {
        Self::Unreadable { what: what.into() }
    }

    /// A run that ended with a code that means failure.
    pub(crate) fn failed(code: i32, output: &ToolOutput) -> Self {
        Self::Failed { code, message: shortened(&output.last_words(3)) }
    }

    /// The exit code of a run that ended by itself, or why there is none.
    pub(crate) fn code_of(output: &ToolOutput) -> Result<i32, Self> {
        match output.end {
            ToolEnd::Exited(code) => Ok(code),
            ToolEnd::Signalled(signal) => Err(Self::Signalled { signal }),
            ToolEnd::TimedOut => Err(Self::TimedOut),
            ToolEnd::OverMemory => Err(Self::OverMemory),
            ToolEnd::OverOutput => Err(Self::OverOutput),
        }
    }
}

impl From<SarifError> for Loss {
    fn from(error: SarifError) -> Self {
        match error {
            SarifError::NoRun => Self::NoRun,
            SarifError::Unsuccessful { message } => Self::Unsuccessful { message },
            other => Self::unreadable(other.to_string()),
        }
    }
}

/// The most letters of an analyser's words that are kept.
const WORDS: usize = 500;

/// The beginning of a text.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(WORDS).collect()
}
