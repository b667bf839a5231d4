//! What the evidence of a function says, in words.

use std::collections::BTreeMap;

use estrange_bench::UnitEvidence;
use estrange_bench::evidence::{CodeDifference, Note, SameCode};
use estrange_words::Word;

use crate::stats::words;

/// A line for each thing that was checked.
pub fn in_words(evidence: &UnitEvidence) -> Vec<String> {
    // What is new in the evidence is to be said here, too.
    let UnitEvidence { checked, compiles, imported, same_code: levels, same_code_notes, missing } = evidence;
    let mut lines = Vec::new();
    lines.extend(checked.as_ref().map(|what| format!("checked: {what}")));
    lines.extend(compiles.as_ref().map(|tools| format!("compiles: {}", versions(tools))));
    lines.extend(imported.as_ref().map(|from| format!("imported: {from}")));
    if let Some(levels) = levels {
        let note = |level: &str| same_code_notes.as_ref().and_then(|notes| notes.get(level));
        lines.extend(same_code(levels, note));
    }
    lines.extend(missing.as_ref().map(|names| format!("missing in the project: {}", names.join(", "))));
    lines
}

/// One line for the levels at which the same was found.
fn same_code<'e>(levels: &BTreeMap<String, SameCode>, note: impl Fn(&str) -> Option<&'e Note>) -> Vec<String> {
    let found = levels.iter().map(|(level, verdict)| {
        let note = note(level).map(|note| format!(" ({})", said(note)));
        (words::level(level), verdict.phrase() + &note.unwrap_or_default())
    });
    let found: Vec<(String, String)> = found.collect();
    let line = |alike: &[(String, String)]| {
        let levels: Vec<&str> = alike.iter().map(|(level, _)| level.as_str()).collect();
        format!("machine code at {}: {}", levels.join(" and "), alike[0].1)
    };
    found.chunk_by(|one, next| one.1 == next.1).map(line).collect()
}

fn said(note: &Note) -> String {
    match note {
        Note::Explained(reasons) => reasons.join(", "),
        Note::Different(CodeDifference { line, original, unit }) => {
            format!("line {line}, original {original}, unit {unit}")
        }
        Note::Refused(message) => message.clone(),
    }
}

fn versions(tools: &BTreeMap<String, String>) -> String {
    let tool = |(name, version): (&String, &String)| match version.split_whitespace().any(|word| word == name) {
        // A tool's version often begins with its name.
        true => version.clone(),
        false => format!("{name} {version}"),
    };
    tools.iter().map(tool).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use estrange_bench::Json;

    use super::*;

    fn said_of(evidence: &str) -> Vec<String> {
        in_words(&evidence.parse::<Json<UnitEvidence>>().unwrap())
    }

    #[test]
    fn what_was_checked_is_said_in_words() {
        let versions = r#"{"clang": "Debian clang version 19.1.7", "gcc": "12.2.0"}"#;
        assert_eq!(
            said_of(&format!(r#"{{"compiles": {versions}, "same_code": {{"o0": "same", "o2": "same"}}}}"#)),
            [
                "compiles: Debian clang version 19.1.7, gcc 12.2.0",
                "machine code at -O0 and -O2: the same as in its project"
            ]
        );
        let imported = r#"{"checked": "nothing", "imported": "clarc"}"#;
        assert_eq!(said_of(imported), ["checked: nothing", "imported: clarc"]);
        assert!(said_of(r#"{"same_code": {}, "same_code_notes": {}}"#).is_empty());
        assert_eq!(said_of(r#"{"missing": ["far", "away"]}"#), ["missing in the project: far, away"]);
    }

    #[test]
    fn a_difference_is_said_with_its_note() {
        assert_eq!(
            said_of(
                r#"{"same_code": {"o0": "explained", "o2": "different"},
                    "same_code_notes": {"o0": ["place"], "o2": {"line": 3, "original": "nop", "unit": "ret"}}}"#
            ),
            [
                "machine code at -O0: the same as in its project, but for a reason that was checked (place)",
                "machine code at -O2: other than in its project (line 3, original nop, unit ret)"
            ]
        );
    }
}
