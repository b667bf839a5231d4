//! The settings: which rewrites a variant has gone through.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A setting whose variants have other names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Setting {
    /// Names that say what a thing is: `func_0`, `var_1`.
    Neutralized,
    /// Names drawn at random.
    Randomized,
    /// Names of other words with the same meaning.
    Symbol,
}

/// There is no such setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no setting `{0}`")]
pub struct UnknownSetting(pub String);

impl Setting {
    /// All of them.
    pub const ALL: [Setting; 3] = [Setting::Neutralized, Setting::Randomized, Setting::Symbol];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Setting::Neutralized => "neutralized",
            Setting::Randomized => "randomized",
            Setting::Symbol => "symbol",
        }
    }

    /// The rewrites that it consists of, in order.
    pub fn recipe(self) -> &'static str {
        match self {
            Setting::Neutralized => "strip-comments,neutralize",
            Setting::Randomized => "strip-comments,randomize",
            Setting::Symbol => "strip-comments,symbol",
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Setting {
    type Err = UnknownSetting;

    /// Reads a setting's name, or that of its rewrite.
    fn from_str(word: &str) -> Result<Self, UnknownSetting> {
        match word {
            "neutralized" | "neutralize" => Ok(Setting::Neutralized),
            "randomized" | "randomize" => Ok(Setting::Randomized),
            "symbol" | "synonyms" => Ok(Setting::Symbol),
            _ => Err(UnknownSetting(word.to_owned())),
        }
    }
}
