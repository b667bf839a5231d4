//! Parts of a request that a server does not want, and how requests do without them.
//!
//! Models that think before they answer want no temperature, and call the bound of an answer by another name; some servers
//! know no seed. They say so by refusing the request. What they name is left out from then on.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::error::ServerError;

/// A part of a request that it may do without, and what else it may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) instead: Option<&'static str>,
}

/// By which words a server says that it does not want something. A value that is only too large is none of them.
const NOT_WANTED: [&str; 9] = [
    "unsupported",
    "not support",
    "unrecognized",
    "unknown",
    "not permitted",
    "not allowed",
    "not accept",
    "unexpected",
    "deprecated",
];

/// What a server was found not to want.
#[derive(Debug, Default)]
pub(super) struct Unwanted(Mutex<BTreeSet<&'static str>>);

impl Unwanted {
    /// A request without what is not wanted.
    pub(super) fn leave_out(&self, body: &Value, parts: &[Part]) -> Value {
        let unwanted = self.lock();
        let mut body = body.clone();
        let Some(fields) = body.as_object_mut() else { return body };
        for Part { name, instead } in parts.iter().filter(|part| unwanted.contains(part.name)) {
            let Some(value) = fields.remove(*name) else { continue };
            if let Some(instead) = instead.filter(|instead| !unwanted.contains(instead)) {
                fields.entry(instead).or_insert(value);
            }
        }
        body
    }

    /// The part of a request that a refusal is about, which is not wanted from now on.
    pub(super) fn learn(&self, refusal: &ServerError, sent: &Value, parts: &[Part]) -> Option<Part> {
        let ServerError::Refused { status: 400 | 422, message, parameter, .. } = refusal else { return None };
        let message = message.to_lowercase();
        if !NOT_WANTED.iter().any(|words| message.contains(words)) {
            return None;
        }
        let all = parts.iter().flat_map(|part| {
            let other = part.instead.map(|name| Part { name, instead: None });
            [Some(*part), other].into_iter().flatten()
        });
        let sent = all.filter(|part| sent.get(part.name).is_some());
        let is_named = |part: &Part| match parameter {
            Some(parameter) => parameter == part.name,
            None => is_in(part.name, &message),
        };
        // Where a message says what to write instead, it names what it is about first.
        let part = sent.filter(is_named).min_by_key(|part| message.find(part.name))?;
        self.lock().insert(part.name);
        Some(part)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<&'static str>> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a text has this word as a whole.
fn is_in(word: &str, text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|each| each == word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PARTS: [Part; 2] = [
        Part { name: "max_tokens", instead: Some("max_completion_tokens") },
        Part { name: "temperature", instead: None },
    ];

    fn refusal(status: u16, message: &str, parameter: Option<&str>) -> ServerError {
        ServerError::Refused {
            address: String::new(),
            status,
            message: message.to_owned(),
            parameter: parameter.map(str::to_owned),
        }
    }

    #[test]
    fn what_a_server_refuses_by_name_is_left_out() {
        let unwanted = Unwanted::default();
        let body = json!({ "model": "m", "max_tokens": 9, "temperature": 0.0 });
        let said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
        assert_eq!(unwanted.learn(&refusal(400, said, Some("max_tokens")), &body, &PARTS), Some(PARTS[0]));
        let sent = unwanted.leave_out(&body, &PARTS);
        assert_eq!(sent, json!({ "model": "m", "max_completion_tokens": 9, "temperature": 0.0 }));
        let said = "'temperature' does not support 0 with this model";
        assert_eq!(unwanted.learn(&refusal(400, said, None), &sent, &PARTS), Some(PARTS[1]));
        // Neither name is known.
        let said = "extra fields not permitted: max_completion_tokens";
        let learnt = unwanted.learn(&refusal(422, said, None), &unwanted.leave_out(&body, &PARTS), &PARTS);
        assert_eq!(learnt.map(|part| part.name), Some("max_completion_tokens"));
        assert_eq!(unwanted.leave_out(&body, &PARTS), json!({ "model": "m" }));
    }

    #[test]
    fn what_is_refused_for_another_reason_stays() {
        let body = json!({ "max_tokens": 9, "temperature": 0.0 });
        for (status, message, parameter) in [
            (400, "max_tokens is too large: this model supports at most 4096", Some("max_tokens")),
            (400, "unknown model", None),
            (400, "Unsupported value: 'seed'", Some("seed")),
            (404, "temperature is not supported", Some("temperature")),
        ] {
            let learnt = Unwanted::default().learn(&refusal(status, message, parameter), &body, &PARTS);
            assert_eq!(learnt, None, "{message}");
        }
    }
}
