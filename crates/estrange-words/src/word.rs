//! A closed list of words as an enum: `words!` declares one.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserializer, Error, Visitor};

/// A list longer than this is not repeated in an error.
const SHORT_LIST: usize = 20;

/// A word that is not in its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// The word.
    pub found: String,
    /// The words there are.
    pub known: Vec<&'static str>,
}

impl std::error::Error for UnknownWord {}

impl fmt::Display for UnknownWord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known.len() {
            0..SHORT_LIST => write!(formatter, "`{}` is none of {}", self.found, self.known.join(", ")),
            known => write!(formatter, "`{}` is none of the {known} words that can stand here", self.found),
        }
    }
}

/// One of a closed list of words.
pub trait Word: fmt::Debug + fmt::Display + Copy + Ord + Hash + FromStr<Err = UnknownWord> + 'static {
    /// Every word of the list, in order.
    const ALL: &'static [Self];

    /// The word as it is written.
    fn as_str(self) -> &'static str;

    /// What the word means, in one or two sentences.
    fn meaning(self) -> &'static str;

    /// The first sentence of its meaning as a part of another sentence: with a small letter, without the full stop.
    fn phrase(self) -> String {
        let first = self.meaning().split_once(". ").map_or(self.meaning(), |(first, _)| first);
        let mut letters = first.trim_end_matches('.').chars();
        letters.next().map_or_else(String::new, |letter| letter.to_ascii_lowercase().to_string() + letters.as_str())
    }
}

/// Reads a word from any format: it is written as text in all of them, so that what was stored means the same after a word
/// was added to its list.
#[doc(hidden)]
pub fn deserialize<'de, W: Word, D: Deserializer<'de>>(deserializer: D) -> Result<W, D::Error> {
    struct Read<W>(PhantomData<W>);

    impl<W: Word> Visitor<'_> for Read<W> {
        type Value = W;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a word")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<W, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Read(PhantomData))
}

/// Declares an enum whose values are written as words. Each has a comment, and the comment is its meaning.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[doc = $meaning:literal])+ $(#[default $($default:tt)?])? $word:ident = $text:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[doc = $meaning])+ $(#[default $($default)?])? $word,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$word,)+];

            /// The word, as it is written everywhere.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)+
                }
            }

            /// What the word means, in one or two sentences.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$word => concat!($($meaning),+).trim_ascii_start(),)+
                }
            }
        }

        impl $crate::Word for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }

            fn meaning(self) -> &'static str {
                self.meaning()
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::deserialize(deserializer)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$word),)+
                    _ => Err($crate::UnknownWord {
                        found: text.to_owned(),
                        known: Self::ALL.iter().map(|word| word.as_str()).collect(),
                    }),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Word;

    words! {
        /// How warm it is.
        #[derive(Default)]
        pub enum Warmth {
            /// Warm enough.
            #[default]
            Warm = "warm",
            /// So cold that
            /// water freezes.
            BelowZero = "below-zero",
        }
    }

    #[test]
    fn a_word_is_spelled_alike_everywhere_and_its_comment_is_its_meaning() {
        for &warmth in Warmth::ALL {
            assert_eq!(warmth.as_str().parse(), Ok(warmth));
            assert_eq!(serde_json::to_value(warmth).unwrap(), warmth.as_str());
            assert_eq!(serde_json::from_value::<Warmth>(warmth.as_str().into()).unwrap(), warmth);
        }
        assert_eq!(Warmth::default(), Warmth::Warm);
        assert_eq!(Warmth::BelowZero.meaning(), "So cold that water freezes.");
        assert_eq!(Warmth::BelowZero.phrase(), "so cold that water freezes");
        assert_eq!("cool".parse::<Warmth>().unwrap_err().to_string(), "`cool` is none of warm, below-zero");
    }
}
