//! An input of a function as a file that people write, too: see `docs/inputs.md`.
//!
//! Values stand by position, never by name, so that a file holds for a function under any names. What they mean depends on
//! the types of the function: `layout` reads them with these.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The format that files have.
const FORMAT: u32 = 1;

/// An input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The format.
    #[serde(rename = "estrange-input")]
    pub(crate) format: u32,
    /// Anything, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) about: Option<Json>,
    /// What is handed over, by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Json>,
    /// What variables outside of functions hold, by position.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) globals: BTreeMap<String, Json>,
    /// Objects that several pointers lead to, or one in the middle.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) objects: BTreeMap<String, Json>,
    /// Functions that are handed in, with what they answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) functions: BTreeMap<String, Vec<Json>>,
    /// What streams hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) streams: Vec<Json>,
    /// Variables of the environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) environment: BTreeMap<String, Json>,
    /// Files in the folder that the function works in.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) files: BTreeMap<String, Json>,
    /// What is read from standard input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stdin: Option<Json>,
    /// How often the function is called: once or twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) calls: Option<u32>,
    /// The allocations, counted from 0, for which there is no memory.
    #[serde(default, rename = "no-memory", skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing: Vec<u64>,
    /// How reading and writing of descriptors without a file ends, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) descriptors: Vec<Json>,
    /// What cannot be written by its values: how it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) drawn: Option<Drawn>,
}

/// An input as it was drawn. It is one of the same text only, and of the same version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drawn {
    /// The version of what draws.
    pub(crate) version: String,
    /// Stands for all that the function's text says about what can be drawn.
    pub(crate) plan: String,
    /// The seed and the choices, as the harness has them.
    pub(crate) words: Vec<u64>,
}

/// Why an input cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// The file is none.
    #[error("it is no input: {0}")]
    Malformed(String),
    /// It has a format that is not known.
    #[error("it has the format {0}, and only {FORMAT} is known")]
    Format(u32),
    /// It has not as many arguments as the function.
    #[error("it has {found} arguments, and the function takes {wanted}")]
    Arguments {
        /// Those that it has.
        found: usize,
        /// Those that the function takes, as text: with their names.
        wanted: String,
    },
    /// A value does not fit its place.
    #[error("{place} does not fit: {wanted} is wanted there, and it has {found}")]
    Misfit {
        /// Where.
        place: String,
        /// What belongs there.
        wanted: String,
        /// What stands there.
        found: String,
    },
    /// It was drawn for another text, or by another version.
    #[error("it is not written by its values, and was drawn for another text or by another version")]
    DrawnElsewhere,
}

