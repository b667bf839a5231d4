//! What is searched at once: documents, queries, and what is right for each.

use std::collections::HashMap;

use estrange_bench::{CorpusFacts, Group, Query, View};
use estrange_stats::retrieval::Classes;

/// A text that may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// A function's id, or that of a helper.
    pub id: String,
    /// Its text in the setting.
    pub text: String,
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
    /// The queries: id and text.
    pub queries: Vec<(String, String)>,
    /// For each query the documents that are right for it, with their grades.
    pub right: Vec<Vec<(u32, u32)>>,
    /// How many queries have no function here.
    pub left_out: usize,
}

impl Corpus {
    pub(super) fn new(name: String, group: Group, view: View, setting: String, seed: u32) -> Self {
        let (documents, queries, right) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, group, view, setting, seed, documents, queries, right, left_out: 0 }
    }

    pub(super) fn add(&mut self, query: &Query, graded: Vec<(u32, u32)>) {
        self.queries.push((query.id.clone(), query.text.clone()));
        self.right.push(graded);
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
    pub fn facts(&self) -> CorpusFacts {
        CorpusFacts {
            group: self.group,
            view: self.view,
            setting: self.setting.clone(),
            seed: self.seed,
            documents: self.documents.len() as u64,
            queries: self.queries.len() as u64,
            duplicate_classes: self.duplicates().count() as u64,
            left_out: self.left_out as u64,
        }
    }
}
