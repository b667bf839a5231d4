//! What a ranking by words depends on, and how it is written.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use estrange_words::Hint;
use serde::Serialize;

/// How the score of a word is computed. The names are those of the package bm25s, which follows Kamphuis and others,
/// *Which BM25 Do You Mean?* (2020).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Variant {
    /// The original; a word that half of the documents have counts nothing.
    #[serde(rename = "robertson")]
    Robertson,
    /// As in Lucene, but with exact lengths of documents.
    #[serde(rename = "lucene")]
    Lucene,
    /// As in ATIRE.
    #[serde(rename = "atire")]
    Atire,
    /// BM25+: a word that is there counts at least so much, however long the document is.
    #[serde(rename = "bm25+")]
    Plus,
    /// BM25L: long documents are treated more mildly.
    #[serde(rename = "bm25l")]
    L,
}

impl Variant {
    /// All of them, with their names.
    pub const ALL: [(&str, Variant); 5] = [
        ("robertson", Variant::Robertson),
        ("lucene", Variant::Lucene),
        ("atire", Variant::Atire),
        ("bm25+", Variant::Plus),
        ("bm25l", Variant::L),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, variant)| *variant == self).map_or("", |(name, _)| name)
    }
}

/// What a ranking by words depends on.
///
/// Written as the variant and then what differs from the default, set apart by commas: `lucene`, `atire,k1=1.5,stem=no`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Options {
    /// How the score of a word is computed.
    pub variant: Variant,
    /// How slowly the score of a word grows with how often the document has it: `k1`.
    pub k1: f64,
    /// How much the length of a document counts, from 0 to 1: `b`.
    pub b: f64,
    /// How slowly the weight of a word grows with how often the query has it: `k3`. At 0 it does not grow, and at `inf`
    /// it grows evenly. Descriptions are prose, and say many a word twice for no reason but grammar: so 0 by default.
    pub k3: f64,
    /// What BM25+ and BM25L add: `delta`.
    pub delta: f64,
    /// Whether identifiers are cut into their words, by underscores, case and digits: `split`.
    pub split: bool,
    /// Whether an identifier of several words is a word too: `whole`. Without `split` it always is.
    pub whole: bool,
    /// Whether English words are brought to their stems, *returns* to *return*: `stem`.
    pub stem: bool,
    /// Whether English words that hold sentences together, such as *the*, are left out: `stop`.
    pub stop: bool,
    /// Whether keywords of C and C++ count: `keywords`. Many are the words with which code is described.
    pub keywords: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::Lucene,
            k1: 1.2,
            b: 0.75,
            k3: 0.0,
            delta: 0.5,
            split: true,
            whole: true,
            stem: true,
            stop: true,
            keywords: true,
        }
    }
}

/// Why options cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// There is no such variant or argument.
    #[error("bm25 knows no `{0}`")]
    Unknown(String),
    /// The value of an argument is not one that it can have.
    #[error("`{value}` is no value for {name} of bm25")]
    Value {
        /// The argument.
        name: String,
        /// Its value.
        value: String,
    },
}

impl Hint for OptionsError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            OptionsError::Unknown(_) => format!(
                "variants are {}; arguments are k1, b, k3, delta, split, whole, stem, stop and keywords: \
                 `bm25:lucene,k1=1.2,stem=no`",
                Variant::ALL.map(|(name, _)| name).join(", ")
            )
            .into(),
            OptionsError::Value { name, .. } => match name.as_str() {
                "b" => "a number from 0 to 1 is wanted".into(),
                "k1" | "delta" => "a number of 0 or more is wanted".into(),
                "k3" => "a number of 0 or more is wanted, or `inf`".into(),
                _ => "`yes` or `no` is wanted".into(),
            },
        })
    }
}

impl FromStr for Options {
    type Err = OptionsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut options = Self::default();
        for argument in text.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
            match argument.split_once('=') {
                Some((name, value)) => options.set(name.trim(), value.trim())?,
                None => {
                    let variant = Variant::ALL.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(argument));
                    let unknown = || OptionsError::Unknown(argument.to_owned());
                    options.variant = variant.ok_or_else(unknown)?.1;
                }
            }
        }
        Ok(options)
    }
}

impl Options {
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        let wrong = || OptionsError::Value { name: name.to_owned(), value: value.to_owned() };
        let number = |bound: f64| {
            let number = value.parse().ok().filter(|number| (0.0..=bound).contains(number));
            number.ok_or_else(wrong)
        };
        let answer = || match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(wrong()),
        };
        match name {
            "k1" => self.k1 = number(f64::MAX)?,
            "b" => self.b = number(1.0)?,
            "k3" => self.k3 = number(f64::INFINITY)?,
            "delta" => self.delta = number(f64::MAX)?,
            "split" => self.split = answer()?,
            "whole" => self.whole = answer()?,
            "stem" => self.stem = answer()?,
            "stop" => self.stop = answer()?,
            "keywords" => self.keywords = answer()?,
            _ => return Err(OptionsError::Unknown(name.to_owned())),
        }
        Ok(())
    }
}

impl fmt::Display for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default();
        formatter.write_str(self.variant.name())?;
        let numbers = [
            ("k1", self.k1, default.k1),
            ("b", self.b, default.b),
            ("k3", self.k3, default.k3),
            ("delta", self.delta, default.delta),
        ];
        for (name, value, default) in numbers {
            if value != default {
                write!(formatter, ",{name}={value}")?;
            }
        }
        let answers = [
            ("split", self.split, default.split),
            ("whole", self.whole, default.whole),
            ("stem", self.stem, default.stem),
            ("stop", self.stop, default.stop),
            ("keywords", self.keywords, default.keywords),
        ];
        for (name, value, default) in answers {
            if value != default {
                write!(formatter, ",{name}={}", if value { "yes" } else { "no" })?;
            }
        }
        Ok(())
    }
}
