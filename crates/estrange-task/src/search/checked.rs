//! How strongly a function was checked, for those who look at results.

use serde_json::Value;

/// How strongly a function was checked, in a word.
pub(super) fn checked(evidence: &str) -> String {
    let value: Value = serde_json::from_str(evidence).unwrap_or_default();
    let levels = value["same_code"].as_object();
    let verdicts: Vec<&str> = levels.into_iter().flatten().filter_map(|(_, verdict)| verdict.as_str()).collect();
    let word = match () {
        () if verdicts.is_empty() && value["compiles"].is_object() => "compiles",
        () if verdicts.is_empty() => "not checked",
        () if verdicts.iter().all(|verdict| *verdict == "same") => "same code",
        () if verdicts.iter().all(|verdict| matches!(*verdict, "same" | "explained")) => "same code, explained",
        () => "compiles",
    };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weakest_verdict_counts() {
        for (evidence, word) in [
            ("", "not checked"),
            ("{}", "not checked"),
            (r#"{"compiles": {}}"#, "compiles"),
            (r#"{"same_code": {"O0": "same", "O2": "same"}}"#, "same code"),
            (r#"{"same_code": {"O0": "same", "O2": "explained"}}"#, "same code, explained"),
            (r#"{"same_code": {"O0": "same", "O2": "different"}}"#, "compiles"),
        ] {
            assert_eq!(checked(evidence), word, "{evidence}");
        }
    }
}
