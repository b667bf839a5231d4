//! How strongly a function was checked, for those who look at results.

use estrange_bench::UnitEvidence;
use estrange_bench::evidence::SameCode;

/// How strongly a function was checked, in a word.
pub(super) fn checked(evidence: &UnitEvidence) -> String {
    let mut verdicts = evidence.verdicts().peekable();
    let word = match () {
        () if verdicts.peek().is_none() && evidence.compiles.is_none() => "not checked",
        () if !evidence.has_same_code() => "compiles",
        () if verdicts.all(|(_, verdict)| verdict == SameCode::Same) => "same code",
        () => "same code, explained",
    };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use estrange_bench::Json;

    use super::*;

    #[test]
    fn the_weakest_verdict_counts() {
        for (evidence, word) in [
            ("{}", "not checked"),
            (r#"{"compiles": {}}"#, "compiles"),
            (r#"{"same_code": {"o0": "same", "o2": "same"}}"#, "same code"),
            (r#"{"same_code": {"o0": "same", "o2": "explained"}}"#, "same code, explained"),
            (r#"{"same_code": {"o0": "same", "o2": "different"}}"#, "compiles"),
        ] {
            let known: Json<UnitEvidence> = evidence.parse().unwrap();
            assert_eq!(checked(&known), word, "{evidence}");
        }
    }
}
