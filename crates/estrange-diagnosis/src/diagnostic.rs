//! What a compiler or a linker says of one place.

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// It is only told.
    Remark,
    /// The code is accepted all the same.
    Warning,
    /// The code is refused.
    Error,
    /// The code is refused, and nothing behind this place was read.
    Fatal,
    /// The compiler itself failed.
    Internal,
}

impl Severity {
    /// Whether the code is refused for it.
    pub fn is_error(self) -> bool {
        self >= Self::Error
    }
}

/// One thing that is said, with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The file, as it is written; a program's name where it speaks of no file, nothing where none is named.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column, counted from one; compilers do not agree on how wide a tab is.
    pub column: Option<u32>,
    /// How bad it is.
    pub severity: Severity,
    /// What is said, without colours, all quotes being `'`, and without the option.
    pub message: String,
    /// The option that turns it on or off, such as `-Wimplicit-function-declaration`, without the `error=` in it.
    pub option: Option<String>,
    /// The line of the source that is shown below it.
    pub excerpt: Option<Excerpt>,
    /// The notes that follow, and before them from where a template was needed.
    pub notes: Vec<Note>,
}

/// A line of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The line as it is shown: tabs may have become blanks.
    pub text: String,
    /// How many characters stand before the one that is pointed at.
    pub caret: Option<usize>,
}

/// What is said beside a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The file.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column, counted from one.
    pub column: Option<u32>,
    /// What is said, as in a diagnostic.
    pub message: String,
    /// The line of the source that is shown below it.
    pub excerpt: Option<Excerpt>,
}
