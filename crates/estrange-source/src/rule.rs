//! What no honest archive does.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an archive did that no honest archive does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A path that starts at the root of the file system.
    AbsolutePath,
    /// A path with `..` in it.
    ParentPath,
    /// A NUL in a name.
    NulInName,
    /// An entry beneath a file or a link of the same archive.
    BeneathNonFolder,
    /// Two entries of one name and different kinds.
    Conflict,
    /// Far more data comes out than went in.
    Bomb,
    /// Entries that share their compressed data.
    Overlap,
    /// Metadata larger than any honest entry needs.
    Metadata,
    /// Two statements about an entry that contradict each other.
    Contradiction,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::AbsolutePath => "an entry's path is absolute",
            Rule::ParentPath => "an entry's path leaves its folder",
            Rule::NulInName => "an entry's name has a NUL in it",
            Rule::BeneathNonFolder => "an entry lies beneath a file or a link",
            Rule::Conflict => "two entries of one name are of different kinds",
            Rule::Bomb => "it unpacks to far more than it holds",
            Rule::Overlap => "its entries share their data",
            Rule::Metadata => "an entry's metadata is far too large",
            Rule::Contradiction => "what it says about an entry contradicts itself",
        })
    }
}
