//! What the evidence of a function says, in words.

use serde_json::Value;

use crate::stats::words;

/// A line for each thing that was checked. Evidence that is not understood is shown as it is.
pub fn in_words(evidence: &str) -> Vec<String> {
    match serde_json::from_str(evidence) {
        Ok(Value::Object(checks)) => checks.iter().flat_map(|(check, result)| self::check(check, result)).collect(),
        Ok(Value::Null) => Vec::new(),
        Ok(other) => vec![other.to_string()],
        Err(_) => vec![evidence.to_owned()],
    }
}

fn check(check: &str, result: &Value) -> Vec<String> {
    let name = check.replace(['-', '_'], " ");
    match (check, result) {
        ("same_code" | "same-code", Value::Object(levels)) => {
            let found: Vec<(String, String)> =
                levels.iter().map(|(level, verdict)| (words::level(level), self::verdict(verdict))).collect();
            // One line for the levels at which the same was found.
            let alike = found.chunk_by(|one, other| one.1 == other.1);
            alike
                .map(|alike| {
                    let levels: Vec<&str> = alike.iter().map(|(level, _)| level.as_str()).collect();
                    format!("machine code at {}: {}", levels.join(" and "), alike[0].1)
                })
                .collect()
        }
        (_, Value::Bool(true)) => vec![name],
        (_, Value::Bool(false)) => vec![format!("not: {name}")],
        (_, Value::String(text)) => vec![format!("{name}: {text}")],
        (_, Value::Array(items)) if items.iter().all(Value::is_string) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            vec![format!("{name}: {}", items.join(", "))]
        }
        (_, other) => vec![format!("{name}: {}", plain(other))],
    }
}

/// A verdict is a word, or an object of the word and what more there is to say.
fn verdict(verdict: &Value) -> String {
    match verdict {
        Value::String(word) => words::verdict(word),
        Value::Object(fields) if fields.len() == 1 => {
            let said = fields.iter().map(|(word, detail)| format!("{} ({})", words::verdict(word), plain(detail)));
            said.collect()
        }
        other => other.to_string(),
    }
}

/// `line 3, original ret, unit nop`.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{} {}", name.replace('_', " "), plain(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_said_in_words() {
        assert_eq!(
            in_words(
                r#"{"compiles": {"gcc": "12.2.0", "clang": "19.1.7"}, "same_code": {"o0": "same", "o2": "same"}}"#
            ),
            ["compiles: clang 19.1.7, gcc 12.2.0", "machine code at -O0 and -O2: the same as in its project"]
        );
        assert_eq!(
            in_words(
                r#"{"same_code": {"o0": {"explained": "place"}, "o2": {"different": {"line": 3, "unit": "ret"}}}}"#
            ),
            [
                "machine code at -O0: the same as in its project, but for a reason that was checked (place)",
                "machine code at -O2: other than in its project (line 3, unit ret)"
            ]
        );
        assert_eq!(in_words(r#"{"sanitizers": true, "runs": 3}"#), ["runs: 3", "sanitizers"]);
        assert_eq!(in_words("odd"), ["odd"]);
        assert!(in_words("{}").is_empty());
    }
}
