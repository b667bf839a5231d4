//! Places in prompts: which a file must have, what is put there, and code with numbered lines.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use estrange_words::Hint;

/// What a prompt must have a place for, in one of some forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needed {
    /// What belongs there, such as `the code`.
    pub(crate) what: &'static str,
    /// How the place may be written.
    pub(crate) places: &'static [&'static str],
    /// What to write.
    pub(crate) hint: &'static str,
}

/// The code.
pub(crate) const NEEDS_CODE: Needed = Needed {
    what: "the code",
    places: &[CODE, PLAIN],
    hint: "write {{code}} where it is to stand with numbered lines, or {{plain}} for the code as it is",
};

pub(crate) const CODE: &str = "{{code}}";
pub(crate) const PLAIN: &str = "{{plain}}";
pub(crate) const LANGUAGE: &str = "{{language}}";

/// Why a file is no template.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It has no place for something.
    #[error("{} has no place for {}", .path.display(), .needed.what)]
    NoPlace {
        /// The file.
        path: PathBuf,
        /// For what.
        needed: Needed,
    },
}

impl Hint for TemplateError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Unreadable { .. } => None,
            Self::NoPlace { needed, .. } => Some(needed.hint.into()),
        }
    }
}

/// The text of a file, if it has a place for all that is needed.
pub(crate) fn opened(path: &Path, needs: &[Needed]) -> Result<String, TemplateError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| TemplateError::Unreadable { path: path.to_owned(), source })?;
    let is_missing = |needed: &&Needed| !needed.places.iter().any(|place| text.contains(place));
    match needs.iter().find(is_missing) {
        Some(needed) => Err(TemplateError::NoPlace { path: path.to_owned(), needed: *needed }),
        None => Ok(text),
    }
}

/// A text with something in its places. What is put in is not looked at again.
pub(crate) fn filled(text: &str, places: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        filled += &rest[..at];
        rest = &rest[at..];
        let (place, put) = match places.iter().find(|(place, _)| rest.starts_with(place)) {
            Some((place, put)) => (*place, put.as_str()),
            None => ("{{", "{{"),
        };
        filled += put;
        rest = &rest[place.len()..];
    }
    filled + rest
}

/// A text with each line behind its number.
pub(crate) fn numbered(code: &str) -> String {
    let lines = code.lines().enumerate().map(|(place, line)| format!("{:>4} | {line}", place + 1));
    lines.collect::<Vec<_>>().join("\n")
}
