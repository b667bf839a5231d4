//! What models found for each query, and the texts that go with it.

use std::collections::HashMap;

use estrange_bench::{Group, Run, View};
use estrange_report::document::{self, Hit, SearchResults, Snippet, SnippetText};

use super::{ALL, Key, Places};
use crate::search::corpus::Corpus;
use crate::search::error::SearchError;
use crate::search::library::{Chosen, Library};
use crate::search::records::Ranking;

/// Adds what was found for each query, with the first seed of each setting, and the texts that are shown.
pub(super) fn fill(
    document: &mut SearchResults,
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
        for ranking in run.rows::<Ranking>()? {
            let Ranking { item, group, view, setting, seed, query_id, documents, scores } = ranking?;
            // Of several trials the first is shown.
            let Some(corpus) = of(group, view, &setting).filter(|corpus| corpus.seed == seed) else { continue };
            let key = Key { group, view, setting: places.setting(run, &setting)?, subset: ALL };
            let query = places.item(run, &item)?.query;
            // What was scored anew may be less than what was ranked.
            let Some(place) = corpora.iter().position(|each| *each == key) else { continue };
            let asked = corpus.queries.iter().find(|asked| asked.id == query_id);
            let asked = asked.ok_or_else(|| places.foreign(run, &item))?;
            let grades: HashMap<&str, u32> = asked
                .right
                .iter()
                .map(|(document, grade)| (&*corpus.documents[*document as usize].id, *grade))
                .collect();
            let function = &*asked.function;
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
            document.queries[query].rankings.push(document::Ranking {
                model,
                corpus: place,
                rank: rank.map(|rank| rank + 1),
                score: rank.and_then(|rank| scores.get(rank)).map(|score| *score as f32),
                top,
            });
        }
    }
    for corpus in &searched {
        let Some(setting) = places.place_of(&corpus.setting) else { continue };
        if of(corpus.group, corpus.view, &corpus.setting).is_some_and(|first| first.seed != corpus.seed) {
            continue;
        }
        for one in &corpus.documents {
            let view = if corpus.group == Group::Three { corpus.view.to_string() } else { String::new() };
            shelf.add(&one.id, SnippetText { setting, view, text: one.text.to_string() });
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
        let names = functions.map(|function| (&*function.id, function.qualified_name.as_str())).collect();
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
