//! How a person names a detector.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_analyser::{Choice as AnalyserChoice, ChoiceError as AnalyserError};
use estrange_bench::Verdict;
use estrange_words::Hint;

/// A detector as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The same of everything: `always` or `never`.
    Constant(Verdict),
    /// The longer half.
    Length,
    /// A coin, with its seed.
    Chance(u64),
    /// Verdicts that were given before.
    Precomputed(PathBuf),
    /// A static analyser.
    Analyser(AnalyserChoice),
    /// A language model, on this machine or behind a server; it is named as everywhere.
    Model(String),
}

/// The text does not name a detector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such detector.
    #[error("`{0}` is no detector")]
    Unknown(String),
    /// Behind the colon there is nothing.
    #[error("`{kind}:` names no {what}")]
    Nothing {
        /// What stands before the colon.
        kind: &'static str,
        /// What should stand behind it.
        what: &'static str,
    },
    /// The seed of chance is no number.
    #[error("`{0}` is no seed")]
    Seed(String),
    /// What names an analyser's command does not.
    #[error(transparent)]
    Analyser(#[from] AnalyserError),
}

impl Hint for ChoiceError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Unknown(_) => {
                "write openai:NAME, local:FILE, cppcheck, flawfinder, clang-analyzer, gcc-fanalyzer, sarif:COMMAND, \
                 precomputed:FILE, always, never, length or chance:SEED"
            }
            Self::Nothing { .. } => "write it behind the colon, without a blank",
            Self::Seed(_) => "a seed is a number, such as chance:1",
            Self::Analyser(error) => return error.hint(),
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
            ("always", None) => Self::Constant(Verdict::Vulnerable),
            ("never", None) => Self::Constant(Verdict::Safe),
            ("length", None) => Self::Length,
            ("chance", _) => {
                let seed = behind("chance", "seed")?;
                Self::Chance(seed.parse().map_err(|_| ChoiceError::Seed(seed.to_owned()))?)
            }
            ("precomputed", _) => Self::Precomputed(behind("precomputed", "file")?.into()),
            ("openai", _) => behind("openai", "model").map(|_| Self::Model(text.to_owned()))?,
            ("local", _) => behind("local", "file").map(|_| Self::Model(text.to_owned()))?,
            _ => match text.parse::<AnalyserChoice>() {
                Ok(choice) => Self::Analyser(choice),
                Err(AnalyserError::Unknown(_)) => return Err(ChoiceError::Unknown(text.to_owned())),
                Err(error) => return Err(error.into()),
            },
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(Verdict::Vulnerable) => formatter.write_str("always"),
            Self::Constant(Verdict::Safe) => formatter.write_str("never"),
            Self::Length => formatter.write_str("length"),
            Self::Chance(seed) => write!(formatter, "chance:{seed}"),
            Self::Precomputed(file) => write!(formatter, "precomputed:{}", file.display()),
            Self::Analyser(choice) => choice.fmt(formatter),
            Self::Model(name) => formatter.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        for text in [
            "always",
            "never",
            "length",
            "chance:7",
            "precomputed:verdicts.jsonl",
            "cppcheck",
            "sarif:lint --sarif {}",
            "openai:org/model:7b",
            "local:model.gguf",
        ] {
            assert_eq!(text.parse::<Choice>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_detector_is_refused_with_a_hint() {
        for (text, words) in [
            ("", "`` is no detector"),
            ("bm25", "`bm25` is no detector"),
            ("always:1", "`always:1` is no detector"),
            ("chance", "`chance:` names no seed"),
            ("chance:x", "`x` is no seed"),
            ("openai: ", "`openai:` names no model"),
            ("local:", "`local:` names no file"),
            ("precomputed:", "`precomputed:` names no file"),
            ("sarif: ", "`sarif:` names no command"),
        ] {
            let error = text.parse::<Choice>().unwrap_err();
            assert_eq!(error.to_string(), words);
            assert!(error.hint().is_some(), "{text}");
        }
    }
}
