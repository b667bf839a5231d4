//! How a person names an author.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_words::Hint;

/// An author as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The function itself.
    Gold,
    /// An empty body.
    Empty,
    /// The function with a small mistake, chosen by a seed.
    Mutant(u64),
    /// Replies that were given before.
    Precomputed(PathBuf),
    /// A language model, on this machine or behind a server; it is named as everywhere.
    Model(String),
}

/// The text does not name an author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such author.
    #[error("`{0}` names nobody who could write")]
    Unknown(String),
    /// Behind the colon there is nothing.
    #[error("`{kind}:` names no {what}")]
    Nothing {
        /// What stands before the colon.
        kind: &'static str,
        /// What should stand behind it.
        what: &'static str,
    },
    /// The seed of mutants is no number.
    #[error("`{0}` is no seed")]
    Seed(String),
}

impl Hint for ChoiceError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Unknown(_) => "write openai:NAME, local:FILE, precomputed:FILE, gold, empty or mutant:SEED",
            Self::Nothing { .. } => "write it behind the colon, without a blank",
            Self::Seed(_) => "a seed is a number, such as mutant:1",
        };
        Some(hint.into())
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest.trim())));
        let behind = |kind, what| rest.filter(|rest| !rest.is_empty()).ok_or(ChoiceError::Nothing { kind, what });
        Ok(match (kind, rest) {
            ("gold", None) => Self::Gold,
            ("empty", None) => Self::Empty,
            ("mutant", None) => Self::Mutant(0),
            ("mutant", Some(seed)) => Self::Mutant(seed.parse().map_err(|_| ChoiceError::Seed(seed.to_owned()))?),
            ("precomputed", _) => Self::Precomputed(behind("precomputed", "file")?.into()),
            ("openai", _) => behind("openai", "model").map(|_| Self::Model(text.to_owned()))?,
            ("local", _) => behind("local", "file").map(|_| Self::Model(text.to_owned()))?,
            _ => return Err(ChoiceError::Unknown(text.to_owned())),
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gold => formatter.write_str("gold"),
            Self::Empty => formatter.write_str("empty"),
            Self::Mutant(0) => formatter.write_str("mutant"),
            Self::Mutant(seed) => write!(formatter, "mutant:{seed}"),
            Self::Precomputed(file) => write!(formatter, "precomputed:{}", file.display()),
            Self::Model(name) => formatter.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_and_the_rest_is_refused_with_a_hint() {
        for text in
            ["gold", "empty", "mutant", "mutant:3", "precomputed:a.jsonl", "openai:org/model:7b", "local:a.gguf"]
        {
            assert_eq!(text.parse::<Choice>().unwrap().to_string(), text);
        }
        for (text, words) in [
            ("", "`` names nobody who could write"),
            ("gold:1", "`gold:1` names nobody who could write"),
            ("mutant:x", "`x` is no seed"),
            ("local: ", "`local:` names no file"),
        ] {
            let error = text.parse::<Choice>().unwrap_err();
            assert_eq!(error.to_string(), words);
            assert!(error.hint().is_some(), "{text}");
        }
    }
}
