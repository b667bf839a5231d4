//! Answers that somebody gave before: `precomputed:FILE`, JSON lines or comma-separated values.
//!
//! A line has `item`, `setting` and `answer`, and `seed` (0 where it is not there). What the file says of an item that is not
//! asked is an error; an item that the file does not have has no answer.

use std::path::Path;

use estrange_bench::Problem;
use estrange_model::Watch;
use serde::Deserialize;
use serde_json::json;

use super::comprehension::Comprehension;
use super::error::ProbeError;
use super::respondent::{Reply, Respondent, Said, Shown};
use crate::given::{Form, Given, Key, PrecomputedError};

/// What a file has.
const FORM: Form = Form {
    noun: "answer",
    one: "an answer",
    line: "{\"item\": \"PAIR/1\", \"setting\": \"L2\", \"seed\": 0, \"answer\": \"42\"}",
    numbers: &["seed"],
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    item: String,
    setting: String,
    #[serde(default)]
    seed: u32,
    answer: String,
}

/// Answers out of a file.
#[derive(Debug)]
pub struct Precomputed(Given<String>);

impl Precomputed {
    /// Reads a file, and refuses what it says of items that there are not.
    pub fn open(path: &Path, task: &Comprehension) -> Result<Self, PrecomputedError> {
        let said = |row: Row| Ok(((row.item, row.setting, row.seed), row.answer));
        let given = Given::open(path, FORM, |key| task.knows(key), said)?;
        given.says_of(task.shown().map(|shown| key_of(&shown)), path, FORM).map(Self)
    }
}

fn key_of(shown: &Shown<'_>) -> Key {
    (shown.question.item.clone(), shown.question.setting.clone(), shown.question.seed)
}

impl Respondent for Precomputed {
    fn card(&self) -> serde_json::Value {
        json!({ "model": format!("precomputed:{}", self.0.name), "hash": self.0.hash })
    }

    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError> {
        watch.done(shown.len());
        let reply = |shown: &Shown<'_>| match self.0.said.get(&key_of(shown)) {
            Some(answer) => Ok(Reply::Answer(answer.clone())),
            None => Err((Problem::NotInFile, String::new())),
        };
        Ok(shown.iter().map(|shown| vec![Said::of(reply(shown))]).collect())
    }
}