impl Input {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is none of an input.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let read: Result<Self, _> = serde_json::from_str(text);
        let input = read.map_err(|error| InputError::Malformed(error.to_string()))?;
        match input {
            Self { format, .. } if format != FORMAT => Err(InputError::Format(format)),
            Self { arguments: None, drawn: None, .. } => {
                Err(InputError::Malformed("it says nothing of `arguments`".to_owned()))
            }
            Self { arguments: Some(_), drawn: Some(_), .. } => {
                Err(InputError::Malformed("it has `arguments`, and was `drawn`".to_owned()))
            }
            input => Ok(input),
        }
    }

    /// An input that says nothing yet.
    pub(crate) fn empty() -> Self {
        Self {
            format: FORMAT,
            about: None,
            arguments: None,
            globals: BTreeMap::new(),
            objects: BTreeMap::new(),
            functions: BTreeMap::new(),
            streams: Vec::new(),
            environment: BTreeMap::new(),
            files: BTreeMap::new(),
            stdin: None,
            calls: None,
            missing: Vec::new(),
            descriptors: Vec::new(),
            drawn: None,
        }
    }

    /// The text of a file.
    pub fn text(&self) -> String {
        // Numbers, texts and maps with texts for keys are all that is in it.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether several pointers lead to one object, or one into its middle.
    pub(crate) fn has_shared_objects(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Whether values and memory are all that it has: it is written by these, the function is called once, and nothing is
    /// handed in that answers.
    pub(crate) fn is_plain(&self) -> bool {
        let is_alone = self.functions.is_empty() && self.streams.is_empty() && self.stdin.is_none();
        let has_no_world = self.environment.is_empty() && self.files.is_empty() && self.descriptors.is_empty();
        let is_once = self.calls.is_none_or(|calls| calls == 1) && self.missing.is_empty();
        self.is_portable() && is_alone && has_no_world && is_once
    }

    /// The same on a program that has just begun: variables outside of functions hold what its text says.
    #[must_use]
    pub fn at_the_start(&self) -> Self {
        Self { globals: BTreeMap::new(), ..self.clone() }
    }

    /// Whether it is written by its values, and so holds under other names and for other texts.
    pub fn is_portable(&self) -> bool {
        self.drawn.is_none()
    }
}

/// Values by position: a list, or a map whose keys begin with the position, such as `0 name`. What stands behind it is for
/// people.
pub(crate) fn by_position(value: &Json) -> Option<Vec<(usize, &Json)>> {
    match value {
        Json::Array(values) => Some(values.iter().enumerate().collect()),
        Json::Object(values) => {
            let all: Option<Vec<_>> = values.iter().map(|(key, value)| Some((position(key)?, value))).collect();
            let mut all = all?;
            all.sort_by_key(|(position, _)| *position);
            Some(all)
        }
        _ => None,
    }
}

/// The position that a key begins with.
pub(crate) fn position(key: &str) -> Option<usize> {
    key.split_whitespace().next()?.parse().ok()
}

/// The key of a position, with a name for people.
pub(crate) fn key(position: usize, name: &str) -> String {
    format!("{position} {name}").trim_end().to_owned()
}

/// The bytes of a text: a string, or `{"bytes": "68656c6c6f"}`.
pub(crate) fn bytes(value: &Json) -> Option<Vec<u8>> {
    match value {
        Json::String(text) => Some(text.clone().into_bytes()),
        Json::Object(map) if map.len() == 1 => hexadecimal(map.get("bytes")?.as_str()?),
        _ => None,
    }
}

/// Bytes as two digits each, blanks between them.
pub(crate) fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().filter(|letter| !letter.is_whitespace()).map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// Bytes as a text, or as digits where they are none.
pub(crate) fn written(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.contains(&0) => Json::from(text),
        _ => serde_json::json!({ "bytes": digits(bytes) }),
    }
}

pub(crate) fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inputs_are_inputs() {
        let read = |text: &str| Input::read(text).unwrap_err();
        assert!(matches!(read("not json"), InputError::Malformed(_)));
        assert!(matches!(read("{}"), InputError::Malformed(_)));
        assert!(matches!(read(r#"{"estrange-input": 1}"#), InputError::Malformed(_)));
        assert!(matches!(read(r#"{"estrange-input": 1, "arguments": [], "argument": 2}"#), InputError::Malformed(_)));
        assert_eq!(read(r#"{"estrange-input": 9, "arguments": []}"#), InputError::Format(9));
        let input = Input::read(r#"{"estrange-input": 1, "arguments": [1, "text"]}"#).unwrap();
        assert_eq!(Input::read(&input.text()), Ok(input));
    }

    #[test]
    fn positions_may_have_names_behind_them() {
        let map = serde_json::json!({ "1 size": 3, "0": 2 });
        assert_eq!(by_position(&map).map(|all| all.len()), Some(2));
        assert_eq!((position("12 name"), position("name")), (Some(12), None));
        assert_eq!(by_position(&serde_json::json!({ "size": 3 })), None);
    }

    #[test]
    fn bytes_are_texts_or_digits() {
        for bytes_ in [&b"hi"[..], b"\xff\0", b"", b"\n"] {
            assert_eq!(bytes(&written(bytes_)), Some(bytes_.to_vec()));
        }
        assert_eq!((hexadecimal("0a FF"), hexadecimal("0"), hexadecimal("xy")), (Some(vec![10, 255]), None, None));
    }
}
