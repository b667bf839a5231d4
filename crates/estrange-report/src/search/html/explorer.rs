//! What the explorer of queries shows, and what of it was left out.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::document::{Ranking, SearchResults, Snippet};
use crate::panel::PageOptions;

/// The places of the queries that are shown: all, or as many as are wanted at equal distances.
fn shown(document: &SearchResults, options: &PageOptions) -> Vec<usize> {
    let explorable: Vec<usize> = (0..document.queries.len()).filter(|&at| is_explorable(document, at)).collect();
    let wanted = options.queries.min(explorable.len());
    (0..wanted).map(|place| explorable[place * explorable.len() / wanted]).collect()
}

fn is_explorable(document: &SearchResults, query: usize) -> bool {
    let query = &document.queries[query];
    query.right.is_some() || !query.rankings.is_empty()
}

/// A sentence that says what is not in the explorer; empty where nothing is missing.
pub(super) fn left_out(document: &SearchResults, options: &PageOptions) -> String {
    let all = document.queries.len();
    let shown = shown(document, options).len();
    let mut sentences = Vec::new();
    if shown < all {
        sentences.push(format!(
            "It shows {shown} of {all} queries, taken at equal distances; tables, plots and filters know all of them."
        ));
    }
    let longest = document.queries.iter().flat_map(|query| &query.rankings).map(|ranking| ranking.top.len()).max();
    if longest.is_some_and(|longest| longest > options.hits) {
        sentences.push(format!("Of each ranking it shows the first {}.", options.hits));
    }
    let texts = document.snippets.iter().flat_map(|snippet| &snippet.texts);
    if texts.map(|text| text.text.len()).max().is_some_and(|longest| longest > options.hit_text.min(options.text)) {
        sentences.push(format!(
            "Of the right function it shows the first {} characters, of others the first {}.",
            options.text, options.hit_text
        ));
    }
    sentences.join(" ")
}

/// The queries that are shown, and the snippets that they need.
pub(super) fn data(document: &SearchResults, options: &PageOptions) -> Value {
    let mut snippets = Snippets { document, options, wanted: Vec::new(), numbers: HashMap::new() };
    let mut queries = Vec::new();
    for place in shown(document, options) {
        let query = &document.queries[place];
        let right = query.right.map(|right| snippets.right(right));
        let rankings: Vec<Value> = query.rankings.iter().map(|ranking| snippets.ranking(ranking)).collect();
        queries.push(json!({
            "at": place,
            "id": query.id,
            "text": query.text,
            "facts": [
                format!("Group {}", query.group), query.licence.clone(), query.evidence.clone(),
                format!("query by {}", query.author), query.source.clone(),
            ],
            "right": right,
            "rankings": rankings,
        }));
    }
    json!({ "queries": queries, "snippets": snippets.data() })
}

/// The snippets that are needed, numbered as they come.
struct Snippets<'d> {
    document: &'d SearchResults,
    options: &'d PageOptions,
    /// By number.
    wanted: Vec<Wanted<'d>>,
    /// By place.
    numbers: HashMap<usize, usize>,
}

/// What is needed of a snippet.
struct Wanted<'d> {
    snippet: &'d Snippet,
    /// How many characters, in each setting and view.
    lengths: BTreeMap<(usize, &'d str), usize>,
}

impl<'d> Snippets<'d> {
    fn number(&mut self, place: usize) -> usize {
        *self.numbers.entry(place).or_insert_with(|| {
            self.wanted.push(Wanted { snippet: &self.document.snippets[place], lengths: BTreeMap::new() });
            self.wanted.len() - 1
        })
    }

    /// The right function of a query, of which every text is wanted.
    fn right(&mut self, place: usize) -> usize {
        let number = self.number(place);
        for text in &self.document.snippets[place].texts {
            self.want(number, text.setting, &text.view, self.options.text);
        }
        number
    }

    fn ranking(&mut self, ranking: &Ranking) -> Value {
        let corpus = &self.document.corpora[ranking.corpus];
        let mut top = Vec::new();
        for hit in ranking.top.iter().take(self.options.hits) {
            let number = self.number(hit.snippet);
            self.want(number, corpus.setting, &corpus.view, self.options.hit_text);
            top.push(json!([number, rounded(hit.score), hit.grade]));
        }
        json!([ranking.model, ranking.corpus, ranking.rank, ranking.score.map(rounded), top])
    }

    fn want(&mut self, number: usize, setting: usize, view: &'d str, length: usize) {
        let wanted = self.wanted[number].lengths.entry((setting, view)).or_insert(0);
        *wanted = length.max(*wanted);
    }

    fn data(&self) -> Vec<Value> {
        let snippets = self.wanted.iter().map(|Wanted { snippet, lengths }| {
            let texts = snippet.texts.iter().filter_map(|text| {
                let length = *lengths.get(&(text.setting, text.view.as_str()))?;
                let (shown, missing) = cut(&text.text, length);
                Some(json!([text.setting, text.view, shown, missing]))
            });
            json!([snippet.name, snippet.id, texts.collect::<Vec<_>>()])
        });
        snippets.collect()
    }
}

/// The beginning of a text, whole lines where that costs little, and how many characters are missing.
fn cut(text: &str, length: usize) -> (&str, usize) {
    let Some((end, _)) = text.char_indices().nth(length) else { return (text, 0) };
    let line = text[..end].rfind('\n').filter(|&line| line > end / 2);
    let end = line.map_or(end, |line| line + 1);
    (&text[..end], text[end..].chars().count())
}

/// A model's own score, with as many decimals as anybody compares.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("äöü", 2), ("äö", 1));
        assert_eq!(cut("äöü", 3), ("äöü", 0));
    }

    #[test]
    fn a_text_is_cut_between_lines_where_one_ends_late_enough() {
        assert_eq!(cut("abcd\nef\ngh", 7), ("abcd\n", 5));
        assert_eq!(cut("a\nbcdefgh", 7), ("a\nbcdef", 2));
    }
}
