//! What is searched at once: documents, queries, and what is right for each.

use std::collections::HashMap;
use std::sync::Arc;

use estrange_bench::{Group, Item, RunPart, View};
use estrange_stats::retrieval::Classes;

use super::records::{CorpusCounts, item, item_name, part_name};

/// A text that may be found. The library that it comes from holds the same text: this is no copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// A function's id, or that of a helper.
    pub id: Arc<str>,
    /// Its text in the setting.
    pub text: Arc<str>,
}

/// A query as it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: Arc<str>,
    /// The function that it describes.
    pub function: Arc<str>,
    /// The documents that are right for it, with their grades.
    pub right: Vec<(u32, u32)>,
}

/// The functions of a group in a view and a setting, and the queries for them.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// What it is called, here and in exports.
    pub name: String,
    /// The group.
    pub group: Group,
    /// The view.
    pub view: View,
    /// The setting.
    pub setting: String,
    /// The seed.
    pub seed: u32,
    /// The documents, in the order of their ids.
    pub documents: Vec<Document>,
    /// The queries.
    pub queries: Vec<Asked>,
    /// How many queries have no function here.
    pub left_out: usize,
}

impl Corpus {
    pub(super) fn new(name: String, group: Group, view: View, setting: String, seed: u32) -> Self {
        Self { name, group, view, setting, seed, documents: Vec::new(), queries: Vec::new(), left_out: 0 }
    }

    /// What one of its texts is called among those of all corpora: a function has another text in each.
    pub fn id_of(&self, id: &str) -> String {
        format!("{}/{id}", self.name)
    }

    /// Whether helpers are right too, with a lower grade.
    pub fn is_graded(&self) -> bool {
        self.group == Group::Three && self.view == View::Short
    }

    /// Which documents have the same text: any of them is as right as the other.
    pub fn classes(&self) -> Classes {
        let mut classes = Classes::new(self.documents.len());
        self.duplicates().for_each(|same| classes.unite(&same));
        classes
    }

    /// The documents that have the same text, together.
    fn duplicates(&self) -> impl Iterator<Item = Vec<u32>> {
        let mut by_text: HashMap<&str, Vec<u32>> = HashMap::new();
        for (at, document) in self.documents.iter().enumerate() {
            by_text.entry(&document.text).or_default().push(at as u32);
        }
        by_text.into_values().filter(|same| same.len() > 1)
    }

    /// What a run records of it.
    pub(super) fn facts(&self) -> RunPart {
        let counts = CorpusCounts {
            group: self.group,
            view: self.view,
            documents: self.documents.len() as u64,
            duplicate_classes: self.duplicates().count() as u64,
            left_out: self.left_out as u64,
        };
        RunPart {
            name: part_name(self.group, self.view),
            setting: self.setting.clone(),
            seed: self.seed,
            items: self.queries.len() as u64,
            facts: serde_json::json!(counts),
        }
    }

    /// What is asked in it.
    pub(super) fn items(&self) -> Vec<Item> {
        let queries = self.queries.iter();
        queries
            .map(|query| item(self.item_name(&query.id), &self.setting, self.seed, Some(query.function.to_string())))
            .collect()
    }

    /// What one of its queries is called among the items of a run.
    pub(super) fn item_name(&self, query: &str) -> String {
        item_name(self.group, self.view, query)
    }
}
