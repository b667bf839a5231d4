//! Verdicts that somebody gave before: `precomputed:FILE`, JSON lines or comma-separated values.
//!
//! A line has `item`, `setting` and `verdict`, and if there is more to say `seed` (0 where it is not there), `line`, `cwe` and
//! `confidence`. Items are called `PAIR/vulnerable` and `PAIR/patched`. What the file says of an item that the bench does not have
//! is an error; an item that the file does not have has no verdict.

use std::path::Path;

use estrange_bench::{Problem, Verdict};
use estrange_model::Watch;
use serde::Deserialize;
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown};
use super::error::DetectError;
use super::ladder::Ladder;
use crate::given::{Form, Given, Key, PrecomputedError};

/// What a file has.
const FORM: Form = Form {
    noun: "verdict",
    one: "a verdict",
    line: "{\"item\": \"PAIR/vulnerable\", \"setting\": \"L2\", \"seed\": 0, \"verdict\": \"vulnerable\" or \"safe\"}",
    numbers: &["seed", "line", "cwe", "confidence"],
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    item: String,
    setting: String,
    #[serde(default)]
    seed: u32,
    verdict: Verdict,
    line: Option<u32>,
    cwe: Option<u32>,
    confidence: Option<f64>,
}

/// Verdicts out of a file.
#[derive(Debug)]
pub struct Precomputed(Given<Said>);

impl Precomputed {
    /// Reads a file, and refuses what it says of items that the bench does not have.
    pub fn open(path: &Path, ladder: &Ladder) -> Result<Self, PrecomputedError> {
        let given = Given::open(path, FORM, |key| ladder.knows(key), read)?;
        given.says_of(ladder.shown().map(|shown| key_of(&shown)), path, FORM).map(Self)
    }
}

/// What a row says of what.
fn read(row: Row) -> Result<(Key, Said), String> {
    if row.confidence.is_some_and(|sure| !(0.0..=1.0).contains(&sure)) {
        return Err("a confidence is a number from 0 to 1".to_owned());
    }
    let said = Said { line: row.line, cwe: row.cwe, confidence: row.confidence, ..Said::plain(row.verdict) };
    Ok(((row.item, row.setting, row.seed), said))
}

fn key_of(shown: &Shown<'_>) -> Key {
    (shown.case.item.clone(), shown.case.setting.clone(), shown.case.seed)
}

impl Detector for Precomputed {
    fn card(&self) -> Value {
        json!({ "model": format!("precomputed:{}", self.0.name), "hash": self.0.hash })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        watch.done(shown.len());
        let none = || Said::problem(Problem::NotInFile, "");
        Ok(shown.iter().map(|shown| vec![self.0.said.get(&key_of(shown)).cloned().unwrap_or_else(none)]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::rows;

    #[test]
    fn both_forms_say_the_same_and_what_is_wrong_names_its_line() {
        let json = "{\"item\": \"a,b/patched\", \"setting\": \"L0\", \"verdict\": \"safe\", \"line\": 3}\n";
        let comma = "item,setting,verdict,line\n\"a,b/patched\",L0,safe,3\n";
        for text in [json, comma] {
            let rows = rows::<Row>(text, FORM.numbers);
            let (_, row) = &rows[0];
            let row = row.as_ref().unwrap();
            assert_eq!(
                (row.item.as_str(), row.seed, row.verdict, row.line),
                ("a,b/patched", 0, Verdict::Safe, Some(3))
            );
        }
        for text in ["{\"item\": \"a\"}", "item,setting,verdict\na,L0,perhaps", "item,setting,verdict\na,L0", "item\na"]
        {
            let rows = rows::<Row>(text, FORM.numbers);
            assert!(rows.iter().any(|(_, row)| row.is_err()), "{text}");
        }
    }
}
