//! How a person names a respondent.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_words::Hint;

/// A respondent as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// One that knows all answers.
    Gold,
    /// One that says nothing.
    Empty,
    /// One that always says the same.
    Constant(String),
    /// Answers that were given before.
    Precomputed(PathBuf),
    /// A language model, on this machine or behind a server; it is named as everywhere.
    Model(String),
}

/// The text does not name a respondent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such respondent.
    #[error("`{0}` names nobody who could be asked")]
    Unknown(String),
    /// Behind the colon there is nothing.
    #[error("`{kind}:` names no {what}")]
    Nothing {
        /// What stands before the colon.
        kind: &'static str,
        /// What should stand behind it.
        what: &'static str,
    },
}

impl Hint for ChoiceError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Unknown(_) => "write openai:NAME, local:FILE, precomputed:FILE, gold, empty or constant:VALUE",
            Self::Nothing { .. } => "write it behind the colon, without a blank",
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
            ("constant", _) => Self::Constant(behind("constant", "value")?.to_owned()),
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
            Self::Constant(value) => write!(formatter, "constant:{value}"),
            Self::Precomputed(file) => write!(formatter, "precomputed:{}", file.display()),
            Self::Model(name) => formatter.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_and_what_names_nobody_is_refused_with_a_hint() {
        for text in ["gold", "empty", "constant:0", "precomputed:answers.jsonl", "openai:org/m:7b", "local:m.gguf"] {
            assert_eq!(text.parse::<Choice>().unwrap().to_string(), text);
        }
        for (text, words) in [
            ("gold:1", "`gold:1` names nobody who could be asked"),
            ("cppcheck", "`cppcheck` names nobody who could be asked"),
            ("constant: ", "`constant:` names no value"),
            ("precomputed", "`precomputed:` names no file"),
            ("openai:", "`openai:` names no model"),
        ] {
            let error = text.parse::<Choice>().unwrap_err();
            assert_eq!(error.to_string(), words);
            assert!(error.hint().is_some());
        }
    }
}
