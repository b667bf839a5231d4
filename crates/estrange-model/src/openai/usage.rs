//! How many tokens a request takes, and what a server says about it.

use serde::Deserialize;
use serde_json::Value;

/// How many tokens a model reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Those of the texts that it is given.
    pub read: u64,
    /// Those of its answer.
    pub written: u64,
}

impl Tokens {
    /// Both.
    pub fn sum(self) -> u64 {
        self.read + self.written
    }
}

/// The tokens that a server says it counted; nothing of what it does not say. Servers differ in what they tell, and none
/// of it is worth losing an answer for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Usage {
    /// Those of the texts that the model was given.
    pub(super) read: Option<u64>,
    /// Those of its answer.
    pub(super) written: Option<u64>,
}

impl Usage {
    /// The tokens, with what was expected where the server says nothing.
    pub(super) fn or(self, expected: Tokens) -> Tokens {
        Tokens { read: self.read.unwrap_or(expected.read), written: self.written.unwrap_or(expected.written) }
    }

    /// The tokens, if the server says all of them.
    pub(super) fn whole(self) -> Option<Tokens> {
        Some(Tokens { read: self.read?, written: self.written? })
    }
}

impl<'de> Deserialize<'de> for Usage {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let said = Value::deserialize(deserializer)?;
        let [read, written, sum] =
            ["prompt_tokens", "completion_tokens", "total_tokens"].map(|name| said.get(name).and_then(Value::as_u64));
        let rest = |part: Option<u64>| sum?.checked_sub(part?);
        Ok(Self { read: read.or_else(|| rest(written)), written: written.or_else(|| rest(read)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_does_not_say_is_not_known() {
        let usage = |text: &str| {
            let usage: Usage = serde_json::from_str(text).unwrap();
            (usage.read, usage.written)
        };
        assert_eq!(usage(r#"{"prompt_tokens": 7, "completion_tokens": 3}"#), (Some(7), Some(3)));
        assert_eq!(usage(r#"{"completion_tokens": 3, "total_tokens": 10}"#), (Some(7), Some(3)));
        assert_eq!(usage(r#"{"prompt_tokens": 7, "completion_tokens": null}"#), (Some(7), None));
        for nothing in ["{}", "[]", "null", r#"{"prompt_tokens": "7"}"#, r#"{"prompt_tokens": -1}"#] {
            assert_eq!(usage(nothing), (None, None), "{nothing}");
        }
    }
}
