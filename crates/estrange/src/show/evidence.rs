//! What the evidence of a function says, in words.

use serde_json::{Map, Value};

use crate::stats::words;

/// What was found when machine code was compared, by optimisation level.
const SAME_CODE: &str = "same_code";
/// What more there is to say about it, by level too.
const NOTES: &str = "same_code_notes";

/// A line for each thing that was checked. Evidence that is not understood is shown as it is.
pub fn in_words(evidence: &str) -> Vec<String> {
    let checks = match serde_json::from_str(evidence) {
        Ok(Value::Object(checks)) => checks,
        _ => return vec![evidence.to_owned()],
    };
    let lines = checks.iter().flat_map(|(check, result)| match (check.as_str(), result) {
        (SAME_CODE, Value::Object(levels)) => same_code(levels, checks.get(NOTES)),
        (NOTES, Value::Object(_)) => Vec::new(),
        (_, result) => vec![other(check, result)],
    });
    lines.collect()
}

/// One line for the levels at which the same was found.
fn same_code(levels: &Map<String, Value>, notes: Option<&Value>) -> Vec<String> {
    let found = levels.iter().map(|(level, verdict)| {
        let verdict = words::verdict(&plain(verdict));
        let note = notes.and_then(|notes| notes.get(level)).map(|note| format!(" ({})", plain(note)));
        (words::level(level), verdict + &note.unwrap_or_default())
    });
    let found: Vec<(String, String)> = found.collect();
    let line = |alike: &[(String, String)]| {
        let levels: Vec<&str> = alike.iter().map(|(level, _)| level.as_str()).collect();
        format!("machine code at {}: {}", levels.join(" and "), alike[0].1)
    };
    found.chunk_by(|one, next| one.1 == next.1).map(line).collect()
}

fn other(check: &str, result: &Value) -> String {
    let name = check.replace(['-', '_'], " ");
    match result {
        Value::Bool(true) => name,
        Value::Bool(false) => format!("not {name}"),
        result => format!("{name}: {}", plain(result)),
    }
}

/// A value without the marks of JSON: `line 3, original ret, unit nop`.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match plain(value) {
                // A tool's version often begins with its name.
                text if text.split_whitespace().any(|word| word == name) => text,
                text => format!("{} {text}", name.replace('_', " ")),
            };
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_checked_is_said_in_words() {
        let versions = r#"{"clang": "Debian clang version 19.1.7", "gcc": "12.2.0"}"#;
        assert_eq!(
            in_words(&format!(r#"{{"compiles": {versions}, "same_code": {{"o0": "same", "o2": "same"}}}}"#)),
            [
                "compiles: Debian clang version 19.1.7, gcc 12.2.0",
                "machine code at -O0 and -O2: the same as in its project"
            ]
        );
        assert_eq!(in_words(r#"{"sanitizers": true, "runs": 3}"#), ["runs: 3", "sanitizers"]);
    }

    #[test]
    fn a_difference_is_said_with_its_note() {
        assert_eq!(
            in_words(
                r#"{"same_code": {"o0": "explained", "o2": "different"},
                    "same_code_notes": {"o0": ["place"], "o2": {"line": 3, "unit": "ret"}}}"#
            ),
            [
                "machine code at -O0: the same as in its project, but for a reason that was checked (place)",
                "machine code at -O2: other than in its project (line 3, unit ret)"
            ]
        );
    }

    #[test]
    fn what_is_not_understood_is_shown_as_it_is() {
        assert_eq!(in_words("odd"), ["odd"]);
        assert!(in_words(r#"{"same_code": {}, "same_code_notes": {}}"#).is_empty());
    }
}
