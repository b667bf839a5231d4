//! What models found for each query, and the texts that go with it.

use std::collections::HashMap;

use estrange_bench::{Answer, Group, Run, View};
use estrange_report::document::{Document, Hit, Ranking, Snippet, SnippetText};
use serde_json::Value;

use super::{ALL, Key, Places};
use crate::search::corpus::Corpus;
use crate::search::library::{Chosen, Library, SearchError};

/// How strongly a function was checked, in a word.
pub(super) fn tier(evidence: &str) -> String {
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

/// Adds what was found for each query, with the first seed of each setting, and the texts that are shown.
pub(super) fn fill(
    document: &mut Document,
    library: &Library,
    runs: &[Run],
    corpora: &[Key],
    places: &Places,
    shown: usize,
) -> Result<(), SearchError> {
    let settings: Vec<String> = places.settings.iter().map(|setting| setting.name.clone()).collect();
    let searched = library.corpora(&Chosen { settings, ..Chosen::default() })?;
    let of = |group: Group, view: View, setting: &str| {
        let matching =
            |corpus: &&Corpus| (corpus.group, corpus.view, corpus.setting.as_str()) == (group, view, setting);
        searched.iter().filter(matching).min_by_key(|corpus| corpus.seed)
    };
    let mut shelf = Shelf::new(library);
    for (model, run) in runs.iter().enumerate() {
        for answer in run.answers()? {
            let Answer { group, view, setting, seed, query_id, documents, scores } = answer?;
            let Some(corpus) = of(group, view, &setting).filter(|corpus| corpus.seed == seed) else { continue };
            let (Some(setting), Some(query)) = (places.setting(&setting), places.query(&query_id)) else { continue };
            let key = Key { group, view, setting, subset: ALL };
            let Some(place) = corpora.iter().position(|each| *each == key) else { continue };
            let Some(at) = corpus.queries.iter().position(|(id, _)| *id == query_id) else { continue };
            let grades: HashMap<&str, u32> = corpus.right[at]
                .iter()
                .map(|(document, grade)| (corpus.documents[*document as usize].id.as_str(), *grade))
                .collect();
            let function = &library.queries()[query].function_id;
            let rank = documents.iter().position(|id| id == function);
            let top = documents.iter().zip(&scores).take(shown);
            let top: Vec<Hit> = top
                .map(|(id, score)| Hit {
                    snippet: shelf.place(id),
                    score: *score as f32,
                    grade: grades.get(id.as_str()).copied().unwrap_or(0),
                })
                .collect();
            document.queries[query].right = Some(shelf.place(function));
            document.queries[query].rankings.push(Ranking {
                model,
                corpus: place,
                rank: rank.map(|rank| rank + 1),
                score: rank.and_then(|rank| scores.get(rank)).map(|score| *score as f32),
                top,
            });
        }
    }
    for corpus in &searched {
        let Some(setting) = places.setting(&corpus.setting) else { continue };
        if of(corpus.group, corpus.view, &corpus.setting).is_some_and(|first| first.seed != corpus.seed) {
            continue;
        }
        for one in &corpus.documents {
            let view = if corpus.group == Group::Three { corpus.view.to_string() } else { String::new() };
            shelf.add(&one.id, SnippetText { setting, view, text: one.text.clone() });
        }
    }
    document.snippets = shelf.snippets;
    Ok(())
}

/// The snippets that are shown.
struct Shelf<'l> {
    names: HashMap<&'l str, &'l str>,
    places: HashMap<String, usize>,
    snippets: Vec<Snippet>,
}

impl<'l> Shelf<'l> {
    fn new(library: &'l Library) -> Self {
        let functions = library.functions().iter();
        let names = functions.map(|function| (function.id.as_str(), function.qualified_name.as_str())).collect();
        Self { names, places: HashMap::new(), snippets: Vec::new() }
    }

    /// A snippet's place; a new one gets the next.
    fn place(&mut self, id: &str) -> usize {
        if let Some(place) = self.places.get(id) {
            return *place;
        }
        let place = self.snippets.len();
        let name = self.names.get(id).copied().unwrap_or("a helper").to_owned();
        self.snippets.push(Snippet { id: id.to_owned(), name, texts: Vec::new() });
        self.places.insert(id.to_owned(), place);
        place
    }

    /// Gives a snippet that is shown a text, once for each setting and view.
    fn add(&mut self, id: &str, text: SnippetText) {
        let Some(place) = self.places.get(id) else { return };
        let texts = &mut self.snippets[*place].texts;
        if !texts.iter().any(|each| (each.setting, &each.view) == (text.setting, &text.view)) {
            texts.push(text);
        }
    }
}
