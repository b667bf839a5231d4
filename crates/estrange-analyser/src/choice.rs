//! How a person names an analyser.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use estrange_words::{Hint, words};

words! {
    /// An analyser that Estrange knows how to ask.
    pub enum BuiltIn {
        /// cppcheck, with its warnings and portability checks.
        Cppcheck = "cppcheck",
        /// flawfinder, which looks for calls that are often wrong.
        Flawfinder = "flawfinder",
        /// clang's static analyser, with the checkers that it has on.
        Clang = "clang-analyzer",
        /// The analyser within gcc and g++.
        Gcc = "gcc-fanalyzer",
    }
}

impl BuiltIn {
    /// The program that is looked for, and the Debian package that has it.
    pub(crate) const fn programs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Cppcheck => &[("cppcheck", "cppcheck")],
            Self::Flawfinder => &[("flawfinder", "flawfinder")],
            Self::Clang => &[("clang-19", "clang-19")],
            Self::Gcc => &[("gcc", "gcc"), ("g++", "g++")],
        }
    }
}

/// An analyser as a person names it. [`fmt::Display`] prints what [`FromStr`] reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// One that Estrange knows how to ask.
    BuiltIn(BuiltIn),
    /// A command, written as for a shell, that writes SARIF to its standard output. It is given the file's path: in the
    /// place of `{}`, or as its last argument.
    Sarif(String),
}

/// What stands before a command.
const COMMAND: &str = "sarif:";

/// The text does not name an analyser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no such analyser.
    #[error("`{0}` is no analyser")]
    Unknown(String),
    /// Behind the colon there is nothing.
    #[error("`{COMMAND}` names no command")]
    NoCommand,
}

impl Hint for ChoiceError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let known: Vec<&str> = BuiltIn::ALL.iter().map(|word| word.as_str()).collect();
        Some(match self {
            Self::Unknown(_) => format!("write {} or {COMMAND}COMMAND", known.join(", ")).into(),
            Self::NoCommand => "write the command behind the colon, such as `sarif:semgrep --sarif {}`".into(),
        })
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text.strip_prefix(COMMAND).map(str::trim) {
            Some("") => Err(ChoiceError::NoCommand),
            Some(command) => Ok(Self::Sarif(command.to_owned())),
            None => text.parse().map(Self::BuiltIn).map_err(|_| ChoiceError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(known) => formatter.write_str(known.as_str()),
            Self::Sarif(command) => write!(formatter, "{COMMAND}{command}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BuiltIn, Choice, ChoiceError};
    use estrange_words::Hint;

    #[test]
    fn what_is_printed_is_read() {
        for word in BuiltIn::ALL.iter().map(|word| word.as_str()).chain(["sarif:semgrep --sarif '{}'"]) {
            assert_eq!(word.parse::<Choice>().unwrap().to_string(), word);
        }
        assert_eq!("sarif: infer ".parse(), Ok(Choice::Sarif("infer".to_owned())));
    }

    #[test]
    fn what_names_no_analyser_is_told() {
        assert_eq!("sarif:  ".parse::<Choice>(), Err(ChoiceError::NoCommand));
        for word in ["", "lint", "Cppcheck", "sarif", "alpha:clang"] {
            let error = word.parse::<Choice>().unwrap_err();
            assert_eq!(error, ChoiceError::Unknown(word.to_owned()));
            assert!(error.hint().unwrap().contains("gcc-fanalyzer"));
        }
    }
}
