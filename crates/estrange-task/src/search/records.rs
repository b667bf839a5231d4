//! What a run of a search has besides what every run has: rankings, how far vectors moved, and what was searched.

use estrange_bench::{Answer, BenchError, Group, Item, Run, RunPart, View, record};
use serde::{Deserialize, Serialize};

record! {
    /// What was found for a query: one row of `rankings.parquet`.
    pub struct Ranking in "rankings.parquet" {
        /// The item, as in the tables that every run has.
        pub item: String,
        /// The group of the corpus.
        pub group: Group,
        /// Its view.
        pub view: View,
        /// Its setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// The query.
        pub query_id: String,
        /// The documents, the best first.
        pub documents: Vec<String>,
        /// Their scores.
        pub scores: Vec<f64>,
    }
}

record! {
    /// How far a function's vector moved from the standard setting to another: one row of `shifts.parquet`.
    pub struct Shift in "shifts.parquet" {
        /// The function.
        pub function_id: String,
        /// Its group.
        pub group: Group,
        /// The setting.
        pub setting: String,
        /// The seed.
        pub seed: u32,
        /// The Euclidean distance between the two vectors.
        pub distance: f64,
    }
}

/// A corpus that was searched, as a run knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFacts {
    /// The group.
    pub group: Group,
    /// The view.
    pub view: View,
    /// The setting.
    pub setting: String,
    /// The seed.
    pub seed: u32,
    /// How many queries there are.
    pub queries: u64,
    /// What else is known.
    pub counts: CorpusCounts,
}

/// What a run says of a corpus besides what it says of any part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusCounts {
    /// The group.
    pub group: Group,
    /// The view.
    pub view: View,
    /// How many documents there are.
    pub documents: u64,
    /// How many classes of documents with the same text there are.
    pub duplicate_classes: u64,
    /// How many queries were left out because their function has no text in the setting.
    pub left_out: u64,
}

/// What the queries of a group in a view are called: together with a setting and a seed, a corpus.
pub(super) fn part_name(group: Group, view: View) -> String {
    let view = if group == Group::Three { format!("-{view}") } else { String::new() };
    format!("group{group}{view}")
}

/// What a query is called as an item: the same in every setting.
pub(super) fn item_name(group: Group, view: View, query: &str) -> String {
    format!("{}/{query}", part_name(group, view))
}

impl CorpusFacts {
    /// The corpora that a run searched.
    pub fn of(run: &Run) -> Result<Vec<Self>, BenchError> {
        run.facts().parts.iter().map(|part| Self::of_part(part, run)).collect()
    }

    fn of_part(part: &RunPart, run: &Run) -> Result<Self, BenchError> {
        let damaged = |error: serde_json::Error| BenchError::Damaged {
            path: run.folder().join("run.json"),
            detail: format!("{}: {error}", part.name),
        };
        let counts = CorpusCounts::deserialize(&part.facts).map_err(damaged)?;
        let RunPart { setting, seed, items, .. } = part;
        let (group, view) = (counts.group, counts.view);
        Ok(Self { group, view, setting: setting.clone(), seed: *seed, queries: *items, counts })
    }
}

impl Ranking {
    /// The answer that this ranking is: it has no text of its own.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            item: self.item.clone(),
            setting: self.setting.clone(),
            seed: self.seed,
            sample: 0,
            prompt: None,
            parameters: "{}".to_owned(),
            text: None,
            prompt_tokens: None,
            answer_tokens: None,
            cost: None,
            seconds: None,
        }
    }

    /// Whether two rankings are of the same corpus.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        (self.group, self.view, self.seed) == (other.group, other.view, other.seed) && self.setting == other.setting
    }
}

/// The item that a query is in a corpus.
pub(super) fn item(name: String, setting: &str, seed: u32, function: Option<String>) -> Item {
    Item { task: super::NAME.to_owned(), item: name, setting: setting.to_owned(), seed, function_id: function }
}
