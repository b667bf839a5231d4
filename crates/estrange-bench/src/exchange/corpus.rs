//! What is exported: documents, queries, and what is right, in plain words.

use std::collections::HashMap;

use super::error::ExchangeError;
use crate::words::{Group, View};

/// The documents and queries of one group, view, setting and seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedCorpus {
    /// What it is called in names of folders, files and configurations.
    pub name: String,
    /// The group.
    pub group: Group,
    /// The view.
    pub view: View,
    /// The setting.
    pub setting: String,
    /// The seed.
    pub seed: u32,
    /// The documents: id and text, in the order of their ids.
    pub documents: Vec<(String, String)>,
    /// The queries: id and text.
    pub queries: Vec<(String, String)>,
    /// What is right: a query's id, a document's id, and the grade.
    pub qrels: Vec<(String, String, u32)>,
}

impl ExportedCorpus {
    /// What a corpus is called: group and setting, the view where a group has two, the seed where a setting has several.
    pub fn name(group: Group, view: View, setting: &str, seed: Option<u32>) -> String {
        let view = if group == Group::Three { format!("-{view}") } else { String::new() };
        let seed = seed.map(|seed| format!("-{seed}")).unwrap_or_default();
        plain(&format!("group{group}{view}-{setting}{seed}"))
    }

    /// Makes one document of those that have the same text: the first of them, with the highest grade that any of them
    /// has. Says of each of the others which one stands for it.
    pub fn unite_duplicates(&mut self) -> HashMap<String, String> {
        let mut first: HashMap<&str, &str> = HashMap::new();
        let mut stands_for: HashMap<String, String> = HashMap::new();
        for (id, text) in &self.documents {
            let kept = *first.entry(text).or_insert(id);
            if kept != id {
                stands_for.insert(id.clone(), kept.to_owned());
            }
        }
        self.documents.retain(|(id, _)| !stands_for.contains_key(id));
        let mut places: HashMap<(String, String), usize> = HashMap::new();
        let mut united: Vec<(String, String, u32)> = Vec::with_capacity(self.qrels.len());
        for (query, document, grade) in self.qrels.drain(..) {
            let document = stands_for.get(&document).cloned().unwrap_or(document);
            match places.get(&(query.clone(), document.clone())) {
                Some(&place) => united[place].2 = united[place].2.max(grade),
                None => {
                    places.insert((query.clone(), document.clone()), united.len());
                    united.push((query, document, grade));
                }
            }
        }
        self.qrels = united;
        stands_for
    }

    /// Whether all ids can stand in files whose columns are separated by white space.
    pub(super) fn check_ids(&self) -> Result<(), ExchangeError> {
        let ids = self.documents.iter().chain(&self.queries).map(|(id, _)| id);
        ids.into_iter().try_for_each(|id| check_id(id))
    }
}

/// A name without signs that lead somewhere. Hugging Face's hub takes few of them in the name of a configuration.
pub(super) fn plain(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.+".contains(c), "-")
}

pub(super) fn check_id(id: &str) -> Result<(), ExchangeError> {
    match id.is_empty() || id.contains(char::is_whitespace) {
        true => Err(ExchangeError::Id { id: id.to_owned() }),
        false => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A corpus with two documents of one text, and a query that helpers are right for too.
    pub(in crate::exchange) fn sample() -> ExportedCorpus {
        let pair = |id: &str, text: &str| (id.to_owned(), text.to_owned());
        let right = |query: &str, document: &str, grade| (query.to_owned(), document.to_owned(), grade);
        ExportedCorpus {
            name: ExportedCorpus::name(Group::Three, View::Short, "standard", None),
            group: Group::Three,
            view: View::Short,
            setting: "standard".to_owned(),
            seed: 0,
            documents: vec![
                pair("a", "int a;"),
                pair("b", "int \"b\"\t;\n"),
                pair("c", "int a;"),
                pair("d", "int d;\u{2028}é"),
            ],
            queries: vec![pair("q1", "An a."), pair("q2", "A \"b\",\nor an é.")],
            qrels: vec![right("q1", "a", 1), right("q1", "c", 2), right("q2", "b", 2), right("q2", "d", 1)],
        }
    }

    #[test]
    fn names_say_what_is_needed_and_no_more() {
        assert_eq!(ExportedCorpus::name(Group::One, View::Short, "standard", None), "group1-standard");
        assert_eq!(ExportedCorpus::name(Group::Three, View::Long, "randomized", Some(7)), "group3-long-randomized-7");
        assert_eq!(ExportedCorpus::name(Group::One, View::Short, "x86_64:clang:O2", None), "group1-x86_64-clang-O2");
        assert_eq!(ExportedCorpus::name(Group::One, View::Short, "wasm32/paper", None), "group1-wasm32-paper");
    }

    #[test]
    fn documents_with_one_text_are_one() {
        let mut corpus = sample();
        let stands_for = corpus.unite_duplicates();
        assert_eq!(stands_for, HashMap::from([("c".to_owned(), "a".to_owned())]));
        assert_eq!(corpus.documents.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["a", "b", "d"]);
        assert_eq!(corpus.qrels.len(), 3);
        assert_eq!(corpus.qrels[0], ("q1".to_owned(), "a".to_owned(), 2));
    }
}
