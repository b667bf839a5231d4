//! How a person names a model.
//!
//! | written | means |
//! |---|---|
//! | `bm25`, `bm25:VARIANT,NAME=VALUE,…` | ranking by words: see [`Options`] |
//! | `local:DIR` | a model that makes vectors, in Hugging Face layout |
//! | `local:FILE` | a model that writes, in GGUF format |
//! | `openai:NAME` | a model on the server that the environment names |
//! | `precomputed:FILE` | vectors or rankings that were made before |

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use estrange_words::Hint;

use crate::bm25::{Options, OptionsError};

/// A model as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelSpec {
    /// Ranking by words.
    Bm25(Options),
    /// A model in a folder or a file.
    Local(PathBuf),
    /// A model on a server, by its name there.
    OpenAi(String),
    /// Vectors or rankings in a file.
    Precomputed(PathBuf),
}

/// The text does not name a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such kind of model.
    #[error("`{0}` is not a model")]
    Unknown(String),
    /// Behind the colon there is nothing.
    #[error("`{kind}:` names no {what}")]
    Nothing {
        /// What stands before the colon.
        kind: String,
        /// What should stand behind it.
        what: &'static str,
    },
    /// The options of bm25 cannot be read.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

impl Hint for SpecError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            SpecError::Unknown(_) => {
                Some("write bm25, local:DIR, openai:NAME or precomputed:FILE, such as `local:models/minilm`".into())
            }
            SpecError::Nothing { kind, what } => {
                Some(format!("write the {what} behind `{kind}:`, without a blank").into())
            }
            SpecError::Options(error) => error.hint(),
        }
    }
}

impl FromStr for ModelSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let named = |what| match rest.trim() {
            "" => Err(SpecError::Nothing { kind: kind.to_owned(), what }),
            _ => Ok(rest),
        };
        match kind {
            "bm25" => Ok(Self::Bm25(rest.parse()?)),
            "local" => Ok(Self::Local(named("folder or file")?.into())),
            "openai" => Ok(Self::OpenAi(named("model")?.to_owned())),
            "precomputed" => Ok(Self::Precomputed(named("file")?.into())),
            _ => Err(SpecError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bm25(options) if *options == Options::default() => formatter.write_str("bm25"),
            Self::Bm25(options) => write!(formatter, "bm25:{options}"),
            Self::Local(folder) => write!(formatter, "local:{}", folder.display()),
            Self::OpenAi(name) => write!(formatter, "openai:{name}"),
            Self::Precomputed(file) => write!(formatter, "precomputed:{}", file.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        let same = ["bm25", "bm25:atire", "bm25:lucene,k1=1.5,stem=no", "local:a/b c", "openai:org/model:7b"];
        for text in same.into_iter().chain(["precomputed:C:/runs/a.jsonl"]) {
            let spec: ModelSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!("bm25:lucene".parse::<ModelSpec>().unwrap().to_string(), "bm25");
        assert_eq!("bm25:".parse::<ModelSpec>(), Ok(ModelSpec::Bm25(Options::default())));
    }

    #[test]
    fn what_names_no_model_is_refused_with_a_hint() {
        let cases = [
            ("", "`` is not a model"),
            ("gpt-4", "`gpt-4` is not a model"),
            ("BM25", "`BM25` is not a model"),
            ("local", "`local:` names no folder or file"),
            ("openai: ", "`openai:` names no model"),
            ("precomputed:", "`precomputed:` names no file"),
            ("bm25:okapi", "bm25 knows no `okapi`"),
            ("bm25:b=2", "`2` is no value for b of bm25"),
        ];
        for (text, words) in cases {
            let error = text.parse::<ModelSpec>().unwrap_err();
            assert_eq!(error.to_string(), words);
            assert!(error.hint().is_some());
        }
    }
}
