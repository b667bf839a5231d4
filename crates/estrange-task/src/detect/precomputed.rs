//! Verdicts that somebody gave before: `precomputed:FILE`, JSON lines or comma-separated values.
//!
//! A line has `item`, `setting` and `verdict`, and if there is more to say `seed` (0 where it is not there), `line`, `cwe` and
//! `confidence`. Items are called `PAIR/vulnerable` and `PAIR/patched`. What the file says of an item that the bench does not have
//! is an error; an item that the file does not have has no verdict.

use std::collections::HashMap;
use std::path::Path;

use estrange_bench::{Problem, Verdict};
use estrange_model::Watch;
use serde::Deserialize;
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown};
use super::error::{DetectError, PrecomputedError};
use super::ladder::{Key, Ladder};
use crate::given::rows;

/// What is a number in a row.
const NUMBERS: [&str; 4] = ["seed", "line", "cwe", "confidence"];

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
pub struct Precomputed {
    said: HashMap<Key, Said>,
    name: String,
    hash: String,
}

impl Precomputed {
    /// Reads a file, and refuses what it says of items that the bench does not have.
    pub fn open(path: &Path, ladder: &Ladder) -> Result<Self, PrecomputedError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| PrecomputedError::Unreadable { path: path.to_owned(), source })?;
        let mut said = HashMap::new();
        for (line, row) in rows::<Row>(&text, &NUMBERS) {
            let wrong = |detail: String| PrecomputedError::Line { path: path.to_owned(), line, detail };
            let row = row.map_err(wrong)?;
            let key = (row.item, row.setting, row.seed);
            if !ladder.knows(&key) {
                return Err(wrong(format!("the bench has no item `{}` in {}, seed {}", key.0, key.1, key.2)));
            }
            if row.confidence.is_some_and(|sure| !(0.0..=1.0).contains(&sure)) {
                return Err(wrong("a confidence is a number from 0 to 1".to_owned()));
            }
            let one = Said { line: row.line, cwe: row.cwe, confidence: row.confidence, ..Said::plain(row.verdict) };
            if said.insert(key, one).is_some() {
                return Err(wrong("it has a verdict already".to_owned()));
            }
        }
        let is_asked = |shown: Shown<'_>| said.contains_key(&key_of(&shown));
        if !ladder.shown().any(is_asked) {
            return Err(PrecomputedError::Empty { path: path.to_owned() });
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { said, name, hash: blake3::hash(text.as_bytes()).to_hex().to_string() })
    }
}

fn key_of(shown: &Shown<'_>) -> Key {
    (shown.case.item.clone(), shown.case.setting.clone(), shown.case.seed)
}

impl Detector for Precomputed {
    fn card(&self) -> Value {
        json!({ "model": format!("precomputed:{}", self.name), "hash": self.hash })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        watch.done(shown.len());
        let none = || Said::problem(Problem::NotInFile, "");
        Ok(shown.iter().map(|shown| vec![self.said.get(&key_of(shown)).cloned().unwrap_or_else(none)]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same_and_what_is_wrong_names_its_line() {
        let json = "{\"item\": \"a,b/patched\", \"setting\": \"L0\", \"verdict\": \"safe\", \"line\": 3}\n";
        let comma = "item,setting,verdict,line\n\"a,b/patched\",L0,safe,3\n";
        for text in [json, comma] {
            let rows = rows::<Row>(text, &NUMBERS);
            let (_, row) = &rows[0];
            let row = row.as_ref().unwrap();
            assert_eq!(
                (row.item.as_str(), row.seed, row.verdict, row.line),
                ("a,b/patched", 0, Verdict::Safe, Some(3))
            );
        }
        for text in ["{\"item\": \"a\"}", "item,setting,verdict\na,L0,perhaps", "item,setting,verdict\na,L0", "item\na"]
        {
            let rows = rows::<Row>(text, &NUMBERS);
            assert!(rows.iter().any(|(_, row)| row.is_err()), "{text}");
        }
    }
}
