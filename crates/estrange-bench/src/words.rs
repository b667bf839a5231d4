//! The closed lists of words that stand in columns: languages, kinds, groups, splits.
//!
//! Each is one enum, spelled in one way everywhere: in Parquet, in JSON, on the command line.

/// Declares an enum whose values are written as words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$word_meta:meta])* $word:ident = $text:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$word_meta])* #[serde(rename = $text)] $word,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [Self] = &[$(Self::$word,)+];

            /// The word, as it stands in the bench.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$word),)+
                    _ => Err($crate::words::UnknownWord {
                        found: text.to_owned(),
                        known: Self::ALL.iter().map(|word| word.as_str()).collect(),
                    }),
                }
            }
        }

        impl $crate::column::Word for $name {
            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

pub(crate) use words;

/// A word that is not in its list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is none of {}", .known.join(", "))]
pub struct UnknownWord {
    /// The word.
    pub found: String,
    /// The words there are.
    pub known: Vec<&'static str>,
}

words! {
    /// The language a function is written in.
    pub enum Language {
        /// C.
        C = "c",
        /// C++.
        Cpp = "c++",
    }
}

words! {
    /// What documents are in a search.
    pub enum View {
        /// Functions alone; in group 3 the helpers are documents of their own.
        Short = "short",
        /// Functions with their helpers, as one document each: only group 3 has such.
        Long = "long",
    }
}

words! {
    /// What the author of a query is.
    pub enum WrittenBy {
        /// A person, who wrote it as a query.
        Person = "person",
        /// A person, who wrote it as the function's documentation.
        Comment = "comment",
        /// A model.
        Model = "model",
    }
}

words! {
    /// What a function is in its language. Members are never `function`, `operator` or `template`: a member
    /// operator and a member template are methods.
    pub enum Kind {
        /// A free function.
        Function = "function",
        /// A member function, static or not.
        Method = "method",
        /// A constructor.
        Constructor = "constructor",
        /// A destructor.
        Destructor = "destructor",
        /// A conversion to another type.
        Conversion = "conversion",
        /// An operator that is not a member.
        Operator = "operator",
        /// A function template that is not a member.
        Template = "template",
    }
}

words! {
    /// How much a function depends on.
    pub enum Group {
        /// On the standard library only.
        One = "1",
        /// On types of its project.
        Two = "2",
        /// On functions of its project.
        Three = "3",
    }
}

words! {
    /// What a source is for. All functions of a source are in the same split.
    pub enum Split {
        /// For training.
        Train = "train",
        /// For evaluation.
        Eval = "eval",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_spelled_alike_everywhere() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        assert_eq!("c++".parse(), Ok(Language::Cpp));
        assert_eq!("3-long".parse::<Group>().unwrap_err().to_string(), "`3-long` is none of 1, 2, 3");
    }
}
